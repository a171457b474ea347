import { flattenType } from "../../ir/flatten.js";
import type { Property, Type } from "../../ir/model.js";
import { type Code, code, identifier, literal } from "../typescript/code.js";
import { hardline, indent, type Layout } from "../typescript/layout.js";
import { upperFirst, words } from "../typescript/names.js";
import {
  declare,
  expected,
  failure,
  inside,
  local,
  read,
  refuseIf,
  type Place,
  type Scope,
} from "./context.js";
import { helperFor } from "./helper.js";
import { isRepeated } from "./repeated.js";
import { inlined, isOpen, refusals } from "./tests.js";

/** Statements that return a refusal unless the value is of the type, and fall through when it is. */
export function checks(scope: Scope, type: Type, value: Code, place: Place): Layout[] {
  const target = inlined(scope.context, type);
  const conditions = tests(scope, target, value);
  if (conditions !== null) return [refuseIf(conditions, blame(scope, target, place))];
  return spelledOut(scope, target, value, place);
}

/** The same for a type that takes statements, in place. */
export function spelledOut(scope: Scope, target: Type, value: Code, place: Place): Layout[] {
  switch (target.kind) {
    case "array":
      return arrayChecks(scope, target, value, place);
    case "record":
      return [...objectTest(value, place), ...restChecks(scope, target.member, [], value, place)];
    case "object":
      return [
        ...objectTest(value, place),
        ...memberChecks(scope, target.properties, value, place),
        ...restChecks(scope, target.rest, target.properties, value, place),
      ];
    case "intersection":
      return intersectionChecks(scope, target.members, value, place);
    default:
      throw new Error(`A ${target.kind} takes no statements.`);
  }
}

/** Conditions that are all true when the value is not of the type; null when it takes statements to say it. */
function tests(scope: Scope, type: Type, value: Code): Code[] | null {
  const target = inlined(scope.context, type);
  if (!isHelped(scope, target)) return refusals(scope, target, value);
  const { name } = helperFor(scope, target);
  return [scope.isRecursive ? code`!deep(${name}, ${value})` : code`!${name}(${value})`];
}

/** Is a type without a name checked by a guard of its own? */
function isHelped(scope: Scope, type: Type): boolean {
  if (type.kind === "union") return refusals(scope, type, code`value`) === null;
  return isRepeated(scope.context.repeated, type);
}

/** A guard that was called has already said what is wrong; a plain test has not. */
function blame(scope: Scope, type: Type, place: Place): Code {
  if (type.kind === "reference" || isHelped(scope, type)) return inside(place);
  return failure(expected(scope.context, [type]), place);
}

export function objectTest(value: Code, place: Place): Layout[] {
  return [refuseIf([code`!isObject(${value})`], failure("an object", place))];
}

export function memberChecks(
  scope: Scope,
  properties: readonly Property[],
  object: Code,
  place: Place,
): Layout[] {
  return properties.flatMap((property) => memberCheck(scope, property, object, place));
}

function memberCheck(scope: Scope, property: Property, object: Code, place: Place): Layout[] {
  const { name, optional, type } = property;
  const below = [...place, literal(name)];
  const direct = read(object, name);
  if (optional && type.kind === "unknown") return [];
  const target = inlined(scope.context, type);
  const inner: Scope = { ...scope, owner: scope.owner + words(name).map(upperFirst).join("") };
  const once = tests(inner, type, direct);
  if (once?.length === 1) {
    // Two reads take less text than a variable, and V8 makes one of them.
    const given = optional ? [code`${direct} !== undefined`] : [];
    return [refuseIf([...given, ...once], blame(scope, target, below))];
  }
  const variable = local(scope, name);
  const declaration = declare(variable, direct);
  if (!optional) return [declaration, ...checks(inner, type, variable, below)];
  const conditions = tests(inner, type, variable);
  if (conditions !== null) {
    const given = code`${variable} !== undefined`;
    return [declaration, refuseIf([given, ...conditions], blame(inner, target, below))];
  }
  return [declaration, block(code`if (${variable} !== undefined)`, checks(inner, type, variable, below))];
}

function arrayChecks(
  scope: Scope,
  type: Extract<Type, { kind: "array" }>,
  value: Code,
  place: Place,
): Layout[] {
  const test = refuseIf([code`!Array.isArray(${value})`], failure("an array", place));
  return [test, ...itemChecks(scope, type, value, place)];
}

/** The value is known to be an array. */
export function itemChecks(
  scope: Scope,
  type: Extract<Type, { kind: "array" }>,
  value: Code,
  place: Place,
): Layout[] {
  const statements: Layout[] = [];
  if (type.maxItems !== null) {
    const most = `at most ${type.maxItems} items`;
    statements.push(refuseIf([code`${value}.length > ${literal(type.maxItems)}`], failure(most, place)));
  }
  if (type.element.kind === "unknown") return statements;
  const i = identifier(scope.locals.claim("i"));
  const inner: Scope = { ...scope, owner: `${scope.owner}Item` };
  const loop = code`for (let ${i} = 0; ${i} < ${value}.length; ${i}++)`;
  return [
    ...statements,
    block(loop, elementChecks(inner, type.element, code`${value}[${i}]`, [...place, i])),
  ];
}

/** One test may read the element in place; several read it once into a variable. */
function elementChecks(scope: Scope, type: Type, element: Code, place: Place): Layout[] {
  if (tests(scope, type, element)?.length === 1) return checks(scope, type, element, place);
  const item = local(scope, "item");
  return [declare(code`${item}: unknown`, element), ...checks(scope, type, item, place)];
}

/** Members that the index signature speaks of: all, but for the named ones. */
export function restChecks(
  scope: Scope,
  rest: Type | null,
  named: readonly Property[],
  object: Code,
  place: Place,
): Layout[] {
  if (rest === null || isOpen(rest)) return [];
  const key = identifier(scope.locals.claim("key"));
  const inner: Scope = { ...scope, owner: `${scope.owner}Member` };
  const skip = named.map(({ name }) => code`${key} === ${literal(name)}`);
  const statements = elementChecks(inner, rest, code`${object}[${key}]`, [...place, key]);
  const skips = skip.map((test): Layout => code`if (${test}) continue;`.layout);
  return [block(code`for (const ${key} in ${object})`, [...skips, ...statements])];
}

function intersectionChecks(scope: Scope, members: readonly Type[], value: Code, place: Place): Layout[] {
  const type: Type = { kind: "intersection", members };
  const flat = flattenType(scope.context.declarations, type);
  if (flat === null) return members.flatMap((member) => checks(scope, member, value, place));
  return checks(scope, { kind: "object", properties: flat.properties, rest: flat.rest }, value, place);
}

export function block(head: Code, statements: readonly Layout[]): Layout {
  return [head.layout, " {", indent(statements.map((statement) => [hardline, statement])), hardline, "}"];
}
