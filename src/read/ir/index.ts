import type { Diagnostics } from "../../diagnostics.js";
import { check, checkDeclarations } from "../../ir/check/index.js";
import type { Protocol } from "../../ir/model.js";
import { protocolShape } from "../../ir/shape.js";
import { parseJson } from "../json/text/parse.js";
import { member, show, locationsIn } from "../json/text/tree.js";
import { checkShape } from "./shape.js";

/** The version of the representation that this program reads and writes. */
const format = 1;

export interface ReadIrOptions {
  /** The path in diagnostics. */
  readonly file: string;
  /** The name of the revision, instead of that in the file. */
  readonly revision?: string;
}

/**
 * Reads an IR file written by `serialize` and checks its shape and invariants. Returns null after an error. Its `source` is
 * the schema that the IR was made from.
 */
export function readIr(
  text: string,
  { file, revision }: ReadIrOptions,
  diagnostics: Diagnostics,
): Protocol | null {
  const before = diagnostics.list.length;
  const at = locationsIn(text, file);
  const root = parseJson(text, at, diagnostics.root);
  if (root === null) return null;
  const version = member(root, "format");
  if (version?.kind === "scalar" && version.value !== format) {
    diagnostics.root.error(
      "MG601",
      at(version.at),
      `this file has format ${show(version)}, and this version of mcpgen reads format ${format}`,
      "generate it again with `mcpgen ir`",
    );
    return null;
  }
  checkShape(root, protocolShape, at, diagnostics.root, {
    code: "MG602",
    hint: "generate the file again with `mcpgen ir`",
  });
  if (diagnostics.list.slice(before).some(({ severity }) => severity === "error")) return null;
  const protocol = JSON.parse(text.replace(/^\uFEFF/, "")) as Protocol;
  const sound = [
    check(protocol, diagnostics),
    checkDeclarations(protocol.declarations, () => null, diagnostics),
  ].every(Boolean);
  if (!sound) return null;
  return revision === undefined ? protocol : { ...protocol, revision };
}
