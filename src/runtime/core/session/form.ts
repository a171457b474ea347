import { isObject, type JsonObject } from "../../../common/object.js";
import { invalidAt } from "../errors.js";
import { type Reporting, warn } from "../report.js";
import type { QuestionRules } from "../tables.js";
import { isLoopback } from "../../../common/addresses.js";

/*
 * A form elicitation has a member `requestedSchema`: an object schema with flat fields. The values are in `content` of an
 * answer whose action is "accept" (ELIC-05).
 */

/** Removes what only a page has from a form, and the form from a page. */
function ofMode(params: unknown): unknown {
  if (!isObject(params)) return params;
  const { requestedSchema: _, ...page } = params;
  const { url: _url, elicitationId: _id, ...form } = params;
  return params["mode"] === "url" ? page : form;
}

/** Adds the form's defaults for fields that the answer omits (ELIC-07). */
export function fillForm(params: JsonObject, answer: JsonObject): JsonObject {
  const fields = acceptedFields(params, answer);
  if (!fields) return answer;
  const content = isObject(answer["content"]) ? answer["content"] : {};
  const defaults = Object.entries(fields)
    .filter(
      ([name, field]) =>
        isObject(field) &&
        field["default"] !== undefined &&
        !Object.hasOwn(content as object, name),
    )
    .map(([name, field]) => [name, (field as JsonObject)["default"]]);
  return {
    ...answer,
    content: { ...Object.fromEntries(defaults), ...(content as object) },
  };
}

/** Removes `content` unless the answer accepts a form (ELIC-05). */
function withoutContent(params: JsonObject, answer: JsonObject): JsonObject {
  const { content, ...rest } = answer;
  const isUnexpected =
    typeof rest["action"] === "string" && !acceptedFields(params, answer);
  return isUnexpected && content !== undefined ? rest : answer;
}

/**
 * Describes why the content does not match the form; undefined if it does
 * (ELIC-06). Ignores unknown fields and keywords.
 */
export function issueInForm(
  params: JsonObject,
  answer: JsonObject,
): string | undefined {
  const fields = acceptedFields(params, answer);
  if (!fields) return undefined;
  const content = answer["content"] ?? {};
  if (!isObject(content)) return `content: expected an object`;
  const { required } = params["requestedSchema"] as { required?: unknown };
  for (const name of Array.isArray(required) ? required : []) {
    if (!Object.hasOwn(content, name as string))
      return `content.${name}: expected a value`;
  }
  for (const [name, value] of Object.entries(content)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const issue = isObject(field) ? issueInField(field, value) : undefined;
    if (issue) return `content.${name}: ${issue}`;
  }
  return undefined;
}

/**
 * The fields of the form if the answer accepts it; undefined if it does not, or
 * if there is no form.
 */
function acceptedFields(
  params: JsonObject,
  { action }: JsonObject,
): JsonObject | undefined {
  const { properties } = Object(params["requestedSchema"]) as JsonObject;
  return action === "accept" && isObject(properties) ? properties : undefined;
}

function issueInField(field: JsonObject, value: unknown): string | undefined {
  const {
    type,
    minimum,
    maximum,
    minLength,
    maxLength,
    minItems,
    maxItems,
    items,
  } = field;
  const isOfType =
    type === "integer"
      ? Number.isInteger(value)
      : type === "array"
        ? Array.isArray(value)
        : typeof value === type;
  if (typeof type === "string" && !isOfType)
    return `expected ${/^[ai]/.test(type) ? "an" : "a"} ${type}`;
  if (typeof value === "number" && outside(value, minimum, maximum))
    return `expected ${limits(minimum, maximum)}`;
  // JSON Schema counts Unicode characters, not UTF-16 code units.
  if (
    typeof value === "string" &&
    outside([...value].length, minLength, maxLength)
  )
    return `expected ${limits(minLength, maxLength)} characters`;
  const format =
    typeof value === "string" &&
    typeof field["format"] === "string" &&
    formats.get(field["format"]);
  if (format && !format(value as string))
    return `expected a value of the format ${String(field["format"])}`;
  if (Array.isArray(value) && outside(value.length, minItems, maxItems))
    return `expected ${limits(minItems, maxItems)} values`;
  const choices = choicesOf(Array.isArray(value) ? items : field);
  const selection: readonly unknown[] = Array.isArray(value) ? value : [value];
  return choices && !selection.every((item) => choices.includes(item))
    ? "expected one of the choices"
    : undefined;
}

