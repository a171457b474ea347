import type { JsonObject } from "../../common/object.js";
import { isInstalled } from "../core/installed.js";
import { canonical } from "../core/session/digest.js";
import { dialectOf } from "./document.js";

/** The part of Ajv that is used here, so that our declarations do not need its types. */
interface Ajv {
  removeKeyword(name: string): unknown;
  addKeyword(definition: Keyword): unknown;
  compile(schema: object): Validate;
}
interface Keyword {
  readonly keyword: string;
  readonly type: "array";
  readonly schemaType: "boolean";
  readonly error: { readonly message: string };
  validate(schema: boolean, items: readonly unknown[]): boolean;
}
/** A compiled schema: tests a value, and keeps the errors of the last one. */
export interface Validate {
  (value: unknown): unknown;
  readonly errors?: readonly AjvError[] | null;
}
export interface AjvError {
  readonly instancePath: string;
  readonly message?: string;
  readonly params: JsonObject;
}

const advice =
  " plain JSON Schema needs the package ajv, which could not be loaded. Install ajv@8, or use a Standard Schema.";

/**
 * Loads the class of Ajv for a dialect, an optional dependency, when the first value is checked. Bundlers accept an import that they cannot
 * resolve only inside `try`.
 */
async function load(isOld: boolean): Promise<new (options: object) => Ajv> {
  try {
    return isOld ? (await import("ajv")).Ajv : (await import("ajv/dist/2020.js")).Ajv2020;
  } catch (cause) {
    throw new Error(`A${advice}`, { cause });
  }
}

/**
 * Throws if Ajv is not installed. In a bundle and outside Node this cannot be checked; there the first call fails with the same message.
 */
export function checkAjv(where: string): void {
  // A bundler that includes Ajv also rewrites the import above.
  if (!/\b(import|require)\(["']ajv["']\)/.test(String(load))) return;
  if (!isInstalled("ajv")) throw new Error(`${where}: a${advice}`);
}

const options = {
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

/** Replaces `uniqueItems`: Ajv compares all pairs of items, which takes seconds for thousands of objects; this is linear. */
function withLinearUniqueItems(ajv: Ajv): Ajv {
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (isUnique: boolean, items: readonly unknown[]) =>
      !isUnique || new Set(items.map(canonical)).size === items.length,
    error: { message: "must NOT have duplicate items" },
  });
  return ajv;
}

/** The compiled schemas by their canonical text, the one that was used last at the end. */
const cache = new Map<string, Promise<Validate>>();

/** Maximum length of the texts in the cache, in characters; each schema counts as 4,000 more, as much as the smallest one keeps. */
const maxLength = 2_000_000;
const lengthOf = (text: string): number => text.length + 4000;
let cacheLength = 0;

/** Compiles a schema. Equal schemas share one function. References are never fetched (SCHEMA-03). */
export function compile(schema: JsonObject, where: string): Promise<Validate> {
  const text = canonical(schema);
  const compiled = cache.get(text) ?? compileAlone(schema, where);
  if (!cache.delete(text)) {
    cacheLength += lengthOf(text);
    compiled.catch(() => remove(text));
  }
  cache.set(text, compiled);
  for (const [oldest] of cache) {
    if (cacheLength <= maxLength || oldest === text) break;
    remove(oldest);
  }
  return compiled;
}

function remove(text: string): void {
  if (cache.delete(text)) cacheLength -= lengthOf(text);
}

/** Compiles a schema in an instance of its own: Ajv keeps what an instance has compiled, also if it failed. */
async function compileAlone(schema: JsonObject, where: string): Promise<Validate> {
  const Ajv = await load(dialectOf(schema) === "draft-07");
  const ajv = withLinearUniqueItems(new Ajv(options));
  const { $schema: _, ...rest } = schema;
  try {
    return ajv.compile(rest);
  } catch (cause) {
    throw new TypeError(`${where}: ${(cause as Error).message}`, { cause });
  }
}
