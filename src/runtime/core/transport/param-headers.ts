import { ValidationError } from "../errors.js";
import { isObject, type JsonObject } from "../../../common/object.js";
import { fromBase64, toBase64 } from "../../../common/base64.js";
import { schemaKeywords, tableKeywords } from "../keywords.js";

/**
 * An argument of a tool that calls repeat in a header, because its schema has
 * `x-mcp-header`.
 */
export interface ParamHeader {
  /** The name of the header, without the prefix of the revision. */
  readonly header: string;
  /** The path of the value in the arguments. */
  readonly path: readonly string[];
  readonly type: "string" | "integer" | "boolean";
}

/** The headers that a tool requires. */
interface ParamHeaders {
  readonly headers: readonly ParamHeader[];
  /**
   * Why the annotations are invalid. A client leaves such a tool out; a server
   * rejects its declaration.
   */
  readonly error?: string;
}

const keyword = "x-mcp-header";
const token = /^[!#$%&'*+\-.^_`|~\w]+$/;

/**
 * The maximum depth of an argument, and the maximum number of headers of one
 * tool. Limited because schemas are untrusted.
 */
const maxHeaders = 100;

/** A schema that is still to be searched. */
interface Subschema {
  readonly schema: JsonObject;
  /**
   * The path of the object that has this property; undefined if the path
   * contains keywords other than `properties`.
   */
  readonly owner?: readonly string[] | undefined;
  /**
   * The property that this is the schema of; undefined for the arguments
   * themselves.
   */
  readonly name?: string;
}

/**
 * Reads the headers that a tool's input schema requires (HDR-06, HDR-11).
 * Accepts any value of any depth, because schemas are untrusted.
 */
export function paramHeadersOf(inputSchema: unknown): ParamHeaders {
  const headers: ParamHeader[] = [];
  const open: Subschema[] = isObject(inputSchema)
    ? [{ schema: inputSchema, owner: [] }]
    : [];
  const add = (schema: unknown): void => {
    for (const one of Array.isArray(schema) ? schema : [schema])
      if (isObject(one)) open.push({ schema: one });
  };
  for (const { schema, owner, name } of open) {
    const path = owner && name !== undefined ? [...owner, name] : owner;
    if (Object.hasOwn(schema, keyword)) {
      const error = errorIn(schema, path, headers);
      if (error) return { headers: [], error };
      const type = schema["type"] as ParamHeader["type"];
      headers.push({
        header: schema[keyword] as string,
        path: path ?? [],
        type,
      });
    }
    for (const key of schemaKeywords) add(schema[key]);
    for (const key of tableKeywords)
      for (const one of values(schema[key])) add(one);
    // Through a reference, another schema could describe the same property.
    const isDirect =
      path && path.length < maxHeaders && !Object.hasOwn(schema, "$ref");
    const { properties } = schema;
    for (const [key, one] of Object.entries(
      isObject(properties) ? properties : {},
    )) {
      if (isObject(one))
        open.push({
          schema: one,
          owner: isDirect ? path : undefined,
          name: key,
        });
      else add(one);
    }
  }
  return { headers };
}

const values = (table: unknown): unknown[] =>
  isObject(table) ? Object.values(table) : [];

function errorIn(
  schema: JsonObject,
  path: readonly string[] = [],
  previousHeaders: readonly ParamHeader[],
): string | undefined {
  const { type, [keyword]: name } = schema;
  const where = format(name);
  if (path.length === 0)
    return `${keyword} ${where} is not on a property that only "properties" leads to.`;
  const problem =
    typeof name !== "string" || !token.test(name)
      ? "is not a header name"
      : type !== "string" && type !== "integer" && type !== "boolean"
        ? `needs the type "string", "integer" or "boolean", not ${format(type)}`
        : previousHeaders.some(
              ({ header }) => header.toLowerCase() === name.toLowerCase(),
            )
          ? "is on another property too"
          : previousHeaders.length >= maxHeaders
            ? `is one of more than ${maxHeaders}`
            : undefined;
  return problem && `${keyword} ${where} on ${path.join(".")} ${problem}.`;
}

const format = (value: unknown): string =>
  typeof value === "string"
    ? JSON.stringify(value.slice(0, maxHeaders))
    : Array.isArray(value)
      ? "a list"
      : typeof value;

/**
 * The argument that a header repeats; undefined if it is missing or null
 * (HDR-07).
 */
export function paramValue({ path }: ParamHeader, args: unknown): unknown {
  let value = args;
  for (const name of path)
    value =
      isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value ?? undefined;
}

/**
 * The headers of a call by their names without the prefix, not encoded yet
 * (HDR-06, HDR-07, HDR-08).
 *
 * @throws ValidationError for a number that is not an integer within ±(2^53 −
 *   1), which client and server could read differently.
 */
export function paramValues(
  headers: readonly ParamHeader[],
  args: unknown,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const one of headers) {
    const value = paramValue(one, args);
    if (typeof value === "number" && !Number.isSafeInteger(value)) {
      const path = ["params", "arguments", ...one.path];
      const message = `${path.join(".")}: expected an integer within ±(2^53 − 1), got ${value}`;
      throw new ValidationError(message, [{ message, path }]);
    }
    // The server rejects values of other types when it checks the arguments.
    if (value !== undefined && typeof value !== "object")
      values[one.header] = String(value);
  }
  return values;
}

/**
 * Encodes a header value: printable ASCII as it is, any other text as base64 of
 * its UTF-8 bytes (HDR-08).
 */
export function encodeHeader(text: string): string {
  if (/^([!-~]([ -~]*[!-~])?)?$/.test(text) && !sentinel.test(text))
    return text;
  return `=?base64?${toBase64(new TextEncoder().encode(text))}?=`;
}

/**
 * Headers as they are sent: with names in lower case and encoded values
 * (HDR-08).
 */
export function encodedHeaders(
  headers: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  if (!headers) return undefined;
  const result: Record<string, string> = {};
  for (const name in headers)
    result[name.toLowerCase()] = encodeHeader(headers[name] as string);
  return result;
}

/** Decodes a header value; undefined if its base64 is invalid (HDR-09). */
export function decodeHeader(value: string): string | undefined {
  const [, base64] = sentinel.exec(value) ?? [];
  if (base64 === undefined) return value;
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    return undefined;
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return decoder.decode(fromBase64(base64));
  } catch {
    return undefined;
  }
}

const sentinel = /^=\?base64\?(.*)\?=$/s;