/** Tests of the formats that a field of a form may have. */
const formats: ReadonlyMap<string, (text: string) => boolean> =
  /* @__PURE__ */ new Map([
    ["email", (text: string) => /^[^\s@]+@[^\s@]+$/.test(text)],
    [
      "uri",
      (text: string) => /^[a-z][a-z\d+.-]*:[^\s"<>\\^`{|}]*$/i.test(text),
    ],
    ["date", isDate],
    ["date-time", isDateTime],
  ]);

const time =
  /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

function isDateTime(text: string): boolean {
  const [date = "", separator = ""] = [text.slice(0, 10), text.slice(10, 11)];
  return isDate(date) && /^t$/i.test(separator) && time.test(text.slice(11));
}

function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = /^\d{4}-\d\d-\d\d$/.test(text)
    ? text.split("-").map(Number)
    : [];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (days[month - 1] ?? 0);
}

function choicesOf(field: unknown): readonly unknown[] | undefined {
  if (!isObject(field)) return undefined;
  if (Array.isArray(field["enum"])) return field["enum"];
  const branches = field["oneOf"] ?? field["anyOf"];
  return Array.isArray(branches)
    ? branches.map((branch) => (Object(branch) as JsonObject)["const"])
    : undefined;
}

function outside(size: number, min: unknown, max: unknown): boolean {
  return (
    (typeof min === "number" && size < min) ||
    (typeof max === "number" && size > max)
  );
}

/** "at least 1 and at most 8", or one of them if the other is not set. */
function limits(min: unknown, max: unknown): string {
  const parts = [
    typeof min === "number" && `at least ${min}`,
    typeof max === "number" && `at most ${max}`,
  ];
  return parts.filter(Boolean).join(" and ");
}

/*
 * The server checks the params of a question before sending it, the client before calling the handler.
 */

/**
 * The rules of a request that asks the user to fill in a form or to open a URL.
 */
export const elicitationRules: QuestionRules = {
  check: checkUrl,
  form: { ofMode, fill: fillForm, withoutContent, issueIn: issueInForm },
};

/** The rules of a sampling request whose messages can contain tool uses. */
export const toolUseRules: QuestionRules = { check: checkTurns };

/**
 * Checks the URL that a client is asked to open. Warns of an http URL to
 * another machine (ELIC-15).
 *
 * @throws ValidationError for a URL that is neither http nor https (ELIC-14).
 */
function checkUrl(method: string, params: unknown, reporting: Reporting): void {
  if (!isObject(params) || params["mode"] !== "url") return;
  const { url: text } = params;
  const isWeb =
    typeof text === "string" &&
    /^https?:\/\/[^/\\]/i.test(text) &&
    URL.canParse(text);
  const url = isWeb ? new URL(text) : undefined;
  if (!url) {
    const message = `params.url: expected an http or https URL, got ${JSON.stringify(text)}`;
    throw invalidAt(method, message, ["params", "url"]);
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    warn(
      reporting,
      `${method}: ${url.origin} is not encrypted; use an https URL outside of development.`,
    );
}

/**
 * Checks the messages of a sampling request: each tool use has its result, by
 * id, in the next message, and a message with results has no other content
 * (SAMP-05; specification: client/sampling, "Tool Use").
 *
 * @throws ValidationError naming the first message that breaks the rule.
 */
function checkTurns(method: string, params: unknown): void {
  const messages = isObject(params) ? params["messages"] : undefined;
  if (!Array.isArray(messages)) return;
  let uses: unknown[] = [];
  for (const [i, message] of [
    ...(messages as unknown[]),
    undefined,
  ].entries()) {
    const blocks = isObject(message)
      ? [message["content"]].flat().filter(isObject)
      : [];
    const results = blocks
      .filter(({ type }) => type === "tool_result")
      .map(({ toolUseId }) => toolUseId);
    const isMixed = results.length > 0 && results.length < blocks.length;
    if (
      isMixed ||
      results.length !== uses.length ||
      uses.some((id) => !results.includes(id))
    ) {
      const expected = isMixed
        ? "only tool results"
        : `tool results for ${JSON.stringify(uses)}`;
      const text = `params.messages[${i}].content: expected ${expected}, got ${JSON.stringify(results)}`;
      throw invalidAt(method, text, ["params", "messages", i]);
    }
    uses = idsOf(blocks);
  }
}

const idsOf = (blocks: readonly JsonObject[]): unknown[] =>
  blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
