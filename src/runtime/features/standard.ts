import { messageOf } from "../core/report.js";
import type { StandardIssue, StandardSchema } from "./feature.js";

/**
 * The result of a check: the value, which the schema may have converted, or its
 * issues, each with its path.
 */
export type CheckResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | {
      readonly issues: readonly string[];
      /** What code of the schema threw. */ readonly thrown?: unknown;
    };

/** Maximum number of issues in one message. */
const maxIssues = 10;

// The schemas of some libraries are functions.
export const isStandard = (schema: unknown): schema is StandardSchema =>
  (typeof schema === "object" || typeof schema === "function") &&
  schema !== null &&
  "~standard" in schema;

/** The JSON Schema of a Standard Schema. */
export function toJsonSchema(
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

/** Checks a value with the code of a Standard Schema. */
export async function checkStandard(
  { "~standard": standard }: StandardSchema,
  input: unknown,
): Promise<CheckResult> {
  try {
    const { issues, value } = {
      value: undefined,
      issues: undefined,
      ...(await standard.validate(input)),
    };
    return toCheckResult(issues, value);
  } catch (thrown) {
    // Code of a schema may throw on a value that it does not expect, as
    // `new URL` does.
    return { issues: [messageOf(thrown)], thrown };
  }
}

export function toCheckResult(
  issues: readonly StandardIssue[] | undefined,
  value: unknown,
): CheckResult {
  if (!issues) return { value };
  const texts = issues.slice(0, maxIssues).map(issueText);
  const rest = issues.length - maxIssues;
  return { issues: rest > 0 ? [...texts, `and ${rest} more`] : texts };
}

/**
 * An issue of a union, with those of each alternative: as zod 4, zod 3 and
 * valibot have them.
 */
interface UnionIssue extends StandardIssue {
  readonly errors?: readonly (readonly StandardIssue[])[];
  readonly unionErrors?: readonly {
    readonly issues: readonly StandardIssue[];
  }[];
  readonly issues?: readonly StandardIssue[];
}

/**
 * The text of an issue with its path: `rows[2].name: …`. An issue of a union
 * has the first one of each alternative.
 */
function issueText(issue: UnionIssue): string {
  const { message, path = [] } = issue;
  const steps = path.map((key) =>
    stepTo(String(typeof key === "object" ? key.key : key)),
  );
  const place = steps.join("").replace(/^\./, "");
  const reasons = firstOfEach(issue).slice(0, maxIssues).map(issueText);
  const text =
    reasons.length > 0 ? `${message} (${reasons.join(", or ")})` : message;
  // Messages of generated schemas already begin with the path.
  return place === "" || message.startsWith(`${place}: `)
    ? text
    : `${place}: ${text}`;
}

/** The first issue of each alternative of a union. */
function firstOfEach({
  errors,
  unionErrors,
  issues,
}: UnionIssue): readonly StandardIssue[] {
  const alternatives =
    errors ??
    unionErrors?.map((error) => error.issues) ??
    issues?.map((issue) => [issue]);
  return Array.isArray(alternatives)
    ? alternatives.flatMap(([first]) => first ?? [])
    : [];
}

function stepTo(key: string): string {
  if (/^\d+$/.test(key)) return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key)
    ? `.${key}`
    : `[${JSON.stringify(key)}]`;
}
