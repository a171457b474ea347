import {
  type Diagnostic,
  makeDiagnostic,
} from "../../../generator/diagnostics.js";
import { anything, type Schema } from "../../../generator/ir/constraint.js";
import {
  type Json,
  type JsonRecord,
  exact,
} from "../../../generator/ir/json.js";
import type { SchemaSet } from "../../../generator/ir/compare/model.js";
import { parseOrUndefined } from "../../../generator/ir/json/value.js";
import { suggestion } from "../../../generator/read/nearest.js";
import { CommandError } from "../../command-error.js";
import type { Parameters } from "./parameters.js";
import {
  expectation,
  itemOf,
  typesOf,
  typesOfValue,
  valuesOf,
} from "./types.js";

/** The arguments as the command line has them. */
export interface ArgumentTexts {
  /** `name=value` and `--arg name=value`, in order. */
  readonly pairs: readonly (readonly [name: string, text: string])[];
  /** `--name value`, in order; null without a value. */
  readonly flags: readonly (readonly [name: string, text: string | null])[];
  /** `--args`. */
  readonly whole: JsonRecord;
  /** The flags of the command, which no argument can have as `--name`. */
  readonly known: readonly string[];
}

/**
 * The arguments of a call, typed by the schema of the tool. Checks names, types
 * and enumerations; the server checks everything else.
 *
 * @throws CommandError with a diagnostic for each argument that is unknown,
 *   missing or of another type
 */
export function typedArguments(
  tool: string,
  { pairs, flags, whole, known }: ArgumentTexts,
  parameters: Parameters,
): JsonRecord {
  const { properties, required, others, schemas } = parameters;
  const diagnostics: Diagnostic[] = [];
  const values = new Map<string, Json>(Object.entries(whole));
  const texts = new Map<string, (string | null)[]>();
  for (const [name, text] of [...pairs, ...flags])
    texts.set(name, [...(texts.get(name) ?? []), text]);
  for (const [name, list] of texts) {
    const value = valueOf(list, properties.get(name) ?? anything, schemas);
    if (value instanceof ValueIssue)
      diagnostics.push(
        argumentError(`the argument ${quoted(name)} ${value.text}`),
      );
    else values.set(name, value.json);
  }
  for (const name of new Set([...values.keys(), ...texts.keys()])) {
    // An unknown flag is probably a mistake, also for a tool that accepts every
    // name.
    const isFlag = flags.some(([flag]) => flag === name);
    const isRefused =
      isFlag ||
      others === "none" ||
      (others === "undeclared" && texts.has(name));
    if (properties.has(name) || !isRefused) continue;
    diagnostics.push(unknown(tool, name, parameters, isFlag ? known : []));
  }
  for (const [name, value] of values) {
    const schema = properties.get(name);
    if (schema === undefined || isExpected(value, schema, schemas)) continue;
    const found = `${typesOfValue(value)[0] ?? ""} ${short(JSON.stringify(value))}`;
    diagnostics.push(
      argumentError(
        `the argument ${quoted(name)} must be ${expectation(schema, schemas)}; found ${found}`,
      ),
    );
  }
  for (const name of required) {
    if (values.has(name) || texts.has(name)) continue;
    const expected = expectation(properties.get(name) ?? anything, schemas);
    const hint = `add ${spellings(name, known)}`;
    diagnostics.push(
      argumentError(
        `the tool ${quoted(tool)} needs the argument ${quoted(name)} (${expected})`,
        hint,
      ),
    );
  }
  if (diagnostics.length > 0) throw new CommandError(diagnostics);
  return Object.fromEntries(values);
}

/**
 * The reason why a text is not a value of the expected type, as the end of a
 * sentence.
 */
