import { basename, extname } from "node:path";
import { revisionNames } from "../../../read/revisions.js";
import type { ClientEntry } from "../../clients/files.js";
import { SchemaError } from "../../../diagnostics.js";
import { Interruption, usageError } from "../../command-error.js";
import type { ServerAddress } from "../../live/address.js";
import { httpAddress, stdioAddress } from "../../live/find-address.js";
import { secretsOf } from "../../live/secrets.js";
import { visible, type Terminal } from "../../terminal.js";
import { INTERRUPTED } from "../generate/finish.js";
import { stemOf } from "../pull/target.js";
import { type Answers, clientsOf, defaultOut, serverJob } from "./jobs.js";
import { issuerProblem } from "./server.js";
import { skeletonJob } from "./skeleton.js";

/** What to write for a new server, whose tools a person writes. */
export const newServer = (name: string): Answers => ({
  config: { servers: [skeletonJob(name)] },
  issuer: null,
  server: name,
});

/**
 * Asks for the content of the configuration: which servers of the clients' files to include or, if there are none, what to
 * generate. `issuer` is the one of `--protect`: with it, there is nothing to ask if there are no such servers.
 *
 * @throws CommandError if there is no terminal, Interruption if the user cancels
 */
export async function ask(
  entries: readonly ClientEntry[],
  issuer: string | null,
  terminal: Terminal,
): Promise<Answers> {
  if (issuer !== null && entries.length === 0) return clientsOf(entries, issuer);
  const questions = await questionsOn(terminal);
  if (entries.length === 0) return await askForJob(questions);
  const options = entries.map(({ name, file }, index) => {
    return { value: String(index), label: visible(`${name} (${file})`) };
  });
  const selected = await questions.several("Which servers should get a typed client?", options);
  return clientsOf(
    entries.filter((_, index) => selected.includes(String(index))),
    issuer,
  );
}

/** The prompts of the terminal. A cancelled prompt ends the run. */
async function questionsOn({ dialogue, signal }: Terminal) {
  if (dialogue === null) {
    const hint = "use --yes to include every server of the clients' files, or the protocol if there are none";
    throw usageError("MG748", "questions need a terminal", hint);
  }
  const { isCancel, multiselect, select, text } = await import("@clack/prompts");
  const shared = { ...dialogue, signal, withGuide: false };
  const completed = <T>(answer: T): Exclude<T, symbol> => {
    if (isCancel(answer) || signal.aborted) throw new Interruption(INTERRUPTED);
    return answer as Exclude<T, symbol>;
  };
  return {
    /** Selects at least one entry of a list; all are selected at first. */
    several: async (message: string, options: Choice[]) => {
      const initialValues = options.map(({ value }) => value);
      return completed(await multiselect({ ...shared, message, options, initialValues, required: true }));
    },
    one: async (message: string, options: Choice[]) =>
      completed(await select({ ...shared, message, options })),
    /** Asks for a trimmed text until `problemIn` accepts it. */
    line: async (message: string, initialValue: string, problemIn: (line: string) => string | undefined) => {
      const validate = (line = ""): string | undefined => problemIn(line.trim());
      return completed(await text({ ...shared, message, initialValue, validate })).trim();
    },
  };
}

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

type Questions = Awaited<ReturnType<typeof questionsOn>>;

async function askForJob(questions: Questions): Promise<Answers> {
  const kind = await questions.one(
    "No client configuration names a server here. What do you want to generate?",
    [
      { value: "protocol", label: "The protocol: types, validators, a client and a server" },
      { value: "url", label: "A typed client of a server at a URL" },
      { value: "stdio", label: "A typed client of a server that a command starts" },
      { value: "server", label: "A server of your own that requires access tokens" },
      { value: "skeleton", label: "A server of your own: you write its tools into a file" },
    ],
  );
  const nameLike = (initial: string): Promise<string> =>
    questions.line("Which name should it have?", initial, emptiness);
  if (kind === "skeleton") return newServer(await nameLike(""));
  if (kind === "server") {
    const message = "Which authorization server issues the tokens?";
    return clientsOf([], await questions.line(message, "", issuerProblem));
  }
  if (kind === "protocol") {
    const names = await revisionNames();
    const version = await questions.one("Which revision?", [
      { value: "latest", label: "latest", hint: "the newest bundled revision" },
      ...[...names].reverse().map((value) => ({ value, label: value })),
      { value: "all", label: "all" },
    ]);
    const out = await questions.line("Which folder should the files go to?", defaultOut, emptiness);
    return { config: { generate: [{ version, out }] }, issuer: null, server: null };
  }
  const isUrl = kind === "url";
  const read = (line: string): ServerAddress => (isUrl ? httpAddress : stdioAddress)(line, "This");
  const message = isUrl ? "Which URL?" : "Which command?";
  const address = await questions.line(message, "", (line) => problemIn(line, read));
  const name = stemOf(await nameLike(isUrl ? nameOfUrl(address) : nameOfCommand(address)));
  const job = serverJob(name, isUrl ? { url: address } : { stdio: address });
  return { config: { servers: [job] }, issuer: null, server: null };
}

const emptiness = (line: string): string | undefined => (line === "" ? "Enter a value." : undefined);

/** A configuration is committed, so it must not contain secrets. */
function problemIn(line: string, read: (line: string) => ServerAddress): string | undefined {
  try {
    const [secret] = secretsOf(read(line)).filter(({ isCertain }) => isCertain);
    if (secret === undefined) return undefined;
    return `It contains ${secret.what}, which looks like a secret: add the server to .mcp.json, with \${NAME} instead of the value.`;
  } catch (error) {
    if (error instanceof SchemaError) return error.diagnostics.map(({ message }) => message).join("; ");
    throw error;
  }
}

/** The name of a host: `https://mcp.example.com/` is `example`. */
function nameOfUrl(url: string): string {
  const { hostname } = new URL(url);
  // Numbers are not useful as names.
  if (/^[\d.]+$|:/.test(hostname)) return stemOf("");
  const parts = hostname.split(".");
  return stemOf((parts.length > 2 ? parts.slice(1, -1) : parts.slice(0, 1)).join("-"));
}

/** The name of a program: `npx -y @scope/server-files` is `server-files`, and `node src/desk.js` is `desk`. */
function nameOfCommand(line: string): string {
  const words = line.split(/\s+/).filter((word) => !word.startsWith("-"));
  const word = words[1] ?? words[0] ?? "";
  return stemOf(basename(word.replaceAll("\\", "/"), extname(word)));
}
