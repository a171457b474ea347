// Which steps read what is made while a module is loaded: a table, a schema, a
// pattern. They are found by name: two things of one name have the readers of
// both, which costs time and misses nothing.
import ts from "typescript";
import { stepAt, stepsIn } from "./marks.mjs";

/** The names that a statement at the top of a file declares. */
function namesOf(statement) {
  if (ts.isVariableStatement(statement)) {
    const names = [];
    const add = (node) => {
      if (ts.isIdentifier(node)) names.push(node.text);
      else
        for (const one of node.elements)
          if (!ts.isOmittedExpression(one)) add(one.name);
    };
    for (const { name } of statement.declarationList.declarations) add(name);
    return names;
  }
  return statement.name === undefined ? [] : [statement.name.text];
}

/** The names by which a clause of an import or an export renames something. */
const renamed = (node) =>
  (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) &&
  node.propertyName
    ? [node.propertyName.text, node.name.text]
    : undefined;

/** By name, the places that mention it: a step, or the names around it. */
export function readersIn(texts) {
  const mentions = new Map();
  const add = (name, mention) => {
    const known = mentions.get(name) ?? [];
    mentions.set(name, known);
    known.push(mention);
  };
  for (const [path, text] of texts) {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const steps = stepsIn(path, text);
    for (const statement of file.statements) {
      const names = namesOf(statement);
      const visit = (node) => {
        const [from, to] = renamed(node) ?? [];
        if (from) add(from, { names: [to] });
        if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) {
          ts.forEachChild(node, (child) => visitNames(child));
          return;
        }
        if (ts.isIdentifier(node)) {
          const step = stepAt(steps, node.getStart(file));
          add(node.text, step < 0 ? { path, names } : { path, step });
        }
        ts.forEachChild(node, visit);
      };
      const visitNames = (node) => {
        const [from, to] = renamed(node) ?? [];
        if (from) add(from, { names: [to] });
        ts.forEachChild(node, visitNames);
      };
      visit(statement);
    }
  }
  return mentions;
}

/** The names that are declared around a place at the top of a file. */
export function namesAt(path, text, place) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const around = file.statements.find(
    (one) => one.getStart(file) <= place && place < one.end,
  );
  return around === undefined ? [] : namesOf(around);
}

/**
 * The steps that read a name, `[path, step]`, and the names by which they do;
 * undefined if something without a name reads it while it is loaded.
 */
export function stepsReading(names, mentions) {
  const all = new Set(names);
  const steps = [];
  for (const name of all)
    for (const mention of mentions.get(name) ?? []) {
      if (mention.step !== undefined) steps.push([mention.path, mention.step]);
      else if (mention.names.length > 0)
        for (const one of mention.names) all.add(one);
      else if (mention.path) return undefined;
    }
  return { names: all, steps };
}
