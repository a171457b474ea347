import { flattenType } from "../flatten.js";
import { tagOf, type Index } from "../lookup.js";
import type { Property, Type } from "../model.js";
import { wordsOf } from "./words.js";

/** A value that a type accepts, for a reader to look at; always the same for the same type. */
export function exampleOf(declarations: Index, type: Type, name: string): unknown {
  const making: Making = { declarations, open: [], steps: { left: mostSteps } };
  return valueOf(making, type, name, 0);
}

/** How many types are looked into before a type counts as one of which no example can be made. */
const mostSteps = 20_000;
/** How deep members that may be absent are shown: those of the message's params or result, and of what it is about. */
const shownDepth = 1;
/** What the example of a recursive type ends with. */
const deepest = 12;

interface Making {
  readonly declarations: Index;
  /** The named types around this place. */
  readonly open: readonly string[];
  readonly steps: { left: number };
}

/** `undefined` where no finite example exists. */
function valueOf(making: Making, type: Type, name: string, depth: number): unknown {
  making.steps.left -= 1;
  if (making.steps.left < 0 || depth > deepest) return undefined;
  switch (type.kind) {
    case "unknown":
      return wordsOf(name);
    case "boolean":
      return false;
    case "number":
      return numberOf(type);
    case "string":
      return textOf(type, name);
    case "literal":
      return type.value;
    case "array": {
      const element =
        type.maxItems === 0 ? undefined : valueOf(making, type.element, singular(name), depth + 1);
      return element === undefined ? [] : [element];
    }
    case "record":
      return {};
    case "union":
      return firstOf(type.members, (member) => valueOf(making, member, name, depth));
    case "object":
    case "intersection":
      return objectOf(making, type, depth);
    case "reference":
      return namedOf(making, type.name, name, depth);
    default:
      return type satisfies never;
  }
}

function namedOf(making: Making, reference: string, name: string, depth: number): unknown {
  if (making.open.filter((other) => other === reference).length > 1) return undefined;
  const inside = { ...making, open: [...making.open, reference] };
  const declaration = making.declarations.get(reference);
  if (declaration?.kind === "constant") return declaration.value;
  if (declaration?.kind === "interface")
    return objectOf(inside, { kind: "reference", name: reference }, depth);
  return declaration === undefined ? undefined : valueOf(inside, declaration.type, name, depth);
}

function objectOf(making: Making, type: Type, depth: number): unknown {
  const flat = flattenType(making.declarations, type);
  if (flat === null) return undefined;
  const entries: [string, unknown][] = [];
  for (const property of flat.properties) {
    if (property.optional && !isShown(property, depth)) continue;
    const value = valueOf(making, property.type, property.name, depth + 1);
    if (value === undefined && !property.optional) return undefined;
    if (value !== undefined) entries.push([property.name, value]);
  }
  // `fromEntries` keeps a member called `__proto__` a member.
  return Object.fromEntries(entries);
}

/** Of the members that may be absent, those that a reader would write. */
function isShown({ name, doc, type }: Property, depth: number): boolean {
  const isPlain = !["record", "unknown"].includes(type.kind) && !name.startsWith("_");
  return depth <= shownDepth && isPlain && tagOf(doc, "deprecated") === null;
}

function firstOf(members: readonly Type[], make: (member: Type) => unknown): unknown {
  const ordered = [...members].sort((a, b) => Number(isNull(a)) - Number(isNull(b)));
  for (const member of ordered) {
    const value = make(member);
    if (value !== undefined) return value;
  }
  return undefined;
}

function isNull(type: Type): boolean {
  return type.kind === "literal" && type.value === null;
}

function numberOf({ integer, minimum, maximum }: Extract<Type, { kind: "number" }>): number {
  const wanted = Math.min(maximum ?? 1, Math.max(minimum ?? 1, 1));
  return integer ? Math.ceil(wanted) : wanted;
}

function textOf({ format, known }: Extract<Type, { kind: "string" }>, name: string): string {
  return known[0] ?? formatted[format ?? ""] ?? wordsOf(name);
}

/** What a text in a well-known format looks like. */
const formatted: Readonly<Record<string, string>> = {
  uri: "file:///notes/today.md",
  "uri-template": "file:///notes/{name}",
  byte: "aGVsbG8=",
};

function singular(name: string): string {
  return name.replace(/(?<=[a-z])s$/, "");
}
