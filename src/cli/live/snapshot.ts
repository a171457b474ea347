import type { ServerSource } from "../../config.js";
import { type Diagnostics, SchemaError } from "../../diagnostics.js";
import { pull } from "../../read/live/pull.js";
import type { Authorizer } from "../../runtime/authorizer.js";
import { authorize } from "../auth/authorize.js";
import { Interruption, usageError } from "../command-error.js";
import type { Context } from "../context.js";
import { visible } from "../terminal.js";
import { declining } from "./declining.js";
import { asReadError, SecretListed, TooLong } from "./read-error.js";
import { type Transport, loadLive, type LiveModule, ourInfo } from "./module.js";
import type { ServerAddress } from "./address.js";
import { addressOf } from "./find-address.js";
import { findLeak, redacted } from "./redact.js";
import { secretsOf, shownCommand } from "./secrets.js";
import { loadServer } from "./server.js";
import { standardError, type StandardError } from "./standard-error.js";

/** Options for reading a server. */
export interface PullSettings {
  /** The timeout of each request in milliseconds; the whole run may take ten times as long. */
  readonly timeout: number;
  /** The client capabilities to declare: all, so that a server offers everything, or none. */
  readonly capabilities: "all" | "none";
}

/** The default timeout of each request, in seconds. */
const defaultTimeout = 60;

/** Takes a snapshot of the server that a source names; a command starts in the folder of this process. */
export async function pullSnapshot(
  source: ServerSource,
  context: Context,
  diagnostics: Diagnostics,
): Promise<string> {
  const address = await addressOf(source, context.directory);
  return await pullFrom(address, readSettings(source), context, diagnostics);
}

/**
 * Takes a snapshot of a server, and reports unexpected messages.
 *
 * @throws CommandError with exit code 3 if the server cannot be read. @throws Interruption
 */
export async function pullFrom(
  source: ServerAddress,
  settings: PullSettings,
  context: Context,
  diagnostics: Diagnostics,
): Promise<string> {
  const live = await loadLive();
  const authorized = source.kind === "http" ? await authorize(source) : null;
  const address = authorized ? { ...source, tokens: authorized.tokens } : source;
  const end = AbortSignal.timeout(settings.timeout * 10);
  const signal = AbortSignal.any([context.signal, end]);
  const odd = { first: "", count: 0 };
  const open = new Set<Transport>();
  const errors = standardError(secretsOf(address), context.relay);
  const closeAll = (): void => open.forEach((transport) => void transport.close());
  try {
    const transport = followed(
      await transportTo(address, live, context, errors, authorized?.auth),
      open,
      signal,
      errors,
    );
    signal.addEventListener("abort", closeAll, { once: true });
    const client = await live.connect(transport, {
      info: ourInfo(),
      timeout: settings.timeout,
      probeTimeout: Math.min(settings.timeout, 10_000),
      ...(settings.capabilities === "none" ? {} : { handlers: declining(() => declineError(live)) }),
      onError: ({ name, message }) => {
        // A server that sends requests or notifications has sent messages, too.
        if (name === "TransportError" || name === "McpError") return;
        if (odd.count++ === 0) odd.first = message.slice(0, 2000);
      },
      // By default the runtime would print warnings without hiding secrets.
      onWarning: () => {},
    });
    try {
      const text = await pull(client, { signal, onPage: progress(context) });
      rejectSecrets(text, address);
      return text;
    } finally {
      await client.close();
    }
  } catch (error) {
    if (context.signal.aborted) throw new Interruption("interrupted; nothing was written");
    if (error instanceof SchemaError) throw error;
    const late = `it did not list everything within ${settings.timeout / 100} seconds.`;
    throw asReadError(end.aborted ? new TooLong(late) : error, address);
  } finally {
    signal.removeEventListener("abort", closeAll);
    errors.end();
    context.status(null);
    if (odd.count > 0) reportOdd(odd, address, diagnostics);
  }
}

/** The error for a request without a declining result. Clients use this code when a user rejects a request. */
function declineError({ McpError }: LiveModule): Error {
  return new McpError(-1, "mcpgen only reads what the server offers and declines all requests.");
}

/** The progress of the lists, in one line. */
function progress({ status }: Context): (what: string, count: number) => void {
  const counts = new Map<string, number>();
  return (what, count) => {
    counts.set(what, count);
    status([...counts].map(([list, count]) => `${list}: ${count}`).join(", "));
  };
}

async function transportTo(
  address: ServerAddress,
  live: LiveModule,
  context: Context,
  errors: StandardError,
  auth: Authorizer | undefined,
): Promise<Transport> {
  if (address.kind === "http")
    return (address.isSse ? live.sse : live.http)(address.url, {
      headers: address.headers,
      ...(auth && { auth }),
    });
  if (address.kind === "module") {
    const server = await loadServer(address.module, context.directory);
    const [ours, theirs] = live.memoryPair();
    await live.serve(theirs, server);
    return ours;
  }
  const { command, args, env, cwd, written } = address;
  // Printed before the command runs, because it has the user's rights.
  context.progress(visible(`starting ${shownCommand(written)}\n`));
  const options = { env, restart: false, stderr: errors.write } as const;
  return live.stdio(command, args, cwd === null ? options : { ...options, cwd });
}

/**
 * Adds every opened transport to the set, including later attempts. After the run has ended, or after a command that failed to
 * start, no transport is opened.
 */
function followed(
  transport: Transport,
  open: Set<Transport>,
  signal: AbortSignal,
  errors: StandardError,
): Transport {
  open.add(transport);
  const again = transport.again?.bind(transport);
  if (again === undefined) return transport;
  transport.again = (reason) => {
    signal.throwIfAborted();
    if (reason !== undefined && isFailedStart(reason, errors.seen)) throw reason;
    return followed(again(reason), open, signal, errors);
  };
  return transport;
}

/**
 * True if a command that ended without output on its standard output failed to start. An older server may also end because
 * it does not support the first message: with code 0, or with an error about that message.
 */
function isFailedStart(reason: Error, errors: string): boolean {
  if (!/ ended with (?!code 0\b)/.test(reason.message)) return false;
  return !/initiali[sz]|discover|json-?rpc|handshake|protocol|method|unexpected (?:message|request)/i.test(
    errors,
  );
}

/** A server may list a secret of its connection, and a snapshot is committed. */
function rejectSecrets(text: string, address: ServerAddress): void {
  const leak = findLeak(JSON.parse(text), secretsOf(address));
  if (leak === null) return;
  throw new SecretListed(leak.path, leak.secret);
}

/** Unexpected messages. There may be any number of them, so the first one is kept and the others are counted. */
interface Unexpected {
  readonly first: string;
  readonly count: number;
}

function reportOdd({ first, count }: Unexpected, address: ServerAddress, diagnostics: Diagnostics): void {
  const more = count > 1 ? `, and ${count - 1} more like it` : "";
  diagnostics.root.warn(
    "MG736",
    null,
    `the server sent an invalid message: ${redacted(first, secretsOf(address)).slice(0, 200)}${more}`,
    address.kind === "stdio" ? "log to the standard error instead" : null,
  );
}

/** The settings of a source. */
export function readSettings({ timeout, capabilities = "all" }: ServerSource): PullSettings {
  return { timeout: readTimeout(timeout), capabilities };
}

function readTimeout(seconds: number = defaultTimeout): number {
  if (seconds > 0 && seconds <= 3600) return seconds * 1000;
  throw usageError(
    "MG702",
    "--timeout must be a number of seconds, at most 3600",
    "for example --timeout 10",
  );
}
