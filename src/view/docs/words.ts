import type { Property, Type } from "../../ir/model.js";
import { literalText, propertyKey } from "../typescript/code.js";
import type { Code } from "../typescript/code.js";
import type { Anchors } from "./anchors.js";
import { markup, joined, text } from "./html.js";

/** A part of a type in TypeScript syntax: punctuation, a value, or the name of another type. */
export interface Word {
  readonly kind: "mark" | "value" | "name";
  readonly text: string;
  /** The target of a name; the text itself by default. */
  readonly to?: string;
}

/** Words as markup, with a link for each name that has an entry. */
export function spell(words: readonly Word[], anchors: Anchors): Code {
  return joined(
    words.map((word) => {
      if (word.kind === "name") return anchors.link("type", word.to ?? word.text, text(word.text));
      return word.kind === "value" ? markup`<span class="value">${text(word.text)}</span>` : text(word.text);
    }),
  );
}

export function plain(words: readonly Word[]): string {
  return words.map(({ text: wordText }) => wordText).join("");
}

export function mark(wordText: string): Word {
  return { kind: "mark", text: wordText };
}

export function nameWord(name: string): Word {
  return { kind: "name", text: name };
}

/** A literal or a member's name: untrusted text, escaped as a literal. */
export function value(literal: string | number | boolean | null): Word {
  return { kind: "value", text: literalText(literal) };
}

/** A member's name as an object key. */
export function keyWord(name: string): Word {
  const { layout } = propertyKey(name);
  return mark(typeof layout === "string" ? layout : literalText(name));
}

/** A type on one line. */
export function typeWords(type: Type): Word[] {
  switch (type.kind) {
    case "unknown":
    case "never":
    case "boolean":
      return [mark(type.kind)];
    case "number":
      return [mark(type.integer ? "integer" : "number")];
    case "string":
      return between([...type.known.map((text) => [value(text)]), [mark("string")]], " | ");
    case "literal":
      return [value(type.value)];
    case "array":
      return elementWords(typeWords(type.element), needsBrackets(type.element));
    case "record":
      return [mark("{ [key: string]: "), ...typeWords(type.member), mark(" }")];
    case "object":
      return objectWords(type.properties, type.rest);
    case "union":
      return between(type.members.map(typeWords), " | ");
    case "intersection":
      return between(type.members.map(typeWords), " & ");
    case "reference":
      return [nameWord(type.name)];
    default:
      return type satisfies never;
  }
}

function needsBrackets(type: Type): boolean {
  return (
    type.kind === "union" || type.kind === "intersection" || (type.kind === "string" && type.known.length > 0)
  );
}

function objectWords(properties: readonly Property[], rest: Type | null): Word[] {
  const members = properties.map((property) => propertyWords(property));
  if (rest !== null) members.push([mark("[key: string]: "), ...typeWords(rest)]);
  if (members.length === 0) return [mark("object")];
  return [mark("{ "), ...between(members, "; "), mark(" }")];
}

/** `name?: type` */
export function propertyWords({ name, optional, type }: Property): Word[] {
  return [keyWord(name), mark(optional ? "?: " : ": "), ...typeWords(type)];
}

export function elementWords(element: readonly Word[], isBracketed: boolean): Word[] {
  return isBracketed ? [mark("("), ...element, mark(")[]")] : [...element, mark("[]")];
}

export function between(parts: readonly (readonly Word[])[], separator: string): Word[] {
  return parts.flatMap((part, index) => (index === 0 ? [...part] : [mark(separator), ...part]));
}
