import { isObject, type JsonObject } from "../../message.js";
import type { Awaitable } from "../../timing.js";
import type { StandardIssue, StandardSchema } from "./feature.js";
import { checkAjv, compile } from "./ajv.js";
import { checkDocument } from "./document.js";

/** The value to go on with, or the faults of the one that was given, each with its place. */
export type Checked =
  { readonly value: unknown; readonly faults?: undefined } | { readonly faults: readonly string[] };

/** A schema in both its faces: what a peer is told, and what checks a value. */
export interface Described {
  readonly json: JsonObject;
  check(value: unknown): Awaitable<Checked>;
}

/** Most faults that one answer tells of. */
const maxFaults = 10;

/**
 * Reads a schema as its author gave it, if there is one: a Standard Schema, with its JSON Schema beside it where it cannot tell that
 * itself, or a plain JSON Schema.
 *
 * @throws TypeError when it is neither, or one that cannot be checked; `whose` begins the sentence.
 */
export function describe(
  schema: unknown,
  stated: unknown,
  direction: "input" | "output",
  whose: string,
): Described | undefined {
  if (schema === undefined) return undefined;
  const where = `${whose}: ${direction}Schema`;
  if (isStandard(schema)) {
    const json = stated ?? told(schema, direction, where);
    if (!isObject(json)) throw new TypeError(`${where}: the JSON Schema beside it is not an object.`);
    checkDocument(json, where);
    return { json, check: (value) => checkStandard(schema, value) };
  }
  if (!isObject(schema)) {
    throw new TypeError(`${where}: expected a Standard Schema or a JSON Schema, got ${String(schema)}.`);
  }
  checkDocument(schema, where);
  checkAjv(where);
  let compiled: ReturnType<typeof compile> | undefined;
  return {
    json: schema,
    async check(value) {
      return checked((await (compiled ??= compile(schema, where)))(value), value);
    },
  };
}

// Some libraries make their schemas functions.
const isStandard = (schema: unknown): schema is StandardSchema =>
  (typeof schema === "object" || typeof schema === "function") && schema !== null && "~standard" in schema;

function told(
  { "~standard": standard }: StandardSchema,
  direction: "input" | "output",
  where: string,
): object {
  const { jsonSchema, vendor } = standard;
  if (jsonSchema) return jsonSchema[direction]({ target: "draft-2020-12" });
  throw new TypeError(
    `${where}: this schema of ${vendor} cannot tell its JSON Schema; state it in ${direction}JsonSchema.`,
  );
}

async function checkStandard({ "~standard": standard }: StandardSchema, given: unknown): Promise<Checked> {
  const { issues, value } = { value: undefined, issues: undefined, ...(await standard.validate(given)) };
  return checked(issues, value);
}

const checked = (issues: readonly StandardIssue[] | undefined, value: unknown): Checked =>
  issues ? { faults: issues.slice(0, maxFaults).map(faultOf) } : { value };

/** A fault with its place as one would write it: `rows[2].name: …`. */
function faultOf({ message, path = [] }: StandardIssue): string {
  const steps = path.map((key) => stepTo(String(typeof key === "object" ? key.key : key)));
  const place = steps.join("").replace(/^\./, "");
  // Generated schemas begin their messages with it.
  return place === "" || message.startsWith(`${place}: `) ? message : `${place}: ${message}`;
}

function stepTo(key: string): string {
  if (/^\d+$/.test(key)) return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
