import { ts } from "ts-morph";
import { fileOf, importOf, need, textOf, unwrapped, valueOf, visit, type Program } from "./source.js";

/** The text of a schema of a tool; null if it cannot be known whether it is a schema or an object of schemas. */
export function schemaMember(
  program: Program,
  direction: "input" | "output",
  node: ts.Expression,
): string | null {
  const plain = unwrapped(node);
  const value = valueOf(program, plain);
  const isShape =
    value === undefined ? isShapeName(plain) : ts.isObjectLiteralExpression(value) || isShapeName(value);
  if (!isShape && (value === undefined || !ts.isCallExpression(value))) return null;
  const zod = zodIn(program, value ?? plain) ??
    zodIn(program, node.getSourceFile()) ?? { name: "z", module: "" };
  if (zod.module === "") zod.name = need(program, fileOf(program, node), "zod", "z");
  const isHere = zod.file === undefined || zod.file === node.getSourceFile();
  const name = isHere
    ? zod.name
    : (zodIn(program, node.getSourceFile())?.name ?? need(program, fileOf(program, node), zod.module, "z"));
  const schema = isShape ? `${name}.object(${textOf(program, plain)})` : textOf(program, plain);
  const isOld =
    zod.module.startsWith("zod/v3") ||
    (zod.module === "zod" && program.zodOf(node.getSourceFile().fileName) < 4);
  if (!isOld) return `${direction}Schema: ${schema}`;
  const convert = need(program, fileOf(program, node), "zod-to-json-schema", "zodToJsonSchema");
  return `${direction}Schema: ${schema},\n${direction}JsonSchema: ${convert}(${schema}, { strictUnions: true })`;
}

/** `schema.shape` is an object of schemas. */
const isShapeName = (node: ts.Node): boolean =>
  ts.isPropertyAccessExpression(node) && node.name.text === "shape";

interface Zod {
  name: string;
  readonly module: string;
  readonly file?: ts.SourceFile;
}

/** How zod is named inside a node, and the module that it comes from. */
function zodIn(program: Program, inside: ts.Node): Zod | undefined {
  let found: Zod | undefined;
  visit(inside, (node) => {
    if (found !== undefined || !ts.isIdentifier(node)) return;
    const from = importOf(program, node);
    if (from === undefined || !/^zod(\/|$)/.test(from.module)) return;
    const isWhole =
      from.name === "*" &&
      ts.isPropertyAccessExpression(node.parent) &&
      ["z", "default"].includes(node.parent.name.text);
    found = {
      name: isWhole ? node.parent.getText() : node.text,
      module: from.module,
      file: node.getSourceFile(),
    };
  });
  return found;
}
