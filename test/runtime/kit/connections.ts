import {
  memoryPair,
  serve,
  type Serving,
  type Transport,
} from "@mcpgen/runtime";
import { info, type Json } from "./messages.js";
import type {
  AnyClient,
  AnyProtocol,
  AnyServer,
  ClientOptions,
  Revision,
  ServerOptions,
} from "./revisions.js";
import { turns, Wire } from "./wire.js";

export const makeServer = (
  protocol: AnyProtocol,
  options: ServerOptions = {},
): AnyServer =>
  protocol.createServer({
    info,
    questions: protocol.serverQuestions,
    handlers: {},
    ...options,
  });

export const makeClient = (
  protocol: AnyProtocol,
  transport: Transport,
  options: ClientOptions = {},
): Promise<AnyClient> =>
  protocol.Client.connect(transport, {
    info,
    questions: protocol.clientQuestions,
    ...options,
  });

/** A client and a server of one revision, joined in memory. */
export async function join(
  protocol: AnyProtocol,
  {
    server = {},
    client = {},
  }: { server?: ServerOptions; client?: ClientOptions } = {},
): Promise<{ client: AnyClient; server: AnyServer; serving: Serving }> {
  const [clientTransport, serverTransport] = memoryPair();
  const definition = makeServer(protocol, server);
  const serving = await serve(serverTransport, definition);
  return {
    client: await makeClient(protocol, clientTransport, client),
    server: definition,
    serving,
  };
}

/** All that a server may declare. */
export const everything: Json = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  logging: {},
  completions: {},
};

/** The `_meta` that a request of the modern era brings along. */
export function metaFor({ facts }: Revision, capabilities: Json = {}): Json {
  const {
    protocolVersion = "",
    clientInfo = "",
    clientCapabilities = "",
  } = facts.meta;
  return {
    [protocolVersion]: facts.revision,
    [clientInfo]: info,
    [clientCapabilities]: capabilities,
  };
}

/** Opens a legacy session by hand. */
export async function shakeHands(
  wire: Wire,
  revision: string,
  capabilities: Json = {},
): Promise<Json> {
  const answer = await wire.ask("hello", "initialize", {
    protocolVersion: revision,
    capabilities,
    clientInfo: info,
  });
  wire.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  await turns();
  return answer;
}

/**
 * A client of one revision with a test in place of its server, opened by hand.
 */
export async function clientWire(
  { protocol, facts }: Revision,
  options: ClientOptions = {},
  capabilities: Json = everything,
): Promise<{ client: AnyClient; wire: Wire }> {
  const [clientTransport, serverTransport] = memoryPair();
  const wire = new Wire(serverTransport);
  const opening = makeClient(protocol, clientTransport, options);
  if (facts.opening === "initialize") {
    await wire.answer({
      protocolVersion: facts.revision,
      capabilities,
      serverInfo: info,
    });
  } else {
    const cached = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
    await wire.answer({
      supportedVersions: [facts.revision],
      capabilities,
      ...cached,
    });
  }
  const client = await opening;
  if (facts.opening === "initialize") await wire.next();
  return { client, wire };
}
