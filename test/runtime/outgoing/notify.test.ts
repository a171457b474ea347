import {
  memoryPair,
  serve,
  type ServerDefinition,
  type Transport,
} from "@mcpgen/runtime";
import { createHttpHandler, http, serveHttp } from "@mcpgen/runtime/http";
import { tasks } from "@mcpgen/runtime/tasks";
import { tools } from "@mcpgen/runtime/features";
import { afterEach, describe, expect, it } from "vitest";
import {
  type AnyClient,
  type AnyContext,
  type AnyHandlers,
  byRevision,
  everything,
  type Json,
  makeClient,
  makeServer,
  modern,
  text,
  turns,
} from "../kit/index.js";
import { until } from "../kit/watch.js";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/**
 * The carriers. Each function serves, and returns a function that opens another
 * connection.
 */
const carriers: readonly {
  readonly carrier: string;
  open(server: ServerDefinition): Promise<() => Promise<Transport>>;
}[] = [
  {
    carrier: "connections",
    open: async (server) => async () => {
      const [clientTransport, serverTransport] = memoryPair();
      await serve(serverTransport, server);
      return clientTransport;
    },
  },
  {
    carrier: "HTTP",
    open: async (server) => {
      const up = await serveHttp(createHttpHandler(server), { port: 0 });
      closing.push(() => up.close());
      return async () => http(`http://127.0.0.1:${up.port}/mcp`);
    },
  },
];

describe.each(carriers)(
  "a notification that a running handler sends over $carrier",
  ({ open }) => {
    it("LIFE-06 SUBS-03 is sent only to listeners at 2026-07-28", async () => {
      const uri = "a:1";
      const notify = (_: Json, context: AnyContext): Json => {
        context.notify("notifications/tools/list_changed");
        context.notify("notifications/prompts/list_changed");
        context.notify("notifications/resources/updated", { uri });
        context.notify("notifications/resources/updated", { uri: "a:2" });
        return text("done");
      };
      const server = makeServer(modern.protocol, {
        capabilities: everything,
        handlers: { "tools/call": notify },
      });
      const connect = await open(server);
      const messages: unknown[] = [];
      const handlersOf = (who: string): AnyHandlers =>
        Object.fromEntries(
          [
            "tools/list_changed",
            "prompts/list_changed",
            "resources/updated",
          ].map((name) => [
            `notifications/${name}`,
            (params: Json) =>
              messages.push([
                who,
                name,
                ...(params?.["uri"] ? [params["uri"]] : []),
              ]),
          ]),
        );
      const listener = await makeClient(modern.protocol, await connect(), {
        handlers: handlersOf("listener"),
      });
      const caller = await makeClient(modern.protocol, await connect(), {
        handlers: handlersOf("caller"),
      });
      closing.push(
        () => listener.close(),
        () => caller.close(),
      );
      let isOpen = false;
      const listening = listener.subscriptionsListen?.(
        {
          notifications: {
            toolsListChanged: true,
            resourceSubscriptions: [uri],
          },
        },
        { onNotice: () => (isOpen = true) },
      ) as Promise<unknown>;
      listening.catch(() => {});
      await until(() => isOpen);
      expect(await caller.callTool({ name: "x" })).toMatchObject(text("done"));
      await until(() => messages.length >= 2);
      await turns();
      expect(messages).toEqual([
        ["listener", "tools/list_changed"],
        ["listener", "resources/updated", uri],
      ]);
    });

    it("LIFE-06 ELIC-14 about a complete page is sent only to a client that declared URL mode", async () => {
      const protocol = byRevision["2025-11-25"];
      if (!protocol) throw new Error("There is no such revision.");
      const method = "notifications/elicitation/complete";
      const server = makeServer(protocol, {
        handlers: {
          "tools/call": async (_: Json, { notify, request }: AnyContext) => {
            const page = {
              mode: "url",
              message: "?",
              url: "https://example.com/",
              elicitationId: "1",
            };
            await request("elicitation/create", page).catch(() => {});
            notify(method, { elicitationId: "1" });
            return text("done");
          },
        },
      });
      const connect = await open(server);
      const messages: unknown[] = [];
      const join = async (elicitation: Json): Promise<AnyClient> => {
        const client = await makeClient(protocol, await connect(), {
          capabilities: { elicitation } as never,
          handlers: {
            "elicitation/create": () => ({ action: "accept" }),
            [method]: ({ elicitationId }: Json) =>
              messages.push([Object.keys(elicitation), elicitationId]),
          },
        });
        closing.push(() => client.close());
        return client;
      };
      const [able, unable] = [
        await join({ url: {} }),
        await join({ form: {} }),
      ];
      await unable.callTool({ name: "x" });
      await able.callTool({ name: "x" });
      await until(() => messages.length > 0);
      expect(messages).toEqual([[["url"], "1"]]);
    });

    const aboutTasks = () => {
      const protocol = byRevision["2025-11-25"];
      if (!protocol) throw new Error("There is no such revision.");
      const method = "notifications/tasks/status";
      const warnings: string[] = [];
      const work = async (_: Json, { notify }: AnyContext): Promise<string> => {
        const now = new Date(0).toISOString();
        const view = {
          status: "working",
          createdAt: now,
          lastUpdatedAt: now,
          ttl: null,
        };
        notify(method, { ...view, taskId: "mine" });
        return "done";
      };
      const hear = async (more: object): Promise<unknown[]> => {
        const messages: unknown[] = [];
        const list = tools([
          {
            name: "x",
            handler: work as never,
            execution: { taskSupport: "optional" },
          },
        ]);
        const server = makeServer(protocol, {
          handlers: { ...list, ...more } as never,
          onWarning: (message) => warnings.push(message),
        });
        const client = await makeClient(
          protocol,
          await (
            await open(server)
          )(),
          {
            handlers: { [method]: ({ taskId }: Json) => messages.push(taskId) },
          },
        );
        closing.push(() => client.close());
        await client.callTool({ name: "x" });
        await client.ping?.();
        await turns();
        return messages;
      };
      return { method, warnings, hear };
    };

    it("TASK-13 about a task is sent if the server declared tasks", async () => {
      const { warnings, hear } = aboutTasks();
      expect(await hear(tasks())).toEqual(["mine"]);
      expect(warnings).toEqual([]);
    });

    it("LIFE-06 TASK-13 about a task is not sent if the server did not declare tasks, with a warning", async () => {
      const { method, warnings, hear } = aboutTasks();
      expect(await hear({})).toEqual([]);
      expect(warnings).toEqual([
        `${method} was not sent: it needs {"tasks":{}} among the server's capabilities.`,
      ]);
    });
  },
);
