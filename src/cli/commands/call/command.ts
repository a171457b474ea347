import {
  Diagnostics,
  makeDiagnostic,
  type Diagnostic,
} from "../../../generator/diagnostics.js";
import { snapshotText } from "../../../generator/ir/snapshot/text.js";
import { maxLevels } from "../../../generator/ir/snapshot/depth.js";
import { isRecord } from "../../../generator/ir/json/value.js";
import type { JsonRecord } from "../../../generator/ir/json.js";
import type { Snapshot } from "../../../generator/ir/snapshot/model.js";
import type { ServerSource } from "../../../config.js";
import {
  isDeeper,
  PullError,
  pullTools,
} from "../../../generator/read/live/pull.js";
import { suggestion } from "../../../generator/read/nearest.js";
import { snapshotIn } from "../../../generator/inputs/snapshots.js";
import type { Progress } from "../../../runtime/index.js";
import type { Command, Context } from "../../command.js";
import { CommandError, exitCodes, usageError } from "../../command-error.js";
import type { Flags } from "../../flag-values.js";
import type { ServerAddress } from "../../live/address.js";
import { addressOf } from "../../live/find-address.js";
import { flaggedSource, namedSource, twoServers } from "../../source/find.js";
import { withClient, type OpenConnection } from "../../live/connection.js";
import type { CallingClient } from "../../live/module.js";
import { asCallError } from "../../live/read-error.js";
import {
  redacted,
  type Secret,
  secretsOf,
  withoutSecrets,
} from "../../live/secrets.js";
import { listProgress, readSettings } from "../../live/snapshot.js";
import { sourceOptions } from "../../options.js";
import type { Report } from "../../report.js";
import { visible } from "../../terminal.js";
import { askerOn } from "./ask.js";
import { type ArgumentTexts, typedArguments } from "./arguments.js";
import { readArguments } from "./read-arguments.js";
import { parametersOf } from "./parameters.js";
import { writeOutput } from "./output.js";
import { resultText, toolsText } from "./report.js";

/** The timeout of each request with `--ask`, in milliseconds. */
const thinkingTime = 600_000;

export const run: Command = async (operands, flags, context, terminal) => {
  const { address, settings, words } = await findTarget(
    operands,
    sourceOptions(flags),
    context.directory,
  );
  const called = calledIn(words, flags);
  const texts = await readArguments(called.pairs, flags, terminal);
  const output = flags.text("output");
  if (called.isList && output !== null) {
    throw usageError(
      "MG705",
      "--output is set, but no tool, prompt or resource is named",
      "write the name of the tool after the server",
    );
  }
  const diagnostics = new Diagnostics();
  const ask = flags.on("ask") ? askerOn(terminal, context) : undefined;
  const whole = {
    ...settings,
    // A person may think for as long as the whole run takes.
    timeout: Math.max(settings.timeout, ask === undefined ? 0 : thinkingTime),
    timeoutText: called.isList
      ? "it did not list its tools"
      : "it did not complete the call",
    interruptText: called.isList
      ? "interrupted"
      : "interrupted; the call was cancelled",
    onDecline: declinesOn(context),
    ...(ask && { ask }),
  };
  const work = (client: CallingClient, connection: OpenConnection) =>
    answer(called, texts, client, connection, context);
  const report = await withClient(address, whole, context, diagnostics, work);
  const all = {
    ...report,
    diagnostics: [...diagnostics.list, ...report.diagnostics],
  };
  return output === null ? all : await writeOutput(all, output, context);
};

/** What a run calls: one of the three, or none to list the tools. */
interface Called {
  readonly tool: string | null;
  readonly prompt: string | null;
  readonly uri: string | null;
  readonly isList: boolean;
  /** The words of its arguments. */
  readonly pairs: readonly string[];
}

/**
 * What the words and flags name.
 *
 * @throws CommandError for arguments of nothing, or more than one name
 */
function calledIn(words: readonly string[], flags: Flags): Called {
  const [prompt, uri] = [flags.text("prompt"), flags.text("resource")];
  // Before arguments, --prompt and --resource are in the place of a tool.
  const isNamed = (prompt ?? uri) !== null && words[0]?.includes("=") !== false;
  const tool = isNamed ? null : (words[0] ?? null);
  const pairs = isNamed ? words : words.slice(1);
  const names = [tool, prompt, uri].filter((name) => name !== null);
  if (names.length > 1) {
    const message = "a tool, --prompt and --resource exclude each other";
    throw usageError("MG705", message, "name one of them");
  }
  const [flag] = flags.others[0] ?? [];
  if (tool === null && flag !== undefined) {
    if (prompt === null) throw flags.unknown(`--${flag}`);
    throw usageError(
      "MG701",
      `unknown flag --${flag}`,
      `write an argument of the prompt as ${flag}=<value>`,
    );
  }
  const argument = pairs[0] ?? flags.text("arg") ?? flags.text("args") ?? null;
  if (argument !== null && tool === null && prompt === null) {
    throw usageError(
      "MG703",
      "arguments are set, but no tool or prompt is named",
      "write the name of the tool after the server, or use --prompt <name>",
    );
  }
  return { tool, prompt, uri, isList: names.length === 0, pairs };
}

/** Says once for each method that a request of the server is declined. */
function declinesOn(context: Context): (method: string) => void {
  const declined = new Set<string>();
  return (method) => {
    if (declined.has(method)) return;
    declined.add(method);
    context.status(null);
    context.progress(
      `the server sent ${visible(method)}, which mcpgen declines\n`,
    );
  };
}

