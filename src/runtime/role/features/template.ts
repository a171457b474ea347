import { normalizeUri } from "../../session/uri.js";

/** A parsed URI template. */
export interface Template {
  readonly variables: readonly string[];
  /** The decoded values of the variables in a URI; undefined if it does not match the template. */
  match(uri: string): Record<string, string> | undefined;
}

/** The operators that put a prefix before the first value, so that the value may be absent. */
type PrefixOperator = "#" | "." | "/" | ";" | "?" | "&";

/** The names in a comma-separated list. */
type NamesIn<List> = List extends `${infer Name},${infer Rest}` ? Name | NamesIn<Rest> : List;

/** The names in all expressions of a template. */
type AllNames<T> = T extends `${string}{${infer Expression}}${infer Rest}`
  ? NamesIn<Expression extends `${PrefixOperator | "+"}${infer List}` ? List : Expression> | AllNames<Rest>
  : never;

/** The names that always have a value: the first one of each expression without a prefix. */
type RequiredNames<T> = T extends `${string}{${infer Expression}}${infer Rest}`
  ? RequiredName<Expression> | RequiredNames<Rest>
  : never;
type RequiredName<Expression> = Expression extends `${PrefixOperator}${string}`
  ? never
  : Expression extends `+${infer List}`
    ? RequiredName<List>
    : Expression extends `${infer Name},${string}`
      ? Name
      : Expression;

/**
 * The type of the values of a template's variables (RFC 6570, levels 1 to 3). A variable is optional if a URI of the template can omit
 * it. If the template is not a literal type, any names are allowed.
 */
export type VariablesOf<T> =
  {} extends Record<T & string, unknown>
    ? Readonly<Record<string, string>>
    : Flat<
        { readonly [Name in RequiredNames<T> & string]: string } & {
          readonly [Name in Exclude<AllNames<T>, RequiredNames<T>> & string]?: string;
        }
      >;
type Flat<T> = { [K in keyof T]: T[K] };

/** Literal text, or the values of variables. */
type Part = string | VariablePart;

interface VariablePart {
  /** One name, or all names of an expression with named values, which may be absent and in any order. */
  readonly names: readonly string[];
  /** The text before the value. Without this text the value is absent; an empty prefix means that it is always present. */
  readonly prefix: string;
  /** The characters that end the value. */
  readonly stops: string;
  /** The separator of pairs of name and value; undefined for values without names. */
  readonly separator?: string;
}

interface Operator {
  readonly first: string;
  readonly separator: string;
  readonly stops: string;
  readonly named?: true;
}

/** The operators of RFC 6570: the text before the first value and between values, and the characters that end a value. */
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
 * Parses a template of RFC 6570, levels 1 to 3: `{name}`, `{+path}`, `{#part}`, `{.type}`, `{/folder,file}`, `{;k}`,
 * `{?q,limit}`, `{&page}`.
 *
 * @throws TypeError if it is malformed, repeats a variable, or uses level 4.
 */
export function readTemplate(template: string): Template {
  const templateError = (why: string): TypeError =>
    new TypeError(`The URI template ${JSON.stringify(template)} cannot be used: ${why}.`);
  const parts = template
    .split(/(\{[^{}]*\})/)
    .filter((piece) => piece !== "")
    .flatMap((piece): readonly Part[] => {
      if (/^\{.*\}$/.test(piece)) return readExpression(piece, templateError);
      if (/[{}]/.test(piece)) throw templateError("it has an unpaired brace");
      return [normalizeUri(piece)];
    });
  const variables = parts.flatMap((part) => (typeof part === "string" ? [] : part.names));
  if (new Set(variables).size < variables.length) throw templateError("a variable is repeated");
  return {
    variables,
    match: (uri) => (uri.length <= maxLength ? match(parts, normalizeUri(uri)) : undefined),
  };
}

function readExpression(piece: string, templateError: (why: string) => TypeError): VariablePart[] {
  const [, operator = "", list = ""] = /^\{([^\w%]?)(.*)\}$/.exec(piece) ?? [];
  const rule = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  const names = list.split(",");
  if (names.some((name) => /[*]$|:\d+$/.test(name))) {
    throw templateError(
      `${piece} is of level 4, and only levels 1 to 3 are supported; {+name} matches a whole path`,
    );
  }
  if (!rule || !names.every((name) => /^(\w|%[\da-f]{2})+(\.(\w|%[\da-f]{2})+)*$/i.test(name))) {
    throw templateError(`${piece} is not an expression`);
  }
  const { first, separator, named } = rule;
  if (named) return [{ names, prefix: first, stops: rule.stops, separator }];
  // A comma ends a value only if there may be several values.
  const stops = names.length > 1 && separator === "," ? `${rule.stops},` : rule.stops;
  return names.map((name, i) => ({ names: [name], prefix: i === 0 ? first : separator, stops }));
}

/** Matches the parts from left to right. Each value is as short as the rest of the URI allows. */
function match(parts: readonly Part[], uri: string): Record<string, string> | undefined {
  const matches = matchTable(parts, uri);
  if (!matches[0]?.[0]) return undefined;
  const values: [string, string][] = [];
  let at = 0;
  for (const [i, part] of parts.entries()) {
    if (typeof part === "string") {
      at += part.length;
      continue;
    }
    if (!uri.startsWith(part.prefix, at)) continue;
    const start = at + part.prefix.length;
    let end = start;
    while (!matches[i + 1]?.[end] && canContain(part, uri, end)) end++;
    // The prefix may belong to the next part.
    if (!matches[i + 1]?.[end]) continue;
    const entries = valuesIn(part, uri.slice(start, end));
    if (!entries) return undefined;
    values.push(...entries);
    at = end;
  }
  return Object.fromEntries(values);
}

/**
 * For each part, and for the end: the indexes of the URI from which this part and all later ones match. The time is proportional to the
 * length of the URI times the number of parts.
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
      inside[at] = next[at] || (canContain(part, uri, at) ? (inside[at + 1] ?? 0) : 0);
      const { prefix } = part;
      here[at] =
        (uri.startsWith(prefix, at) && inside[at + prefix.length]) || (prefix === "" ? 0 : (next[at] ?? 0));
    }
    rows.unshift(here);
    next = here;
  }
  return rows;
}

/** True if a value can contain the character at this index. */
const canContain = ({ stops }: VariablePart, uri: string, at: number): boolean =>
  at < uri.length && !stops.includes(uri[at] as string);

/** The names and decoded values in the text of a part; undefined if the text is invalid. */
function valuesIn({ names, separator }: VariablePart, text: string): [string, string][] | undefined {
  const pairs = separator === undefined ? [`${names[0]}=${text}`] : text.split(separator);
  try {
    const entries = pairs.map((pair): [string, string] => {
      const [name = "", ...value] = pair.split("=");
      return [name, decodeURIComponent(value.join("="))];
    });
    const isUnique = new Map(entries).size === entries.length;
    return isUnique && entries.every(([name]) => names.includes(name)) ? entries : undefined;
  } catch {
    return undefined;
  }
}
