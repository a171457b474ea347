import {
  callCode,
  fromLayout,
  type Code,
  code,
  identifier,
  literal,
} from "../code.js";
import { distinct } from "../../../ir/groups.js";
import {
  group,
  hardline,
  ifBreak,
  indent,
  join,
  line,
  softline,
  type Layout,
} from "../layout.js";

/**
 * The path from the guard's value to a checked value: literals of keys, and
 * variables of loops.
 */
export type Path = readonly Code[];

/** `const name = value;` */
export function declare(variable: Code, value: Code): Layout {
  return group([
    "const ",
    variable.layout,
    " =",
    indent([line, value.layout]),
    ";",
  ]);
}

/** `if (a && b) return …;` Rejects the value if all conditions are true. */
export function rejectIf(conditions: readonly Code[], result: Code): Layout {
  return returnIf(" &&", conditions, result);
}

/** `if (a || b) return …;` */
export function returnIfAny(conditions: readonly Code[], result: Code): Layout {
  return returnIf(" ||", conditions, result);
}

function returnIf(
  operator: string,
  conditions: readonly Code[],
  result: Code,
): Layout {
  const test = join(
    [operator, line],
    distinct(conditions, keyOf).map((condition) => condition.layout),
  );
  const head = ["if (", group([indent([softline, test]), softline]), ")"];
  return group([...head, indent([line, ["return ", result.layout, ";"]])]);
}

/** `return a || b || c;` */
export function returnAny(parts: readonly Code[]): Layout {
  return ["return ", returnExpression(parts).layout, ";"];
}

/** Conditions with the same text are one. */
const keyOf = ({ layout }: Code): string =>
  typeof layout === "string" ? layout : JSON.stringify(layout);

/** The expression after `return`, in parentheses if it takes several lines. */
function returnExpression(all: readonly Code[]): Code {
  const parts = distinct(all, keyOf);
  const list = join(
    [" ||", line],
    parts.map((part) => part.layout),
  );
  if (parts.length < 2) return fromLayout(list);
  return fromLayout(
    group([
      ifBreak("("),
      indent([softline, group(list)]),
      softline,
      ifBreak(")"),
    ]),
  );
}

/** A statement with a body: `if (…) { … }`, `for (…) { … }`. */
export function block(head: Code, statements: readonly Layout[]): Layout {
  return [
    head.layout,
    " {",
    indent(statements.map((statement) => [hardline, statement])),
    hardline,
    "}",
  ];
}

/** The maximum number of keys in one call of `fail` or `inside`. */
const maxKeys = 4;

/**
 * `fail("a string", "content", i)`: what was expected, and the path from the
 * guard's value.
 */
export function failCall(expected: string, path: Path): Code {
  const innermost = path.slice(-maxKeys);
  return returnExpression([
    callCode(identifier("fail"), [literal(expected), ...innermost]),
    ...outerCalls(path),
  ]);
}

/**
 * `inside("content", i)`: adds the path of the value that a called guard has
 * rejected.
 */
export function inside(path: Path): Code {
  return path.length === 0
    ? code`false`
    : returnExpression([insideCall(path), ...outerCalls(path)]);
}

function insideCall(path: Path): Code {
  return callCode(identifier("inside"), path.slice(-maxKeys));
}

/** Calls that add the remaining keys. */
function outerCalls(path: Path): Code[] {
  const rest = path.slice(0, -maxKeys);
  return rest.length === 0 ? [] : [insideCall(rest), ...outerCalls(rest)];
}

/** Reads a member. A name that every object inherits is read with `getOwn`. */
export function readMember(object: Code, member: string): Code {
  if (member in Object.prototype)
    return callCode(identifier("getOwn"), [object, literal(member)]);
  return code`${object}[${literal(member)}]`;
}

/**
 * Reads a member of a value of any type; undefined if it has none. Null for a
 * name that every object inherits.
 */
export function readMemberOfAny(value: Code, member: string): Code | null {
  if (member in Object.prototype) return null;
  return code`(${value} as Record<string, unknown> | null)?.[${literal(member)}]`;
}
