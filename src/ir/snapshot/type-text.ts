import type { Doc } from "../model.js";

/**
 * The TypeScript type of a schema's values. It never excludes a value that the schema accepts, and often allows more. Text
 * from a server (names of members, strings) and names that are chosen later (other definitions) are placeholders.
 */
export interface TypeText {
  readonly text: CheckedText;
  /** The members of objects: `k0`, `k1`, … */
  readonly members: readonly TypeMember[];
  /** The string literals: `"s0"`, `"s1"`, … */
  readonly strings: readonly string[];
  /** The keys of definitions: `R0`, `R1`, … */
  readonly references: readonly string[];
}

/** A member of an object as the schema declares it. */
export interface TypeMember {
  readonly name: string;
  readonly doc: Doc;
}

declare const checked: unique symbol;

/** Tokens of a type, separated by single spaces. Only `checkText` makes one. */
export type CheckedText = string & { readonly [checked]: true };

/**
 * Punctuation, keywords, numbers and placeholders. Members `t0`, `t1`, … and `rest` make their object a tuple; `[k:
 * string]` is an index signature.
 */
const word =
  /\s*([{}()[\]|&:?]|(?:unknown|never|string|number|boolean|null|true|false|rest|k|[ktR]\d+)\b|"s\d+"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)/y;

/** Splits a text into tokens of types; null if it holds anything else. */
export function typeWords(text: string): string[] | null {
  const words: string[] = [];
  const end = text.trimEnd().length;
  for (word.lastIndex = 0; word.lastIndex < end;) {
    const [, next] = word.exec(text) ?? [];
    if (next === undefined) return null;
    words.push(next);
  }
  return words;
}

/** Checks the text of a type token by token; null if it holds anything else. */
export function checkText(text: string): CheckedText | null {
  const words = typeWords(text);
  return words === null ? null : (words.join(" ") as CheckedText);
}

/** The type of a value that cannot be described. */
export const unknownType: TypeText = {
  text: "unknown" as CheckedText,
  members: [],
  strings: [],
  references: [],
};
