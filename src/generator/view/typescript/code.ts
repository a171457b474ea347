import { byText } from "../../../common/by-text.js";
import { escapeUnit, unclear } from "../../../common/invisible.js";
import {
  below,
  fillLine,
  group,
  hardline,
  ifBreak,
  indent,
  isList,
  join,
  line,
  softline,
  unionLayout,
  type Layout,
} from "./layout.js";

/**
 * A piece of source text that is safe to emit. Text of a schema becomes `Code`
 * only as a literal, an identifier, a property key or a comment, and composes
 * only through `code`, whose fixed parts are our own. Templates accept nothing
 * else.
 */
export interface Code {
  readonly kind: CodeKind;
  readonly layout: Layout;
}

type CodeKind = "literal" | "identifier" | "key" | "doc" | "code";

/**
 * Composes source text: the fixed parts are ours, the inserted parts are emit
 * values.
 */
export function code(
  fixed: TemplateStringsArray,
  ...parts: readonly Code[]
): Code {
  const layout: Layout[] = [];
  // Merges adjacent texts, which saves time and memory.
  let text = "";
  for (let i = 0; i < fixed.length; i += 1) {
    text += fixed[i] ?? "";
    const part = parts[i]?.layout ?? "";
    if (typeof part === "string") text += part;
    else {
      if (text !== "") layout.push(text);
      layout.push(part);
      text = "";
    }
  }
  if (layout.length === 0) return { kind: "code", layout: text };
  if (text !== "") layout.push(text);
  return { kind: "code", layout };
}

/**
 * Code from a layout. Its strings must be ours or layouts of other codes; only
 * this folder may call it.
 */
export function fromLayout(layout: Layout): Code {
  return { kind: "code", layout };
}

/**
 * Printable ASCII without quotes and backslashes, which needs no escaping
 * between quotes.
 */
