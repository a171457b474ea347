import { normalizeText } from "../core/session/uri.js";

/** A parsed URI template. */
export interface Template {
  readonly variables: readonly string[];
  /**
   * The decoded values of the variables in a URI; undefined if it does not
   * match the template.
   */
  match(uri: string): Record<string, string> | undefined;
}

/**
 * The operators that put a prefix before the first value, so that the value may
 * be absent.
 */
type PrefixOperator = "#" | "." | "/" | ";" | "?" | "&";

/** The names in a comma-separated list. */
type NamesIn<List> = List extends `${infer Name},${infer Rest}`
  ? Bare<Name> | NamesIn<Rest>
  : Bare<List>;

/** A name without its modifier. */
type Bare<Name> = Name extends `${infer Before}${"*" | `:${number}`}`
  ? Before
  : Name;

/** The names in all expressions of a template. */
type AllNames<T> = T extends `${string}{${infer Expression}}${infer Rest}`
  ? | NamesIn<
        Expression extends `${PrefixOperator | "+"}${infer List}`
          ? List
          : Expression
      >
    | AllNames<Rest>
  : never;

/**
 * The names that always have a value: the first one of each expression without
 * a prefix.
 */
type RequiredNames<T> = T extends `${string}{${infer Expression}}${infer Rest}`
  ? RequiredName<Expression> | RequiredNames<Rest>
  : never;
type RequiredName<Expression> = Expression extends `${PrefixOperator}${string}`
  ? never
  : Expression extends `+${infer List}`
    ? RequiredName<List>
    : Expression extends `${infer Name},${string}`
      ? Bare<Name>
      : Bare<Expression>;

/**
 * The type of the values of a template's variables (RFC 6570). A variable is
 * optional if a URI of the template can omit it. If the template is not a
 * literal type, any names are allowed.
 */
export type VariablesOf<T> =
  {} extends Record<T & string, unknown>
    ? Readonly<Record<string, string>>
    : Flat<
        { readonly [Name in RequiredNames<T> & string]: string } & {
          readonly [
            Name in Exclude<AllNames<T>, RequiredNames<T>> & string
          ]?: string;
        }
      >;
type Flat<T> = { [K in keyof T]: T[K] };

/** Literal text, or the values of variables. */
type Part = string | VariablePart;

interface VariablePart {
  /**
   * One name, or all names of an expression with named values, which may be
   * absent and in any order.
   */
  readonly names: readonly string[];
  /**
   * The text before the value. Without this text the value is absent; an empty
   * prefix means that it is always present.
   */
  readonly prefix: string;
  /** The characters that end the value. */
  readonly stops: string;
  /**
   * The separator of pairs of name and value; undefined for values without
   * names.
   */
  readonly separator?: string;
  /**
   * The names that may have several values, which a comma separates afterwards.
   */
  readonly lists?: readonly string[];
}

interface Operator {
  readonly first: string;
  readonly separator: string;
  readonly stops: string;
  readonly named?: true;
}

/**
 * The operators of RFC 6570: the text before the first value and between
 * values, and the characters that end a value.
 */
const operators: Readonly<Record<string, Operator>> = {
  "": { first: "", separator: ",", stops: "/?#" },
  "+": { first: "", separator: ",", stops: "" },
  "#": { first: "#", separator: ",", stops: "" },
  ".": { first: ".", separator: ".", stops: "/?#" },
  "/": { first: "/", separator: "/", stops: "/?#" },
  ";": { first: ";", separator: ";", stops: "/?#", named: true },
  "?": { first: "?", separator: "&", stops: "#", named: true },
  "&": { first: "&", separator: "&", stops: "#", named: true },
};

/** Maximum length of a URI; a longer one does not match. */
const maxLength = 8192;

/**
 * Parses a template of RFC 6570: `{name}`, `{+path}`, `{#part}`, `{.type}`,
 * `{/folder,file}`, `{;k}`, `{?q,limit}`, `{&page}`. A list, such as `{/path*}`
 * or `{?tag*}`, gives one text; the members of a map do not match. A variable
 * that is repeated must have one value.
 *
 * @throws TypeError if it is malformed.
 */
export function readTemplate(template: string): Template {
  const templateError = (why: string): TypeError =>
    new TypeError(
      `The URI template ${JSON.stringify(template)} cannot be used: ${why}.`,
    );
  const parts = template
    .split(/(\{[^{}]*\})/)
    .filter((piece) => piece !== "")
    .flatMap((piece): readonly Part[] => {
      if (/^\{.*\}$/.test(piece)) return readExpression(piece, templateError);
      if (/[{}]/.test(piece)) throw templateError("it has an unpaired brace");
      return [normalizeText(piece)];
    });
  const names = parts.flatMap((part) =>
    typeof part === "string" ? [] : part.names,
  );
  return {
    variables: [...new Set(names)],
    match: (uri) =>
      uri.length <= maxLength ? match(parts, normalizeText(uri)) : undefined,
  };
}

