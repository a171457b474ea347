import type { Type } from "../../ir/model.js";
import { literalText } from "../typescript/code.js";

/** What a refused value should have been, as the words after "expected": `a string`, `"text" or "image"`. */
export function expectation(type: Type): string {
  switch (type.kind) {
    case "unknown":
      return "a value";
    case "boolean":
      return "a boolean";
    case "number":
      return numberWords(type.integer, type.minimum, type.maximum);
    case "string":
      return "a string";
    case "literal":
      return literalText(type.value);
    case "array":
      return "an array";
    case "record":
    case "object":
      return "an object";
    case "union":
      return anyOf(type.members.map(expectation));
    case "intersection":
      return type.members.map(expectation).join(" and ");
    case "reference":
      return type.name;
    default:
      return type satisfies never;
  }
}

function numberWords(integer: boolean, minimum: number | null, maximum: number | null): string {
  const noun = integer ? "an integer" : "a number";
  if (minimum !== null && maximum !== null) return `${noun} from ${minimum} to ${maximum}`;
  if (minimum !== null) return `${noun} of at least ${minimum}`;
  return maximum === null ? noun : `${noun} of at most ${maximum}`;
}

/** `a`, `a or b`, `a, b or c`; each once. */
export function anyOf(words: readonly string[]): string {
  const distinct = [...new Set(words)];
  const last = distinct.pop();
  if (last === undefined) return "nothing";
  return distinct.length === 0 ? last : `${distinct.join(", ")} or ${last}`;
}
