import {
  Ajv2020,
  type ErrorObject,
  type ValidateFunction,
} from "ajv/dist/2020.js";
import type { Code, Scope } from "../../diagnostics.js";
import { suggestion } from "../nearest.js";
import { pointerSteps } from "./text/pointer.js";
import type { LocationOfPath, Path } from "./text/tree.js";

/**
 * The codes of the reports: for an unknown key, and for any other problem,
 * which has this hint unless it has its own.
 */
export interface ShapeCodes {
  readonly unknown: Code;
  readonly invalid: Code;
  readonly hint: string | null;
}

/**
 * Validates a value with a JSON Schema. Reports each problem with its path, and
 * suggests a key for an unknown one. Returns true if there is none.
 */
export function checkShape(
  schema: object,
  value: unknown,
  scope: Scope,
  locationOf: LocationOfPath,
  codes: ShapeCodes,
): boolean {
  // The schema of the configuration says which members have a flag, too.
  const keywords = ["flag"];
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    keywords,
  });
  const validate: ValidateFunction = ajv.compile(schema);
  if (validate(value)) return true;
  for (const error of validate.errors ?? [])
    report(error, scope, locationOf, codes);
  return false;
}

function report(
  error: ErrorObject,
  outer: Scope,
  locationOf: LocationOfPath,
  codes: ShapeCodes,
): void {
  const path = pointerSteps(error.instancePath) ?? [];
  const scope = path.length === 0 ? outer : outer.in(showPath(path));
  if (error.keyword === "additionalProperties") {
    const name = String(error.params["additionalProperty"]);
    const keys = Object.keys(
      (error.parentSchema?.["properties"] as object | undefined) ?? {},
    );
    const message = `unknown key ${JSON.stringify(name.slice(0, 80))}`;
    const hint =
      suggestion(name, keys) ?? `the keys here are ${keys.join(", ")}`;
    scope.error(
      codes.unknown,
      locationOf([...path, name], true),
      message,
      hint,
    );
    return;
  }
  const [message, hint] = wordsFor(error);
  scope.error(
    codes.invalid,
    locationOf(path, false),
    message,
    hint ?? codes.hint,
  );
}

function wordsFor({
  keyword,
  params,
  data,
  parentSchema,
}: ErrorObject): readonly [message: string, hint: string | null] {
  const actual = shown(data);
  switch (keyword) {
    case "type":
      return [
        `found ${actual}, expected ${String(params["type"]).replaceAll(",", " or ")}`,
        null,
      ];
    case "required":
      return [
        `the key ${JSON.stringify(params["missingProperty"])} is missing`,
        "every entry here needs this key",
      ];
    case "enum": {
      const allowed = (params["allowedValues"] as readonly unknown[]).map(
        String,
      );
      const hint = typeof data === "string" ? suggestion(data, allowed) : null;
      return [`found ${actual}, expected ${allowed.join(", ")}`, hint];
    }
    case "const":
      return [
        `found ${actual}, expected ${shown(params["allowedValue"])}`,
        null,
      ];
    case "minItems":
      return ["the list is empty; expected at least one entry", null];
    case "minLength":
      return ["the text is empty; expected at least one character", null];
    case "pattern":
      return [
        `found ${actual}, expected ${String(parentSchema?.["title"] ?? params["pattern"])}`,
        null,
      ];
    default:
      return [
        `found ${actual}, which does not match the schema (${keyword})`,
        null,
      ];
  }
}

function shown(value: unknown): string {
  const isJson = typeof value === "string" || typeof value === "object";
  const other = typeof value === "function" ? "a function" : String(value);
  const text = isJson ? JSON.stringify(value) : other;
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The path as in code: `servers[0].include`. */
function showPath(path: Path): string {
  return path
    .map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`))
    .join("")
    .replace(/^\./, "");
}
