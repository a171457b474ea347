import type { ts } from "ts-morph";
import type { Change, Changes } from "./changes.js";
import type { Compiler } from "./compiler.js";
import type { LocatedError } from "./errors.js";
import type { ImpactFolder } from "./model.js";
import { eachNode, nameOf, nodeAt } from "./nodes.js";
import { type Origin, type Origins, originOf } from "./origins.js";
import type { Overlay } from "./overlay.js";
import { lastStep, vocabularyOf, type Meaning, type Vocabulary } from "./vocabulary.js";

/** One generated folder with everything that is known about its change. */
export interface ComparedFolder {
  readonly folder: ImpactFolder;
  readonly changes: Changes;
  /** The meanings of the new names. */
  readonly newNames: Vocabulary;
}

export interface CauseContext {
  readonly compiler: Compiler;
  readonly overlay: Overlay;
  /** In the old program. */
  readonly origins: Origins;
  readonly compared: readonly ComparedFolder[];
}

/** The name that an error of the compiler is about, or what is at its place. */
export function nodeOf({ compiler }: CauseContext, { file, start, length }: LocatedError): ts.Node {
  return nameOf(compiler, nodeAt(compiler, file, start, length));
}

/** The changes of the protocol that cause an error of the compiler, the likeliest first; empty if none is found. */
export function causesOf(context: CauseContext, error: LocatedError, message: string): readonly Change[] {
  const { origins } = context;
  const node = nodeOf(context, error);
  const own = changesAt(context, origins.of(node));
  const quoted = quotedIn(message);
  const steps: readonly (() => readonly Change[])[] = [
    () => own.filter(({ difference }) => isAboutNames(difference.change)),
    () => changesOfNamedMembers(context, quoted),
    () => changesOfValues(context, quoted, enclosingNames(context, node)),
    () => changesAt(context, relatedDeclarations(context, error)),
    () => own,
    () =>
      changesAt(context, namesUsedIn(context, node)).filter(({ difference }) =>
        isAboutNames(difference.change),
      ),
    () => changesAt(context, enclosingNames(context, node)).filter(isRelevant),
    () => memberChangesInside(context, [...origins.of(node), ...enclosingNames(context, node)], quoted),
    () => memberChangesAnywhere(context, quoted),
    () => changesOfTypes(context, quoted),
    () =>
      changesAt(context, namesSwitchedOnIn(context, node)).filter(({ difference }) =>
        difference.change.endsWith("-added"),
      ),
  ];
  for (const step of steps) {
    const causes = [...new Set(step())];
    if (causes.length > 0) return causes.sort((a, b) => weight(b) - weight(a));
  }
  return [];
}

/** Changes that remove or rename something that a program can write. */
function isAboutNames(change: string): boolean {
  return /-(removed|renamed)$/.test(change) && !change.startsWith("tag-");
}

/** Changes of notation, of tags and of bases alone cause no error. */
function isRelevant({ difference }: Change): boolean {
  return !/^(tag-|bases-|restated|format-|well-known|meta-key|engine-default)/.test(difference.change);
}

function weight({ difference, advice, rename }: Change): number {
  return (
    (difference.breaks.length > 0 ? 2 : 0) +
    (isAboutNames(difference.change) ? 1 : 0) +
    (advice === null && rename === null ? 0 : 1)
  );
}

export function changesAt({ compared }: CauseContext, origins: readonly Origin[]): readonly Change[] {
  return origins.flatMap(({ folder, owner, path }) => {
    const changes = compared.find((one) => one.folder === folder)?.changes;
    return changes?.vocabulary.meanings(owner, path).flatMap(changes.at) ?? [];
  });
}

/** The texts between quotes in a message of the compiler. */
function quotedIn(message: string): readonly string[] {
  return [...message.matchAll(/'([^']*)'/g)].flatMap(([, text]) => (text === undefined ? [] : [text]));
}

/** Names of types inside quoted texts. */
function typeNamesIn(quoted: readonly string[]): readonly string[] {
  return [...new Set(quoted.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []))];
}

/** A member and a type that the message names both. */
function changesOfNamedMembers({ compared }: CauseContext, quoted: readonly string[]): readonly Change[] {
  const types = typeNamesIn(quoted);
  return compared.flatMap(({ changes, newNames }) =>
    types.flatMap((type) =>
      quoted.flatMap((member) => {
        if (member === type) return [];
        return [...newNames.meanings(type, member), ...changes.vocabulary.meanings(type, member)]
          .flatMap(changes.at)
          .filter(isRelevant);
      }),
    ),
  );
}

