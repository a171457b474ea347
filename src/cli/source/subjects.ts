import { Diagnostics, SchemaError } from "../../generator/diagnostics.js";
import {
  namedSource as namedSchema,
  type Source as Schema,
} from "../../generator/inputs/schemas.js";
import { parseSnapshot } from "../../generator/inputs/snapshots.js";
import type { Snapshot } from "../../generator/ir/snapshot/model.js";
import type { Context } from "../command.js";
import { CommandError, exitCodes, usageError } from "../command-error.js";
import { worstExitCode } from "../report.js";
import { namedSource, partFor } from "./find.js";
import { readSnapshotOf } from "./read.js";
import { shownSource } from "./shown.js";

/** What the words of a command line name: servers, or schemas. */
type Subjects =
  | { readonly kind: "servers"; readonly snapshots: readonly Snapshot[] }
  | { readonly kind: "schemas"; readonly schemas: readonly Schema[] };

/**
 * Reads snapshots or loads schemas, but no mixture of both. All sources are
 * read before errors are thrown, so that one run reports the errors of all.
 */
export async function readSubjects(
  words: readonly string[],
  context: Context,
  diagnostics: Diagnostics,
): Promise<Subjects> {
  const { directory } = context;
  const sources = await eachOf(words, (word) =>
    namedSource("any", word, {}, directory),
  );
  const parts = sources.map((source) => partFor("any", source));
  const schema = parts.indexOf("schema");
  const server = parts.findIndex((part) => part !== "schema");
  if (schema !== -1 && server !== -1) {
    const [one, other] = [sources[server], sources[schema]].map(
      (source) => source && shownSource(source),
    );
    const message = `${one} is a snapshot of a server, and ${other} is a schema of the protocol`;
    const hint = "compare two servers or snapshots, or two schemas";
    throw usageError("MG705", message, hint);
  }
  if (schema !== -1) {
    const schemas = await eachOf(words, (word) => namedSchema(word, directory));
    return { kind: "schemas", schemas };
  }
  const read = await eachOf(sources, async (source) => {
    const own = new Diagnostics();
    const text = await readSnapshotOf(source, "any", {}, context, own);
    return { snapshot: await parseSnapshot(text, own), list: own.list };
  });
  for (const one of read.flatMap(({ list }) => list)) diagnostics.add(one);
  return { kind: "servers", snapshots: read.map(({ snapshot }) => snapshot) };
}

/**
 * The results for all items, in order. If some fail, the error has the
 * diagnostics of all of them.
 */
async function eachOf<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const errors: SchemaError[] = [];
  for (const item of items) {
    try {
      results.push(await work(item));
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      errors.push(error);
    }
  }
  if (errors.length === 0) return results;
  const list = errors.flatMap((error) => error.diagnostics);
  const codes = errors.map((error) =>
    error instanceof CommandError ? error.exitCode : exitCodes.usage,
  );
  throw new CommandError(list, worstExitCode(codes));
}
