import type { ts } from "ts-morph";
import type { CauseContext, Compared } from "../cause.js";
import type { Change } from "../changes.js";
import { eachNode } from "../nodes.js";
import { quote } from "../quote.js";
import { lastStep, type Meaning } from "../vocabulary.js";
import { type Finding, finding } from "./finding.js";
import { stricterGuards } from "./guards.js";
import { judgeLiteral, valuesOf, type Values } from "./literals.js";
import { judge } from "./members.js";
import { judgeSwitch } from "./switches.js";

export type { Finding } from "./finding.js";

/** The places in these files, of the old program, whose meaning at run time changes. */
export function changedBehaviour(
  context: CauseContext,
  checker: ts.TypeChecker,
  files: readonly ts.SourceFile[],
): readonly Finding[] {
  const { compiler, origins } = context;
  const values = valuesOf(context);
  const guards = new Map(context.compared.map((compared) => [compared.folder, stricterGuards(compared)]));
  const words = wordsOf(context);
  const found: Finding[] = [];
  const visit = (node: ts.Node): void => {
    if (compiler.isSwitchStatement(node)) found.push(...judgeSwitch(context, node));
    found.push(...literalsAt(context, values, node));
    if (!compiler.isIdentifier(node) && !compiler.isStringLiteralLike(node)) return;
    if (!words.has(node.text) || isImport(compiler, node)) return;
    for (const { folder, owner, path } of origins.of(node)) {
      const compared = context.compared.find((one) => one.folder === folder);
      if (compared === undefined) continue;
      for (const meaning of compared.changes.vocabulary.meanings(owner, path)) {
        if (meaning.kind === "guard") {
          const stricter = guards.get(folder)?.(meaning.name) ?? [];
          found.push(...guardFinding(node, owner, stricter));
        } else if (meaning.kind === "entry") found.push(...entryFindings(compared, node, meaning));
        else {
          for (const change of compared.changes.at(meaning)) {
            const result = judge(context, checker, node, change);
            if (result !== null) found.push(result);
          }
        }
      }
    }
  };
  for (const file of files) eachNode(compiler, file, visit);
  return found;
}

/** Every name that a finding can be at. Other names are not looked up, because that is slow. */
function wordsOf({ compared }: CauseContext): ReadonlySet<string> {
  const words = new Set<string>(["Client", "createServer", "connect", "classify"]);
  for (const { changes } of compared) {
    for (const { difference } of changes.all) {
      const { subject, path, was } = difference;
      const member = lastStep(path);
      if (member !== null && member !== "") words.add(member);
      if (subject.name !== "") words.add(subject.name);
      if (difference.change.endsWith("-renamed") && was !== null) words.add(was);
    }
    for (const name of changes.vocabulary.values) words.add(name);
  }
  return words;
}

function literalsAt(context: CauseContext, values: Values, node: ts.Node): readonly Finding[] {
  const { compiler } = context;
  const isNegative =
    compiler.isPrefixUnaryExpression(node) && node.operator === compiler.SyntaxKind.MinusToken;
  if (!isNegative && !compiler.isStringLiteralLike(node) && !compiler.isNumericLiteral(node)) return [];
  if (isImport(compiler, node)) return [];
  const text = compiler.isStringLiteralLike(node) ? JSON.stringify(node.text) : node.getText();
  return (values.get(text) ?? []).flatMap((change) => judgeLiteral(context, node, change) ?? []);
}

function isImport(compiler: CauseContext["compiler"], { parent }: ts.Node): boolean {
  return (
    compiler.isImportSpecifier(parent) ||
    compiler.isExportSpecifier(parent) ||
    compiler.isImportDeclaration(parent) ||
    compiler.isExportDeclaration(parent)
  );
}

const maxCauses = 2;

/** One finding for a guard, with its first causes. */
function guardFinding(node: ts.Node, name: string, stricter: readonly Change[]): readonly Finding[] {
  const [cause] = stricter;
  if (cause === undefined) return [];
  const sentences = [...new Set(stricter.map(({ sentence }) => sentence))];
  const more = sentences.length > maxCauses ? `; and ${sentences.length - maxCauses} more changes` : "";
  const list = sentences.slice(0, maxCauses).join("; ");
  const change = `${quote(name)} rejects values that it accepted before: ${list}${more}`;
  return [finding(node, cause, false, { change, advice: null })];
}

/** What changes for a function of ours that concerns the protocol as a whole. */
function entryFindings(
  { changes, folder }: Compared,
  node: ts.Node,
  { name, path }: Meaning,
): readonly Finding[] {
  const of = (change: string): readonly Change[] =>
    changes.all.filter(({ difference }) => difference.change === change);
  const isOpening = (name === "Client" && path === "connect") || (name === "createServer" && path === "");
  if (isOpening) {
    const { before, after } = folder;
    return of("opening-changed").map((cause) =>
      finding(node, cause, true, {
        advice: `generate both revisions, ${quote(`${before.revision},${after.revision}`)}, and use ${quote(name === "Client" ? "connect" : "createServers")}, to keep older peers`,
      }),
    );
  }
  if (name === "classify") {
    return [...of("batches-added"), ...of("batches-removed")].map((cause) => finding(node, cause, false));
  }
  return [];
}
