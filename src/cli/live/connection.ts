import {
  type Diagnostic,
  type Diagnostics,
  makeDiagnostic,
  SchemaError,
} from "../../generator/diagnostics.js";
import type { Authorizer } from "../../runtime/core/ports/authorizer.js";
import type { Transport } from "../../runtime/index.js";
import { authorize } from "../auth/authorize.js";
import { CommandError, Interruption } from "../command-error.js";
import type { Context } from "../command.js";
import { visible } from "../terminal.js";
import type { ServerAddress } from "./address.js";
import { declining } from "./declining.js";
import {
  type CallingClient,
  httpTransport,
  loadLive,
  type LiveModule,
  ourInfo,
} from "./module.js";
import { asReadError, RunTimeoutError } from "./read-error.js";
import { redacted, secretsOf, shownCommand } from "./secrets.js";
import { loadServer } from "./server.js";
import { standardError, type StandardError } from "./standard-error.js";

/**
 * The maximum number of warnings of one run; a server may list any number of
 * faults.
 */
const maxWarnings = 100;

/** Options for a connection to a server. */
export interface ConnectionSettings {
  /**
   * The timeout of each request in milliseconds; the whole run may take ten
   * times as long.
   */
  readonly timeout: number;
  /**
   * The client capabilities to declare: all, so that a server offers
   * everything, or none.
   */
  readonly capabilities: "all" | "none";
}

interface RunSettings extends ConnectionSettings {
  /**
   * The start of the error message after a timeout of the run: "it did not list
   * everything".
   */
  readonly timeoutText: string;
  /** The message after an interrupt. */
  readonly interruptText: string;
  /** Called with the method of each request of the server that is declined. */
  onDecline?(method: string): void;
  /** Answers a question of the server; without it, questions are declined. */
  ask?(params: unknown): Promise<unknown>;
}

/** The connection for the work of `withClient`. */
export interface OpenConnection {
  /** Aborted by an interrupt, and when the run has taken too long. */
  readonly signal: AbortSignal;
  /** The address with the tokens that are used, for hiding its secrets. */
  readonly address: ServerAddress;
  /**
   * Adds a warning about what the server sends, without the secrets of the
   * connection; at most 100 of them.
   */
  warn(text: string): void;
}

/**
 * Connects to a server, does the work, and closes the connection. Reports
 * unexpected messages of the server.
 *
 * @throws CommandError with exit code 3 if the server cannot be reached or the
 *   work fails. @throws Interruption
 */
export async function withClient<T>(
  source: ServerAddress,
  settings: RunSettings,
  context: Context,
  diagnostics: Diagnostics,
  work: (client: CallingClient, connection: OpenConnection) => Promise<T>,
): Promise<T> {
  const { timeout, capabilities, onDecline, ask } = settings;
  const live = await loadLive();
  const authorized = source.kind === "http" ? await authorize(source) : null;
  const address = authorized
    ? { ...source, tokens: authorized.tokens }
    : source;
  const end = AbortSignal.timeout(timeout * 10);
  const signal = AbortSignal.any([context.signal, end]);
  const unexpected = unexpectedOf(address);
  const warn = warningsOf(address, diagnostics);
  const open = new Set<Transport>();
  const errors = standardError(secretsOf(address), context.relay);
  const closeAll = (): void =>
    open.forEach((transport) => void transport.close());
  try {
    const transport = trackTransports(
      await transportTo(address, live, context, errors, authorized?.auth),
      open,
      signal,
      errors,
    );
    signal.addEventListener("abort", closeAll, { once: true });
    const client = await live.connect(transport, {
      info: ourInfo(),
      timeout,
      probeTimeout: Math.min(timeout, 10_000),
      ...(capabilities === "none"
        ? {}
        : {
            questions: live.clientQuestions,
            handlers: declining(() => declineError(live), onDecline, ask),
          }),
      onError: ({ name, message }) => {
        // A server that sends requests or notifications has sent messages, too.
        if (name === "TransportError" || name === "McpError") return;
        unexpected.add(message.slice(0, 2000), 1);
      },
      // By default the runtime would print warnings without hiding secrets.
      // Unreadable messages are counted.
      onWarning: (text, ignored) => {
        if (ignored === undefined) warn(text);
        else unexpected.add(text, ignored);
      },
    });
    // From here on the signal cancels each request, and the server gets a
    // notification before the connection is closed.
    signal.removeEventListener("abort", closeAll);
    try {
      return await work(client, { signal, address, warn });
    } finally {
      await client.close();
    }
  } catch (error) {
    if (context.signal.aborted) throw new Interruption(settings.interruptText);
    if (error instanceof SchemaError) throw error;
    const message = `${settings.timeoutText} within ${timeout / 100} seconds.`;
    const { diagnostics: rows, exitCode } = asReadError(
      end.aborted ? new RunTimeoutError(message) : error,
      address,
    );
    // What the server wrote besides messages is often the reason.
    throw new CommandError([...unexpected.take(), ...rows], exitCode);
  } finally {
    signal.removeEventListener("abort", closeAll);
    await Promise.all([...open].map((transport) => transport.close()));
    errors.end();
    context.status(null);
    unexpected.take().forEach((row) => diagnostics.add(row));
  }
}

