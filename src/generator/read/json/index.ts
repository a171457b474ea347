import type { Diagnostics } from "../../diagnostics.js";
import type { Declared } from "../../ir/lookup.js";
import type { Loaded } from "../load.js";
import { correct } from "./defects.js";
import { readDefinitions } from "./definitions.js";
import { parseJson } from "./text/parse.js";
import { resolve } from "./text/pointer.js";
import { locationsIn } from "./text/tree.js";

type Text = Pick<Loaded, "file" | "text">;

/**
 * Reads a `schema.json` (draft-07 or 2020-12), after its known defects are
 * corrected. Fetches nothing, reports all issues of the file, and returns null
 * after an error. The result has no constants and no inheritance, because a
 * `schema.json` has none.
 */
export function readJsonSchema(
  { file, text }: Text,
  defects: Text | null,
  diagnostics: Diagnostics,
): Declared | null {
  const hasErrors = diagnostics.watch();
  const at = locationsIn(text, file);
  const raw = parseJson(text, at, diagnostics.root);
  if (raw === null) return null;
  const root = defects === null ? raw : correct(raw, defects, diagnostics.root);
  const declarations = readDefinitions(root, at, diagnostics.root);
  if (declarations === null || hasErrors()) return null;
  return {
    declarations,
    locationOf: (name) => {
      const node =
        resolve(root, ["definitions", name]) ?? resolve(root, ["$defs", name]);
      return node === null ? null : at(node.at);
    },
  };
}