/** A value that was removed or replaced, at a place that encloses the error. */
function changesOfValues(
  context: CauseContext,
  quoted: readonly string[],
  around: readonly Origin[],
): readonly Change[] {
  const values = new Set(quoted.flatMap((text) => text.match(/"(?:[^"\\]|\\.)*"/g) ?? []));
  const isValue = ({ difference }: Change): boolean =>
    /^(value|known-value|alternative)-removed$|^type-replaced$|^constant-changed$/.test(difference.change) &&
    values.has(difference.was ?? "");
  const near = changesAt(context, around).filter(isValue);
  const all = context.compared.flatMap(({ changes }) => changes.all.filter(isValue));
  return near.length > 0 ? near : all;
}

/** The generated declarations that the compiler refers to: "is declared here". */
function relatedDeclarations(
  { compiler, overlay }: CauseContext,
  { relatedInformation = [] }: LocatedError,
): readonly Origin[] {
  return relatedInformation.flatMap(({ file, start, length }) => {
    if (file === undefined || start === undefined) return [];
    const declaration = nodeAt(compiler, file, start, length ?? 0);
    return originOf(compiler, overlay, declaration) ?? [];
  });
}

/** The generated names around a node: the member that it belongs to, the method that it is passed to, its type. */
function enclosingNames({ compiler, origins }: CauseContext, start: ts.Node): readonly Origin[] {
  const names: Origin[] = [];
  for (
    let node: ts.Node | undefined = start;
    node !== undefined && !compiler.isSourceFile(node);
    node = node.parent
  ) {
    if (compiler.isPropertyAssignment(node) || compiler.isMethodDeclaration(node))
      names.push(...origins.of(node.name));
    if (compiler.isCallExpression(node)) {
      names.push(...origins.of(nameOf(compiler, node.expression)));
      const [method] = node.arguments;
      if (method !== undefined && compiler.isStringLiteral(method)) names.push(...origins.of(method));
    }
    if (compiler.isObjectLiteralExpression(node)) names.push(...origins.ofExpected(node));
    if (compiler.isBinaryExpression(node)) {
      for (const side of [node.left, node.right]) names.push(...origins.of(nameOf(compiler, side)));
    }
    if ((compiler.isVariableDeclaration(node) || compiler.isFunctionLike(node)) && node.type !== undefined)
      names.push(...origins.of(nameOf(compiler, node.type)));
  }
  return names;
}

/** The generated names that the expression around a node reads, directly or through a variable. */
function namesUsedIn({ compiler, origins }: CauseContext, node: ts.Node): readonly Origin[] {
  let whole = node;
  while (compiler.isExpression(whole.parent)) whole = whole.parent;
  const names: Origin[] = [];
  eachNode(compiler, whole, (each) => {
    if (compiler.isIdentifier(each)) names.push(...origins.of(each), ...origins.ofVariable(each));
  });
  return names;
}

/** The generated names whose values a `switch` of the function around a node distinguishes. */
function namesSwitchedOnIn(context: CauseContext, node: ts.Node): readonly Origin[] {
  const { compiler } = context;
  let around = node;
  while (!compiler.isFunctionLike(around) && !compiler.isSourceFile(around)) around = around.parent;
  const names: Origin[] = [];
  if (compiler.isSourceFile(around)) return names;
  eachNode(compiler, around, (each) => {
    if (compiler.isSwitchStatement(each)) names.push(...namesSwitchedOn(context, each.expression));
  });
  return names;
}

/** The generated names of the value of a `switch`: its member, its type, and the type that has the member. */
export function namesSwitchedOn(
  { compiler, origins }: CauseContext,
  expression: ts.Expression,
): readonly Origin[] {
  return [
    ...origins.of(nameOf(compiler, expression)),
    ...(compiler.isIdentifier(expression) ? origins.ofVariable(expression) : []),
    ...origins.ofType(expression),
    ...(compiler.isPropertyAccessExpression(expression) ? origins.ofType(expression.expression) : []),
  ];
}

/** Changes inside the declarations around an error, of a member that the message names. */
function memberChangesInside(
  context: CauseContext,
  origins: readonly Origin[],
  quoted: readonly string[],
): readonly Change[] {
  const names = new Set(quoted);
  return origins.flatMap(({ folder, owner, path }) => {
    const changes = context.compared.find((one) => one.folder === folder)?.changes;
    if (changes === undefined) return [];
    const meanings: readonly Meaning[] = changes.vocabulary.meanings(owner, path);
    return changes.all.filter((change) => {
      const { subject, path: at } = change.difference;
      const isHere = meanings.some(
        ({ kind, name, path: start }) =>
          subject.kind === kind && subject.name === changes.newName(name) && at.startsWith(start),
      );
      return isHere && isRelevant(change) && names.has(lastStep(at) ?? "");
    });
  });
}

/** Changes of a member that the message names, in any type. */
function memberChangesAnywhere({ compared }: CauseContext, quoted: readonly string[]): readonly Change[] {
  const names = new Set(quoted);
  return compared.flatMap(({ changes }) =>
    changes.all.filter(
      (change) =>
        isRelevant(change) &&
        change.difference.path !== "" &&
        names.has(lastStep(change.difference.path) ?? ""),
    ),
  );
}

/** The changes of the types that the message names. */
function changesOfTypes({ compared }: CauseContext, quoted: readonly string[]): readonly Change[] {
  return compared.flatMap(({ changes, newNames }) => {
    const meanings = typeNamesIn(quoted).flatMap((name) => [
      ...newNames.meanings(name, ""),
      ...changes.vocabulary.meanings(name, ""),
    ]);
    const names = new Set(meanings.filter(({ kind }) => kind === "type").map(({ name }) => name));
    return changes.all.filter(
      (change) =>
        isRelevant(change) &&
        change.difference.subject.kind === "type" &&
        names.has(change.difference.subject.name),
    );
  });
}

export function compare(folder: ImpactFolder, changes: Changes): ComparedFolder {
  return { folder, changes, newNames: vocabularyOf(folder.after) };
}