function readExpression(
  piece: string,
  templateError: (why: string) => TypeError,
): VariablePart[] {
  const [, operator = "", list = ""] = /^\{([^\w%]?)(.*)\}$/.exec(piece) ?? [];
  const rule = Object.hasOwn(operators, operator)
    ? operators[operator]
    : undefined;
  const variables = list.split(",");
  if (
    !rule ||
    !variables.every((one) =>
      /^([\w.]|%[\da-f]{2})+(\*|:[1-9]\d{0,3})?$/i.test(one),
    )
  )
    throw templateError(`${piece} is not an expression`);
  const names = variables.map((one) => one.replace(/[*:].*/, ""));
  const lists = names.filter((_, i) => variables[i]?.endsWith("*"));
  const { first, separator, named } = rule;
  if (named)
    return [{ names, prefix: first, stops: rule.stops, separator, lists }];
  // A comma ends a value only if there may be several values.
  const stops =
    names.length > 1 && separator === "," ? `${rule.stops},` : rule.stops;
  return names.map((name, i) => ({
    names: [name],
    prefix: i === 0 ? first : separator,
    stops: lists.includes(name) ? stops.replace(separator, "") : stops,
  }));
}

/**
 * Matches the parts from left to right. Each value is as short as the rest of
 * the URI allows.
 */
function match(
  parts: readonly Part[],
  uri: string,
): Record<string, string> | undefined {
  const [first = [], ...others] = matchTable(parts, uri);
  if (!first[0]) return undefined;
  // A variable that the URI omits is undefined, also one named `toString`.
  const values = Object.create(null) as Record<string, string>;
  let at = 0;
  for (const [i, part] of parts.entries()) {
    if (typeof part === "string") {
      at += part.length;
      continue;
    }
    if (!uri.startsWith(part.prefix, at)) continue;
    const start = at + part.prefix.length;
    const next = others[i] ?? [];
    let end = start;
    while (!next[end] && canContain(part, uri, end)) end++;
    // The prefix may belong to the next part.
    if (!next[end]) continue;
    const found = valuesIn(part, uri.slice(start, end));
    if (!found) return undefined;
    for (const [name, value] of found) {
      if ((values[name] ??= value) !== value) return undefined;
    }
    at = end;
  }
  return values;
}

/**
 * For each part, and for the end: the indexes of the URI from which this part
 * and all later ones match. The time is proportional to the length of the URI
 * times the number of parts.
 */
function matchTable(parts: readonly Part[], uri: string): Uint8Array[] {
  const { length } = uri;
  let next = new Uint8Array(length + 1).fill(1, length);
  const rows = [next];
  for (const part of [...parts].reverse()) {
    const here = new Uint8Array(length + 1);
    // From these indexes a value can continue to its end.
    const inside = new Uint8Array(length + 1);
    for (let at = length; at >= 0; at--) {
      if (typeof part === "string") {
        here[at] = uri.startsWith(part, at) ? (next[at + part.length] ?? 0) : 0;
        continue;
      }
      inside[at] =
        next[at] || (canContain(part, uri, at) ? (inside[at + 1] ?? 0) : 0);
      const { prefix } = part;
      here[at] =
        (uri.startsWith(prefix, at) && inside[at + prefix.length]) ||
        (prefix === "" ? 0 : (next[at] ?? 0));
    }
    rows.unshift(here);
    next = here;
  }
  return rows;
}

/** True if a value can contain the character at this index. */
const canContain = (
  { stops }: VariablePart,
  uri: string,
  at: number,
): boolean => at < uri.length && !stops.includes(uri[at] as string);

/**
 * The decoded values in the text of a part, by name; undefined if the text is
 * invalid.
 */
function valuesIn(
  { names, separator, lists }: VariablePart,
  text: string,
): ReadonlyMap<string, string> | undefined {
  const pairs =
    separator === undefined ? [`${names[0]}=${text}`] : text.split(separator);
  const values = new Map<string, string>();
  try {
    for (const pair of pairs) {
      const [name = "", ...parts] = pair.split("=");
      const earlier = values.get(name);
      if (
        !names.includes(name) ||
        (earlier !== undefined && !lists?.includes(name))
      )
        return undefined;
      const value = decodeURIComponent(parts.join("="));
      values.set(name, earlier === undefined ? value : `${earlier},${value}`);
    }
  } catch {
    return undefined;
  }
  return values;
}