/** Sends the request, and waits for its result. */
async function answer(
  { tool, prompt, uri }: Called,
  texts: ArgumentTexts,
  client: CallingClient,
  connection: OpenConnection,
  context: Context,
): Promise<Report> {
  const { signal, warn } = connection;
  if (prompt !== null) {
    const params = { name: prompt, arguments: promptArguments(texts) };
    const call = () => client.getPrompt(params, { signal });
    return await finished(`getting ${prompt}`, call, connection, context);
  }
  if (uri !== null) {
    const call = () => client.readResource({ uri }, { signal });
    return await finished(`reading ${uri}`, call, connection, context);
  }
  const tools = await pullTools(client, {
    signal,
    onPage: listProgress(context),
    onWarning: warn,
  });
  const found = tools.find(({ name }) => name === tool);
  if (found) return await callTool(found, texts, client, connection, context);
  // What may be no secret could be the name of a tool.
  const secrets = secretsOf(connection.address).filter((one) => one.isCertain);
  const report = shown(tools, secrets);
  if (tool !== null) throw unknownTool(tool, report.json);
  const snapshot = await snapshotOf(report.json, client.revision);
  return { ...report, data: (style) => toolsText(snapshot, style) };
}

/** The server of a call, and the words of the command line after it. */
async function findTarget(
  operands: readonly string[],
  flags: ServerSource,
  directory: string,
) {
  const flagged = flaggedSource(flags, directory);
  const [first, second] = operands;
  // After a flag, the first word is the tool.
  if (flagged !== null && first && second?.includes("=") === false)
    throw twoServers(first, flags);
  const found =
    flagged ?? (await namedSource("server", first, flags, directory));
  const server = { ...found.parts.server, ...flags };
  return {
    address: await addressOf(server, found.directory),
    settings: readSettings(server),
    words: flagged === null ? operands.slice(1) : operands,
  };
}

async function callTool(
  tool: JsonRecord,
  texts: ArgumentTexts,
  client: CallingClient,
  connection: OpenConnection,
  context: Context,
): Promise<Report> {
  const name = String(tool["name"]);
  const snapshot = await snapshotOf([tool], client.revision);
  const input = snapshot.tools[0]?.input ?? "";
  const args = typedArguments(name, texts, parametersOf(input, snapshot));
  const onProgress = (progress: Progress): void =>
    context.status(progressLine(progress, connection.address));
  const call = (): Promise<JsonRecord> =>
    client.callTool(
      { name, arguments: args },
      { signal: connection.signal, onProgress },
    );
  const report = await finished(`calling ${name}`, call, connection, context);
  if (!isRecord(report.json) || report.json["isError"] !== true) return report;
  return {
    ...report,
    exitCode: exitCodes.checkFailed,
    diagnostics: [...report.diagnostics, toolError(name)],
  };
}

/** Waits for a result, and hides the secrets of the connection in it. */
async function finished(
  status: string,
  call: () => Promise<JsonRecord>,
  connection: OpenConnection,
  context: Context,
): Promise<Report> {
  context.status(status);
  let result: JsonRecord;
  try {
    result = await call();
  } catch (error) {
    throw asCallError(error, connection.address);
  }
  if (isDeeper(result, maxLevels)) {
    throw new PullError(
      `The result is nested more than ${maxLevels} levels deep.`,
    );
  }
  const report = shown(result, secretsOf(connection.address));
  return { ...report, data: () => resultText(report.json) };
}

/** The report of what a server sends, without the secrets of the connection. */
function shown<T>(value: T, secrets: readonly Secret[]) {
  const { value: json, leak } = withoutSecrets(value, secrets);
  const message = `the result contains the value of ${leak?.what}, which is shown as "…"`;
  const diagnostics =
    leak === null ? [] : [makeDiagnostic("warning", "MG737", message)];
  return { exitCode: exitCodes.done, diagnostics, json: json as T };
}

/** The arguments of a prompt, which are texts. */
function promptArguments({
  pairs,
  whole,
}: ArgumentTexts): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ...Object.entries(whole).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
    ...pairs,
  ]);
}

/**
 * The tools as a snapshot, because its reader is safe for the schemas of any
 * server.
 */
async function snapshotOf(
  tools: readonly JsonRecord[],
  revision: string,
): Promise<Snapshot> {
  const none = { prompts: [], resources: [], resourceTemplates: [] };
  const text = snapshotText({
    revision,
    server: {},
    capabilities: {},
    instructions: null,
    tools,
    ...none,
  });
  const diagnostics = new Diagnostics();
  const file = "the tools of the server";
  const snapshot = await snapshotIn({ text, file, name: file }, diagnostics);
  if (snapshot === null)
    throw new CommandError(diagnostics.list, exitCodes.unreachable);
  return snapshot;
}

function unknownTool(name: string, tools: readonly JsonRecord[]): CommandError {
  const names = tools.map((tool) => String(tool["name"]).slice(0, 80));
  const more = names.length > 20 ? `, and ${names.length - 20} more` : "";
  const known =
    names.length === 0
      ? "it offers no tools"
      : `it offers ${names.slice(0, 20).join(", ")}${more}`;
  const message = `the server offers no tool ${JSON.stringify(name.slice(0, 80))}`;
  return usageError("MG744", message, suggestion(name, names) ?? known);
}

/** `12 of 40: reading`, without secrets. */
function progressLine(
  { progress, total, message }: Progress,
  address: ServerAddress,
): string {
  const amount =
    total === undefined ? String(progress) : `${progress} of ${total}`;
  const text =
    message === undefined ? amount : `${amount}: ${message.slice(0, 500)}`;
  return redacted(text, secretsOf(address));
}

function toolError(name: string): Diagnostic {
  const message = `the tool ${JSON.stringify(name.slice(0, 80))} reports an error`;
  return makeDiagnostic("error", "MG759", message);
}
