import { arranged, type Code, code, identifier, literal } from "../code.js";
import { group, hardline, ifBreak, indent, join, line, softline, type Layout } from "../layout.js";

/** Where a checked value is, seen from the guard's own value: literals of keys, variables of loops. */
export type Place = readonly Code[];

/** `const name = value;` */
export function declare(variable: Code, value: Code): Layout {
  return group(["const ", variable.layout, " =", indent([line, value.layout]), ";"]);
}

/** `if (a && b) return …;` All conditions are true when the guard must reject the value. */
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

/** The expression after `return`, in parentheses where it takes several lines. */
function returned(parts: readonly Code[]): Code {
  const list = join(
    [" ||", line],
    parts.map((part) => part.layout),
  );
  if (parts.length < 2) return arranged(list);
  return arranged(group([ifBreak("("), indent([softline, group(list)]), softline, ifBreak(")")]));
}

/** A statement with a body: `if (…) { … }`, `for (…) { … }`. */
export function block(head: Code, statements: readonly Layout[]): Layout {
  return [head.layout, " {", indent(statements.map((statement) => [hardline, statement])), hardline, "}"];
}

export function call(callee: Code, args: readonly Code[]): Code {
  const list = join(
    [",", line],
    args.map((arg) => arg.layout),
  );
  return arranged([callee.layout, group(["(", indent([softline, list]), ifBreak(","), softline, ")"])]);
}

/** How many keys one call of `fail` or `inside` takes. */
const MAX_KEYS = 3;

/** `fail("a string", "content", i)`: what was expected, and where below the guard's value. */
export function failure(expected: string, place: Place): Code {
  const innermost = place.slice(-MAX_KEYS);
  return returned([call(identifier("fail"), [literal(expected), ...innermost]), ...outerCalls(place)]);
}

/** `inside("content", i)`: a guard that was called has said what it expected; this adds where it was called. */
export function inside(place: Place): Code {
  return place.length === 0 ? code`false` : returned([insideCall(place), ...outerCalls(place)]);
}

function insideCall(place: Place): Code {
  return call(identifier("inside"), place.slice(-MAX_KEYS));
}

/** Calls that add the keys for which the innermost call has no room. */
function outerCalls(place: Place): Code[] {
  const rest = place.slice(0, -MAX_KEYS);
  return rest.length === 0 ? [] : [insideCall(rest), ...outerCalls(rest)];
}

/** Reads a member. A name that every object inherits is read with `own`. */
export function read(object: Code, member: string): Code {
  if (member in Object.prototype) return call(identifier("own"), [object, literal(member)]);
  return code`${object}[${literal(member)}]`;
}
