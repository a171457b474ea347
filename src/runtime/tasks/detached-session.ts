import { Connection } from "../core/jsonrpc/connection.js";
import { ServerDispatcher } from "../core/jsonrpc/dispatcher.js";
import type { Transport } from "../core/ports/transport.js";
import type { ServerSessionConfig } from "../core/session/config.js";
import type { ServerSideSession } from "../core/session/server-side.js";

/** A session of a server without a client, for work whose caller is elsewhere. */
export function detachedSession(
  config: ServerSessionConfig,
): ServerSideSession {
  const { settings, side } = config;
  const connection = new Connection(nowhere, settings);
  const dispatcher = new ServerDispatcher(connection, settings);
  return side.engine(config, dispatcher, []) as ServerSideSession;
}

/** Nobody gets what the session sends. */
const nowhere: Transport = {
  carrier: "http",
  start() {},
  send() {},
  async close() {},
};
