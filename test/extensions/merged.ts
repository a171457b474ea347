import { ts } from "ts-morph";

/** A text to insert into another at a position. */
type Insertion = readonly [position: number, text: string];

/**
 * The text of a revision's schema in which the declarations of an extension are
 * written as the revision's own. A declaration of the same name gets the
 * members, bases and alternatives of the extension.
 */
export function mergedText(revision: string, extension: string): string {
  const before = parse(revision);
  const own = new Map(before.statements.flatMap(namedIn));
  const added = parse(withNamesOf(own, extension));
  const insertions: Insertion[] = [];
  const others: string[] = [];
  for (const statement of added.statements) {
    const [entry] = namedIn(statement);
    if (entry === undefined) continue;
    const [name, declaration] = entry;
    const original = own.get(name);
    if (name === "EXTENSION_IDENTIFIER") continue;
    if (original === undefined) others.push(statement.getFullText(added));
    else insertions.push(...additions(original, declaration, before, added));
  }
  insertions.sort(([a], [b]) => b - a);
  let text = revision;
  for (const [position, inserted] of insertions)
    text = text.slice(0, position) + inserted + text.slice(position);
  return `${text}\n${others.join("")}`;
}

type Named =
  ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.VariableDeclaration;

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile("schema.ts", text, ts.ScriptTarget.Latest, true);
}

function namedIn(statement: ts.Statement): (readonly [string, Named])[] {
  const declaration = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations[0]
    : statement;
  const isNamed =
    declaration !== undefined &&
    (ts.isInterfaceDeclaration(declaration) ||
      ts.isTypeAliasDeclaration(declaration) ||
      ts.isVariableDeclaration(declaration));
  return isNamed ? [[declaration.name.getText(), declaration]] : [];
}

/**
 * The text of an extension with the names that it has once it is merged: those
 * of imported types, and another one for a constant that the revision has.
 */
function withNamesOf(own: ReadonlyMap<string, Named>, text: string): string {
  const names = new Map<string, string>();
  const source = parse(text);
  for (const statement of source.statements) {
    const bindings =
      ts.isImportDeclaration(statement) &&
      statement.importClause?.namedBindings;
    if (bindings && ts.isNamedImports(bindings))
      for (const { name, propertyName } of bindings.elements)
        if (propertyName) names.set(name.text, propertyName.text);
    for (const [name, declaration] of namedIn(statement))
      if (ts.isVariableDeclaration(declaration) && own.has(name))
        names.set(name, `UI_${name}`);
  }
  let result = text;
  for (const [from, to] of names)
    result = result.replaceAll(new RegExp(`\\b${from}\\b`, "g"), to);
  return result;
}

/** What a declaration of the extension adds to one of the revision. */
function additions(
  original: Named,
  addition: Named,
  before: ts.SourceFile,
  added: ts.SourceFile,
): Insertion[] {
  if (
    ts.isTypeAliasDeclaration(original) &&
    ts.isTypeAliasDeclaration(addition)
  )
    return [[original.type.end, ` | ${addition.type.getText(added)}`]];
  if (
    !ts.isInterfaceDeclaration(original) ||
    !ts.isInterfaceDeclaration(addition)
  )
    throw new Error(`${original.name.getText()} has two kinds`);
  const bases = addition.heritageClauses ?? [];
  const heritage = bases.map((clause): Insertion => {
    if (original.heritageClauses) throw new Error("has bases already");
    return [original.name.end, ` ${clause.getText(added)}`];
  });
  const members = addition.members.map((member): Insertion => {
    const name = member.name?.getText(added);
    const known = original.members.find(
      (entry) => entry.name?.getText(before) === name,
    );
    if (!ts.isPropertySignature(member) || member.type === undefined)
      throw new Error("is not a member with a type");
    if (known === undefined)
      return [original.members.end, `\n${member.getFullText(added)}`];
    if (!ts.isPropertySignature(known) || known.type === undefined)
      throw new Error("is not a member with a type");
    // Another kind of result is an alternative; an object adds its members.
    const sign = name === "result" ? "|" : "&";
    return [known.type.end, ` ${sign} ${member.type.getText(added)}`];
  });
  return [...heritage, ...members];
}
