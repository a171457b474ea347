import { extname, resolve } from "node:path";
import { isRecord } from "../../../generator/ir/json/value.js";
import type { Json, JsonRecord } from "../../../generator/ir/json.js";
import { exitCodes } from "../../command-error.js";
import type { Context } from "../../command.js";
import { replaceFile } from "../../replace.js";
import type { Report } from "../../report.js";
import { formatBytes } from "../../terminal.js";
import { resultText } from "./report.js";

/** The result of a tool, a prompt or a resource. */
export interface CallReport extends Report {
  /** As the server sent it, without the secrets of the connection. */
  readonly result: JsonRecord;
}

/**
 * Writes the content of a result: its images, sounds and other bytes, each to a
 * file of its own, whose names are numbered from the second one on; without
 * any, its text to one file. Writes nothing if the tool reports an error.
 */
export async function writeOutput(
  report: CallReport,
  path: string,
  { directory }: Context,
): Promise<Report> {
  if (report.exitCode !== exitCodes.done) return report;
  const { files, rest } = outputOf(report.result);
  const lines: string[] = [];
  for (const [i, bytes] of files.entries()) {
    const name = numbered(path, i + 1);
    await replaceFile(resolve(directory, name), bytes);
    lines.push(`${name}: written, ${formatBytes(bytes.length)}\n`);
  }
  const data = (): string => (rest === null ? "" : resultText(rest));
  return { ...report, text: () => lines.join(""), data };
}

/**
 * The bytes of each file, and the part of the result that is in none of them;
 * null if there is none.
 */
function outputOf(result: JsonRecord): {
  readonly files: readonly Uint8Array[];
  readonly rest: JsonRecord | null;
} {
  const member =
    ["messages", "contents"].find((name) => Array.isArray(result[name])) ??
    "content";
  const list = result[member];
  const parts = Array.isArray(list) ? (list as readonly Json[]) : [];
  const binary = parts.map(bytesOf);
  const files = binary.filter((bytes) => bytes !== null);
  if (files.length > 0)
    return {
      files,
      rest: { ...result, [member]: parts.filter((_, i) => binary[i] === null) },
    };
  const texts = parts.map(textOf).filter((text) => text !== null);
  const { structuredContent = null } = result;
  const text =
    texts.length > 0
      ? texts.join("\n")
      : `${JSON.stringify(structuredContent ?? result, null, 2)}\n`;
  return { files: [Buffer.from(text)], rest: null };
}

/**
 * A block of a result: the content of a message, and the resource in a block.
 */
function blockOf(part: Json): JsonRecord {
  if (!isRecord(part)) return {};
  if (isRecord(part["content"])) return blockOf(part["content"]);
  return isRecord(part["resource"]) ? part["resource"] : part;
}

function bytesOf(part: Json): Uint8Array | null {
  const { data, blob = data } = blockOf(part);
  return typeof blob === "string" ? Buffer.from(blob, "base64") : null;
}

function textOf(part: Json): string | null {
  const { text } = blockOf(part);
  return typeof text === "string" ? text : null;
}

/** `photo.png`, `photo-2.png`. */
function numbered(path: string, number: number): string {
  if (number === 1) return path;
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}-${number}${extension}`;
}
