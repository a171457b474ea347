import type { ts } from "ts-morph";
import type { CauseContext, ComparedFolder } from "../cause.js";
import type { Change } from "../changes.js";
import { eachNode } from "../nodes.js";
import { quote } from "../quote.js";
import { lastStep, type Meaning } from "../vocabulary.js";
import { type BehaviourChange, behaviourChange } from "./behaviour-change.js";
import { stricterGuards } from "./guards.js";
import { literalChange, valuesOf, type Values } from "./literals.js";
import { memberChange } from "./members.js";
import { switchChanges } from "./switches.js";

export type { BehaviourChange } from "./behaviour-change.js";

/** The places in these files, of the old program, whose meaning at run time changes. */
export function changedBehaviour(
  context: CauseContext,
  checker: ts.TypeChecker,
  files: readonly ts.SourceFile[],
): readonly BehaviourChange[] {
  const { compiler, origins } = context;
  const values = valuesOf(context);
  const guards = new Map(context.compared.map((compared) => [compared.folder, stricterGuards(compared)]));
  const words = wordsOf(context);
  const changes: BehaviourChange[] = [];
  const visit = (node: ts.Node): void => {
    if (compiler.isSwitchStatement(node)) changes.push(...switchChanges(context, node));
    changes.push(...literalsAt(context, values, node));
    if (!compiler.isIdentifier(node) && !compiler.isStringLiteralLike(node)) return;
    if (!words.has(node.text) || isImport(compiler, node)) return;
    for (const { folder, owner, path } of origins.of(node)) {
      const compared = context.compared.find((one) => one.folder === folder);
      if (compared === undefined) continue;
      for (const meaning of compared.changes.vocabulary.meanings(owner, path)) {
        if (meaning.kind === "guard") {
          const stricter = guards.get(folder)?.(meaning.name) ?? [];
          changes.push(...guardChange(node, owner, stricter));
        } else if (meaning.kind === "entry") changes.push(...entryChanges(compared, node, meaning));
        else {
          for (const cause of compared.changes.at(meaning)) {
            const change = memberChange(context, checker, node, cause);
            if (change !== null) changes.push(change);
          }
        }
      }
    }
  };
  for (const file of files) eachNode(compiler, file, visit);
  return changes;
}

/** The names that a change can concern. Other names are not looked up, because that is slow. */
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

function literalsAt(context: CauseContext, values: Values, node: ts.Node): readonly BehaviourChange[] {
  const { compiler } = context;
  const isNegative =
    compiler.isPrefixUnaryExpression(node) && node.operator === compiler.SyntaxKind.MinusToken;
  if (!isNegative && !compiler.isStringLiteralLike(node) && !compiler.isNumericLiteral(node)) return [];
  if (isImport(compiler, node)) return [];
  const text = compiler.isStringLiteralLike(node) ? JSON.stringify(node.text) : node.getText();
  return (values.get(text) ?? []).flatMap((change) => literalChange(context, node, change) ?? []);
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

/** One change for a guard, with its first causes. */
function guardChange(node: ts.Node, name: string, stricter: readonly Change[]): readonly BehaviourChange[] {
  const [cause] = stricter;
  if (cause === undefined) return [];
  const sentences = [...new Set(stricter.map(({ sentence }) => sentence))];
  const more = sentences.length > maxCauses ? `; and ${sentences.length - maxCauses} more changes` : "";
  const list = sentences.slice(0, maxCauses).join("; ");
  const change = `${quote(name)} rejects values that it accepted before: ${list}${more}`;
  return [behaviourChange(node, cause, false, { change, advice: null })];
}

/** The changes for an entry of the generated code that concerns the protocol as a whole, such as `connect`. */
function entryChanges(
  { changes, folder }: ComparedFolder,
  node: ts.Node,
  { name, path }: Meaning,
): readonly BehaviourChange[] {
  const of = (change: string): readonly Change[] =>
    changes.all.filter(({ difference }) => difference.change === change);
  const isOpening = (name === "Client" && path === "connect") || (name === "createServer" && path === "");
  if (isOpening) {
    const { before, after } = folder;
    return of("opening-changed").map((cause) =>
      behaviourChange(node, cause, true, {
        advice: `generate both revisions, ${quote(`${before.revision},${after.revision}`)}, and use ${quote(name === "Client" ? "connect" : "createServers")}, to keep older peers`,
      }),
    );
  }
  if (name === "classify") {
    return [...of("batches-added"), ...of("batches-removed")].map((cause) =>
      behaviourChange(node, cause, false),
    );
  }
  return [];
}
