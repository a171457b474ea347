import { isObject, type JsonObject } from "../../common/object.js";
import { checkInstalled } from "../core/installed.js";
import { canonical } from "../core/session/digest.js";
import type { Awaitable } from "../../common/timing.js";
import type { StandardIssue } from "./feature.js";
import {
  type CheckResult,
  checkStandard,
  isStandard,
  toCheckResult,
  toJsonSchema,
} from "./standard.js";
import { checkDocument, dialectOf } from "./document.js";
import { exactKeywords } from "./keywords.js";

/** A schema as the JSON that is sent to peers, and as a check of values. */
export interface PreparedSchema {
  readonly json: JsonObject;
  /** The JSON as it is compiled, without ids. */
  readonly resolved: JsonObject;
  readonly isStandard: boolean;
  check(value: unknown): Awaitable<CheckResult>;
}

/**
 * Prepares the schema of a tool: a Standard Schema, with a separate JSON Schema
 * if it cannot be converted to one, or a plain JSON Schema.
 *
 * @throws TypeError for any other value, and for an invalid or unsupported
 *   schema; `owner` begins the message.
 */
export function prepareSchema(
  schema: unknown,
  separateJson: unknown,
  direction: "input" | "output",
  owner: string,
): PreparedSchema | undefined {
  if (schema === undefined) return undefined;
  const where = `${owner}: ${direction}Schema`;
  if (isStandard(schema)) {
    const json = separateJson ?? toJsonSchema(schema, direction, where);
    if (!isObject(json))
      throw new TypeError(
        `${where}: the separate JSON Schema is not an object.`,
      );
    return {
      json,
      resolved: checkDocument(json, where),
      isStandard: true,
      check: (value) => checkStandard(schema, value),
    };
  }
  if (!isObject(schema)) {
    throw new TypeError(
      `${where}: expected a Standard Schema or a JSON Schema, got ${String(schema)}.`,
    );
  }
  if (isParser(schema)) {
    throw new TypeError(
      `${where}: expected a Standard Schema, got a schema of a library that has none, as zod before 3.24. Update the library.`,
    );
  }
  const member = Object.keys(schema).find(
    (name) => isStandard(schema[name]) || isParser(schema[name]),
  );
  if (member !== undefined) {
    throw new TypeError(
      `${where}: expected a schema, got an object of schemas. Write z.object({ ${member}: … }), or the same of another library.`,
    );
  }
  const resolved = checkDocument(schema, where);
  checkInstalled("ajv", loadAjv, `${where}: a${ajvAdvice}`);
  return {
    json: schema,
    resolved,
    isStandard: false,
    check: checkOf(resolved, where),
  };
}

/** The check of a plain JSON Schema, which is compiled for the first value. */
export function checkOf(
  schema: JsonObject,
  where: string,
): (value: unknown) => Promise<CheckResult> {
  let validator: Promise<Validate> | undefined;
  return async (value) => {
    const validate = await (validator ??= compile(schema, where));
    try {
      return validate(value)
        ? { value }
        : toCheckResult((validate.errors ?? []).map(issueOf), value);
    } catch (error) {
      // A recursive schema recurses as deep as the value.
      if (error instanceof RangeError)
        return { issues: ["the value is nested too deeply"] };
      throw error;
    }
  };
}

/**
 * The part of Ajv that is used here, so that our declarations do not need its
 * types.
 */
interface Ajv {
  removeKeyword(name: string): unknown;
  addKeyword(definition: { readonly keyword: string }): unknown;
  compile(schema: object): Validate;
}
/** A compiled schema: tests a value, and keeps the errors of the last one. */
interface Validate {
  (value: unknown): unknown;
  readonly errors?: readonly AjvError[] | null;
}
interface AjvError {
  readonly instancePath: string;
  readonly message?: string;
  readonly params: JsonObject;
}

const ajvAdvice =
  " plain JSON Schema needs the package ajv, which could not be loaded. Install ajv@8, or use a Standard Schema.";

/**
 * Loads the class of Ajv for a dialect, an optional dependency, when the first
 * value is checked. Bundlers accept an import that they cannot resolve only
 * inside `try`.
 */
async function loadAjv(isOld: boolean): Promise<new (options: object) => Ajv> {
  try {
    return isOld
      ? (await import("ajv")).Ajv
      : (await import("ajv/dist/2020.js")).Ajv2020;
  } catch (cause) {
    throw new Error(`A${ajvAdvice}`, { cause });
  }
}

const ajvOptions = {
  // Unknown keywords are allowed, and `format` is an annotation (SCHEMA-05).
  strict: false,
  validateFormats: false,
  // A member such as `constructor` is not present in each object.
  ownProperties: true,
  // `checkDocument` did it.
  validateSchema: false,
  // References are not expanded, so that code size stays linear (SCHEMA-04).
  inlineRefs: false,
  logger: false,
} as const;

/**
 * The compiled schemas by their canonical text, the one that was used last at
 * the end.
 */
const cache = new Map<string, Promise<Validate>>();

/**
 * Maximum length of the texts in the cache, in characters; each schema counts
 * as 4,000 more, as much as the smallest one keeps.
 */
const maxCacheLength = 2_000_000;
const lengthOf = (text: string): number => text.length + 4000;
let cacheLength = 0;

/**
 * Compiles a schema. Equal schemas share one function. References are never
 * fetched (SCHEMA-03).
 */
function compile(schema: JsonObject, where: string): Promise<Validate> {
  const text = canonical(schema);
  const compiled = cache.get(text) ?? compileAlone(schema, where);
  if (!cache.delete(text)) {
    cacheLength += lengthOf(text);
    compiled.catch(() => forget(text));
  }
  cache.set(text, compiled);
  for (const [oldest] of cache) {
    if (cacheLength <= maxCacheLength || oldest === text) break;
    forget(oldest);
  }
  return compiled;
}

function forget(text: string): void {
  if (cache.delete(text)) cacheLength -= lengthOf(text);
}

/**
 * Compiles a schema in an instance of its own: Ajv keeps what an instance has
 * compiled, also if it failed.
 */
async function compileAlone(
  schema: JsonObject,
  where: string,
): Promise<Validate> {
  const isOld = dialectOf(schema) === "draft-07";
  const Ajv = await loadAjv(isOld);
  // In draft-07, `$ref` is the only keyword of its schema that counts.
  const ajv = new Ajv({ ...ajvOptions, ignoreKeywordsWithRef: isOld });
  for (const exact of exactKeywords) {
    ajv.removeKeyword(exact.keyword);
    ajv.addKeyword(exact);
  }
  const { $schema: _, ...rest } = schema;
  try {
    return ajv.compile(rest);
  } catch (cause) {
    throw new TypeError(`${where}: ${(cause as Error).message}`, { cause });
  }
}

function issueOf({
  instancePath,
  message = "is not valid",
  params,
}: AjvError): StandardIssue {
  const steps = instancePath.split("/").slice(1);
  const {
    additionalProperty,
    unevaluatedProperty,
    allowedValues,
    allowedValue,
  } = params;
  const detail =
    additionalProperty ?? unevaluatedProperty ?? allowedValues ?? allowedValue;
  return {
    message:
      detail === undefined
        ? message
        : `${message} (${JSON.stringify(detail).slice(0, 200)})`,
    path: steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")),
  };
}

/** Tests for a schema of a library without Standard Schema. */
const isParser = (schema: unknown): boolean =>
  isObject(schema) && typeof schema["parse"] === "function";
