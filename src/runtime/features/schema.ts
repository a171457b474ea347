import { isObject, type JsonObject } from "../../common/object.js";
import { messageOf } from "../core/report.js";
import type { Awaitable } from "../../common/timing.js";
import type { StandardIssue, StandardSchema } from "./feature.js";
import { type AjvError, checkAjv, compile, type Validate } from "./ajv.js";
import { checkDocument } from "./document.js";

/** The result of a check: the value, which the schema may have converted, or its issues, each with its path. */
export type CheckResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly string[]; /** What code of the schema threw. */ readonly thrown?: unknown };

/** A schema as the JSON that is sent to peers, and as a check of values. */
export interface PreparedSchema {
  readonly json: JsonObject;
  readonly isStandard: boolean;
  check(value: unknown): Awaitable<CheckResult>;
}

/** Maximum number of issues in one message. */
const maxIssues = 10;

/**
 * Prepares the schema of a tool: a Standard Schema, with a separate JSON Schema if it cannot be converted to one, or a plain JSON Schema.
 *
 * @throws TypeError for any other value, and for an invalid or unsupported schema; `owner` begins the message.
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
    if (!isObject(json)) throw new TypeError(`${where}: the separate JSON Schema is not an object.`);
    checkDocument(json, where);
    return { json, isStandard: true, check: (value) => checkStandard(schema, value) };
  }
  if (!isObject(schema)) {
    throw new TypeError(`${where}: expected a Standard Schema or a JSON Schema, got ${String(schema)}.`);
  }
  if (isParser(schema)) {
    throw new TypeError(
      `${where}: expected a Standard Schema, got a schema of a library that has none, as zod before 3.24. Update the library.`,
    );
  }
  const member = Object.keys(schema).find((name) => isStandard(schema[name]) || isParser(schema[name]));
  if (member !== undefined) {
    throw new TypeError(
      `${where}: expected a schema, got an object of schemas. Write z.object({ ${member}: … }), or the same of another library.`,
    );
  }
  checkDocument(schema, where);
  checkAjv(where);
  return { json: schema, isStandard: false, check: checkOf(schema, where) };
}

/** The check of a plain JSON Schema, which is compiled for the first value. */
export function checkOf(schema: JsonObject, where: string): (value: unknown) => Promise<CheckResult> {
  let validator: Promise<Validate> | undefined;
  return async (value) => {
    const validate = await (validator ??= compile(schema, where));
    try {
      return validate(value) ? { value } : toCheckResult((validate.errors ?? []).map(issueOf), value);
    } catch (error) {
      // A recursive schema recurses as deep as the value.
      if (error instanceof RangeError) return { issues: ["the value is nested too deeply"] };
      throw error;
    }
  };
}

function issueOf({ instancePath, message = "is not valid", params }: AjvError): StandardIssue {
  const steps = instancePath.split("/").slice(1);
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params;
  const detail = additionalProperty ?? unevaluatedProperty ?? allowedValues ?? allowedValue;
  return {
    message: detail === undefined ? message : `${message} (${JSON.stringify(detail).slice(0, 200)})`,
    path: steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")),
  };
}

// The schemas of some libraries are functions.
const isStandard = (schema: unknown): schema is StandardSchema =>
  (typeof schema === "object" || typeof schema === "function") && schema !== null && "~standard" in schema;

/** Tests for a schema of a library without Standard Schema. */
const isParser = (schema: unknown): boolean => isObject(schema) && typeof schema["parse"] === "function";

function toJsonSchema(
  { "~standard": standard }: StandardSchema,
  direction: "input" | "output",
  where: string,
): object {
  const { jsonSchema, vendor } = standard;
  let reason = "";
  let cause: unknown;
  try {
    if (jsonSchema) return jsonSchema[direction]({ target: "draft-2020-12" });
  } catch (error) {
    cause = error;
    reason = ` (${messageOf(error)})`;
  }
  throw new TypeError(
    `${where}: this schema of ${vendor} cannot be converted to JSON Schema${reason}. Set ${direction}JsonSchema as well.`,
    { cause },
  );
}

async function checkStandard(
  { "~standard": standard }: StandardSchema,
  input: unknown,
): Promise<CheckResult> {
  try {
    const { issues, value } = { value: undefined, issues: undefined, ...(await standard.validate(input)) };
    return toCheckResult(issues, value);
  } catch (thrown) {
    // Code of a schema may throw on a value that it does not expect, as `new URL` does.
    return { issues: [messageOf(thrown)], thrown };
  }
}

function toCheckResult(issues: readonly StandardIssue[] | undefined, value: unknown): CheckResult {
  if (!issues) return { value };
  const texts = issues.slice(0, maxIssues).map(issueText);
  const rest = issues.length - maxIssues;
  return { issues: rest > 0 ? [...texts, `and ${rest} more`] : texts };
}

/** An issue of a union, with those of each alternative: as zod 4, zod 3 and valibot have them. */
interface UnionIssue extends StandardIssue {
  readonly errors?: readonly (readonly StandardIssue[])[];
  readonly unionErrors?: readonly { readonly issues: readonly StandardIssue[] }[];
  readonly issues?: readonly StandardIssue[];
}

/** The text of an issue with its path: `rows[2].name: …`. An issue of a union has the first one of each alternative. */
function issueText(issue: UnionIssue): string {
  const { message, path = [] } = issue;
  const steps = path.map((key) => stepTo(String(typeof key === "object" ? key.key : key)));
  const place = steps.join("").replace(/^\./, "");
  const reasons = firstOfEach(issue).slice(0, maxIssues).map(issueText);
  const text = reasons.length > 0 ? `${message} (${reasons.join(", or ")})` : message;
  // Messages of generated schemas already begin with the path.
  return place === "" || message.startsWith(`${place}: `) ? text : `${place}: ${text}`;
}

/** The first issue of each alternative of a union. */
function firstOfEach({ errors, unionErrors, issues }: UnionIssue): readonly StandardIssue[] {
  const alternatives = errors ?? unionErrors?.map((error) => error.issues) ?? issues?.map((issue) => [issue]);
  return Array.isArray(alternatives) ? alternatives.flatMap(([first]) => first ?? []) : [];
}

function stepTo(key: string): string {
  if (/^\d+$/.test(key)) return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
