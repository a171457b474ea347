import { info, type Json, metaFor, type Revision } from "../../kit/index.js";
import type { Sent } from "./exchange.js";

/** A request as it is sent. */
export const ask = (id: unknown, method: string, params?: Json): Json => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
export const tell = (method: string, params?: Json): Json => ({
  jsonrpc: "2.0",
  method,
  params,
});
export const call = (
  id: unknown,
  name: string,
  args: Json = {},
  meta?: Json,
): Json =>
  ask(id, "tools/call", {
    name,
    arguments: args,
    ...(meta && { _meta: meta }),
  });
export const hello = (revision: string, capabilities: Json = {}): Json =>
  ask("hello", "initialize", {
    protocolVersion: revision,
    capabilities,
    clientInfo: info,
  });

/** A complete POST of the modern era, whose headers match its body. */
export function modernPost(
  revision: Revision,
  message: Json,
  more: {
    readonly capabilities?: Json;
    readonly headers?: Sent["headers"];
  } = {},
): Sent {
  const params = (message["params"] ?? {}) as Json;
  const { version = "", method = "", name = "" } = revision.facts.headers;
  const subject = params["name"] ?? params["uri"] ?? params["taskId"];
  const _meta = {
    ...metaFor(revision, more.capabilities),
    ...(params["_meta"] as Json),
  };
  return {
    headers: {
      [version]: revision.revision,
      [method]: String(message["method"]),
      ...(typeof subject === "string" && { [name]: subject }),
      ...more.headers,
    },
    body: { ...message, params: { ...params, _meta } },
  };
}
