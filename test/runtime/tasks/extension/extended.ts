import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerDefinition, memoryPair, serve } from "@mcpgen/runtime";
import { createHttpHandler, http, serveHttp } from "@mcpgen/runtime/http";
import { afterEach } from "vitest";
import { shortLived } from "../../../engine.js";
import { program } from "../../../repository.js";
import { sendNode } from "../../http/kit/exchange.js";
import { modernPost } from "../../http/kit/messages.js";
import {
  type Revision,
  type AnyClient,
  type AnyServer,
  byRevision,
  type ClientOptions,
  described,
  type Json,
  legacy,
  makeClient,
  makeServer,
  metaFor,
  modern,
  type ServerOptions,
  serveWire,
} from "../../kit/index.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcpgen-extended-")));

const args = ["--version", `${legacy.revision},${modern.revision}`, "--extension", "tasks"];
execFileSync(process.execPath, [...shortLived, program, ...args, "--out", folder, "--quiet"], {
  stdio: "inherit",
});
const { protocols, createServers } = (await import(join(folder, "index.ts"))) as {
  readonly protocols: typeof byRevision;
  createServers(options: Json & ServerOptions): readonly AnyServer[];
};

/** The newest revision, with the tasks extension merged in. */
export const tasked = described(protocols).find(({ isModern }) => isModern) as Revision;
/** Servers of this revision and of the newest legacy one, with the same handlers. */
export { createServers };

/** The capabilities that declare the extension. */
export const extension = "io.modelcontextprotocol/tasks";
export const declared: Json = { extensions: { [extension]: {} } };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A running server, for raw requests and for generated clients. */
export interface Up {
  readonly server: AnyServer;
  /** Sends one request, whose client declares the extension by default, and returns the response. */
  ask(method: string, params?: Json, capabilities?: Json): Promise<Json>;
  connect(options?: ClientOptions, one?: Revision): Promise<AnyClient>;
}

/** The carriers of the tests. */
export const carriers: readonly { readonly carrier: string; open(options: ServerOptions): Promise<Up> }[] = [
  {
    carrier: "memory",
    open: async (options) => {
      const server = makeServer(tasked.protocol, options);
      const wire = await serveWire(server);
      let last = 0;
      return {
        server,
        ask: (method, params = {}, capabilities = declared) =>
          wire.ask(++last, method, { ...params, _meta: metaFor(tasked, capabilities) }),
        connect: (settings, one = tasked) => connectInMemory(server, one, settings),
      };
    },
  },
  {
    carrier: "HTTP",
    open: async (options) => {
      const server = makeServer(tasked.protocol, options);
      const up = await serveHttp(createHttpHandler(server), { port: 0 });
      closing.push(() => up.close());
      return {
        server,
        ask: async (method, params = {}, capabilities = declared) => {
          const message = { jsonrpc: "2.0", id: 1, method, params };
          return (await sendNode(up.port, modernPost(tasked, message, { capabilities }))).json();
        },
        connect: async (settings, one = tasked) => {
          const client = await makeClient(one.protocol, http(`http://127.0.0.1:${up.port}/mcp`), settings);
          closing.push(() => client.close());
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
  closing.push(() => client.close());
  return client;
}
