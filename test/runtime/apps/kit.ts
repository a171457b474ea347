import {
  memoryPair,
  serve,
  type ServerDefinition,
  type Transport,
} from "@mcpgen/runtime";
import { apps } from "@mcpgen/runtime/apps";
import { createHttpHandler, http, serveHttp } from "@mcpgen/runtime/http";
import { afterTest } from "../kit/closing.js";
import { extended } from "../kit/extended.js";
import {
  type AnyClient,
  type AnyHandlers,
  type AnyServer,
  type ClientOptions,
  info,
  type Json,
  legacy,
  makeClient,
  modern,
  type Revision,
  type ServerOptions,
} from "../kit/index.js";

const generated = await extended(
  ["2025-03-26", legacy.revision, modern.revision],
  "apps",
);
const all = generated.revisions;
/**
 * The revisions that have the extension, one from before it, and the newest.
 */
export const withApps: readonly Revision[] = all.filter(
  ({ revision }) => revision !== "2025-03-26",
);
export const [oldest] = all.filter(
  ({ revision }) => revision === "2025-03-26",
) as [Revision];
export const [newest] = withApps.filter(({ isModern }) => isModern) as [
  Revision,
];

/** The key under which both sides declare the extension. */
export const id = "io.modelcontextprotocol/ui";
/** What a client declares that shows views. */
export const declared: Json = {
  extensions: { [id]: { mimeTypes: ["text/html;profile=mcp-app"] } },
};

/**
 * A generated client, with the method that the tests of views need beside those
 * of every client.
 */
export interface AppClient extends AnyClient {
  listResources(params?: Json): Promise<Json>;
  listResourceTemplates(params?: Json): Promise<Json>;
}

/** Servers of all revisions with these handlers and those of apps. */
export const createServers = (
  handlers: object,
  options: Omit<ServerOptions, "handlers"> = {},
): readonly AnyServer[] =>
  generated.createServers({
    info,
    ...options,
    handlers: { ...handlers, ...apps() } as AnyHandlers,
  });

/** The ways to a server. */
export const carriers = [
  "memory",
  "Streamable HTTP",
  "Streamable HTTP without sessions",
] as const;
export type Carrier = (typeof carriers)[number];

/**
 * A client that shows views, unless its options say otherwise, of a server with
 * these handlers.
 */
export async function connect(
  { protocol }: Revision,
  servers: readonly ServerDefinition[],
  carrier: Carrier = "memory",
  options: ClientOptions = { handlers: apps() as object as AnyHandlers },
): Promise<AppClient> {
  const client = await makeClient(
    protocol,
    await transportTo(servers, carrier),
    options,
  );
  afterTest(() => client.close());
  return client as AppClient;
}

async function transportTo(
  servers: readonly ServerDefinition[],
  carrier: Carrier,
): Promise<Transport> {
  if (carrier === "memory") {
    const [clientTransport, serverTransport] = memoryPair();
    await serve(serverTransport, servers);
    return clientTransport;
  }
  const options = carrier === "Streamable HTTP" ? {} : { sessions: false };
  const serving = await serveHttp(createHttpHandler(servers, options), {
    port: 0,
  });
  afterTest(() => serving.close());
  return http(serving.url);
}

/** A client whose server sends these contents for every resource. */
export const clientOf = (...contents: readonly unknown[]) => ({
  readResource: () => Promise.resolve({ contents }),
});
