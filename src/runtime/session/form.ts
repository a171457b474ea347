import { isObject, type JsonObject } from "../message.js";

/*
 * A question with a form is known by the member that holds it: an object schema of flat fields. What was filled in stands
 * in `content` of an answer that accepts (ELIC-05).
 */

/** The answer with the defaults of the form in place of fields that were left out (ELIC-07). */
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

/** The answer without content where only a form that was accepted has any (ELIC-05). */
export function withoutStray(params: JsonObject, answer: JsonObject): JsonObject {
  const { action, content, ...rest } = answer;
  const isStray = typeof action === "string" && (action !== "accept" || !fieldsOf(params));
  return isStray && content !== undefined ? { action, ...rest } : answer;
}

/** What is wrong with the filled-in form, or undefined (ELIC-06). Unknown fields and keywords are let through. */
export function faultInForm(params: JsonObject, answer: JsonObject): string | undefined {
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
    const fault = isObject(field) ? faultInField(field, value) : undefined;
    if (fault) return `content.${name}: ${fault}`;
  }
  return undefined;
}

function fieldsOf(params: JsonObject): JsonObject | undefined {
  const schema = params["requestedSchema"];
  return isObject(schema) && isObject(schema["properties"]) ? schema["properties"] : undefined;
}

function faultInField(field: JsonObject, value: unknown): string | undefined {
  const { type, minimum, maximum, minLength, maxLength, minItems, maxItems, items } = field;
  const wrongType =
    type === "integer"
      ? !Number.isInteger(value)
      : type === "array"
        ? !Array.isArray(value)
        : typeof type === "string" && typeof value !== type;
  if (wrongType) return `expected ${type as string}`;
  if (typeof value === "number" && outside(value, minimum, maximum)) return "out of range";
  // A JSON Schema counts characters, not code units.
  if (typeof value === "string" && outside([...value].length, minLength, maxLength))
    return "too short or too long";
  if (Array.isArray(value) && outside(value.length, minItems, maxItems)) return "too few or too many values";
  const choices = choicesOf(Array.isArray(value) ? items : field);
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [value];
  return choices && !chosen.every((one) => choices.includes(one)) ? "not one of the choices" : undefined;
}

function choicesOf(field: unknown): readonly unknown[] | undefined {
  if (!isObject(field)) return undefined;
  if (Array.isArray(field["enum"])) return field["enum"];
  const titled = field["oneOf"] ?? field["anyOf"];
  return Array.isArray(titled)
    ? titled.map((one: unknown) => (isObject(one) ? one["const"] : undefined))
    : undefined;
}

function outside(size: number, least: unknown, most: unknown): boolean {
  return (typeof least === "number" && size < least) || (typeof most === "number" && size > most);
}
