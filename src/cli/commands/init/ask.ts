import { SchemaError } from "../../../generator/diagnostics.js";
import { revisionNames } from "../../../generator/read/load.js";
import type { ClientEntry } from "../../clients/files.js";
import { Interruption, usageError } from "../../command-error.js";
import { httpAddress, stdioAddress } from "../../live/find-address.js";
import { secretsOf } from "../../live/secrets.js";
import { visible, type Terminal } from "../../terminal.js";
import { nameFor, stemOf } from "../../snapshot-file.js";
import { type Answers, clientJob, clientsOf, defaultOut } from "./jobs.js";
import { newServer } from "./new-server.js";

/** What can be generated if no client's file names a server. */
const kinds = [
  {
    value: "protocol",
    label: "The protocol: types, validators, a client and a server",
  },
  { value: "url", label: "A typed client of a server at a URL" },
  { value: "stdio", label: "A typed client of a server that a command starts" },
  {
    value: "server",
    label: "A server of your own that requires access tokens",
  },
  { value: "code", label: "A server of your own, in code" },
  {
    value: "file",
    label: "A server of your own: you write its tools into a file",
  },
];

/**
 * Asks for the content of the configuration: which servers of the clients'
 * files to include or, if there are none, what to generate. `issuer` is the one
 * of `--protect`: with it, there is nothing to ask if there are no such
 * servers.
 *
 * @throws CommandError if there is no terminal, Interruption if the user
 *   cancels
 */
export async function ask(
  entries: readonly ClientEntry[],
  issuer: string | null,
  { dialogue, signal }: Terminal,
): Promise<Answers> {
  if (issuer !== null && entries.length === 0) return clientsOf([], [], issuer);
  if (dialogue === null) {
    const hint =
      "use --yes to include every server of the clients' files, or the protocol if there are none";
    throw usageError("MG748", "questions need a terminal", hint);
  }
  const { isCancel, multiselect, select, text } =
    await import("@clack/prompts");
  const screen = { ...dialogue, signal, withGuide: false };
  const completed = <T>(answer: T): Exclude<T, symbol> => {
    if (isCancel(answer) || signal.aborted) throw new Interruption();
    return answer as Exclude<T, symbol>;
  };
  /** Asks for a trimmed text until `problemIn` accepts it. */
  const line = async (
    message: string,
    initialValue: string,
    problemIn = emptiness,
  ): Promise<string> => {
    const validate = (answer = ""): string | undefined =>
      problemIn(answer.trim());
    return completed(
      await text({ ...screen, message, initialValue, validate }),
    ).trim();
  };
  if (entries.length > 0) {
    const message = "Which servers should get a typed client?";
    const initialValues = entries.map((_, value) => value);
    const options = entries.map(({ name, file }, value) => ({
      value,
      label: visible(`${name} (${file})`),
    }));
    const selected = completed(
      await multiselect({ ...screen, message, options, initialValues }),
    );
    return clientsOf(
      entries.filter((_, value) => selected.includes(value)),
      entries,
      issuer,
    );
  }
  const message =
    "No client configuration names a server here. What do you want to generate?";
  const kind = completed(await select({ ...screen, message, options: kinds }));
  if (kind === "code" || kind === "file")
    return newServer({
      name: await line("Which name should it have?", ""),
      isFromFile: kind === "file",
    });
  if (kind === "server")
    return clientsOf(
      [],
      [],
      await line(
        "Which authorization server issues the tokens?",
        "",
        issuerProblem,
      ),
    );
  if (kind === "protocol") {
    const options = (await versions()).map((value) => ({
      value,
      label: value,
    }));
    const version = completed(
      await select({ ...screen, message: "Which revision?", options }),
    );
    const out = await line("Which folder should the files go to?", defaultOut);
    return onlyConfig({ generate: [{ version, out }] });
  }
  const isUrl = kind === "url";
  const address = await line(
    isUrl ? "Which URL?" : "Which command?",
    "",
    (answer) => addressProblem(answer, isUrl),
  );
  const name = stemOf(
    await line("Which name should it have?", nameFor(address, isUrl) ?? ""),
  );
  const job = clientJob(name, isUrl ? { url: address } : { stdio: address });
  return onlyConfig({ servers: [job] });
}

const onlyConfig = (config: Answers["config"]): Answers => ({
  config,
  issuer: null,
  server: null,
});

/** What `--version` takes, the newest revision first. */
async function versions(): Promise<string[]> {
  const newestFirst = [...(await revisionNames())].reverse();
  return ["all", "latest", ...newestFirst];
}

const emptiness = (answer: string): string | undefined =>
  answer === "" ? "Enter a value." : undefined;

/**
 * What an issuer is, as a finished sentence, if the text is not one; undefined
 * if it is.
 */
export function issuerProblem(text: string): string | undefined {
  const isIssuer =
    /^(https:\/\/|http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(?![^:/]))[^@?#]*$/i;
  if (URL.canParse(text) && isIssuer.test(text)) return undefined;
  return "An issuer is an https URL without user, query and fragment, such as https://auth.example.com (on this machine also http).";
}

/** A configuration is committed, so it must not contain secrets. */
function addressProblem(text: string, isUrl: boolean): string | undefined {
  try {
    const address = (isUrl ? httpAddress : stdioAddress)(text, "This");
    const secret = secretsOf(address).find(({ isCertain }) => isCertain);
    if (secret === undefined) return undefined;
    return `It contains ${secret.what}, which looks like a secret: add the server to .mcp.json, with \${NAME} instead of the value.`;
  } catch (error) {
    if (error instanceof SchemaError)
      return error.diagnostics.map(({ message }) => message).join("; ");
    throw error;
  }
}
