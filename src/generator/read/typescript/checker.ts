import type { ts } from "ts-morph";
import type { Compiler } from "./parse-context.js";

/**
 * The global types that a schema may use, in place of the libraries of the
 * compiler.
 */
const prelude = `
interface Array<T> { readonly length: number; [index: number]: T }
interface ReadonlyArray<T> { readonly length: number; readonly [index: number]: T }
type Partial<T> = { [K in keyof T]?: T[K] };
type Required<T> = { [K in keyof T]-?: T[K] };
type Readonly<T> = { readonly [K in keyof T]: T[K] };
type Pick<T, K extends keyof T> = { [N in K]: T[N] };
type Record<K extends keyof any, T> = { [N in K]: T };
type Exclude<T, U> = T extends U ? never : T;
type Extract<T, U> = T extends U ? T : never;
type NonNullable<T> = T & {};
type Omit<T, K extends keyof any> = Pick<T, Exclude<keyof T, K>>;
type Uppercase<S extends string> = intrinsic;
type Lowercase<S extends string> = intrinsic;
type Capitalize<S extends string> = intrinsic;
type Uncapitalize<S extends string> = intrinsic;
`;

/**
 * The checker of a program of one parsed file. It reads no file and no library.
 */
export function checkerOf(ts: Compiler, source: ts.SourceFile): ts.TypeChecker {
  const options = {
    exactOptionalPropertyTypes: true,
    noLib: true,
    noResolve: true,
    strict: true,
    target: ts.ScriptTarget.Latest,
    types: [],
  };
  const files = new Map([
    [source.fileName, source],
    [
      "prelude.d.ts",
      ts.createSourceFile("prelude.d.ts", prelude, options.target),
    ],
  ]);
  return ts
    .createProgram([...files.keys()], options, {
      fileExists: (name) => files.has(name),
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => "",
      getDefaultLibFileName: () => "lib.d.ts",
      getNewLine: () => "",
      getSourceFile: (name) => files.get(name),
      readFile: () => undefined,
      useCaseSensitiveFileNames: () => true,
      writeFile: () => {},
    })
    .getTypeChecker();
}

/** How many generic types the use of one may lead to. */
const maxUses = 1000;

type Generic = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

/**
 * Tests for types whose cost in the checker has no bound: a conditional type
 * over a type parameter, a generic alias that names itself, and generic types
 * that name each other so often that their uses multiply.
 */
export function isUnbounded(ts: Compiler, source: ts.SourceFile): boolean {
  const generics = new Map<string, Generic>();
  let hasConditional = false;
  const visit = (node: ts.Node, isInGeneric: boolean): void => {
    const isGeneric = isGenericType(ts, node);
    if (isGeneric) generics.set(node.name.text, node);
    hasConditional ||= isInGeneric && ts.isConditionalTypeNode(node);
    ts.forEachChild(node, (child) => visit(child, isInGeneric || isGeneric));
  };
  visit(source, false);
  return hasConditional || usesMultiply(ts, generics);
}

function isGenericType(ts: Compiler, node: ts.Node): node is Generic {
  const isType =
    ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);
  return isType && node.typeParameters !== undefined;
}

function usesMultiply(
  ts: Compiler,
  generics: ReadonlyMap<string, Generic>,
): boolean {
  const uses = new Map<string, number>();
  /** The uses of generic types below a node, also inside what they name. */
  const count = (node: ts.Node): number => {
    let sum = 0;
    if (ts.isIdentifier(node)) sum += usesOf(node.text);
    ts.forEachChild(node, (child) => {
      sum += count(child);
    });
    return sum;
  };
  const usesOf = (name: string): number => {
    const generic = generics.get(name);
    if (generic === undefined) return 0;
    const known = uses.get(name);
    if (known !== undefined) return known;
    // While it is open: an interface may name itself, an alias must not.
    const isAlias = ts.isTypeAliasDeclaration(generic);
    uses.set(name, isAlias ? Infinity : 1);
    const parts = isAlias
      ? [generic.type]
      : [...(generic.heritageClauses ?? []), ...generic.members];
    const sum = parts.reduce((all, part) => all + count(part), 1);
    uses.set(name, sum);
    return sum;
  };
  return [...generics.keys()].some((name) => usesOf(name) > maxUses);
}
