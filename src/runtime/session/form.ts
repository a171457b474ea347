import { isObject, type JsonObject } from "../jsonrpc/message.js";
import type { Form } from "../tables.js";

/** The answer with the defaults of the form in place of fields that were left out (ELIC-07). */
export function fillForm(form: Form, params: JsonObject, answer: JsonObject): JsonObject {
  const fields = fieldsOf(form, params);
  if (!fields || answer[form.when.member] !== form.when.value) return answer;
  const content = isObject(answer[form.content]) ? answer[form.content] : {};
  const defaults = Object.entries(fields)
    .filter(
      ([name, field]) =>
        isObject(field) && field["default"] !== undefined && !Object.hasOwn(content as object, name),
    )
    .map(([name, field]) => [name, (field as JsonObject)["default"]]);
  return { ...answer, [form.content]: { ...Object.fromEntries(defaults), ...(content as object) } };
}

/** What is wrong with the filled-in form, or undefined (ELIC-06). Unknown fields and keywords are let through. */
export function faultInForm(form: Form, params: JsonObject, answer: JsonObject): string | undefined {
  const fields = fieldsOf(form, params);
  if (!fields || answer[form.when.member] !== form.when.value) return undefined;
  const content = answer[form.content] ?? {};
  if (!isObject(content)) return `${form.content}: expected an object`;
  const { required } = params[form.schema] as { required?: unknown };
  for (const name of Array.isArray(required) ? required : []) {
    if (!Object.hasOwn(content, name as string)) return `${form.content}.${name}: expected a value`;
  }
  for (const [name, value] of Object.entries(content)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const fault = isObject(field) ? faultInField(field, value) : undefined;
    if (fault) return `${form.content}.${name}: ${fault}`;
  }
  return undefined;
}

function fieldsOf(form: Form, params: JsonObject): JsonObject | undefined {
  const schema = params[form.schema];
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
  if (Array.isArray(value)) {
    if (outside(value.length, minItems, maxItems)) return "too few or too many values";
    const choices = isObject(items) ? choicesOf(items) : undefined;
    return choices && !value.every((one) => choices.includes(one)) ? "not one of the choices" : undefined;
  }
  const choices = choicesOf(field);
  return choices && !choices.includes(value) ? "not one of the choices" : undefined;
}

function choicesOf(field: JsonObject): readonly unknown[] | undefined {
  if (Array.isArray(field["enum"])) return field["enum"];
  const titled = field["oneOf"] ?? field["anyOf"];
  return Array.isArray(titled)
    ? titled.map((one: unknown) => (isObject(one) ? one["const"] : undefined))
    : undefined;
}

function outside(size: number, least: unknown, most: unknown): boolean {
  return (typeof least === "number" && size < least) || (typeof most === "number" && size > most);
}
