/** A URI template, read. */
export interface Template {
  readonly variables: readonly string[];
  /** The variables' values in a URI, decoded; undefined when it was not made from the template. */
  match(uri: string): Record<string, string> | undefined;
}

/** The operators that put a mark before their first value, so that the value may be absent. */
type Marking = "#" | "." | "/" | ";" | "?" | "&";

/** All names in a list. */
type NamesIn<List> = List extends `${infer Name},${infer Rest}` ? Name | NamesIn<Rest> : List;

/** The names in the expressions of a template. */
type AllNames<T> = T extends `${string}{${infer Expression}}${infer Rest}`
  ? NamesIn<Expression extends `${Marking | "+"}${infer List}` ? List : Expression> | AllNames<Rest>
  : never;

/** The names that always have a value: each first one of an expression without a mark. */
type SureNames<T> = T extends `${string}{${infer Expression}}${infer Rest}`
  ? SureName<Expression> | SureNames<Rest>
  : never;
type SureName<Expression> = Expression extends `${Marking}${string}`
  ? never
  : Expression extends `+${infer List}`
    ? SureName<List>
    : Expression extends `${infer Name},${string}`
      ? Name
      : Expression;

/**
 * The values of a template's variables (RFC 6570, levels 1 to 3). A variable is optional where a URI of the template can lack
 * it. For a template that is not a literal type, any names.
 */
export type VariablesOf<T> =
  {} extends Record<T & string, unknown>
    ? Readonly<Record<string, string>>
    : Flat<
        { readonly [Name in SureNames<T> & string]: string } & {
          readonly [Name in Exclude<AllNames<T>, SureNames<T>> & string]?: string;
        }
      >;
type Flat<T> = { [K in keyof T]: T[K] };

/** Plain text, or a hole that variables fill. */
type Part = string | Hole;

interface Hole {
  /** More than one only where each value stands behind its name: any of them may be missing, in any order. */
  readonly names: readonly string[];
  /** What stands before the value; without it there is none, and with an empty mark there is always one. */
  readonly mark: string;
  /** The characters that end the value. */
  readonly stops: string;
  /** What stands between two pairs of name and value; absent for a value alone. */
  readonly between?: string;
}

interface Operator {
  readonly first: string;
  readonly between: string;
  readonly stops: string;
  readonly named?: true;
}

/** Each operator of RFC 6570: what it puts before the first value and between two, and where a value ends. */
const operators: Readonly<Record<string, Operator>> = {
  "": { first: "", between: ",", stops: "/?#" },
  "+": { first: "", between: ",", stops: "" },
  "#": { first: "#", between: ",", stops: "" },
  ".": { first: ".", between: ".", stops: "/?#" },
  "/": { first: "/", between: "/", stops: "/?#" },
  ";": { first: ";", between: ";", stops: "/?#", named: true },
  "?": { first: "?", between: "&", stops: "#", named: true },
  "&": { first: "&", between: "&", stops: "#", named: true },
};

/** Longest URI that is looked at. */
const maxLength = 8192;

/**
 * Reads a template of RFC 6570, levels 1 to 3: `{name}`, `{+path}`, `{#part}`, `{.type}`, `{/folder,file}`, `{;k}`,
 * `{?q,limit}`, `{&page}`.
 *
 * @throws TypeError when it is malformed, names a variable twice, or needs level 4.
 */
export function readTemplate(template: string): Template {
  const wrong = (why: string): TypeError =>
    new TypeError(`The URI template ${JSON.stringify(template)} cannot be used: ${why}.`);
  const parts = template
    .split(/(\{[^{}]*\})/)
    .filter((piece) => piece !== "")
    .flatMap((piece): readonly Part[] => {
      if (/^\{.*\}$/.test(piece)) return readExpression(piece, wrong);
      if (/[{}]/.test(piece)) throw wrong("a brace has no partner");
      return [piece];
    });
  const variables = parts.flatMap((part) => (typeof part === "string" ? [] : part.names));
  if (new Set(variables).size < variables.length) throw wrong("a variable stands in it twice");
  return { variables, match: (uri) => (uri.length <= maxLength ? match(parts, uri) : undefined) };
}

