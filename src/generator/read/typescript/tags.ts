import type { Location, Scope } from "../../diagnostics.js";
import { isUnion, union } from "../../ir/combine.js";
import type {
  Check,
  CheckOf,
  Doc,
  Schema,
  Tag,
  TypeName,
} from "../../ir/constraint.js";
import { ofValue, typeIn } from "../../ir/constraint/form.js";
import { withSchemas } from "../../ir/constraint/walk.js";
import { patternSafety } from "../json-schema/pattern/safety.js";

/**
 * The schema with this doc, narrowed by its tags. A tag that does not apply is
 * a warning.
 */
export function applyTags(
  schema: Schema,
  doc: Doc,
  location: Location,
  scope: Scope,
): Schema {
  let result = schema;
  const warn = (message: string, hint: string): void =>
    scope.warn("MG112", location, message, hint);
  for (const tag of doc.tags) {
    const rule = rules[tag.name];
    if (rule === undefined) continue;
    const change = rule(tag);
    const next = change === null ? null : change(result);
    if (next !== null) result = next;
    else if (change === null)
      warn(
        `the value "${tag.text}" of @${tag.name} is not valid`,
        "correct it, or remove the tag",
      );
    else {
      const hint = "move it to the declaration of the type, or remove it";
      warn(`@${tag.name} does not apply to this member's type`, hint);
    }
  }
  return { ...result, doc };
}

/** Returns the narrowed schema, or null if the tag does not apply. */
type Change = (schema: Schema) => Schema | null;

type Rule = (tag: Tag) => Change | null;

const rules: Readonly<Record<string, Rule>> = {
  format: ({ text }) => {
    if (text === "int") return through("number", integer);
    const notes = [{ keyword: "format", value: text, isCondition: false }];
    return text === ""
      ? null
      : through("string", (schema) => ({ ...schema, notes }));
  },
  minimum: ({ text }) => bound(text, "low", false),
  maximum: ({ text }) => bound(text, "high", false),
  exclusiveMinimum: ({ text }) => bound(text, "low", true),
  exclusiveMaximum: ({ text }) => bound(text, "high", true),
  minLength: size("string", (min) => ({ min, max: null })),
  maxLength: size("string", (max) => ({ min: 0, max })),
  minItems: size("array", (min) => ({ min, max: null })),
  maxItems: size("array", (max) => ({ min: 0, max })),
  pattern: ({ text }) => {
    const safety = text === "" ? null : patternSafety(text);
    if (safety === null || safety.kind === "unsafe") return null;
    const { maxLength } = safety;
    return withCheck("string", { kind: "pattern", source: text, maxLength });
  },
  "TJS-type": ({ text }) => {
    if (text === "number") return through("number", (schema) => schema);
    return text === "integer" ? through("number", integer) : null;
  },
  nullable: () => (schema) => union([schema, ofValue(null)]),
};

function bound(
  text: string,
  side: "high" | "low",
  open: boolean,
): Change | null {
  return whenNumber(text, (value) =>
    withCheck("number", { kind: "bound", side, value, open }),
  );
}

/**
 * Limits the number of characters, or of items: of the array itself, and not of
 * arrays among its items.
 */
function size(
  of: "string" | "array",
  limits: (count: number) => Pick<CheckOf<"size">, "min" | "max">,
): Rule {
  return ({ text }) => {
    if (!/^\d+$/.test(text)) return null;
    return whenNumber(text, (count) => {
      const change = withCheck(of, { kind: "size", of, ...limits(count) });
      return (schema) =>
        of === "array" && typeIn(schema) !== of ? null : change(schema);
    });
  };
}

function whenNumber(
  text: string,
  change: (value: number) => Change,
): Change | null {
  const value = Number(text);
  return text === "" || !Number.isFinite(value) ? null : change(value);
}

function integer({ checks, ...schema }: Schema): Schema {
  return {
    ...schema,
    checks: checks.map((check) =>
      check.kind === "type" ? { ...check, types: ["integer"] } : check,
    ),
  };
}

function withCheck(type: TypeName, check: Check): Change {
  return through(type, (schema) => ({
    ...schema,
    checks: [...schema.checks, check],
  }));
}

/**
 * Applies a change to the schema itself, to the items of an array or to the
 * alternatives of a union, if their type is this one.
 */
function through(type: TypeName, change: (schema: Schema) => Schema): Change {
  const visit: Change = (schema) => {
    const own = typeIn(schema);
    if (own === type || (own === "integer" && type === "number"))
      return change(schema);
    let isChanged = false;
    const inner = (part: Schema): Schema => {
      const result = visit(part);
      isChanged ||= result !== null;
      return result ?? part;
    };
    const isOuter = own === "array" || isUnion(schema);
    const checks = isOuter
      ? schema.checks.map((check) => withSchemas(check, inner))
      : [];
    return isChanged ? { ...schema, checks } : null;
  };
  return visit;
}
