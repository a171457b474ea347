import { ValidationError } from "../errors.js";
import { isObject, type JsonObject } from "../message.js";
import { fromBase64, toBase64 } from "../base64.js";
import { schemaKeywords, tableKeywords } from "../keywords.js";

/** One argument of a tool that calls repeat in a header. */
export interface Mirror {
  /** The name of the header, without the prefix that all of them have. */
  readonly header: string;
  /** The members that lead to the value, from the arguments on. */
  readonly path: readonly string[];
  readonly type: "string" | "integer" | "boolean";
}

/** What a tool wants repeated, or why it may not be offered over a carrier with headers. */
export interface Mirrors {
  readonly mirrors: readonly Mirror[];
  readonly fault?: string;
}

const keyword = "x-mcp-header";
const token = /^[!#$%&'*+\-.^_`|~\w]+$/;

/** Deepest place, and most headers of one tool: a schema comes from elsewhere. */
const most = 100;

interface Place {
  readonly schema: JsonObject;
  /** The members that lead to the object whose property this is; undefined where other keywords than `properties` do. */
  readonly owner?: readonly string[] | undefined;
  /** The property that this is the schema of; undefined at the top. */
  readonly name?: string;
}

/** HDR-06, HDR-11: what the annotations of a tool's input schema ask for. Takes any value; does not recurse on its depth. */
export function mirrorsOf(inputSchema: unknown): Mirrors {
  const mirrors: Mirror[] = [];
  const places: Place[] = isObject(inputSchema) ? [{ schema: inputSchema, owner: [] }] : [];
  const add = (schema: unknown): void => {
    for (const one of Array.isArray(schema) ? schema : [schema])
      if (isObject(one)) places.push({ schema: one });
  };
  for (let place = places.pop(); place; place = places.pop()) {
    const { schema, owner, name } = place;
    const path = owner && name !== undefined ? [...owner, name] : owner;
    if (Object.hasOwn(schema, keyword)) {
      const fault = faultOf(schema, path, mirrors);
      if (fault) return { mirrors: [], fault };
      const type = schema["type"] as Mirror["type"];
      mirrors.push({ header: schema[keyword] as string, path: path ?? [], type });
    }
    for (const key of schemaKeywords) add(schema[key]);
    for (const key of tableKeywords) for (const one of values(schema[key])) add(one);
    // A reference could bring the same property in from elsewhere.
    const goesOn = path && path.length < most && !Object.hasOwn(schema, "$ref");
    const { properties } = schema;
    for (const [key, one] of Object.entries(isObject(properties) ? properties : {})) {
      if (isObject(one)) places.push({ schema: one, owner: goesOn ? path : undefined, name: key });
      else add(one);
    }
  }
  return { mirrors };
}

const values = (table: unknown): unknown[] => (isObject(table) ? Object.values(table) : []);

function faultOf(
  schema: JsonObject,
  path: readonly string[] = [],
  known: readonly Mirror[],
): string | undefined {
  const { type, [keyword]: name } = schema;
  const where = shown(name);
  if (path.length === 0) return `${keyword} ${where} stands elsewhere than on a property of an object's own.`;
  const fault =
    typeof name !== "string" || !token.test(name)
      ? "is no name for a header"
      : type !== "string" && type !== "integer" && type !== "boolean"
        ? `needs the type "string", "integer" or "boolean", not ${shown(type)}`
        : known.some(({ header }) => header.toLowerCase() === name.toLowerCase())
          ? "stands on another property too"
          : known.length >= most
            ? `is one of more than ${most}`
            : undefined;
  return fault && `${keyword} ${where} on ${path.join(".")} ${fault}.`;
}

const shown = (value: unknown): string =>
  typeof value === "string"
    ? JSON.stringify(value.slice(0, most))
    : Array.isArray(value)
      ? "a list"
      : typeof value;

/** The value that a mirror shows, among the arguments of a call; undefined where there is none. HDR-07: null is none. */
export function mirrored({ path }: Mirror, given: unknown): unknown {
  let value = given;
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value ?? undefined;
}

/**
 * HDR-06, HDR-07, HDR-08: what the headers of a call say, by names without the prefix, before it is encoded.
 *
 * @throws ValidationError for a number that is no integer within ±(2^53 − 1): two sides could read it differently.
 */
export function mirror(mirrors: readonly Mirror[], given: unknown): Record<string, string> {
  const said: Record<string, string> = {};
  for (const one of mirrors) {
    const value = mirrored(one, given);
    if (typeof value === "number" && !Number.isSafeInteger(value)) {
      const path = ["params", "arguments", ...one.path];
      const message = `${path.join(".")}: expected an integer within ±(2^53 − 1), got ${value}`;
      throw new ValidationError(message, [{ message, path }]);
    }
    // What is neither text nor a number nor a truth value is for the server to refuse.
    if (value !== undefined && typeof value !== "object") said[one.header] = String(value);
  }
  return said;
}

/** HDR-08: a header's value for a text: the text itself where it is plain ASCII, otherwise its bytes as base64. */
export function encodeHeader(text: string): string {
  if (/^([!-~]([ -~]*[!-~])?)?$/.test(text) && !sentinel.test(text)) return text;
  return `=?base64?${toBase64(new TextEncoder().encode(text))}?=`;
}

/** HDR-09: the text that a header's value stands for; undefined when it claims to be base64 and is not. */
export function decodeHeader(value: string): string | undefined {
  const [, coded] = sentinel.exec(value) ?? [];
  if (coded === undefined) return value;
  if (coded.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(coded)) return undefined;
  try {
    const bytes = fromBase64(coded);
    return bytes && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const sentinel = /^=\?base64\?(.*)\?=$/s;
