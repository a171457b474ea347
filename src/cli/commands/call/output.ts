import { lstat, rm } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { isList, isRecord } from "../../../generator/ir/json/value.js";
import type { Json, JsonRecord } from "../../../generator/ir/json.js";
import { exitCodes, usageError } from "../../command-error.js";
import type { Context } from "../../command.js";
import { replaceFile, replaceMissing } from "../../replace.js";
import type { Report } from "../../report.js";
import { formatBytes } from "../../terminal.js";
import { resultText } from "./report.js";

/** The maximum number of files beside the one that a person named. */
const maxMore = 20;

/**
 * Writes the content of a result: its images, sounds and other bytes, each to a
 * file of its own; without any, its text to one file. Only the first one
 * replaces a file. The others, whose number the server chooses, are new files
 * with numbered names, in a new folder if they are many. Writes nothing if the
 * tool reports an error.
 */
export async function writeOutput(
  report: Report,
  path: string,
  { directory }: Context,
): Promise<Report> {
  if (report.exitCode !== exitCodes.done) return report;
  const { files, rest } = outputOf(report.json as JsonRecord);
  const [first = Buffer.of(), ...more] = files;
  const others = more.map((bytes, i) => {
    const name = numbered(path, i + 2, more.length);
    return { name, bytes, target: resolve(directory, name) };
  });
  for (const { name, target } of others)
    if (await isTaken(target)) throw exists(name, files.length);
  await writeNew(others, () => replaceFile(resolve(directory, path), first));
  const lines = [{ name: path, bytes: first }, ...others].map(
    ({ name, bytes }) => `${name}: written, ${formatBytes(bytes.length)}\n`,
  );
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
  const parts = isList(list) ? list : [];
  const binary = parts.map(bytesOf);
  const files = binary.filter((bytes) => bytes !== null);
  if (files.length > 0) {
    const others = parts.filter((_, i) => binary[i] === null);
    return {
      files,
      rest: { ...result, [member]: others },
    };
  }
  const texts = parts.map(textOf).filter((text) => text !== null);
  if (texts.length > 0) {
    const text = texts.join("\n");
    return { files: [Buffer.from(text)], rest: null };
  }
  const { structuredContent } = result;
  const json = JSON.stringify(structuredContent ?? result, null, 2);
  return { files: [Buffer.from(`${json}\n`)], rest: null };
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

/** `photo-2.png`, or `photo/2.png` if there are many. */
function numbered(path: string, number: number, count: number): string {
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  const separator = count > maxMore ? "-files/" : "-";
  return `${stem}${separator}${number}${extension}`;
}

/** True if something has the name, even a link that leads nowhere. */
async function isTaken(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

const exists = (name: string, count: number): Error =>
  usageError(
    "MG802",
    `${name} exists, and the result has ${count} files`,
    "move it away, or name another file with --output",
  );

interface NewFile {
  readonly name: string;
  readonly target: string;
  readonly bytes: Uint8Array;
}

/**
 * Writes new files, and then what else is to be written. If something fails,
 * they are removed, because the next run would not replace them.
 */
async function writeNew(
  files: readonly NewFile[],
  next: () => Promise<void>,
): Promise<void> {
  const written: string[] = [];
  try {
    for (const { name, target, bytes } of files) {
      const isNew = await replaceMissing(target, bytes);
      if (!isNew) throw exists(name, files.length + 1);
      written.push(target);
    }
    await next();
  } catch (error) {
    for (const path of written) await rm(path).catch(() => undefined);
    throw error;
  }
}
