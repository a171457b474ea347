import type { ts } from "ts-morph";
import type { Location, Scope } from "../../diagnostics.js";
import type { ConstantDeclaration } from "../../ir/model.js";
import type { Compiler } from "./compiler.js";

/** A type name that a declaration uses, kept until all declarations are known. */
export interface Use {
  readonly name: string;
  readonly location: Location;
  readonly scope: Scope;
}

/** One run over one source file: the syntax tree and what has been learnt from it so far. */
export interface Reading {
  readonly ts: Compiler;
  readonly source: ts.SourceFile;
  readonly file: string;
  /** Constants by name, gathered before any type is read, so that `typeof X` may stand above `X`. */
  readonly constants: ReadonlyMap<string, ConstantDeclaration>;
  /** Names the file itself declares; they hide `Array`, `Record` and `Omit`. */
  readonly declared: ReadonlySet<string>;
  /** Names of another schema's, by what this file calls them. */
  readonly imported: ReadonlyMap<string, string>;
  readonly places: Places;
  readonly uses: Use[];
}

/** Where declarations and their members stand. */
export class Places {
  readonly #places = new Map<string, Location>();

  /** The first place of a name counts. */
  set(location: Location, name: string, member?: string): void {
    const key = keyOf(name, member);
    if (!this.#places.has(key)) this.#places.set(key, location);
  }

  of(name: string, member?: string): Location | null {
    return this.#places.get(keyOf(name, member)) ?? this.#places.get(keyOf(name)) ?? null;
  }
}

function keyOf(name: string, member?: string): string {
  return member === undefined ? name : `${name} ${member}`;
}

/** Where a node starts, comments and white space before it left out. */
export function at(reading: Reading, node: ts.Node): Location {
  return place(reading, node.getStart(reading.source));
}

/** A place by its offset in the text. */
export function place(reading: Pick<Reading, "source" | "file">, offset: number): Location {
  const { line, character } = reading.source.getLineAndCharacterOfPosition(offset);
  return { file: reading.file, line: line + 1, column: character + 1 };
}

const longest = 60;

/** A node's own text on one line, shortened, for a message. */
export function textOf(reading: Reading, node: ts.Node): string {
  const text = node.getText(reading.source).replace(/\s+/g, " ");
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
