import { once } from "node:events";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve as resolvePath } from "node:path";
import { diskReason } from "../../generator/emit/write/disk.js";
import { counted } from "../../generator/ir/report/text.js";
import { suggestion } from "../../generator/read/nearest.js";
import type { Command } from "../../cli/command.js";
import { namedExtensions } from "../../generator/inputs/extensions.js";
import {
  exitCodes,
  Interruption,
  usageError,
} from "../../cli/command-error.js";
import { namedSource } from "../../generator/inputs/schemas.js";
import { printed, visibleJson, type Terminal } from "../../cli/terminal.js";
import { Checker, issuesOf, type Issue } from "./checker.js";
import { readLines, type Line } from "./lines.js";
import { loadRevision, type RevisionModule, type Schema } from "./module.js";

export const run: Command<"type"> = async (
  operands,
  flags,
  context,
  terminal,
) => {
  const { directory } = context;
  const [word = "", file = "-"] = operands;
  const source = await namedSource(word, directory);
  const input = await open(file, terminal);
  const revision = await loadRevision(
    source,
    await namedExtensions(flags.list("extension"), directory),
  );
  const type = flags.text("type");
  const schema = type === null ? null : schemaOf(revision, type);
  const checker = new Checker(revision);
  const check = (value: unknown): Issue[] => {
    return schema === null
      ? checker.check(value)
      : issuesOf(schema, value, type ?? "");
  };
  let lines = 0;
  let invalid = 0;
  const read = withProgress(input);
  for await (const line of linesOf(read.input, file, terminal.signal)) {
    if (line.number % statusLines === 0)
      context.status(`${line.number} lines${read.share()}`);
    const issues = checkLine(line, check);
    if (issues === null) continue;
    lines += 1;
    if (issues.length > 0) invalid += 1;
    for (const issue of issues) {
      await terminal.out(
        flags.on("json")
          ? asJson(line.number, issue)
          : printed(asText(line.number, issue, terminal)),
      );
    }
  }
  // Issues are printed when their line is read: the input may never end.
  return {
    exitCode: invalid === 0 ? exitCodes.done : exitCodes.checkFailed,
    diagnostics: [],
    advice: `${summary(lines, invalid, revision.protocol.revision)}\n`,
  };
};

/** The number of lines between two status lines. */
const statusLines = 10_000;

/**
 * The input, and its size in bytes; null if the size is unknown, as for a
 * stream.
 */
interface Input {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly size: number | null;
}

async function open(file: string, terminal: Terminal): Promise<Input> {
  if (file === "-") return { bytes: terminal.input, size: null };
  const path = resolvePath(terminal.directory, file);
  const stream = createReadStream(path);
  try {
    await once(stream, "open");
    const info = await stat(path);
    return { bytes: stream, size: info.isFile() ? info.size : null };
  } catch (error) {
    stream.destroy();
    throw fileError(file, error);
  }
}

/**
 * The input, and the part of it that was read: ` (12 %)`, or nothing if its
 * size is unknown.
 */
function withProgress({ bytes, size }: Input): {
  readonly input: AsyncIterable<Uint8Array>;
  share(): string;
} {
  let done = 0;
  async function* counting(): AsyncGenerator<Uint8Array> {
    for await (const part of bytes) {
      done += part.length;
      yield part;
    }
  }
  const share = (): string =>
    size ? ` (${Math.min(100, Math.floor((done / size) * 100))} %)` : "";
  return { input: counting(), share };
}

/** The lines until the input ends or the user interrupts. */
async function* linesOf(
  input: AsyncIterable<Uint8Array>,
  file: string,
  signal: AbortSignal,
): AsyncGenerator<Line> {
  try {
    for await (const line of readLines(input)) {
      if (signal.aborted) throw new Interruption("interrupted");
      yield line;
    }
  } catch (error) {
    if (signal.aborted) throw new Interruption("interrupted");
    // Opening a directory succeeds; reading it fails here.
    throw fileError(file, error);
  }
}

/** Describes a disk error. Any other error is a bug and is rethrown. */
function fileError(file: string, error: unknown): unknown {
  const reason = diskReason(error);
  if (reason === null) return error;
  return usageError(
    "MG720",
    `cannot read ${file}: ${reason}`,
    "use a file of messages, or - for the standard input",
  );
}

/** The generated schema of a type. */
function schemaOf(revision: RevisionModule, type: string): Schema {
  const suffix = "Schema";
  const schema = Object.hasOwn(revision.validators, type + suffix)
    ? revision.validators[type + suffix]
    : undefined;
  if (isSchema(schema)) return schema;
  const names = Object.keys(revision.validators)
    .filter(
      (name) => name.endsWith(suffix) && isSchema(revision.validators[name]),
    )
    .map((name) => name.slice(0, -suffix.length));
  const { revision: own } = revision.protocol;
  const hint = suggestion(type, names) ?? `mcpgen ir ${own} shows its types`;
  throw usageError("MG721", `${own} has no type "${type}"`, hint);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && "safeParse" in value;
}

/** The issues of a line; null for an empty line. */
function checkLine(
  line: Line,
  check: (value: unknown) => Issue[],
): Issue[] | null {
  if (line.text === null)
    return [{ place: "", message: line.problem, path: [] }];
  if (line.text.trim() === "") return null;
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (error) {
    const reason = (error as Error).message;
    return [{ place: "", message: `it is not JSON: ${reason}`, path: [] }];
  }
  return check(value);
}

function asText(
  number: number,
  { place, message }: Issue,
  { dataStyle: style }: Terminal,
): string {
  const where = place === "" ? "" : `${place}: `;
  return `${style.bold(`line ${number}:`)} ${where + message}\n`;
}

function asJson(line: number, { place, message, path }: Issue): string {
  const steps = path.map((key) =>
    typeof key === "number" ? key : String(key),
  );
  return `${visibleJson(JSON.stringify({ line, place, message, path: steps }))}\n`;
}

function summary(lines: number, invalid: number, revision: string): string {
  const checked = `${counted(lines, "message")} checked against ${revision}`;
  return invalid === 0
    ? `${checked}: all valid`
    : `${checked}: ${invalid} invalid`;
}
