import type { Doc } from "../model.js";

/**
 * The type of a schema's values in TypeScript: never fewer values than the schema accepts, often more. Whatever a server
 * wrote (names of members, strings) and whatever is named later (other definitions) is a placeholder in the text.
 */
export interface TypeText {
  readonly text: CheckedText;
  /** What `k0`, `k1`, … are: members of objects. */
  readonly members: readonly TypeMember[];
  /** What `"s0"`, `"s1"`, … are: literals. */
  readonly strings: readonly string[];
  /** What `R0`, `R1`, … are: the keys of definitions. */
  readonly references: readonly string[];
}

/** A member of an object as a schema declares it. */
export interface TypeMember {
  readonly name: string;
  readonly doc: Doc;
}

declare const checked: unique symbol;

/** Words of a type with a space between each two. Only `checkText` makes one. */
export type CheckedText = string & { readonly [checked]: true };

/**
 * Punctuation, keywords, numbers and placeholders, and nothing else. The members `t0`, `t1`, … and `rest` make their object
 * a tuple; `[k: string]` is an index signature.
 */
const word =
  /\s*([{}()[\]|&:?]|(?:unknown|never|string|number|boolean|null|true|false|rest|k|[ktR]\d+)\b|"s\d+"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)/y;

/** Splits a text into the words of types; null where it holds anything else. */
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

/** Checks the text of a type word by word; null where it holds anything but the words of types. */
export function checkText(text: string): CheckedText | null {
  const words = typeWords(text);
  return words === null ? null : (words.join(" ") as CheckedText);
}

/** The type of what cannot be described. */
export const unknownType: TypeText = {
  text: "unknown" as CheckedText,
  members: [],
  strings: [],
  references: [],
};