class ValueIssue {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

interface Value {
  readonly json: Json;
}

/**
 * The value of an argument from the texts of its flags: one, or the items of an
 * array.
 */
function valueOf(
  list: readonly (string | null)[],
  schema: Schema,
  schemas: SchemaSet,
): Value | ValueIssue {
  const types = typesOf(schema, schemas);
  const texts = list.filter((text) => text !== null);
  if (texts.length < list.length) {
    if (list.length === 1 && types.includes("boolean")) return { json: true };
    return new ValueIssue(`needs a value: ${expectation(schema, schemas)}`);
  }
  const [text = ""] = texts;
  if (texts.length === 1) {
    const single = scalarOf(text, schema, schemas);
    // One item of an array, unless the text is a JSON array.
    if (!types.includes("array") || !(single instanceof ValueIssue))
      return single;
  } else if (!types.includes("array")) {
    return new ValueIssue(
      `was given ${texts.length} times, but it must be ${expectation(schema, schemas)}`,
    );
  }
  const items: Json[] = [];
  for (const [i, each] of texts.entries()) {
    const item = scalarOf(
      each,
      itemOf(schema, i, schemas) ?? anything,
      schemas,
    );
    if (item instanceof ValueIssue)
      return new ValueIssue(
        item.text.replace(/^must be/, "must have items that are"),
      );
    items.push(item.json);
  }
  return { json: items };
}

/**
 * A text as a value: JSON if the schema accepts a value of that type, otherwise
 * a string if it accepts strings. Of an enumeration, the one of the two that is
 * listed.
 */
function scalarOf(
  text: string,
  schema: Schema,
  schemas: SchemaSet,
): Value | ValueIssue {
  const types = typesOf(schema, schemas);
  const hasStrings = types.includes("string");
  const expected = expectation(schema, schemas);
  if (hasStrings && types.length === 1) return { json: text };
  const json = parseOrUndefined(text);
  const isListed = (value: Json): boolean => isExpected(value, schema, schemas);
  if (hasStrings && json !== undefined && !isListed(json) && isListed(text))
    return { json: text };
  if (
    json !== undefined &&
    typesOfValue(json).some((type) => types.includes(type))
  ) {
    if (typeof json !== "number" || isExact(text, json)) return { json };
    if (!hasStrings)
      return new ValueIssue(
        `is a number that JavaScript cannot represent exactly: ${short(text)}`,
      );
  }
  if (hasStrings) return { json: text };
  return new ValueIssue(
    `must be ${expected}; found ${short(JSON.stringify(text))}`,
  );
}

/**
 * False for an integer that would be sent as another one, and for a number that
 * is too large.
 */
function isExact(text: string, value: number): boolean {
  return (
    Number.isFinite(value) &&
    (Number.isSafeInteger(value) || !/^-?\d+$/.test(text.trim()))
  );
}

function isExpected(value: Json, schema: Schema, schemas: SchemaSet): boolean {
  const listed = valuesOf(schema, schemas);
  if (listed !== null && !listed.some((one) => exact(one) === exact(value)))
    return false;
  return typesOfValue(value).some((type) =>
    typesOf(schema, schemas).includes(type),
  );
}

function unknown(
  tool: string,
  name: string,
  { properties, others }: Parameters,
  flags: readonly string[],
): Diagnostic {
  const names = [...properties.keys()];
  const near =
    suggestion(name, names) ?? suggestion(name, flags, (flag) => `--${flag}`);
  const rest =
    others === "any"
      ? `write --arg ${name}=<value> if the tool accepts it anyway`
      : names.length === 0
        ? "it takes no arguments"
        : `its arguments are ${names.slice(0, 20).join(", ")}`;
  return argumentError(
    `the tool ${quoted(tool)} has no argument ${quoted(name)}`,
    near ?? rest,
  );
}

function argumentError(
  message: string,
  hint: string | null = null,
): Diagnostic {
  return makeDiagnostic("error", "MG757", message, hint);
}

/** How an argument can be written on the command line. */
function spellings(name: string, flags: readonly string[]): string {
  if (!/^\w[\w-]*$/.test(name)) return `--arg ${quoted(`${name}=<value>`)}`;
  const forms = [
    `${name}=<value>`,
    `--${name} <value>`,
    `--arg ${name}=<value>`,
  ];
  return forms.filter((_, i) => i !== 1 || !flags.includes(name)).join(" or ");
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, 80));

const short = (text: string): string =>
  text.length > 60 ? `${text.slice(0, 60)}…` : text;
