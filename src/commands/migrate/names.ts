import { ts } from "ts-morph";
import { all, type File, type Program } from "./source.js";

const runtime = "@mcpgen/runtime";

/**
 * The errors that old libraries send, and the type of what a tool returns, with
 * what has the same use here.
 */
const names: Readonly<
  Record<string, { readonly module: string; readonly name: string }>
> = {
  McpError: {
    module: runtime,
    name: "McpError",
  },
  ProtocolError: {
    module: runtime,
    name: "McpError",
  },
  UserError: {
    module: runtime,
    name: "ToolError",
  },
  CallToolResult: {
    module: `${runtime}/features`,
    name: "type ToolOutput",
  },
};

/** The enumerations of their codes. */
const codes = /^(ErrorCode|ProtocolErrorCode)$/;

/**
 * Converts the names of a file that have a counterpart here. The code of an
 * error becomes its number, because its name is that of one revision here.
 */
export function convertNames(program: Program, file: File): void {
  for (const node of all(file.tree, ts.isIdentifier)) {
    if (ts.isImportSpecifier(node.parent)) continue;
    const name = program.sdkName(node);
    if (name === undefined) continue;
    if (codes.test(name)) {
      convertCode(program, node.parent);
      continue;
    }
    const found = Object.hasOwn(names, name) ? names[name] : undefined;
    if (found === undefined) continue;
    const local = program.need(file, found.module, found.name);
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
