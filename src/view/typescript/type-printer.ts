import type { TypeMember, TypeText } from "../../ir/snapshot/type-text.js";

/** Callbacks for the parts of a type, innermost first: they return code with line breaks, or words of a page. */
export interface TypePrinter<T> {
  keyword(name: Keyword): T;
  literal(value: string | number | boolean | null): T;
  /** Another definition, by its key. */
  reference(key: string): T;
  array(element: T): T;
  tuple(elements: readonly T[], required: number, rest: T | null): T;
  /** `rest` is the type of an index signature; null without one. */
  object(members: readonly PrintedMember<T>[], rest: T | null): T;
  union(members: readonly T[]): T;
  intersection(members: readonly T[]): T;
}

export type Keyword = "unknown" | "never" | "string" | "number" | "boolean";

export interface PrintedMember<T> extends TypeMember {
  readonly optional: boolean;
  readonly type: T;
}

/** Prints a type with the names and strings of its placeholders. Any other text is a bug. */
export function printType<T>(type: TypeText, printer: TypePrinter<T>): T {
  return new TypeReader(type, printer).type();
}

const keywords: readonly string[] = ["unknown", "never", "string", "number", "boolean"] satisfies Keyword[];

const values: ReadonlyMap<string, boolean | null> = new Map([
  ["null", null],
  ["true", true],
  ["false", false],
]);

class TypeReader<T> {
  readonly #words: readonly string[];
  readonly #type: TypeText;
  readonly #printer: TypePrinter<T>;
  #next = 0;

  constructor(type: TypeText, printer: TypePrinter<T>) {
    this.#words = type.text.split(" ");
    this.#type = type;
    this.#printer = printer;
  }

  type(): T {
    const first = this.#intersection();
    if (!this.#take("|")) return first;
    const members = [first];
    do members.push(this.#intersection());
    while (this.#take("|"));
    return this.#printer.union(members);
  }

  #intersection(): T {
    const first = this.#postfix();
    if (!this.#take("&")) return first;
    const members = [first];
    do members.push(this.#postfix());
    while (this.#take("&"));
    return this.#printer.intersection(members);
  }

  #postfix(): T {
    let result = this.#primary();
    // An opening bracket here starts the index signature after a member.
    while (this.#words[this.#next] === "[" && this.#words[this.#next + 1] === "]") {
      this.#next += 2;
      result = this.#printer.array(result);
    }
    return result;
  }

  #primary(): T {
    const word = this.#word();
    if (word === "{") return this.#object();
    if (word === "(") {
      const result = this.type();
      this.#expect(")");
      return result;
    }
    if (keywords.includes(word)) return this.#printer.keyword(word as Keyword);
    const value = values.get(word);
    if (value !== undefined) return this.#printer.literal(value);
    if (word.startsWith("R")) return this.#printer.reference(entryAt(this.#type.references, word.slice(1)));
    if (word.startsWith('"')) return this.#printer.literal(entryAt(this.#type.strings, word.slice(2, -1)));
    const number = Number(word);
    if (Number.isNaN(number)) throw unexpected(word);
    return this.#printer.literal(number);
  }

  /** The members after the opening brace: of an object or, if their names say so, of a tuple. */
  #object(): T {
    const members: PrintedMember<T>[] = [];
    const positions: T[] = [];
    let required = 0;
    let rest: T | null = null;
    for (let word = this.#word(); word !== "}"; word = this.#word()) {
      if (word === "[") for (const expected of ["k", ":", "string", "]"]) this.#expect(expected);
      const optional = this.#take("?");
      this.#expect(":");
      const type = this.type();
      if (word === "[" || word === "rest") rest = type;
      else if (word.startsWith("t")) {
        positions.push(type);
        if (!optional) required += 1;
      } else {
        const { name, doc } = entryAt(this.#type.members, word.slice(1));
        members.push({ name, doc, optional, type });
      }
    }
    return positions.length > 0
      ? this.#printer.tuple(positions, required, rest)
      : this.#printer.object(members, rest);
  }

  #word(): string {
    const word = this.#words[this.#next];
    if (word === undefined) throw unexpected("the end");
    this.#next += 1;
    return word;
  }

  #take(word: string): boolean {
    if (this.#words[this.#next] !== word) return false;
    this.#next += 1;
    return true;
  }

  #expect(expected: string): void {
    const word = this.#word();
    if (word !== expected) throw unexpected(word);
  }
}

function entryAt<V>(list: readonly V[], index: string): V {
  const value = list[Number(index)];
  if (value === undefined) throw unexpected(`placeholder ${index}`);
  return value;
}

function unexpected(word: string): Error {
  return new Error(`The text of a type has ${word} at a position where it is not allowed.`);
}
