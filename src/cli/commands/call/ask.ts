import type { Json, JsonRecord } from "../../../generator/ir/json.js";
import { isRecord } from "../../../generator/ir/json/value.js";
import { usageError } from "../../command-error.js";
import type { Context } from "../../command.js";
import { visible, type Terminal } from "../../terminal.js";

/** The answer to a question of a server. */
type Answer =
  | { readonly action: "accept"; readonly content?: JsonRecord }
  | { readonly action: "decline" | "cancel" };

/**
 * A function that shows a question of a server on the terminal and returns the
 * answer of the user: a form, field by field, or a page to open.
 *
 * @throws CommandError without a terminal
 */
export function askerOn(
  { dialogue, signal }: Terminal,
  { status }: Context,
): (params: unknown) => Promise<Answer> {
  if (dialogue === null) {
    throw usageError(
      "MG748",
      "--ask needs a terminal",
      "run it in a terminal, or remove --ask",
    );
  }
  const screen = { ...dialogue, signal, withGuide: false };
  // One question at a time.
  let last: Promise<unknown> = Promise.resolve();
  return (params) => {
    status(null);
    const answer = last.then(() => askOne(params as JsonRecord, screen));
    last = answer.catch(() => {});
    return answer;
  };
}

type Screen = NonNullable<Terminal["dialogue"]> & {
  readonly signal: AbortSignal;
  readonly withGuide: boolean;
};

async function askOne(
  { message, mode, url, requestedSchema }: JsonRecord,
  screen: Screen,
): Promise<Answer> {
  const { isCancel, select } = await import("@clack/prompts");
  // In a parsed address the host is ASCII, so that no letter looks like another
  // one. It is shown alone too, because the rest could hide it.
  const page = mode === "url" ? new URL(String(url)) : undefined;
  const about = page
    ? `\nIt wants you to open a page of ${page.host}: ${text(page.href)}`
    : "";
  const question = `The server asks: ${text(message)}${about}`;
  const action = await select<"accept" | "decline">({
    ...screen,
    message: question,
    options: [
      {
        value: "accept",
        label: page ? "I opened the page, or will" : "Answer",
      },
      { value: "decline", label: "Decline" },
    ],
  });
  if (isCancel(action)) return { action: "cancel" };
  if (page || action === "decline") return { action };
  const properties = record(record(requestedSchema)["properties"]);
  const required = record(requestedSchema)["required"];
  const content: Record<string, Json> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const isRequired = Array.isArray(required) && required.includes(name);
    const value = await askField(name, record(schema), isRequired, screen);
    if (typeof value === "symbol") return { action: "cancel" };
    if (value !== undefined) content[name] = value;
  }
  return { action: "accept", content };
}

/**
 * The value of one field of a form; undefined for an optional one that is left
 * empty.
 */
async function askField(
  name: string,
  schema: JsonRecord,
  isRequired: boolean,
  screen: Screen,
): Promise<Json | symbol | undefined> {
  const prompts = await import("@clack/prompts");
  const { title, description, type, default: initial } = schema;
  const about = description === undefined ? "" : ` (${text(description)})`;
  const message = `${text(title ?? name)}${about}${isRequired ? "" : ", optional"}`;
  if (type === "boolean")
    return await prompts.confirm({
      ...screen,
      message,
      initialValue: initial === true,
    });
  const choices = choicesOf(
    type === "array" ? record(schema["items"]) : schema,
  );
  if (type === "array")
    return await prompts.multiselect({
      ...screen,
      message,
      options: choices,
      required: isRequired,
    });
  if (choices.length > 0) {
    const none = isRequired ? [] : [{ value: null, label: "(no answer)" }];
    const value = await prompts.select<string | null>({
      ...screen,
      message,
      options: [...choices, ...none],
    });
    return value ?? undefined;
  }
  const isNumber = type === "number" || type === "integer";
  const validate = (line = ""): string | undefined => {
    if (line === "") return isRequired ? "Enter a value." : undefined;
    const isValid =
      !isNumber ||
      (type === "integer"
        ? Number.isInteger(Number(line))
        : Number.isFinite(Number(line)));
    return isValid
      ? undefined
      : `Enter ${type === "integer" ? "an integer" : "a number"}.`;
  };
  const initialValue =
    typeof initial === "string" || typeof initial === "number"
      ? String(initial)
      : "";
  const line = await prompts.text({
    ...screen,
    message,
    initialValue,
    validate,
  });
  if (prompts.isCancel(line)) return line;
  return line === "" ? undefined : isNumber ? Number(line) : line;
}

/**
 * The values of an enumeration with their titles; none if the schema is not an
 * enumeration.
 */
function choicesOf({
  enum: values,
  enumNames: names,
  oneOf,
  anyOf,
}: JsonRecord): { value: string; label: string }[] {
  const titles = Array.isArray(names) ? names : [];
  if (Array.isArray(values))
    return values.map((value: Json, i) => ({
      value: String(value),
      label: text(titles[i] ?? value),
    }));
  const rows = oneOf ?? anyOf;
  if (!Array.isArray(rows)) return [];
  return rows
    .map((row) => record(row as Json))
    .map(({ const: value, title }) => ({
      value: String(value),
      label: text(title ?? value ?? ""),
    }));
}

/** Text of the server, without control characters. */
const text = (value: Json | undefined): string =>
  visible(String(value ?? "").slice(0, 2000));

function record(value: Json | undefined): JsonRecord {
  return isRecord(value) ? value : {};
}
