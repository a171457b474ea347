import { type ServerDefinition, memoryPair, serve } from "@mcpgen/runtime";
import { createHttpHandler, http, serveHttp } from "@mcpgen/runtime/http";
import { afterTest } from "../../kit/closing.js";
import { extended } from "../../kit/extended.js";
import { sendNode } from "../../http/kit/exchange.js";
import { modernPost } from "../../http/kit/messages.js";
import {
  type Revision,
  type AnyClient,
  type AnyServer,
  type ClientOptions,
  type Json,
  legacy,
  makeClient,
  makeServer,
  metaFor,
  modern,
  type ServerOptions,
  serveWire,
} from "../../kit/index.js";

const { revisions, createServers } = await extended(
  [legacy.revision, modern.revision],
  "tasks",
);

/** The newest revision, with the tasks extension merged in. */
export const tasked = revisions.find(({ isModern }) => isModern) as Revision;
/**
 * Servers of this revision and of the newest legacy one, with the same
 * handlers.
 */
export { createServers };

/** The capabilities that declare the extension. */
export const extension = "io.modelcontextprotocol/tasks";
export const declared: Json = { extensions: { [extension]: {} } };

/** A running server, for raw requests and for generated clients. */
export interface Up {
  readonly server: AnyServer;
  /**
   * Sends one request, whose client declares the extension by default, and
   * returns the response.
   */
  ask(method: string, params?: Json, capabilities?: Json): Promise<Json>;
  connect(options?: ClientOptions, one?: Revision): Promise<AnyClient>;
}

/** The carriers of the tests. */
export const carriers: readonly {
  readonly carrier: string;
  open(options: ServerOptions): Promise<Up>;
}[] = [
  {
    carrier: "memory",
    open: async (options) => {
      const server = makeServer(tasked.protocol, options);
      const wire = await serveWire(server);
      let last = 0;
      return {
        server,
        ask: (method, params = {}, capabilities = declared) =>
          wire.ask(++last, method, {
            ...params,
            _meta: metaFor(tasked, capabilities),
          }),
        connect: (settings, one = tasked) =>
          connectInMemory(server, one, settings),
      };
    },
  },
  {
    carrier: "HTTP",
    open: async (options) => {
      const server = makeServer(tasked.protocol, options);
      const up = await serveHttp(createHttpHandler(server), { port: 0 });
      afterTest(() => up.close());
      return {
        server,
        ask: async (method, params = {}, capabilities = declared) => {
          const message = { jsonrpc: "2.0", id: 1, method, params };
          return (
            await sendNode(
              up.port,
              modernPost(tasked, message, { capabilities }),
            )
          ).json();
        },
        connect: async (settings, one = tasked) => {
          const client = await makeClient(
            one.protocol,
            http(`http://127.0.0.1:${up.port}/mcp`),
            settings,
          );
          afterTest(() => client.close());
          return client;
        },
      };
    },
  },
];

export async function connectInMemory(
  servers: ServerDefinition | readonly ServerDefinition[],
  { protocol }: Revision,
  settings?: ClientOptions,
): Promise<AnyClient> {
  const [clientTransport, serverTransport] = memoryPair();
  await serve(serverTransport, servers);
  const client = await makeClient(protocol, clientTransport, settings);
  afterTest(() => client.close());
  return client;
}