const plainText = /^[ !#-&(-[\]-~]*$/;
const doubleQuotes = /"/g;
const singleQuotes = /'/g;

/**
 * A literal of a JSON scalar, with the quotes that Prettier prefers and every
 * invisible character escaped.
 */
export function literal(value: string | number | boolean | null): Code {
  return { kind: "literal", layout: literalText(value) };
}

export function literalText(value: string | number | boolean | null): string {
  if (typeof value === "number")
    return JSON.stringify(value).replace("e+", "e");
  if (typeof value !== "string") return String(value);
  if (plainText.test(value)) return `"${value}"`;
  const json = JSON.stringify(value).slice(1, -1).replace(unclear, escapeUnit);
  const doubles = value.match(doubleQuotes)?.length ?? 0;
  const singles = value.match(singleQuotes)?.length ?? 0;
  return doubles > singles
    ? `'${json.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : `"${json}"`;
}

/** A path between the double quotes of an import. */
export function importPath(path: string): Code {
  return {
    kind: "literal",
    layout: JSON.stringify(path).slice(1, -1).replace(unclear, escapeUnit),
  };
}

const asciiIdentifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** Letters of all scripts, except those that cannot be seen. */
const anyScript =
  /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}_$]*$/u;

/** A member's name as an object key: bare if allowed, otherwise a literal. */
export function propertyKey(name: string): Code {
  // Computed, because a plain `__proto__` key in an object literal sets the
  // prototype, with or without quotes.
  if (name === "__proto__") return { kind: "key", layout: '["__proto__"]' };
  return {
    kind: "key",
    layout: asciiIdentifier.test(name) ? name : literalText(name),
  };
}

/**
 * An identifier. The name must come from `names.ts`; anything else is a bug.
 */
export function identifier(name: string): Code {
  if (!asciiIdentifier.test(name) && !anyScript.test(name))
    throw new Error(
      `"${name}" is not an identifier. Its name must come from names.ts.`,
    );
  return { kind: "identifier", layout: name };
}

/** `{ key: value, … }`, on one line when it fits. */
export function objectCode(
  entries: readonly (readonly [key: Code, value: Code])[],
): Code {
  return fromLayout(
    objectLayout(
      entries.map(([key, value]) => memberLayout(key.layout, value.layout)),
    ),
  );
}

function objectLayout(members: readonly Layout[]): Layout {
  if (members.length === 0) return "{}";
  return group([
    "{",
    indent([line, join([",", line], members), ifBreak(",")]),
    line,
    "}",
  ]);
}

/** `key: value` of an object, the value below its key if it does not fit. */
export function rowCode(key: Code, value: Code): Code {
  return fromLayout(memberLayout(key.layout, value.layout));
}

/**
 * A value that cannot break goes below its key if it does not fit, unless the
 * key is too short.
 */
function memberLayout(key: Layout, value: Layout): Layout {
  const isShort = typeof key === "string" && key.length < 5;
  if (isShort || canBreak(value) || value === "{}" || value === "[]")
    return [key, ": ", value];
  return [key, ":", below(value)];
}

/** `name = value`, the value below the name when it does not fit. */
export function assignment(name: Code, value: Code): Code {
  return fromLayout(
    group([name.layout, " =", group(indent([line, value.layout]))]),
  );
}

/**
 * `name: Type = { … }`, with the braces or brackets below the type if even they
 * do not fit.
 */
export function constant(name: Code, type: Code, value: Code): Code {
  return fromLayout([
    name.layout,
    ": ",
    type.layout,
    " =",
    below(value.layout),
  ]);
}

/** `[a, b]`, on one line when it fits. */
export function arrayCode(items: readonly Code[]): Code {
  return fromLayout(arrayLayout(items.map((item) => item.layout)));
}

/**
 * Prettier fills lines with numbers, and gives any other item a line of its
 * own.
 */
const isNumber = (item: Layout): item is string =>
  typeof item === "string" && /^-?[\d.][\d.e+-]*$/i.test(item);

function arrayLayout(items: readonly Layout[]): Layout {
  if (items.length === 0) return "[]";
  if (items.length > 1 && items.every(isNumber)) {
    const filled = items.map((item, i) => [
      i === 0 ? "" : fillLine(item.length + 1),
      item,
      i < items.length - 1 ? "," : ifBreak(","),
    ]);
    return group(["[", indent([softline, filled]), softline, "]"]);
  }
  return group([
    "[",
    indent([softline, join([",", line], items), ifBreak(",")]),
    softline,
    "]",
  ]);
}

/**
 * Arrays or objects in an array: Prettier puts each on its own line if there
 * are several.
 */
export function rowsCode(rows: readonly Code[]): Code {
  return rows.length > 1
    ? fromLayout(rowsLayout(rows.map((row) => row.layout)))
    : arrayCode(rows);
}

function rowsLayout(rows: readonly Layout[]): Layout {
  return [
    "[",
    indent([hardline, join([",", hardline], rows), ","]),
    hardline,
    "]",
  ];
}

const isRow = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 1;

/**
 * A JSON value as an expression; its strings and keys are escaped like any
 * literal.
 */
export function jsonCode(value: unknown): Code {
  return typeof value === "object" && value !== null
    ? fromLayout(jsonLayout(value))
    : literal(value as string | number | boolean | null);
}

function jsonLayout(value: unknown): Layout {
  if (Array.isArray(value)) return jsonArray(value);
  if (typeof value === "object" && value !== null) return jsonObject(value);
  return literalText(value as string | number | boolean | null);
}

function jsonArray(value: readonly unknown[]): Layout {
  const items = value.map(jsonLayout);
  return value.length > 1 && value.every(isRow)
    ? rowsLayout(items)
    : arrayLayout(items);
}

function jsonObject(value: object): Layout {
  return objectLayout(
    Object.entries(value).map(([key, member]) =>
      memberLayout(propertyKey(key).layout, jsonLayout(member)),
    ),
  );
}

/** `Name<a, b>`, broken inside its brackets when it does not fit. */
export function generic(name: Code, args: readonly Code[]): Code {
  const list = join(
    [",", line],
    args.map((arg) => arg.layout),
  );
  // A single plain name always stays next to its brackets.
  if (args.length === 1 && !canBreak(list))
    return fromLayout(group([name.layout, "<", list, ">"]));
  return fromLayout(
    group([name.layout, "<", indent([softline, list]), softline, ">"]),
  );
}

/**
 * `Type["member"]`; unlike a plain name it goes below the bracket of a generic
 * type if it does not fit.
 */
export function indexedType(type: Code, member: Code): Code {
  return fromLayout(group([type.layout, "[", member.layout, "]"]));
}

function canBreak(layout: Layout): boolean {
  return (
    typeof layout !== "string" && (!isList(layout) || layout.some(canBreak))
  );
}

/** A union of types, one per line if it does not fit. */
export function unionCode(types: readonly Code[]): Code {
  const alternatives = types.map((type) => type.layout);
  if (alternatives.length === 1) return fromLayout(alternatives);
  return fromLayout(group(unionLayout(alternatives)));
}

/** An intersection of types. */
export function intersectionCode(types: readonly Code[]): Code {
  const [first, ...others] = types.map((type) => type.layout);
  if (others.length === 0) return fromLayout(first ?? "");
  return fromLayout(
    group([first ?? "", ...others.map((type) => indent([" &", line, type]))]),
  );
}

/** `Name = a | b;`, as text after `export type`. */
export function alias(name: Code, types: readonly Code[]): Code {
  return fromLayout([
    group([name.layout, " =", group(indent([line, unionCode(types).layout]))]),
    ";",
  ]);
}

/** `name: type`, with a union below the name if it does not fit. */
export function annotation(name: Code, types: readonly Code[]): Code {
  if (types.length < 2)
    return fromLayout([name.layout, ": ", ...types.map((type) => type.layout)]);
  return fromLayout([
    name.layout,
    ":",
    group(indent([line, unionCode(types).layout])),
  ]);
}

/** `name(a, b): type`, broken inside its parentheses when it does not fit. */
export function signature(
  name: Code,
  parameters: readonly Code[],
  type: Code,
): Code {
  return fromLayout(
    group([name.layout, parameterList(parameters), ": ", type.layout]),
  );
}

/** `callee(a, b)`, broken inside its parentheses when it does not fit. */
export function callCode(callee: Code, args: readonly Code[]): Code {
  return fromLayout(group([callee.layout, parameterList(args)]));
}

function parameterList(parameters: readonly Code[]): Layout {
  if (parameters.length === 0) return "()";
  const list = join(
    [",", line],
    parameters.map((parameter) => parameter.layout),
  );
  return ["(", indent([softline, list, ifBreak(",")]), softline, ")"];
}

/**
 * `{ a, b }` of an import or export, one name per line if they do not fit; a
 * single name never breaks.
 */
export function nameList(names: readonly Code[]): Code {
  const [only] = names;
  if (names.length === 1 && only !== undefined)
    return fromLayout(["{ ", only.layout, " }"]);
  return fromLayout(objectLayout(names.map((name) => name.layout)));
}

/**
 * `{ a, type B }` of an import: as `nameList`, sorted by name without `type`,
 * and without duplicates.
 */
export function importList(names: readonly Code[]): Code {
  const keyOf = ({ layout }: Code): string =>
    String(layout)
      .replace(/^type /, "")
      .toLowerCase();
  const byName = new Map(names.map((name) => [keyOf(name), name]));
  return nameList(
    [...byName].sort(([a], [b]) => byText(a, b)).map(([, name]) => name),
  );
}

/** A type literal with one member per line. */
export function memberLines(members: readonly Code[]): Code {
  return bracedList(members, ";");
}

/** An object literal with one member per line. */
export function memberTable(members: readonly Code[]): Code {
  return bracedList(members, ",");
}

function bracedList(members: readonly Code[], end: string): Code {
  if (members.length === 0) return fromLayout("{}");
  return fromLayout([
    "{",
    indent(members.map((member) => [hardline, member.layout, end])),
    hardline,
    "}",
  ]);
}
