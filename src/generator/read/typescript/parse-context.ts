import type { ts } from "ts-morph";
import type { Location, Scope } from "../../diagnostics.js";
import type { Declaration } from "../../ir/model.js";
import type { Schema } from "../../ir/constraint.js";

/** A use of a type name, checked after all declarations are read. */
export interface Use {
  readonly name: string;
  readonly location: Location;
  readonly scope: Scope;
}

/** The state of one run over one source file. */
export interface ParseContext {
  readonly ts: Compiler;
  readonly source: ts.SourceFile;
  readonly file: string;
  /** True if the file has no syntax error. */
  readonly isWhole: boolean;
  /** Reads the syntax that no function of this folder reads. */
  readonly resolver: TypeResolver;
  /**
   * Constants by name, read before any type, so that `typeof X` may precede
   * `X`.
   */
  readonly constants: ReadonlyMap<string, Declaration>;
  /**
   * The types that the file declares; their names hide `Array`, `Record` and
   * `Omit`.
   */
  readonly declared: ReadonlyMap<
    string,
    ts.InterfaceDeclaration | ts.TypeAliasDeclaration
  >;
  /** All declarations of each interface, which are one. */
  readonly interfaces: ReadonlyMap<string, readonly ts.InterfaceDeclaration[]>;
  /** Imported names, by their local name. */
  readonly imported: ReadonlyMap<string, string>;
  readonly locations: Locations;
  readonly uses: Use[];
}

/**
 * Reads types as the compiler resolves them. Throws an `Unreadable` for a type
 * that has no JSON values, or costs too much.
 */
export interface TypeResolver {
  /** The schema of a type, or of the body of a declaration. */
  read(scope: Scope, node: ts.Node): Schema;
  /** The name of the declaration that a node stands for: `Page<Tool>`. */
  nameOf(scope: Scope, node: ts.Node): string | null;
}

/** Why the compiler's answer is no schema. */
export class Unreadable extends Error {
  /** What to write instead. */
  readonly hint: string;
  readonly isTooLarge: boolean;

  constructor(hint: string, isTooLarge = false) {
    super(hint);
    this.hint = hint;
    this.isTooLarge = isTooLarge;
  }
}

/** What a `TypeResolver` needs of the file. */
export type FileContext = Pick<
  ParseContext,
  "file" | "isWhole" | "locations" | "source" | "ts"
>;

/** The positions of declarations and their members. */
export class Locations {
  readonly #locations = new Map<string, Location>();

  /** Keeps the first position of a name. */
  set(location: Location, name: string, member?: string): void {
    const key = keyOf(name, member);
    if (!this.#locations.has(key)) this.#locations.set(key, location);
  }

  of(name: string, member?: string): Location | null {
    return (
      this.#locations.get(keyOf(name, member)) ??
      this.#locations.get(keyOf(name)) ??
      null
    );
  }
}

function keyOf(name: string, member?: string): string {
  return member === undefined ? name : `${name} ${member}`;
}

/** The start of a node without preceding comments and white space. */
export function at(
  parseContext: Pick<ParseContext, "source" | "file">,
  node: ts.Node,
): Location {
  return locationIn(parseContext, node.getStart(parseContext.source));
}

/** The position of an offset in the text. */
export function locationIn(
  parseContext: Pick<ParseContext, "source" | "file">,
  offset: number,
): Location {
  const { line, character } =
    parseContext.source.getLineAndCharacterOfPosition(offset);
  return { file: parseContext.file, line: line + 1, column: character + 1 };
}

const maxLength = 60;

/** A node's text on one line, shortened for a message. */
export function textOf(parseContext: ParseContext, node: ts.Node): string {
  const text = node.getText(parseContext.source).replace(/\s+/g, " ");
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}

/** The namespace of the TypeScript compiler in ts-morph. */
export type Compiler = typeof ts;

/** Loads the compiler on first use, because only a `schema.ts` needs it. */
export async function loadCompiler(): Promise<Compiler> {
  const module = await import("ts-morph");
  return module.ts;
}
