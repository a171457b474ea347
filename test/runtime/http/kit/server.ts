import type { ServerDefinition } from "@mcpgen/runtime";
import {
  createHttpHandler,
  type HttpOptions,
  serveHttp,
  type ServeHttpOptions,
} from "@mcpgen/runtime/http";
import { afterEach } from "vitest";
import { everythingServer } from "../../kit/everything.js";
import {
  type AnyContext,
  type AnyServer,
  type Json,
  legacyRevisions,
  makeServer,
  type Revision,
  revisions,
  type ServerOptions,
} from "../../kit/index.js";
import type { Watch } from "../../kit/watch.js";
import { type Answer, sendNode, sendWeb, type Sent } from "./exchange.js";

/** A running server behind an endpoint. */
export interface Open {
  readonly port: number;
  send(sent: Sent): Promise<Answer>;
  close(): Promise<void>;
}

export type Servers = ServerDefinition | readonly ServerDefinition[];

export interface Endpoint {
  readonly name: string;
  open(
    servers: Servers,
    options?: HttpOptions,
    serving?: ServeHttpOptions,
  ): Promise<Open>;
}

/** Node's own server. */
export const overSockets: Endpoint = {
  name: "serveHttp",
  open: async (servers, options, serving) => {
    const up = await serveHttp(createHttpHandler(servers, options), {
      port: 0,
      ...serving,
    });
    return {
      port: up.port,
      send: (sent) => sendNode(up.port, sent),
      close: up.close,
    };
  },
};

/**
 * The same endpoint through Node's own server and as a function of web
 * requests.
 */
export const endpoints: readonly Endpoint[] = [
  overSockets,
  {
    name: "createHttpHandler",
    open: async (servers, options) => {
      const handler = createHttpHandler(servers, options);
      return {
        port: 0,
        send: (sent) => sendWeb(handler, sent),
        close: () => handler.close(),
      };
    },
  },
];

/** The context of a tool, with the functions for tests. */
export type HttpContext = AnyContext & { release(retryMs?: number): void };
export type Tools = Readonly<
  Record<string, (args: Json, context: HttpContext) => unknown>
>;

/**
 * A tool that only ends when it is aborted: it sends progress, and records its
 * start and its abort.
 */
export const stuck = (seen: Watch): Tools => ({
  stuck: async (_, { signal, progress }) => {
    progress(1);
    seen.saw("begun");
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    seen.saw("aborted");
  },
});

/** A tool that records its start, and ends when the test ends it. */
export const slow = (seen: Watch, ended: Promise<Json>): Tools => ({
  slow: () => {
    seen.saw("begun");
    return ended;
  },
});

/**
 * Servers of these revisions, by default all, with one of every feature and
 * with these tools.
 */
export function serversWith(
  tools: Tools = {},
  options: ServerOptions = {},
  expected: readonly Revision[] = revisions,
): readonly AnyServer[] {
  const { handlers = {} } = everythingServer;
  const callTool = (params: Json, context: AnyContext): unknown => {
    const tool = tools[String(params["name"])];
    if (!tool) return handlers["tools/call"]?.(params, context);
    return tool((params["arguments"] ?? {}) as Json, context as HttpContext);
  };
  const capabilities = {
    logging: {},
    tools: { listChanged: true },
    prompts: { listChanged: true },
  };
  const all = { ...handlers, "tools/call": callTool, ...options.handlers };
  const serverOptions = {
    ...everythingServer,
    capabilities,
    drainTime: 200,
    ...options,
    handlers: all,
  };
  return expected.map(({ protocol }) => makeServer(protocol, serverOptions));
}

/** The revisions that have sessions over HTTP. */
export const sessionRevisions: readonly Revision[] = legacyRevisions.filter(
  ({ facts }) => facts.headers.session !== undefined,
);
export const named = (revision: string): Revision => {
  const match = revisions.find((one) => one.revision === revision);
  if (!match) throw new Error(`There is no revision ${revision}.`);
  return match;
};

/** Opens servers behind an endpoint, and closes them after each test. */
export function serving(
  endpoint: Endpoint,
): (servers: Servers, options?: HttpOptions) => Promise<Open> {
  const opened = new Set<() => Promise<void>>();
  afterEach(async () => {
    await Promise.all([...opened].map((close) => close()));
  });
  return async (servers, options) => {
    const up = await endpoint.open(servers, options);
    const close = (): Promise<void> => {
      opened.delete(close);
      return up.close();
    };
    opened.add(close);
    return { ...up, close };
  };
}

/**
 * The same with servers that have one of every feature, by default of these
 * revisions.
 */
export function opener(
  endpoint: Endpoint,
  usual: readonly Revision[],
): (
  options?: HttpOptions,
  tools?: Tools,
  settings?: ServerOptions,
  expected?: readonly Revision[],
) => Promise<Open> {
  const serve = serving(endpoint);
  return (options = {}, tools = {}, settings = {}, expected = usual) =>
    serve(serversWith(tools, settings, expected), options);
}
