import type { Diagnostics } from "../../diagnostics.js";
import { check, checkDeclarations } from "../../ir/check/index.js";
import type { Protocol } from "../../ir/model.js";
import { ownState, type SchemaContext } from "../json-schema/context.js";
import { documentOf } from "../json-schema/reference.js";
import { parseJson } from "../json/text/parse.js";
import { member, show, locationsIn } from "../json/text/tree.js";
import { format, readDocument } from "./document.js";
import { fault, filePolicy } from "./policy.js";
import { checkShape, protocolShape } from "./shape.js";

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
  const hasErrors = (): boolean =>
    diagnostics.list.slice(before).some(({ severity }) => severity === "error");
  const at = locationsIn(text, file);
  const root = parseJson(text, at, diagnostics.root);
  if (root === null) return null;
  // Format 1 had the name `format`.
  const version = member(root, "mcpgen:format") ?? member(root, "format");
  if (version?.kind === "scalar" && version.value !== format) {
    diagnostics.root.error(
      "MG601",
      at(version.at),
      `this file has format ${show(version)}, and this version of mcpgen reads format ${format}`,
      "generate it again with `mcpgen ir`",
    );
    return null;
  }
  checkShape(root, protocolShape, at, diagnostics.root, fault);
  if (hasErrors() || root.kind !== "object") return null;
  const context: SchemaContext = {
    locationAt: at,
    scope: diagnostics.root,
    dialect: "2020-12",
    root,
    depth: 0,
    resource: documentOf(root, "2020-12"),
    policy: filePolicy,
    own: ownState(),
  };
  const protocol = readDocument(context, root);
  if (hasErrors()) return null;
  const sound = [
    check(protocol, diagnostics),
    checkDeclarations(protocol.declarations, () => null, diagnostics),
  ].every(Boolean);
  if (!sound) return null;
  return revision === undefined ? protocol : { ...protocol, revision };
}
