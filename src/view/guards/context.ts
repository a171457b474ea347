import { type Index, resolve } from "../../ir/lookup.js";
import type { Type } from "../../ir/model.js";
import { arranged, type Code, code, identifier, literal } from "../typescript/code.js";
import { group, ifBreak, indent, join, line, softline, type Layout } from "../typescript/layout.js";
import type { Names } from "../typescript/names.js";
import type { Naming } from "../naming.js";
import { anyOf, expectation } from "./expectation.js";
import { localName } from "./names.js";

/** What writing the guards of one file needs to know. */
export interface Context {
  readonly declarations: Index;
  readonly naming: Naming;
  readonly recursive: ReadonlySet<string>;
  /** Types without a name that stand in several places, as `textOf` writes them. */
  readonly repeated: ReadonlySet<string>;
  /** Identifiers taken at the top of the file. */
  readonly fileNames: Names;
  /** Guards for unions that have no name of their own, by the union's text. */
  readonly helpers: Map<string, Helper>;
}

/** An unexported guard. */
export interface Helper {
  readonly name: Code;
  readonly body: readonly Layout[];
}

/** One guard function: whose it is, and the variables it has named so far. */
export interface Scope {
  readonly context: Context;
  /** What a helper is named after: the declaration, then the members that lead to it. */
  readonly owner: string;
  /** May a call from here lead back here? Such calls must not pile up on the stack. */
  readonly isRecursive: boolean;
  readonly locals: Names;
}

/** Where a checked value stands below the guard's own value: literals of keys, variables of loops. */
export type Place = readonly Code[];

export function local(scope: Pick<Scope, "locals">, member: string): Code {
  return identifier(scope.locals.claim(localName(member)));
}

/** `const name = value;` */
export function declare(variable: Code, value: Code): Layout {
  return group(["const ", variable.layout, " =", indent([line, value.layout]), ";"]);
}

/** `if (a && b) return …;` with each condition true when the value must be refused. */
export function refuseIf(conditions: readonly Code[], refusal: Code): Layout {
  return returnIf(" &&", conditions, refusal);
}

/** `if (a || b) return …;` */
export function returnIfAny(conditions: readonly Code[], result: Code): Layout {
  return returnIf(" ||", conditions, result);
}

function returnIf(operator: string, conditions: readonly Code[], result: Code): Layout {
  const test = join(
    [operator, line],
    conditions.map((condition) => condition.layout),
  );
  const head = ["if (", group([indent([softline, test]), softline]), ")"];
  return group([...head, indent([line, ["return ", result.layout, ";"]])]);
}

/** `return a || b || c;` */
export function returnAny(parts: readonly Code[]): Layout {
  return ["return ", returned(parts).layout, ";"];
}

/** What stands behind `return`: an alternative that does not fit is put in parentheses. */
function returned(parts: readonly Code[]): Code {
  const list = join(
    [" ||", line],
    parts.map((part) => part.layout),
  );
  if (parts.length < 2) return arranged(list);
  return arranged(group([ifBreak("("), indent([softline, group(list)]), softline, ifBreak(")")]));
}

export function call(callee: Code, args: readonly Code[]): Code {
  const list = join(
    [",", line],
    args.map((arg) => arg.layout),
  );
  return arranged([callee.layout, group(["(", indent([softline, list]), ifBreak(","), softline, ")"])]);
}

/** How many keys one call of `fail` or `inside` takes. */
const KEYS = 3;

/** `fail("a string", "content", i)`: what was expected, and where below the guard's value. */
export function failure(expected: string, place: Place): Code {
  const innermost = place.slice(-KEYS);
  return returned([call(identifier("fail"), [literal(expected), ...innermost]), ...outer(place)]);
}

/** `inside("content", i)`: a guard further in has said what was expected; this adds where. */
export function inside(place: Place): Code {
  return place.length === 0 ? code`false` : returned([innermostCall(place), ...outer(place)]);
}

function innermostCall(place: Place): Code {
  return call(identifier("inside"), place.slice(-KEYS));
}

/** Calls that add the keys which the innermost one has no room for. */
function outer(place: Place): Code[] {
  const rest = place.slice(0, -KEYS);
  return rest.length === 0 ? [] : [innermostCall(rest), ...outer(rest)];
}

/** Reads a member, past what every object inherits. */
export function read(object: Code, member: string): Code {
  if (member in Object.prototype) return call(identifier("own"), [object, literal(member)]);
  return code`${object}[${literal(member)}]`;
}

/** A call of a declaration's guard. */
export function guardCall(scope: Scope, name: string, value: Code): Code {
  const guard = scope.context.naming.guard(name);
  const deep = scope.isRecursive && scope.context.recursive.has(name);
  return deep ? code`deep(${guard}, ${value})` : code`${guard}(${value})`;
}

export function expected(context: Context, types: readonly Type[]): string {
  return anyOf(types.map((type) => expectation(shown(context, type))));
}

/** A named scalar is told by what it holds, a named object by its name. */
function shown(context: Context, type: Type): Type {
  const target = resolve(context.declarations, type);
  return target.kind === "object" || target.kind === "intersection" || target.kind === "record"
    ? type
    : target;
}
