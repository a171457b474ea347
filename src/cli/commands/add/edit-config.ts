import type * as TsMorph from "ts-morph";
import { basename } from "node:path";
import type {
  ArrayLiteralExpression,
  Expression,
  ProjectOptions,
  SourceFile,
} from "ts-morph";
import type { ServerJob } from "../../../config.js";
import { prefixLength } from "../../../generator/read/nearest.js";
import { isYaml, packageMember } from "../../config/find.js";
import { literalOf } from "../init/files.js";

type Morph = typeof TsMorph;

/**
 * The text of a configuration with one more server; everything else stays as it
 * is written. Null if the text does not plainly show the list: then a person
 * must add the server.
 */
export async function withServer(
  text: string,
  path: string,
  job: ServerJob,
): Promise<string | null> {
  if (isYaml(path)) {
    const yaml = await import("../../config/yaml.js");
    return yaml.withServerInYaml(text, job);
  }
  const morph = await import("ts-morph");
  const isJson = path.endsWith(".json");
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const project = new morph.Project({
    useInMemoryFileSystem: true,
    manipulationSettings: {
      indentationText: indentations.find((one) => one === unit) ?? "  ",
      newLineKind: text.includes("\r\n") ? 0 : 1,
      useTrailingCommas: !isJson,
    },
  } as ProjectOptions);
  const file = project.createSourceFile(basename(path), text);
  const list = serversIn(file, path, morph);
  if (list === null) return null;
  const item = isJson ? JSON.stringify(job, null, unit) : literalOf(job, unit);
  list.addElement(item, { useNewLines: true });
  const edited = file.getFullText();
  return keepsAll(text, edited) ? edited : null;
}

/** True if a text has lost nothing but blanks and commas to an insertion. */
function keepsAll(before: string, after: string): boolean {
  const [old, next] = [before, after].map((text) =>
    text.replace(/[\s,]/g, ""),
  ) as [string, string];
  return next.endsWith(old.slice(prefixLength(old, next)));
}

/** The indentations that the compiler's library writes. */
const indentations = ["  ", "    ", "        ", "\t"];

/** The literal list of servers of a configuration; a new one if it has none. */
function serversIn(
  file: SourceFile,
  path: string,
  { Node, SyntaxKind }: Morph,
): ArrayLiteralExpression | null {
  let config = path.endsWith(".json")
    ? file.getStatementByKind(SyntaxKind.ExpressionStatement)?.getExpression()
    : exported(file, Node);
  const valueIn = (name: string): Expression | undefined => {
    if (!Node.isObjectLiteralExpression(config)) return undefined;
    const member = config.getProperty(name) ?? config.getProperty(`"${name}"`);
    return Node.isPropertyAssignment(member)
      ? member.getInitializer()
      : undefined;
  };
  if (basename(path) === "package.json") config = valueIn(packageMember);
  if (!Node.isObjectLiteralExpression(config)) return null;
  // What is spread may have servers, too.
  if (config.getProperties().some(Node.isSpreadAssignment)) return null;
  const list = valueIn("servers");
  if (Node.isArrayLiteralExpression(list)) return list;
  if (list !== undefined || config.getProperty("servers")) return null;
  const name = path.endsWith(".json") ? '"servers"' : "servers";
  const added = config.addPropertyAssignment({ name, initializer: "[]" });
  return added.getInitializerIfKindOrThrow(SyntaxKind.ArrayLiteralExpression);
}

/**
 * The value that a module exports by default: a literal, that of a constant, or
 * the argument of `defineConfig`.
 */
function exported(
  file: SourceFile,
  Node: Morph["Node"],
): Expression | undefined {
  const assignment = file.getExportAssignment((one) => !one.isExportEquals());
  let value = assignment?.getExpression();
  // A constant of a constant of a constant is not looked for.
  for (let steps = 0; steps < 8 && value !== undefined; steps++) {
    if (Node.isIdentifier(value))
      value = file.getVariableDeclaration(value.getText())?.getInitializer();
    else if (Node.isCallExpression(value)) {
      const isDefine = value.getExpression().getText() === "defineConfig";
      const [argument] = isDefine ? value.getArguments() : [];
      value = Node.isExpression(argument) ? argument : undefined;
    } else if (
      Node.isSatisfiesExpression(value) ||
      Node.isAsExpression(value) ||
      Node.isParenthesizedExpression(value)
    )
      value = value.getExpression();
    else break;
  }
  return value;
}
