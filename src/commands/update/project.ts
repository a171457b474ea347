import { schemaError, type Diagnostics } from "../../generator/diagnostics.js";
import { collision } from "../../generator/emit/write/paths.js";
import type { Schemas } from "../../generator/inputs/extensions.js";
import { RefusedError } from "../../generator/inputs/from-file.js";
import { lockName, readLock, type Lock } from "../../generator/inputs/lock.js";
import { pinnedSource } from "../../generator/inputs/schemas.js";
import { keepReplaced } from "./cache.js";
import { planExtension } from "./extension.js";
import type { Candidate, UpdatePlan, UpdateRequest } from "./pins.js";
import { planRevisions } from "./revisions.js";
import { cleanUp, lockDigest, store } from "./store.js";

interface ProjectRequest extends UpdateRequest {
  /**
   * "revisions" and "extension": those of the source. "all": its revisions, and
   * each extension that is pinned from a URL.
   */
  readonly scope: "revisions" | "extension" | "all";
}

/**
 * The schemas that an update of a project pins, and the function that writes
 * them.
 */
export interface ProjectPlan extends Pick<UpdatePlan, "result" | "lock"> {
  /** The schemas to write. */
  readonly pinned: Schemas;
  /**
   * Writes the schemas and the lock file, all or none.
   *
   * @throws SchemaError if another update has written in the meantime, or the
   *   disk fails
   */
  readonly write: () => Promise<void>;
}

/**
 * Fetches schemas, and reads what is new or changed completely. Adds notes and
 * warnings.
 *
 * @throws SchemaError with all diagnostics of schemas that cannot be read
 * @throws UnreachableError
 */
export async function planProject(
  request: ProjectRequest,
  diagnostics: Diagnostics,
): Promise<ProjectPlan> {
  const { project, scope, requests } = request;
  const lockBefore = lockDigest(project);
  const lock = await readLock(project);
  let plan = await (scope === "extension" ? planExtension : planRevisions)(
    request,
    lock,
    diagnostics,
  );
  for (const [name, { source, revision, id }] of scope === "all"
    ? lock.extensions
    : []) {
    if (!source.isAddress) continue;
    const selection = revision === undefined ? "default" : [revision];
    const next = await planExtension(
      { ...request, from: source, selection, id },
      plan.lock,
      diagnostics,
    ).catch((error: unknown) => stayingPinned(name, error, diagnostics));
    if (next === null) continue;
    const extensions = [...plan.result.extensions, ...next.result.extensions];
    const result = { ...plan.result, extensions };
    plan = { result, pins: [...plan.pins, ...next.pins], lock: next.lock };
  }
  const { result, pins, lock: after } = plan;
  checkFiles(after);
  for (const { pin, isIntact, loaded, file } of pins) {
    if (isIntact || pin?.sha256 !== loaded.sha256) continue;
    const message = `the pinned schema ${file} is missing; mcpgen update writes it again`;
    diagnostics.root.note("MG754", null, message);
  }
  const write = async (): Promise<void> => {
    if (after === lock) return await cleanUp(project);
    await keepReplaced(pins, project);
    await store(project, pins, after, lockBefore, requests.signal);
  };
  return { result, pinned: schemasOf(pins, after), lock: after, write };
}

/**
 * Warns of an extension whose source no file may name: it stays as it is
 * pinned. Throws any other error.
 */
function stayingPinned(
  name: string,
  error: unknown,
  diagnostics: Diagnostics,
): null {
  if (!(error instanceof RefusedError)) throw error;
  for (const { code, message } of error.diagnostics)
    diagnostics.root.warn(
      code,
      null,
      `the extension ${name} stays as it is: ${message}`,
      "if you trust the source, name it: mcpgen update --extension <url>",
    );
  return null;
}

function schemasOf(pins: readonly Candidate[], lock: Lock): Schemas {
  const of = (kind: Candidate["kind"]): readonly Candidate[] =>
    pins.filter((pin) => pin.kind === kind);
  return {
    revisions: new Map(
      of("revisions").map(({ name, file, loaded }) => [
        name,
        pinnedSource(name, file, loaded),
      ]),
    ),
    extensions: new Map(
      of("extensions").map(({ name, file, loaded }) => [
        name,
        {
          loaded,
          name: file,
          bundledAs: null,
          id: lock.extensions.get(name)?.id,
        },
      ]),
    ),
  };
}

/** Other systems would have one file for two pins. */
function checkFiles({ revisions, extensions }: Lock): void {
  const pair = collision(
    [...revisions.values(), ...extensions.values()].map(({ file }) => file),
  );
  if (pair === null) return;
  const message = `${pair[0]} and ${pair[1]} would be the same file on a case-insensitive disk`;
  throw schemaError(
    "MG756",
    message,
    `pin one of them only, or correct ${lockName}`,
  );
}