/** Adds warnings without the secrets of the connection, up to the maximum. */
function warningsOf(
  address: ServerAddress,
  { root }: Diagnostics,
): (text: string) => void {
  let count = 0;
  return (text) => {
    if (count++ >= maxWarnings) return;
    const shown = redacted(text, secretsOf(address)).slice(0, 500);
    root.warn("MG736", null, shown);
  };
}

/**
 * The error for a request without a declining result. Clients use this code
 * when a user rejects a request.
 */
function declineError({ McpError }: LiveModule): Error {
  return new McpError(-1, "mcpgen declines all requests of a server.");
}

async function transportTo(
  address: ServerAddress,
  live: LiveModule,
  context: Context,
  errors: StandardError,
  auth: Authorizer | undefined,
): Promise<Transport> {
  if (address.kind === "http")
    return httpTransport(live, address, auth, context.progress);
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
  return live.stdio(
    command,
    args,
    cwd === null ? options : { ...options, cwd },
  );
}

/**
 * Adds every opened transport to the set, including later attempts. After the
 * run has ended, or after a command that failed to start, no transport is
 * opened.
 */
function trackTransports(
  transport: Transport,
  open: Set<Transport>,
  signal: AbortSignal,
  errors: StandardError,
): Transport {
  open.add(transport);
  const reconnect = transport.reconnect?.bind(transport);
  if (reconnect === undefined) return transport;
  transport.reconnect = (reason) => {
    signal.throwIfAborted();
    if (reason !== undefined && isFailedStart(reason, errors.firstOutput))
      throw reason;
    return trackTransports(reconnect(reason), open, signal, errors);
  };
  return transport;
}

/**
 * True if a command that ended without output on its standard output failed to
 * start. An older server may also end because it does not support the first
 * message: with code 0, or with an error about that message.
 */
function isFailedStart(reason: Error, errors: string): boolean {
  if (!/ ended with (?!code 0\b)/.test(reason.message)) return false;
  return !/initiali[sz]|discover|json-?rpc|handshake|protocol|method|unexpected (?:message|request)/i.test(
    errors,
  );
}

/**
 * Unexpected messages. There may be any number of them, so the first one is
 * kept and the others are counted.
 */
function unexpectedOf(address: ServerAddress): {
  add(text: string, count: number): void;
  /** The warning about them, once; none if there are none. */
  take(): readonly Diagnostic[];
} {
  let first = "";
  let total = 0;
  let isTaken = false;
  return {
    add: (text, count) => {
      if (total === 0) first = text;
      total += count;
    },
    take: () => {
      if (isTaken || total === 0) return [];
      isTaken = true;
      const more = total > 1 ? `, and ${total - 1} more like it` : "";
      const text = redacted(first, secretsOf(address)).slice(0, 200);
      return [
        makeDiagnostic(
          "warning",
          "MG736",
          `the server sent an invalid message: ${text}${more}`,
          address.kind === "stdio"
            ? "a server should log to the standard error: tell its author"
            : null,
        ),
      ];
    },
  };
}
