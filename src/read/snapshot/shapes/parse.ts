import type { Member, Shape } from "../../../ir/surface/schema.js";
import { nothing, position, type Tokens } from "./tokens.js";

const token =
  /\s*(?:\/\*\*[^]*?\*\/\s*)*(\.\.\.|[A-Za-z_$][\w$]*|"[^"\\]*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[^\s\w])/y;

/** The printed text was not in the few words that were expected of it. */
export class Unexpected extends Error {
  override readonly name = "Unexpected";
}

/**
 * Reads the types that the library has printed, by their names, and puts back what the tokens stand for. Whatever is not
 * a type that a schema of ours can have led to is refused: nothing of the text is ever passed on.
 */
export function parseShapes(text: string, tokens: Tokens): ReadonlyMap<string, Shape> {
  const found = new Map<string, Shape>();
  const reader = new Reader(text, tokens);
  while (!reader.isAtEnd()) {
    reader.expect("export");
    const word = reader.next();
    const name = reader.next();
    if (word === "interface") found.set(name, reader.object());
    else if (word === "type") {
      reader.expect("=");
      found.set(name, reader.type());
    } else throw new Unexpected(`export ${word}`);
  }
  return found;
}

const keywords = new Set(["unknown", "never", "string", "number", "boolean"]);

class Reader {
  readonly #words: string[] = [];
  readonly #tokens: Tokens;
  #at = 0;

  constructor(text: string, tokens: Tokens) {
    this.#tokens = tokens;
    const scan = new RegExp(token);
    const end = text.trimEnd().length;
    while (scan.lastIndex < end) {
      const from = scan.lastIndex;
      const [, word] = scan.exec(text) ?? [];
      if (word === undefined) throw new Unexpected(text.slice(from, from + 40));
      if (word !== ";") this.#words.push(word);
    }
  }

  isAtEnd(): boolean {
    return this.#at >= this.#words.length;
  }

  next(): string {
    const word = this.#words[this.#at];
    if (word === undefined) throw new Unexpected("the end");
    this.#at += 1;
    return word;
  }

  expect(word: string): void {
    const found = this.next();
    if (found !== word) throw new Unexpected(`${found} in the place of ${word}`);
  }

  #take(word: string): boolean {
    if (this.#words[this.#at] !== word) return false;
    this.#at += 1;
    return true;
  }

  type(): Shape {
    this.#take("|");
    return this.#list("|", "union", () => this.#list("&", "intersection", () => this.#postfix()));
  }

  #list(separator: string, kind: "union" | "intersection", part: () => Shape): Shape {
    const first = part();
    const members = [first];
    while (this.#take(separator)) members.push(part());
    return members.length === 1 ? first : { kind, members };
  }

  #postfix(): Shape {
    let shape = this.#primary();
    while (this.#words[this.#at] === "[" && this.#words[this.#at + 1] === "]") {
      this.#at += 2;
      shape = { kind: "array", element: shape };
    }
    return shape;
  }

  #primary(): Shape {
    const word = this.next();
    if (word === "(") {
      const shape = this.type();
      this.expect(")");
      return shape;
    }
    if (word === "{") {
      this.#at -= 1;
      return this.object();
    }
    if (keywords.has(word)) return { kind: word as "unknown" };
    if (word === "null") return { kind: "literal", value: null };
    if (word === "true" || word === "false") return { kind: "literal", value: word === "true" };
    if (/^[-\d]/.test(word)) return { kind: "literal", value: Number(word) };
    if (word === `"${nothing}"`) return { kind: "never" };
    const text = word.startsWith('"') ? this.#tokens.textOf(word.slice(1, -1)) : undefined;
    if (text !== undefined) return { kind: "literal", value: text };
    const key = this.#tokens.keyOf(word);
    if (key !== undefined) return { kind: "reference", key };
    throw new Unexpected(word);
  }

  object(): Shape {
    this.expect("{");
    const members: Member[] = [];
    const positions: { readonly shape: Shape; readonly optional: boolean }[] = [];
    let rest: Shape | null = null;
    while (!this.#take("}")) {
      const word = this.next();
      if (word === "[") {
        for (const expected of ["k", ":", "string", "]", ":"]) this.expect(expected);
        rest = this.type();
        continue;
      }
      const optional = this.#take("?");
      this.expect(":");
      const shape = this.type();
      const named = this.#tokens.memberOf(word);
      if (named !== undefined) members.push({ ...named, optional, shape });
      else if (position.test(word)) positions.push({ shape, optional });
      else if (/^r\d+$/.test(word))
        members.push({ name: word, doc: { text: "", tags: [] }, optional, shape });
      else throw new Unexpected(word);
    }
    if (positions.length === 0) return { kind: "object", members, rest };
    return {
      kind: "tuple",
      elements: positions.map(({ shape }) => shape),
      least: positions.filter(({ optional }) => !optional).length,
      rest,
    };
  }
}
