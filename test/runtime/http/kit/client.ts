import { http, type HttpClientOptions } from "@mcpgen/runtime/http";
import { afterTest } from "../../kit/closing.js";
import {
  type AnyClient,
  type ClientOptions,
  type Json,
  legacy,
  makeClient,
  type Revision,
  text,
} from "../../kit/index.js";
import { type Answer, legacyScript, Script } from "./script.js";

/** Both implementations of HTTP requests. */
export const ways: readonly { way: string; options: HttpClientOptions }[] = [
  { way: "Node's own client", options: {} },
  { way: "fetch", options: { fetch: (url, init) => fetch(url, init) } },
];

/** Connects a client to a script, and closes it after its test. */
export async function connectTo(
  script: Script,
  { protocol }: Revision,
  options: HttpClientOptions = {},
  settings: ClientOptions = {},
): Promise<AnyClient> {
  const client = await makeClient(
    protocol,
    http(script.url, options),
    settings,
  );
  afterTest(() => client.close());
  return client;
}

/** The same with the newest legacy revision, and without long waits. */
export const open = (
  script: Script,
  options: HttpClientOptions = {},
  settings: ClientOptions = {},
): Promise<AnyClient> =>
  connectTo(script, legacy, { reconnectTime: 5, ...options }, settings);

/** A legacy server with a scripted response to calls. */
export const opening = (
  calls: Answer,
  more?: { readonly listens?: boolean; readonly session?: string },
): Promise<Script> => Script.open(legacyScript(legacy.revision, calls, more));

export const call: Json & { readonly name: string } = { name: "x" };
export const done = text("done");
