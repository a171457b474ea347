import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { LiveClient } from "../../read/live/pull.js";
import { packageRoot, toolVersion } from "../../sources/package.js";

/** Carries messages; what it is belongs to the runtime. */
export interface Carrier {
  close(): Promise<void>;
  /** The same once more, for a server that took the first question for its end; the reason says how it ended. */
  again?(reason?: Error): Carrier;
}

/** How a client that was generated for all revisions is opened. */
export interface LiveOptions {
  readonly info: { readonly name: string; readonly version: string };
  /** Milliseconds, as all times here. */
  readonly timeout: number;
  readonly probeTimeout: number;
  onError(error: Error): void;
  onWarning(message: string): void;
  /** Answers to what the server asks; the capabilities follow from them. */
  readonly handlers?: object;
}

/** The generated clients of all revisions and the transports below them, built into one file. */
export interface LiveModule {
  connect(carrier: Carrier, options: LiveOptions): Promise<LiveClient & { close(): Promise<void> }>;
  stdio(
    command: string,
    args: readonly string[],
    options: {
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
      /** What was told once is run once. */
      readonly restart: false;
      /** Gets what the server writes to its standard error. */
      stderr(text: string): void;
    },
  ): Carrier;
  http(url: URL, options: { readonly headers: Readonly<Record<string, string>> }): Carrier;
  sse(url: URL, options: { readonly headers: Readonly<Record<string, string>> }): Carrier;
  readonly McpError: new (code: number, message: string) => Error;
  memoryPair(): [Carrier, Carrier];
  serve(carrier: Carrier, servers: unknown): Promise<unknown>;
}

export async function loadLive(): Promise<LiveModule> {
  return (await import(pathToFileURL(join(packageRoot(), "dist", "live.js")).href)) as LiveModule;
}

/** How we introduce ourselves to a server. */
export function ourInfo(): { readonly name: string; readonly version: string } {
  return { name: "mcpgen", version: toolVersion() };
}
