import type { Code } from "../../../generator/diagnostics.js";
import type { JsonRecord } from "../../../generator/ir/json.js";
import { Interruption, usageError } from "../../command-error.js";
import type { Flags } from "../../flag-values.js";
import type { Terminal } from "../../terminal.js";
import type { ArgumentTexts } from "./arguments.js";

/** The maximum size of arguments on the standard input, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads the words after the tool, `--arg`, and `--args`, which may be `-` for
 * the standard input.
 */
export async function readArguments(
  words: readonly string[],
  flags: Flags,
  terminal: Terminal,
): Promise<ArgumentTexts> {
  const pairs = [
    ...words.map((word) =>
      pairIn(
        word,
        "MG703",
        `mcpgen call does not accept ${JSON.stringify(word)}`,
      ),
    ),
    ...flags
      .texts("arg")
      .map((text) =>
        pairIn(text, "MG702", '--arg must be a name, "=" and a value'),
      ),
  ];
  const text = flags.text("args");
  const whole =
    text === null
      ? {}
      : objectIn(text === "-" ? await readAll(terminal) : text, text === "-");
  return { pairs, flags: flags.others, whole, known: flags.known };
}

function pairIn(
  text: string,
  code: Code,
  message: string,
): readonly [name: string, text: string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw usageError(
    code,
    message,
    "write an argument as city=Paris, --city Paris or --arg city=Paris",
  );
}

function objectIn(text: string, isInput: boolean): JsonRecord {
  const where = isInput ? "the standard input" : "--args";
  const hint = `for example --args '{"city":"Paris"}', or city=Paris for one argument`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message;
    throw usageError("MG702", `${where} is not JSON: ${reason}`, hint);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as JsonRecord;
  throw usageError(
    "MG702",
    `${where} must be a JSON object with the arguments`,
    hint,
  );
}

async function readAll(terminal: Terminal): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of terminal.input) {
      parts.push(part);
      bytes += part.length;
      if (bytes > maxBytes)
        throw usageError(
          "MG702",
          `the arguments are larger than ${maxBytes} bytes`,
        );
    }
  } catch (error) {
    if (terminal.signal.aborted) throw new Interruption("interrupted");
    throw error;
  }
  return Buffer.concat(parts).toString("utf8");
}
