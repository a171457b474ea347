import type { JsonRecord } from "../../../ir/json.js";
import { Interruption, usageError } from "../../command-error.js";
import type { Flags } from "../../flag-specs.js";
import type { Terminal } from "../../terminal.js";
import type { ArgumentTexts } from "./arguments.js";

/** The maximum size of arguments on the standard input, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** Reads `--arg` and `--args`, which may be `-` for the standard input. */
export async function readArguments(flags: Flags, terminal: Terminal): Promise<ArgumentTexts> {
  const pairs = flags.texts("arg").map((text): [string, string] => {
    const at = text.indexOf("=");
    if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
    throw usageError("MG702", `--arg must be a name, "=" and a value`, "for example --arg city=Paris");
  });
  const text = flags.text("args");
  const whole = text === null ? {} : objectIn(text === "-" ? await readAll(terminal) : text, text === "-");
  return { pairs, whole };
}

function objectIn(text: string, isInput: boolean): JsonRecord {
  const where = isInput ? "the standard input" : "--args";
  const hint = `for example --args '{"city":"Paris"}', or --arg city=Paris for one argument`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError("MG702", `${where} is not JSON: ${reason}`, hint);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonRecord;
  throw usageError("MG702", `${where} must be a JSON object with the arguments`, hint);
}

async function readAll(terminal: Terminal): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of terminal.input) {
      parts.push(part);
      bytes += part.length;
      if (bytes > maxBytes) throw usageError("MG702", `the arguments are larger than ${maxBytes} bytes`);
    }
  } catch (error) {
    if (terminal.signal.aborted) throw new Interruption("interrupted");
    throw error;
  }
  return Buffer.concat(parts).toString("utf8");
}
