import { ts } from "ts-morph";
import { all, type File, type Program } from "./source.js";

const runtime = "@mcpgen/runtime";

/** The errors that old libraries send, and their names here. */
const errors: Readonly<Record<string, string>> = {
  McpError: "McpError",
  ProtocolError: "McpError",
  UserError: "ToolError",
};

/** The enumerations of their codes. */
const codes = /^(ErrorCode|ProtocolErrorCode)$/;

/**
 * Converts the errors that a file throws or checks. A code becomes its number,
 * because its name is that of one revision here.
 */
export function convertErrors(program: Program, file: File): void {
  for (const node of all(file.tree, ts.isIdentifier)) {
    if (ts.isImportSpecifier(node.parent)) continue;
    const name = program.sdkName(node);
    if (name === undefined) continue;
    if (codes.test(name)) {
      convertCode(program, node.parent);
      continue;
    }
    if (!Object.hasOwn(errors, name)) continue;
    const error = errors[name] ?? name;
    const local = program.need(file, runtime, error);
    program.replace(node, local);
  }
}

function convertCode(program: Program, use: ts.Node): void {
  if (!ts.isPropertyAccessExpression(use)) return;
  const name = use.name.text.toLowerCase();
  const code = program.options.codes.get(name);
  if (code === undefined) return;
  program.replace(use, String(code));
}
