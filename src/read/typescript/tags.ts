import type { Location, Scope } from "../../diagnostics.js";
import type { Doc, Tag, Type } from "../../ir/model.js";
import { union } from "../../ir/combine.js";

/** Narrows a type by its tags. A tag that does not apply to the type is a warning. */
export function applyTags(type: Type, doc: Doc, location: Location, scope: Scope): Type {
  let result = type;
  for (const tag of doc.tags) {
    const rule = rules[tag.name];
    if (rule === undefined) continue;
    const change = rule(tag);
    const next = change === null ? null : change(result);
    if (change === null) {
      scope.warn(
        "MG112",
        location,
        `the value "${tag.text}" of @${tag.name} is not valid`,
        "correct it, or remove the tag",
      );
    } else if (next === null) {
      scope.warn(
        "MG112",
        location,
        `@${tag.name} does not apply to this member's type`,
        "move it to the declaration of the type, or remove it",
      );
    } else {
      result = next;
    }
  }
  return result;
}

/** Returns the narrowed type, or null if the tag does not apply. */
type Change = (type: Type) => Type | null;

const rules: Readonly<Record<string, (tag: Tag) => Change | null>> = {
  format: ({ text }) => {
    if (text === "int") return through("number", (type) => ({ ...type, integer: true }));
    return text === "" ? null : through("string", (type) => ({ ...type, format: text }));
  },
  minimum: ({ text }) => whenNumber(text, (minimum) => through("number", (type) => ({ ...type, minimum }))),
  maximum: ({ text }) => whenNumber(text, (maximum) => through("number", (type) => ({ ...type, maximum }))),
  maxItems: ({ text }) =>
    whenNumber(text, (maxItems) => (type) => (type.kind === "array" ? { ...type, maxItems } : null)),
  "TJS-type": ({ text }) => {
    if (text === "number") return through("number", (type) => type);
    if (text === "integer") return through("number", (type) => ({ ...type, integer: true }));
    return null;
  },
  nullable: () => (type) => union([type, { kind: "literal", value: null, constant: null }]),
};

function whenNumber(text: string, change: (value: number) => Change): Change | null {
  const value = Number(text);
  return text === "" || !Number.isFinite(value) ? null : change(value);
}

/** Applies a change to the type itself, to an array's elements or to a union's members of that kind. */
function through<K extends Type["kind"]>(
  kind: K,
  change: (type: Extract<Type, { kind: K }>) => Type,
): Change {
  const visit: Change = (type) => {
    if (type.kind === kind) return change(type as Extract<Type, { kind: K }>);
    if (type.kind === "array") {
      const element = visit(type.element);
      return element === null ? null : { ...type, element };
    }
    if (type.kind !== "union") return null;
    const members = type.members.map((member) => visit(member));
    if (members.every((member) => member === null)) return null;
    return { ...type, members: type.members.map((member, index) => members[index] ?? member) };
  };
  return visit;
}
