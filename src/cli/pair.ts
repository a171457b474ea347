import { SchemaError } from "../diagnostics.js";
import { namedSource, type Source } from "../sources/schemas.js";
import { usageError } from "./command-error.js";

/** Loads two sources to compare. If neither can be loaded, the error has the diagnostics of both. */
export async function namedPair(a: string, b: string, directory: string): Promise<readonly [Source, Source]> {
  const [first, second] = await Promise.allSettled([namedSource(a, directory), namedSource(b, directory)]);
  if (first.status === "fulfilled" && second.status === "fulfilled") return [first.value, second.value];
  const reasons = [first, second].flatMap((one): unknown[] =>
    one.status === "rejected" ? [one.reason] : [],
  );
  const errors = reasons.filter((reason) => reason instanceof SchemaError);
  if (errors.length < reasons.length) throw reasons.find((reason) => !(reason instanceof SchemaError));
  throw new SchemaError(errors.flatMap(({ diagnostics }) => diagnostics));
}

/** Rejects a comparison of a snapshot with a schema. `words` are the sources on the command line. */
export function rejectMixture(areSnapshots: readonly boolean[], words: readonly string[]): void {
  const snapshot = words[areSnapshots.indexOf(true)];
  const other = words[areSnapshots.indexOf(false)];
  if (snapshot === undefined || other === undefined) return;
  throw usageError(
    "MG705",
    `${snapshot} is a snapshot of a server, and ${other} is a schema of the protocol`,
    "compare two snapshots, or two schemas",
  );
}
