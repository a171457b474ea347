import type { ts } from "ts-morph";
import type { Change, ComparedFolder } from "../changes.js";
import { quote } from "../sentences.js";
import type { Meaning } from "../vocabulary.js";
import type { BehaviourChange, Context } from "./context.js";
import { stricter } from "./guards.js";
import { literalsOf } from "./literals.js";
import { memberChange } from "./members.js";
import { rowsOf } from "./rows.js";

/**
 * Finds nodes of the old program that compile but behave differently.
 * `importers` are the files that import generated files; rows of a server may
 * be in any file.
 */
export function changedBehaviour(
  context: Context,
  files: readonly ts.SourceFile[],
  importers: readonly ts.SourceFile[],
): BehaviourChange[] {
  const { compiler, origins } = context;
  const literalChanges = literalsOf(context);
  const changesAt = (
    node: ts.Identifier | ts.StringLiteralLike,
  ): readonly BehaviourChange[] =>
    origins(node).flatMap(({ compared, owner, path }) =>
      compared.vocabulary(owner, path).flatMap((meaning) => {
        if (meaning.kind === "entry")
          return entryChanges(compared, node, meaning);
        if (meaning.kind === "guard")
          return guardChange(node, owner, stricter(compared, meaning.name));
        return compared
          .at(meaning)
          .flatMap((cause) => memberChange(context, node, cause) ?? []);
      }),
    );
  const found: BehaviourChange[] = [];
  const visit = (node: ts.Node): void => {
    // Of these, the compiler reports every error.
    if (
      compiler.isImportDeclaration(node) ||
      compiler.isExportDeclaration(node)
    )
      return;
    if (compiler.isSwitchStatement(node))
      found.push(...newCases(context, node));
    found.push(...literalChanges(node));
    if (compiler.isIdentifier(node) || compiler.isStringLiteralLike(node))
      found.push(...changesAt(node));
    compiler.forEachChild(node, visit);
  };
  for (const file of importers) visit(file);
  const rowChanges = rowsOf(context);
  const visitRows = (node: ts.Node): void => {
    found.push(...rowChanges(node));
    compiler.forEachChild(node, visitRows);
  };
  for (const file of files) visitRows(file);
  return found;
}

const maxCauses = 2;

/** One change for a guard, with its first causes. */
function guardChange(
  node: ts.Node,
  name: string,
  causes: readonly Change[],
): readonly BehaviourChange[] {
  const [cause] = causes;
  if (cause === undefined) return [];
  const sentences = [...new Set(causes.map(({ sentence }) => sentence))];
  const more =
    sentences.length > maxCauses
      ? `; and ${sentences.length - maxCauses} more changes`
      : "";
  const sentence = `${quote(name)} rejects values that it accepted before: ${sentences.slice(0, maxCauses).join("; ")}${more}`;
  const advice = "check what happens to the values that it rejects now";
  return [{ node, isBreaking: false, cause: { ...cause, sentence, advice } }];
}

/**
 * The changes for an entry of the generated code that concerns the protocol as
 * a whole, such as `Client.connect`.
 */
function entryChanges(
  { changes }: ComparedFolder,
  node: ts.Node,
  { name, path }: Meaning,
): BehaviourChange[] {
  const isOpening =
    name === "createServer" || (name === "Client" && path === "connect");
  const kind = isOpening
    ? "opening-changed"
    : name === "classify"
      ? "batches-"
      : null;
  return changes.flatMap((cause): BehaviourChange[] => {
    const isOwn = kind !== null && cause.difference.change.startsWith(kind);
    return isOwn ? [{ node, isBreaking: isOpening, cause }] : [];
  });
}

/**
 * New values that a `switch` without `default` does not handle: those that the
 * type has in the new program only.
 */
function newCases(
  context: Context,
  node: ts.SwitchStatement,
): BehaviourChange[] {
  const { compiler, checker, newChecker, likelyChange } = context;
  const { clauses } = node.caseBlock;
  if (clauses.some(compiler.isDefaultClause)) return [];
  const { expression } = node;
  const known = new Set(valuesOf(checker, expression));
  for (const clause of clauses)
    if (compiler.isCaseClause(clause)) known.add(clause.expression.getText());
  const owner = compiler.isPropertyAccessExpression(expression)
    ? expression.expression
    : expression;
  const type = checker.typeToString(checker.getTypeAtLocation(owner));
  return valuesOf(newChecker, expression).flatMap(
    (value): BehaviourChange[] => {
      const cause = known.has(value) ? null : likelyChange(value, type);
      if (cause === null) return [];
      const sentence = `${cause.sentence}; this ${quote("switch")} has no ${quote("case")} for it`;
      const advice = `add ${quote(`case ${value}:`)}`;
      return [
        { node, isBreaking: false, cause: { ...cause, sentence, advice } },
      ];
    },
  );
}

/** The texts that the type of an expression allows, as literals. */
function valuesOf(
  checker: ts.TypeChecker,
  expression: ts.Expression,
): readonly string[] {
  const type = checker.getTypeAtLocation(expression);
  const values = type.isUnion() ? type.types : [type];
  return values.flatMap((value) =>
    value.isStringLiteral() ? [JSON.stringify(value.value)] : [],
  );
}
