import {
  Diagnostics,
  schemaError,
  SchemaError,
} from "../../generator/diagnostics.js";
import { isDated, latestOf } from "../../generator/read/revisions.js";
import type { Loaded } from "../../generator/read/load.js";
import {
  isPinName,
  lockName,
  versionOf,
  type Lock,
  type Pin,
} from "../../generator/inputs/lock.js";
import { loadIfIntact } from "../../generator/inputs/pins.js";
import type { FetchedSchemas } from "./archive.js";
import {
  areIntact,
  compareSchema,
  lockWith,
  pinnedRow,
  unchangedRow,
  type RevisionSelection,
  type UpdatePlan,
  type UpdateRequest,
} from "./pins.js";
import { choose } from "./revisions.js";
import { openSource } from "./source.js";

/**
 * Fetches the schema of an extension and reads it completely. It is pinned
 * under the last part of its id.
 *
 * @throws SchemaError with all diagnostics if it cannot be read
 * @throws UnreachableError
 */
export async function planExtension(
  request: UpdateRequest,
  lock: Lock,
  diagnostics: Diagnostics,
): Promise<UpdatePlan> {
  const { selection, project } = request;
  const { name: source, fetch } = await openSource(request, "extension");
  const pinned = [...lock.extensions].find(([, pin]) => pin.source.is(source));
  const id = request.id ?? pinned?.[1].id;
  const isIntact =
    pinned !== undefined && (await areIntact([pinned[1]], source, project));
  const [revision] = typeof selection === "string" ? [] : selection;
  // Another revision of the extension may be in the same commit.
  const hasId = pinned?.[1].id === id;
  const isKnown = isIntact && hasId && pinned[1].revision === revision;
  const known = isKnown ? versionOf(pinned[1]) : null;
  const fetched = await fetch(known);
  const version = fetched?.version ?? known ?? {};
  const loaded =
    fetched === null
      ? null
      : await schemaIn(fetched.schemas, selection, source);
  if (
    isIntact &&
    hasId &&
    (loaded === null || loaded.sha256 === pinned[1].sha256)
  ) {
    const extensions = [unchangedRow(...pinned)];
    return {
      result: { source, version, revisions: [], extensions },
      pins: [],
      lock,
    };
  }
  if (loaded === null)
    throw new Error("A source has no version before the first one.");
  const read = await readId(loaded, id, diagnostics);
  const name = nameOf(read);
  const pin = lock.extensions.get(name);
  if (pin !== undefined && !pin.source.is(source))
    await rejectOther(read, name, pin, project);
  const candidate = await compareSchema(
    "extensions",
    name,
    loaded,
    lock,
    request,
  );
  return {
    result: {
      source,
      version,
      revisions: [],
      extensions: [pinnedRow(candidate)],
    },
    pins: [candidate],
    lock: lockWith(
      [candidate],
      {
        source,
        ...version,
        ...(revision !== undefined && { revision }),
        ...(id !== undefined && { id }),
      },
      lock,
    ),
  };
}

/**
 * The selected schema of a source; by default that of the newest dated
 * revision, otherwise of a draft, which comes last.
 */
async function schemaIn(
  schemas: FetchedSchemas,
  selection: RevisionSelection,
  source: string,
): Promise<Loaded> {
  const names = [...schemas.keys()];
  const newest = latestOf(names.filter(isDated)) ?? names.at(-1) ?? "";
  const words =
    typeof selection === "string" || names[0] === "" ? [newest] : selection;
  const [load] = choose(words, schemas, source, new Map()).values();
  if (load === undefined)
    throw new Error("An extension has one selected revision.");
  return await load();
}

async function readId(
  loaded: Loaded,
  given: string | undefined,
  diagnostics: Diagnostics,
): Promise<string> {
  const { readExtension } = await import("../../generator/read/index.js");
  const { file, text } = loaded;
  const schema = await readExtension(
    text,
    { file, name: file, id: given },
    diagnostics,
  );
  if (schema === null) throw new SchemaError(diagnostics.list);
  return schema.id;
}

/**
 * The name of an extension for `--extension`: "tasks" of
 * "io.modelcontextprotocol/tasks".
 */
function nameOf(id: string): string {
  const name = (id.split("/").at(-1) ?? "")
    .replace(/[^A-Za-z0-9_-]/g, "-")
    .slice(0, 64);
  return isPinName(name) ? name : `extension-${name}`.slice(0, 64);
}

/**
 * An extension may move to another source, but another extension of the same
 * name must not replace it.
 */
async function rejectOther(
  id: string,
  name: string,
  pin: Pin,
  project: string,
): Promise<void> {
  const pinned = await loadIfIntact(pin, project);
  const other =
    typeof pinned === "string"
      ? id
      : await readId(pinned, pin.id, new Diagnostics());
  if (other === id) return;
  throw schemaError(
    "MG756",
    `the extension ${id} would replace ${other}, which is pinned under the same name`,
    `remove the entry "${name}" from ${lockName} and its file first`,
  );
}
