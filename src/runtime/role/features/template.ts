/** What one expression of a template can hold, or plain text between two of them. */
type Part =
  | { readonly kind: "text"; readonly text: string }
  /** One variable behind its mark; without the mark it has no value, and with an empty mark it is always there. */
  | { readonly kind: "value"; readonly name: string; readonly mark: string; readonly stops: string }
  /** Variables with their names, each of which may be missing, in any order. */
  | {
      readonly kind: "pairs";
      readonly names: readonly string[];
      readonly mark: string;
      readonly stops: string;
    };

/** Each operator of RFC 6570: what it puts before the first value and between two, and where a value ends. */
const operators: Readonly<
  Record<
    string,
    { readonly first: string; readonly between: string; readonly stops: string; readonly named?: true }
  >
> = {
  "": { first: "", between: ",", stops: "/?#" },
  "+": { first: "", between: ",", stops: "" },
  "#": { first: "#", between: ",", stops: "" },
  ".": { first: ".", between: ".", stops: "/?#" },
  "/": { first: "/", between: "/", stops: "/?#" },
  ";": { first: ";", between: ";", stops: "/?#", named: true },
  "?": { first: "?", between: "&", stops: "#", named: true },
  "&": { first: "&", between: "&", stops: "#", named: true },
};

/** A URI template, read. */
export interface Template {
  readonly variables: readonly string[];
  /** The variables' values in a URI, decoded; undefined when it was not made from the template. */
  match(uri: string): Record<string, string> | undefined;
}

/** Longest URI that is looked at. */
const maxLength = 8192;

/**
 * Reads a template of RFC 6570, levels 1 to 3: `{name}`, `{+path}`, `{#part}`, `{.type}`, `{/folder,file}`, `{;k}`,
 * `{?q,limit}`, `{&page}`.
 *
 * @throws TypeError when it is malformed, names a variable twice, or needs level 4.
 */
export function readTemplate(template: string): Template {
  const parts = template
    .split(/(\{[^{}]*\})/)
    .filter((piece) => piece !== "")
    .flatMap((piece) =>
      piece.startsWith("{") && piece.endsWith("}")
        ? readExpression(piece, template)
        : readText(piece, template),
    );
  const variables = parts.flatMap((part) =>
    part.kind === "text" ? [] : part.kind === "value" ? [part.name] : part.names,
  );
  if (new Set(variables).size < variables.length) throw wrong(template, "a variable stands in it twice");
  return { variables, match: (uri) => (uri.length <= maxLength ? match(parts, uri) : undefined) };
}

const wrong = (template: string, why: string): TypeError =>
  new TypeError(`The URI template ${JSON.stringify(template)} cannot be used: ${why}.`);

function readText(text: string, template: string): Part[] {
  if (/[{}]/.test(text)) throw wrong(template, "a brace has no partner");
  return [{ kind: "text", text }];
}

function readExpression(piece: string, template: string): Part[] {
  const [, operator = "", list = ""] = /^\{([^\w%]?)(.*)\}$/.exec(piece) ?? [];
  const rule = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  const names = list.split(",");
  if (names.some((name) => /[*]$|:\d+$/.test(name))) {
    throw wrong(template, `${piece} is of level 4, and levels 1 to 3 are known; {+name} takes a whole path`);
  }
  if (!rule || !names.every((name) => /^(\w|%[\da-f]{2})+(\.(\w|%[\da-f]{2})+)*$/i.test(name))) {
    throw wrong(template, `${piece} is no expression`);
  }
  const { first, between, named } = rule;
  if (named) return [{ kind: "pairs", names, mark: first, stops: rule.stops }];
  // A comma ends a value only where more than one may stand.
  const stops = names.length > 1 && between === "," ? `${rule.stops},` : rule.stops;
  return names.map((name, i) => ({ kind: "value", name, mark: i === 0 ? first : between, stops }));
}

/**
 * Finds out for each part, from the last one back, at which places of the URI it can begin so that the rest fits; then walks
 * forward, each value as short as can be. Takes time in proportion to the length times the number of parts, whatever the
 * template.
 */
function match(parts: readonly Part[], uri: string): Record<string, string> | undefined {
  const length = uri.length;
  /** By part: can it begin here? And for a value: can it go on, or end, here? */
  const begins: Uint8Array[] = [];
  const goesOn: Uint8Array[] = [];
  let next = new Uint8Array(length + 1);
  next[length] = 1;
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i] as Part;
    const here = new Uint8Array(length + 1);
    const inside = new Uint8Array(length + 2);
    for (let at = length; at >= 0; at--) {
      if (part.kind === "text") {
        here[at] = uri.startsWith(part.text, at) ? (next[at + part.text.length] ?? 0) : 0;
        continue;
      }
      const { mark, stops } = part;
      inside[at] =
        next[at] || (at < length && !stops.includes(uri[at] as string) ? (inside[at + 1] ?? 0) : 0);
      const marked = uri.startsWith(mark, at) ? (inside[at + mark.length] ?? 0) : 0;
      here[at] = marked || (mark === "" ? 0 : (next[at] ?? 0));
    }
    begins[i] = here;
    goesOn[i] = inside;
    next = here;
  }
  return next[0] ? valuesIn(parts, uri, begins, goesOn) : undefined;
}

function valuesIn(
  parts: readonly Part[],
  uri: string,
  begins: readonly Uint8Array[],
  goesOn: readonly Uint8Array[],
): Record<string, string> | undefined {
  const values: [string, string][] = [];
  let at = 0;
  for (const [i, part] of parts.entries()) {
    if (part.kind === "text") {
      at += part.text.length;
      continue;
    }
    const isThere = uri.startsWith(part.mark, at) && goesOn[i]?.[at + part.mark.length];
    if (!isThere) continue;
    const start = at + part.mark.length;
    const ends = (place: number): boolean => (begins[i + 1]?.[place] ?? (place === uri.length ? 1 : 0)) === 1;
    let end = start;
    while (!ends(end)) end++;
    at = end;
    const found =
      part.kind === "value"
        ? [[part.name, uri.slice(start, end)] as const]
        : pairsIn(part, uri.slice(start, end));
    if (!found) return undefined;
    for (const [name, raw] of found) {
      const value = decode(raw);
      if (value === undefined) return undefined;
      values.push([name, value]);
    }
  }
  return Object.fromEntries(values);
}

function pairsIn(
  { names, mark }: Extract<Part, { kind: "pairs" }>,
  text: string,
): (readonly [string, string])[] | undefined {
  const pairs = text.split(mark === ";" ? ";" : "&").map((pair) => {
    const at = pair.indexOf("=");
    return at === -1 ? ([pair, ""] as const) : ([pair.slice(0, at), pair.slice(at + 1)] as const);
  });
  const found = pairs.map(([name]) => name);
  const isKnown = found.every((name) => names.includes(name)) && new Set(found).size === found.length;
  return isKnown ? pairs : undefined;
}

function decode(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}
