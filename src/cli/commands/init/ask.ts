import { basename, extname } from "node:path";
import type { Config } from "../../../config.js";
import { revisionNames } from "../../../read/revisions.js";
import type { ClientEntry } from "../../clients/files.js";
import { SchemaError } from "../../../diagnostics.js";
import { Interruption, usageError } from "../../command-error.js";
import { httpPlace, stdioPlace, type ServerPlace } from "../../live/place.js";
import { secretsOf } from "../../live/secrets.js";
import { visible, type Terminal } from "../../terminal.js";
import { INTERRUPTED } from "../generate/finish.js";
import { configOf, defaultOut, serverJob, slug } from "./jobs.js";

/**
 * Asks what the configuration is to hold: which of the servers that clients' files name, or, where they name none, what
 * there is to generate.
 *
 * @throws CommandError where nobody can answer, Interruption when the one who is asked gives up.
 */
export async function ask(entries: readonly ClientEntry[], terminal: Terminal): Promise<Config> {
  const questions = await questionsOn(terminal);
  return entries.length === 0 ? await askForJob(questions) : await askForServers(entries, questions);
}

/** The questions of the library, each on our terminal; an answer that is none ends the run. */
async function questionsOn({ dialogue, signal }: Terminal) {
  if (dialogue === null) {
    throw usageError(
      "MG748",
      "there is no terminal to ask on",
      "say --yes to take every server that a client's file names, or the protocol where none is named",
    );
  }
  const { isCancel, multiselect, select, text } = await import("@clack/prompts");
  const shared = { ...dialogue, signal, withGuide: false };
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (isCancel(answer) || signal.aborted) throw new Interruption(INTERRUPTED);
    return answer as Exclude<T, symbol>;
  };
  return {
    /** Those that are chosen of a list, at first all of it; never none. */
    some: async (message: string, options: readonly Choice<number>[]): Promise<readonly number[]> => {
      const initialValues = options.map(({ value }) => value);
      return answered(
        await multiselect({ ...shared, message, options: [...options], initialValues, required: true }),
      );
    },
    one: async (message: string, options: readonly Choice<string>[]): Promise<string> => {
      return answered(await select({ ...shared, message, options: [...options] }));
    },
    /** A text, without the space around it, of which `faultIn` finds none; asked for until there is one. */
    line: async (message: string, initialValue: string, faultIn: (line: string) => string | undefined) => {
      const validate = (line = ""): string | undefined => faultIn(line.trim());
      return answered(await text({ ...shared, message, initialValue, validate })).trim();
    },
  };
}

interface Choice<Value> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

type Questions = Awaited<ReturnType<typeof questionsOn>>;

async function askForServers(entries: readonly ClientEntry[], { some }: Questions): Promise<Config> {
  const options = entries.map(({ name, file }, value) => ({ value, label: visible(`${name} (${file})`) }));
  const wanted = new Set(await some("Which servers are to get a typed client?", options));
  return configOf(entries.filter((_, i) => wanted.has(i)));
}

async function askForJob(questions: Questions): Promise<Config> {
  const kind = await questions.one("No client's file names a server here. What is to be generated?", [
    { value: "protocol", label: "The protocol: types, validators, a client and a server" },
    { value: "url", label: "A typed client of a server at a URL" },
    { value: "stdio", label: "A typed client of a server that a command starts" },
  ]);
  if (kind === "protocol") {
    const names = await revisionNames();
    const version = await questions.one("Of which revision?", [
      { value: "latest", label: "latest", hint: "the newest that mcpgen brings along" },
      ...[...names].reverse().map((value) => ({ value, label: value })),
      { value: "all", label: "all of them" },
    ]);
    const out = await questions.line("Where are the files to go?", defaultOut, emptiness);
    return { generate: [{ version, out }] };
  }
  const isUrl = kind === "url";
  const read = (line: string): ServerPlace => (isUrl ? httpPlace : stdioPlace)(line, "This");
  const message = isUrl ? "At which URL?" : "By which command?";
  const place = await questions.line(message, "", (line) => faultIn(line, read));
  const name = await questions.line(
    "What is it to be called?",
    isUrl ? nameOfAddress(place) : nameOfCommand(place),
    emptiness,
  );
  return { servers: [serverJob(slug(name), isUrl ? { url: place } : { stdio: place })] };
}

function emptiness(line: string): string | undefined {
  return line === "" ? "There has to be something here." : undefined;
}

/** A configuration is committed, so what is secret has no place in it. */
function faultIn(line: string, read: (line: string) => ServerPlace): string | undefined {
  try {
    const [secret] = secretsOf(read(line)).filter(({ isSure }) => isSure);
    if (secret === undefined) return undefined;
    return `What it has as ${secret.what} looks like a secret: write the server into .mcp.json, with \${NAME} in its place.`;
  } catch (error) {
    if (error instanceof SchemaError) return error.diagnostics.map(({ message }) => message).join("; ");
    throw error;
  }
}

/** `https://mcp.example.com/` is `example`, as people call it. */
function nameOfAddress(address: string): string {
  const { hostname } = new URL(address);
  // Numbers tell nobody anything.
  if (/^[\d.]+$|:/.test(hostname)) return slug("");
  const parts = hostname.split(".");
  return slug((parts.length > 2 ? parts.slice(1, -1) : parts.slice(0, 1)).join("-"));
}

/** `npx -y @scope/server-files` is `server-files`, and `node src/desk.js` is `desk`. */
function nameOfCommand(line: string): string {
  const words = line.split(/\s+/).filter((word) => !word.startsWith("-"));
  const word = words[1] ?? words[0] ?? "";
  return slug(basename(word.replaceAll("\\", "/"), extname(word)));
}
