import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonRecord } from "../../generator/ir/json.js";
import type { LiveClient } from "../../generator/read/live/pull.js";
import type { Authorizer } from "../../runtime/core/ports/authorizer.js";
import type * as overHttp from "../../runtime/http.js";
import type * as runtime from "../../runtime/index.js";
import type * as overStdio from "../../runtime/stdio.js";
import { proxiedFetch, proxyFor } from "./proxy.js";
import { visible } from "../terminal.js";
import type { HttpAddress } from "./address.js";
import { packageRoot, toolVersion } from "../../generator/inputs/package.js";

/**
 * Options of `connect`. The handlers determine the capabilities, and
 * `questions` is the `clientQuestions` that they need.
 */
type LiveOptions = Pick<
  runtime.NegotiateOptions,
  "info" | "timeout" | "probeTimeout" | "onError" | "onWarning"
> & { readonly handlers?: object; readonly questions?: unknown };

/** A connection that can also call tools. */
export interface CallingClient extends LiveClient {
  callTool(
    params: { readonly name: string; readonly arguments: JsonRecord },
    options: {
      readonly signal: AbortSignal;
      onProgress(progress: runtime.Progress): void;
    },
  ): Promise<JsonRecord>;
  getPrompt(
    params: {
      readonly name: string;
      readonly arguments: Readonly<Record<string, string>>;
    },
    options: { readonly signal: AbortSignal },
  ): Promise<JsonRecord>;
  readResource(
    params: { readonly uri: string },
    options: { readonly signal: AbortSignal },
  ): Promise<JsonRecord>;
  /** Ends the session. Never throws. */
  close(): Promise<void>;
}

/**
 * The generated clients of all revisions and the transports, built into one
 * file.
 */
export interface LiveModule
  extends
    Pick<typeof runtime, "McpError" | "memoryPair" | "serve">,
    Pick<typeof overHttp, "http" | "sse">,
    Pick<typeof overStdio, "stdio"> {
  /**
   * The tables of the requests of servers, which handlers of these requests
   * need.
   */
  readonly clientQuestions: unknown;
  /** A client for all revisions. */
  connect(
    transport: runtime.Transport,
    options: LiveOptions,
  ): Promise<CallingClient>;
}

/**
 * The transport to a server at a URL, through the proxy that the environment
 * selects, which `progress` then names.
 */
export function httpTransport(
  live: LiveModule,
  { url, headers, isSse }: HttpAddress,
  auth: Authorizer | undefined,
  progress: (text: string) => void,
): runtime.Transport {
  const proxy = proxyFor(url, process.env);
  if (proxy !== null) {
    const text = `connecting to ${url.host} through the proxy ${proxy.host}; NO_PROXY=${url.hostname} avoids it`;
    progress(`${visible(text)}\n`);
  }
  const options = {
    headers,
    ...(auth && { auth }),
    ...(proxy && { fetch: proxiedFetch(proxy) }),
  };
  return (isSse ? live.sse : live.http)(url, options);
}

/** Loads the module on demand, because most commands connect to no server. */
export async function loadLive(): Promise<LiveModule> {
  return (await import(
    pathToFileURL(join(packageRoot(), "dist", "live.js")).href
  )) as LiveModule;
}

/** The client name and version that mcpgen sends to servers. */
export function ourInfo(): { readonly name: string; readonly version: string } {
  return { name: "mcpgen", version: toolVersion() };
}
