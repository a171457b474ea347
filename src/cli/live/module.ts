import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { LiveClient } from "../../read/live/pull.js";
import { packageRoot, toolVersion } from "../package.js";

/** Carries messages; what it is belongs to the runtime. */
export type Carrier = object;

/** The generated clients of all revisions and the transports below them, built into one file. */
interface LiveModule {
  connect(
    transport: Carrier,
    options: { readonly info: { readonly name: string; readonly version: string } },
  ): Promise<LiveClient & { close(): Promise<void> }>;
  stdio(command: string, args: readonly string[]): Carrier;
  memoryPair(): [Carrier, Carrier];
  serve(transport: Carrier, servers: unknown): Promise<unknown>;
}

export async function loadLive(): Promise<LiveModule> {
  return (await import(pathToFileURL(join(packageRoot(), "dist", "live.js")).href)) as LiveModule;
}

/** How we introduce ourselves to a server. */
export function ourInfo(): { readonly name: string; readonly version: string } {
  return { name: "mcpgen", version: toolVersion() };
}
