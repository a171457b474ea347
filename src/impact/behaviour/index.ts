import type { ts } from "ts-morph";
import type { Change, ComparedFolder } from "../changes.js";
import type { Compiler } from "../compiler.js";
import { quote } from "../sentences.js";
import type { Meaning } from "../vocabulary.js";
import type { BehaviourChange, Context } from "./context.js";
import { stricterGuards } from "./guards.js";
import { literalsOf } from "./literals.js";
import { memberChange } from "./members.js";
import { newCases } from "./switches.js";

/** The places in these files, of the old program, whose meaning at run time changes. */
export function changedBehaviour(
  context: Context,
  files: readonly ts.SourceFile[],
): readonly BehaviourChange[] {
  const { compiler, origins, compared } = context;
  const literalChanges = literalsOf(context);
  const guards = new Map(compared.map((one) => [one.folder, stricterGuards(one)]));
  const changesAt = (node: ts.Identifier | ts.StringLiteralLike): readonly BehaviourChange[] =>
    origins(node).flatMap(({ folder, owner, path }) => {
      const one = compared.find((each) => each.folder === folder);
      return (one?.vocabulary(owner, path) ?? []).flatMap((meaning) => {
        if (one === undefined) return [];
        if (meaning.kind === "entry") return entryChanges(one, node, meaning);
        const own = one.at(meaning).flatMap((cause) => memberChange(context, node, cause) ?? []);
        const stricter = meaning.kind === "guard" ? (guards.get(folder)?.(meaning.name) ?? []) : [];
        return [...own, ...guardChange(node, owner, stricter)];
      });
    });
  const found: BehaviourChange[] = [];
  const visit = (node: ts.Node): void => {
    if (isModuleName(compiler, node)) return;
    if (compiler.isSwitchStatement(node)) found.push(...newCases(context, node));
    found.push(...literalChanges(node));
    if (compiler.isIdentifier(node) || compiler.isStringLiteralLike(node)) found.push(...changesAt(node));
    compiler.forEachChild(node, visit);
  };
  for (const file of files) visit(file);
  return found;
}

/** True for an import or an export, of which the compiler reports every error. */
function isModuleName(compiler: Compiler, node: ts.Node): boolean {
  return compiler.isImportDeclaration(node) || compiler.isExportDeclaration(node);
}

const maxCauses = 2;

/** One change for a guard, with its first causes. */
function guardChange(node: ts.Node, name: string, stricter: readonly Change[]): readonly BehaviourChange[] {
  const [cause] = stricter;
  if (cause === undefined) return [];
  const sentences = [...new Set(stricter.map(({ sentence }) => sentence))];
  const more = sentences.length > maxCauses ? `; and ${sentences.length - maxCauses} more changes` : "";
  const sentence = `${quote(name)} rejects values that it accepted before: ${sentences.slice(0, maxCauses).join("; ")}${more}`;
  const advice = "check what happens to the values that it rejects now";
  return [{ node, isBreaking: false, cause, sentence, advice }];
}

/** The changes for an entry of the generated code that concerns the protocol as a whole, such as `Client.connect`. */
function entryChanges(
  { changes }: ComparedFolder,
  node: ts.Node,
  { name, path }: Meaning,
): readonly BehaviourChange[] {
  const isClassify = name === "classify";
  const isOpening = name === "createServer" || (name === "Client" && path === "connect");
  return changes.flatMap((cause): readonly BehaviourChange[] => {
    const { change } = cause.difference;
    const isOwn = isClassify ? change.startsWith("batches-") : isOpening && change === "opening-changed";
    return isOwn ? [{ node, isBreaking: isOpening, cause }] : [];
  });
}
