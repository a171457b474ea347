import type { ts } from "ts-morph";
import type { Location, Scope } from "../../diagnostics.js";
import type { ConstantDeclaration } from "../../ir/model.js";
import type { Compiler } from "./compiler.js";

/** A use of a type name, checked after all declarations are read. */
export interface Use {
  readonly name: string;
  readonly location: Location;
  readonly scope: Scope;
}

/** The state of one run over one source file. */
export interface Reading {
  readonly ts: Compiler;
  readonly source: ts.SourceFile;
  readonly file: string;
  /** Constants by name, read before any type, so that `typeof X` may precede `X`. */
  readonly constants: ReadonlyMap<string, ConstantDeclaration>;
  /** Names that the file declares; they hide `Array`, `Record` and `Omit`. */
  readonly declared: ReadonlySet<string>;
  /** Imported names, by their local name. */
  readonly imported: ReadonlyMap<string, string>;
  readonly places: Places;
  readonly uses: Use[];
}

/** The positions of declarations and their members. */
export class Places {
  readonly #places = new Map<string, Location>();

  /** Keeps the first position of a name. */
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

/** The start of a node without preceding comments and white space. */
export function at(reading: Reading, node: ts.Node): Location {
  return place(reading, node.getStart(reading.source));
}

/** The position of an offset in the text. */
export function place(reading: Pick<Reading, "source" | "file">, offset: number): Location {
  const { line, character } = reading.source.getLineAndCharacterOfPosition(offset);
  return { file: reading.file, line: line + 1, column: character + 1 };
}

const maxLength = 60;

/** A node's text on one line, shortened for a message. */
export function textOf(reading: Reading, node: ts.Node): string {
  const text = node.getText(reading.source).replace(/\s+/g, " ");
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}
