import type { Diagnostics, Location } from "../../diagnostics.js";
import { assemble } from "../../ir/derive/index.js";
import type { FactSources } from "../../ir/derive/revision.js";
import type { Protocol } from "../../ir/model.js";
import { digestOf } from "../digest.js";
import { revisionOf } from "../revision.js";
import { correct, type KnownDefects } from "./defects.js";
import { readDefinitions } from "./definitions.js";
import { parseJson } from "./text/parse.js";
import { resolve } from "./text/pointer.js";
import { locationsIn } from "./text/tree.js";

export interface ReadJsonOptions {
  /** The path in diagnostics. */
  readonly file: string;
  /** The path in the result: relative to the project or package, with forward slashes. */
  readonly name: string;
  /** What the schema does not say. */
  readonly facts: FactSources;
  /** The name of the revision; by default derived from the path. */
  readonly revision?: string;
  /** The known defects of this file, which are corrected before it is read. */
  readonly defects?: KnownDefects | null;
}

/**
 * Reads a `schema.json` (draft-07 or 2020-12). Fetches nothing, reports all issues of the file, and returns null after an error.
 * The result has no constants and no inheritance, because a `schema.json` has none.
 */
export function readJsonSchema(
  text: string,
  { file, name, facts, revision, defects = null }: ReadJsonOptions,
  diagnostics: Diagnostics,
): Protocol | null {
  const before = diagnostics.list.length;
  const hasErrors = (): boolean =>
    diagnostics.list.slice(before).some(({ severity }) => severity === "error");
  const at = locationsIn(text, file);
  const raw = parseJson(text, at, diagnostics.root);
  if (raw === null) return null;
  const root = defects === null ? raw : correct(raw, defects, diagnostics.root);
  const declarations = readDefinitions(root, at, diagnostics.root);
  if (declarations === null || hasErrors()) return null;
  const locationOf = (name: string): Location | null => {
    const node = resolve(root, ["definitions", name]) ?? resolve(root, ["$defs", name]);
    return node === null ? null : at(node.at);
  };
  return assemble(
    declarations,
    {
      revision: revisionOf(file, [], revision, diagnostics),
      source: { name, language: "json-schema", sha256: digestOf(text) },
      facts,
      locationOf,
    },
    diagnostics,
  );
}
