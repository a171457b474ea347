import { schemaError, type Diagnostics } from "../diagnostics.js";
import { collision } from "../emit/write/paths.js";
import { LOCK, readLock, type Lock } from "../sources/lock.js";
import { keepReplaced } from "./cache.js";
import { planExtension } from "./extension.js";
import { cleanUp, lockDigest, store } from "./store.js";
import { planRevisions, type UpdatePlan, type UpdateRequest } from "./revisions.js";

export interface ProjectRequest extends UpdateRequest {
  /** "revisions" and "extension": those of the source. "all": its revisions, and each extension that is pinned from a URL. */
  readonly scope: "revisions" | "extension" | "all";
  /** False for a comparison that writes nothing. */
  readonly isWriting: boolean;
}

/** The schemas that an update of a project pins, and the function that writes them. */
export interface ProjectPlan extends Pick<UpdatePlan, "result" | "pinned" | "lock"> {
  /**
   * Writes the schemas and the lock file, all or none.
   *
   * @throws SchemaError if another update has written in the meantime, or the disk fails
   */
  readonly write: () => Promise<void>;
}

/**
 * Fetches schemas, and reads what is new or changed completely. Adds notes and warnings.
 *
 * @throws SchemaError with all diagnostics of schemas that cannot be read
 * @throws UnreachableError
 */
export async function planProject(request: ProjectRequest, diagnostics: Diagnostics): Promise<ProjectPlan> {
  const { project, scope, isWriting, requests } = request;
  if (isWriting) await cleanUp(project);
  const lockBefore = lockDigest(project);
  const lock = await readLock(project);
  let plan = await (scope === "extension" ? planExtension : planRevisions)(request, lock, diagnostics);
  if (scope === "all") {
    for (const { source, revision } of lock.extensions.values()) {
      if (!/^https?:/.test(source)) continue;
      const selection = revision === undefined ? "default" : [revision];
      plan = withExtensions(
        plan,
        await planExtension({ ...request, from: source, selection }, plan.lock, diagnostics),
      );
    }
  }
  const { result, pinned, files, lock: after } = plan;
  checkFiles(after);
  const write = async (): Promise<void> => {
    if (after === lock) return;
    await keepReplaced(lock, after, project);
    await store(project, files, after, lockBefore, requests.signal);
  };
  return { result, pinned, lock: after, write };
}

/** Other systems would have one file for two pins. */
function checkFiles({ revisions, extensions }: Lock): void {
  const pair = collision([...revisions.values(), ...extensions.values()].map(({ file }) => file));
  if (pair === null) return;
  const message = `${pair[0]} and ${pair[1]} would be the same file on a case-insensitive disk`;
  throw schemaError("MG756", message, `pin one of them only, or correct ${LOCK}`);
}

/** A plan with the extension of another one, whose lock file includes both. */
function withExtensions(plan: UpdatePlan, { result, pinned, files, lock }: UpdatePlan): UpdatePlan {
  return {
    result: { ...plan.result, extensions: [...plan.result.extensions, ...result.extensions] },
    pinned: { ...plan.pinned, extensions: new Map([...plan.pinned.extensions, ...pinned.extensions]) },
    files: [...plan.files, ...files],
    lock,
  };
}
