import { isObject, type JsonObject } from "../message.js";

/*
 * A form elicitation has a member `requestedSchema`: an object schema with flat fields. The values are in `content` of an
 * answer whose action is "accept" (ELIC-05).
 */

/** Adds the form's defaults for fields that the answer omits (ELIC-07). */
export function fillForm(params: JsonObject, answer: JsonObject): JsonObject {
  const fields = fieldsOf(params);
  if (!fields || answer["action"] !== "accept") return answer;
  const content = isObject(answer["content"]) ? answer["content"] : {};
  const defaults = Object.entries(fields)
    .filter(
      ([name, field]) =>
        isObject(field) && field["default"] !== undefined && !Object.hasOwn(content as object, name),
    )
    .map(([name, field]) => [name, (field as JsonObject)["default"]]);
  return { ...answer, content: { ...Object.fromEntries(defaults), ...(content as object) } };
}

/** Removes `content` unless the answer accepts a form (ELIC-05). */
export function withoutContent(params: JsonObject, answer: JsonObject): JsonObject {
  const { action, content, ...rest } = answer;
  const isUnexpected = typeof action === "string" && (action !== "accept" || !fieldsOf(params));
  return isUnexpected && content !== undefined ? { action, ...rest } : answer;
}

/** Describes why the content does not match the form; undefined if it does (ELIC-06). Ignores unknown fields and keywords. */
export function issueInForm(params: JsonObject, answer: JsonObject): string | undefined {
  const fields = fieldsOf(params);
  if (!fields || answer["action"] !== "accept") return undefined;
  const content = answer["content"] ?? {};
  if (!isObject(content)) return `content: expected an object`;
  const { required } = params["requestedSchema"] as { required?: unknown };
  for (const name of Array.isArray(required) ? required : []) {
    if (!Object.hasOwn(content, name as string)) return `content.${name}: expected a value`;
  }
  for (const [name, value] of Object.entries(content)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const issue = isObject(field) ? issueInField(field, value) : undefined;
    if (issue) return `content.${name}: ${issue}`;
  }
  return undefined;
}

function fieldsOf(params: JsonObject): JsonObject | undefined {
  const schema = params["requestedSchema"];
  return isObject(schema) && isObject(schema["properties"]) ? schema["properties"] : undefined;
}

function issueInField(field: JsonObject, value: unknown): string | undefined {
  const { type, minimum, maximum, minLength, maxLength, minItems, maxItems, items } = field;
  const wrongType =
    type === "integer"
      ? !Number.isInteger(value)
      : type === "array"
        ? !Array.isArray(value)
        : typeof type === "string" && typeof value !== type;
  if (wrongType) return `expected ${/^[ai]/.test(type as string) ? "an" : "a"} ${type as string}`;
  if (typeof value === "number" && outside(value, minimum, maximum))
    return `expected ${limits(minimum, maximum)}`;
  // JSON Schema counts Unicode characters, not UTF-16 code units.
  if (typeof value === "string" && outside([...value].length, minLength, maxLength))
    return `expected ${limits(minLength, maxLength)} characters`;
  if (Array.isArray(value) && outside(value.length, minItems, maxItems))
    return `expected ${limits(minItems, maxItems)} values`;
  const choices = choicesOf(Array.isArray(value) ? items : field);
  const selection: readonly unknown[] = Array.isArray(value) ? value : [value];
  return choices && !selection.every((item) => choices.includes(item))
    ? "expected one of the choices"
    : undefined;
}

function choicesOf(field: unknown): readonly unknown[] | undefined {
  if (!isObject(field)) return undefined;
  if (Array.isArray(field["enum"])) return field["enum"];
  const branches = field["oneOf"] ?? field["anyOf"];
  return Array.isArray(branches)
    ? branches.map((branch: unknown) => (isObject(branch) ? branch["const"] : undefined))
    : undefined;
}

function outside(size: number, min: unknown, max: unknown): boolean {
  return (typeof min === "number" && size < min) || (typeof max === "number" && size > max);
}

/** "at least 1 and at most 8", or one of them if the other is not set. */
function limits(min: unknown, max: unknown): string {
  const parts = [typeof min === "number" && `at least ${min}`, typeof max === "number" && `at most ${max}`];
  return parts.filter(Boolean).join(" and ");
}
