import { ts } from "ts-morph";
import { all, type File, type Program } from "./source.js";

const runtime = "@mcpgen/runtime";

/** The errors that old libraries send, and their names here. */
const errors: ReadonlyMap<string, string> = new Map([
  ["McpError", "McpError"],
  ["ProtocolError", "McpError"],
  ["UserError", "ToolError"],
]);

/** The enumerations of their codes. */
const codes = /^(ErrorCode|ProtocolErrorCode)$/;

/**
 * Converts the errors that a file throws or checks. A code becomes its number,
 * because its name is that of one revision here.
 */
export function convertErrors(program: Program, file: File): void {
  for (const node of all(file.tree, ts.isIdentifier)) {
    if (ts.isImportSpecifier(node.parent)) continue;
    const name = program.sdkName(node) ?? "";
    const error = errors.get(name);
    if (error) program.replace(node, program.need(file, runtime, error));
    const { parent } = node;
    if (!codes.test(name) || !ts.isPropertyAccessExpression(parent)) continue;
    const code = program.options.codes.get(parent.name.text.toLowerCase());
    if (code !== undefined) program.replace(parent, String(code));
  }
}
