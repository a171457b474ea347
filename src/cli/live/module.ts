import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonRecord } from "../../ir/json.js";
import type { LiveClient } from "../../read/live/pull.js";
import type { Authorizer } from "../../runtime/core/ports/authorizer.js";
import { type Fetch, proxiedFetch, proxyFor } from "../../update/proxy.js";
import { visible } from "../terminal.js";
import type { HttpAddress } from "./address.js";
import { packageRoot, toolVersion } from "../../inputs/package.js";

/** A transport of the runtime. */
export interface Transport {
  close(): Promise<void>;
  /** Opens the address again after the server ended at the first message; `reason` describes how it ended. */
  reconnect?(reason?: Error): Transport;
}

/** Options of a client that was generated for all revisions. */
export interface LiveOptions {
  readonly info: { readonly name: string; readonly version: string };
  /** In milliseconds. */
  readonly timeout: number;
  readonly probeTimeout: number;
  onError(error: Error): void;
  /** `ignored` is the number of messages of the server in a warning about unreadable ones. */
  onWarning(message: string, ignored?: number): void;
  /** Handlers for requests of the server, which determine the capabilities. */
  readonly handlers?: object;
  /** The tables that these handlers need: `clientQuestions`. */
  readonly questions?: unknown;
}

interface HttpOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly auth?: Authorizer;
  readonly fetch?: Fetch;
}

/** A connection that can also call tools. */
export interface CallingClient extends LiveClient {
  callTool(
    params: { readonly name: string; readonly arguments: JsonRecord },
    options: { readonly signal: AbortSignal; onProgress(progress: Progress): void },
  ): Promise<JsonRecord>;
  getPrompt(
    params: { readonly name: string; readonly arguments: Readonly<Record<string, string>> },
    options: { readonly signal: AbortSignal },
  ): Promise<JsonRecord>;
  readResource(
    params: { readonly uri: string },
    options: { readonly signal: AbortSignal },
  ): Promise<JsonRecord>;
  /** Ends the session. Never throws. */
  close(): Promise<void>;
}

/** A progress notification of a server for a call. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** The generated clients of all revisions and the transports, built into one file. */
export interface LiveModule {
  /** The tables of the requests of servers, which handlers of these requests need. */
  readonly clientQuestions: unknown;
  connect(transport: Transport, options: LiveOptions): Promise<CallingClient>;
  stdio(
    command: string,
    args: readonly string[],
    options: {
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
      /** A command is run only once. */
      readonly restart: false;
      /** Called with text that the server writes to its standard error. */
      stderr(text: string): void;
    },
  ): Transport;
  http(url: URL, options: HttpOptions): Transport;
  sse(url: URL, options: HttpOptions): Transport;
  readonly McpError: new (code: number, message: string) => Error;
  memoryPair(): [Transport, Transport];
  serve(transport: Transport, servers: unknown): Promise<unknown>;
}

/** The transport to a server at a URL, through the proxy that the environment selects, which `progress` then names. */
export function httpTransport(
  live: LiveModule,
  { url, headers, isSse }: HttpAddress,
  auth: Authorizer | undefined,
  progress: (text: string) => void,
): Transport {
  const proxy = proxyFor(url, process.env);
  if (proxy !== null) {
    const text = `connecting to ${url.host} through the proxy ${proxy.host}; NO_PROXY=${url.hostname} avoids it`;
    progress(`${visible(text)}\n`);
  }
  const options = { headers, ...(auth && { auth }), ...(proxy && { fetch: proxiedFetch(proxy) }) };
  return (isSse ? live.sse : live.http)(url, options);
}

/** Loads the module on demand, because most commands connect to no server. */
export async function loadLive(): Promise<LiveModule> {
  return (await import(pathToFileURL(join(packageRoot(), "dist", "live.js")).href)) as LiveModule;
}

/** The client name and version that mcpgen sends to servers. */
export function ourInfo(): { readonly name: string; readonly version: string } {
  return { name: "mcpgen", version: toolVersion() };
}