function readExpression(piece: string, wrong: (why: string) => TypeError): Hole[] {
  const [, operator = "", list = ""] = /^\{([^\w%]?)(.*)\}$/.exec(piece) ?? [];
  const rule = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  const names = list.split(",");
  if (names.some((name) => /[*]$|:\d+$/.test(name))) {
    throw wrong(`${piece} is of level 4, and levels 1 to 3 are known; {+name} takes a whole path`);
  }
  if (!rule || !names.every((name) => /^(\w|%[\da-f]{2})+(\.(\w|%[\da-f]{2})+)*$/i.test(name))) {
    throw wrong(`${piece} is no expression`);
  }
  const { first, between, named } = rule;
  if (named) return [{ names, mark: first, stops: rule.stops, between }];
  // A comma ends a value only where more than one may stand.
  const stops = names.length > 1 && between === "," ? `${rule.stops},` : rule.stops;
  return names.map((name, i) => ({ names: [name], mark: i === 0 ? first : between, stops }));
}

/** Walks forward through the parts, each value as short as the rest allows. */
function match(parts: readonly Part[], uri: string): Record<string, string> | undefined {
  const fits = fitting(parts, uri);
  if (!fits[0]?.[0]) return undefined;
  const values: [string, string][] = [];
  let at = 0;
  for (const [i, part] of parts.entries()) {
    if (typeof part === "string") {
      at += part.length;
      continue;
    }
    if (!uri.startsWith(part.mark, at)) continue;
    const start = at + part.mark.length;
    let end = start;
    while (!fits[i + 1]?.[end] && holds(part, uri, end)) end++;
    // The mark may have been the next part's.
    if (!fits[i + 1]?.[end]) continue;
    const found = valuesIn(part, uri.slice(start, end));
    if (!found) return undefined;
    values.push(...found);
    at = end;
  }
  return Object.fromEntries(values);
}

/**
 * For each part, and behind the last one: at which places of the URI it can begin so that all from there on fits. Takes time
 * in proportion to the length times the number of parts, whatever the template.
 */
function fitting(parts: readonly Part[], uri: string): Uint8Array[] {
  const { length } = uri;
  let next = new Uint8Array(length + 1).fill(1, length);
  const fits = [next];
  for (const part of [...parts].reverse()) {
    const here = new Uint8Array(length + 1);
    // Can a value end at this place, or behind it?
    const inside = new Uint8Array(length + 1);
    for (let at = length; at >= 0; at--) {
      if (typeof part === "string") {
        here[at] = uri.startsWith(part, at) ? (next[at + part.length] ?? 0) : 0;
        continue;
      }
      inside[at] = next[at] || (holds(part, uri, at) ? (inside[at + 1] ?? 0) : 0);
      const { mark } = part;
      here[at] =
        (uri.startsWith(mark, at) && inside[at + mark.length]) || (mark === "" ? 0 : (next[at] ?? 0));
    }
    fits.unshift(here);
    next = here;
  }
  return fits;
}

/** May a value go on over the character at this place? */
const holds = ({ stops }: Hole, uri: string, at: number): boolean =>
  at < uri.length && !stops.includes(uri[at] as string);

/** The values in the text of a hole, decoded, by their names; undefined for text that no values make. */
function valuesIn({ names, between }: Hole, text: string): [string, string][] | undefined {
  const pairs = between === undefined ? [`${names[0]}=${text}`] : text.split(between);
  try {
    const found = pairs.map((pair): [string, string] => {
      const [name = "", ...value] = pair.split("=");
      return [name, decodeURIComponent(value.join("="))];
    });
    const isOnce = new Map(found).size === found.length;
    return isOnce && found.every(([name]) => names.includes(name)) ? found : undefined;
  } catch {
    return undefined;
  }
}
