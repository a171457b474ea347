import type { Property, Type } from "../model.js";
import { isName } from "../compare/model.js";

/** A type in TypeScript syntax, followed by the constraints that TypeScript cannot express. */
export function showType(type: Type): string {
  switch (type.kind) {
    case "unknown":
    case "never":
    case "boolean":
      return type.kind;
    case "number": {
      const bounds = [
        ...(type.minimum === null ? [] : [`>= ${type.minimum}`]),
        ...(type.maximum === null ? [] : [`<= ${type.maximum}`]),
      ];
      return [type.integer ? "integer" : "number", ...bounds].join(" ");
    }
    case "string": {
      const text = type.format === null ? "string" : `string (${type.format})`;
      return [...type.known.map((value) => JSON.stringify(value)), text].join(" | ");
    }
    case "literal":
      return JSON.stringify(type.value);
    case "array": {
      const element = showType(type.element);
      const text = /^[\w$."]+$/.test(element) ? element : `(${element})`;
      return type.maxItems === null ? `${text}[]` : `${text}[] (at most ${type.maxItems})`;
    }
    case "record":
      return `{ [key: string]: ${showType(type.member)} }`;
    case "object": {
      const rest = type.rest === null ? [] : [`[key: string]: ${showType(type.rest)}`];
      const members = [...type.properties.map(showProperty), ...rest];
      return members.length === 0 ? "object" : `{ ${members.join("; ")} }`;
    }
    case "union":
      return type.members.map(showType).join(" | ");
    case "intersection":
      return type.members.map(showType).join(" & ");
    case "reference":
      return type.name;
    default:
      return type satisfies never;
  }
}

export function showProperty({ name, optional, type }: Property): string {
  const key = isName(name) ? name : JSON.stringify(name);
  return `${key}${optional ? "?" : ""}: ${showType(type)}`;
}
