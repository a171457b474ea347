import { createHttpHandler } from "@mcpgen/runtime/http";
import { describe, expect, it } from "vitest";
import { type Json, modern, text } from "../../kit/index.js";
import { until } from "../../kit/watch.js";
import { sendWeb } from "../kit/exchange.js";
import { ask, call } from "../kit/messages.js";
import { serverSets, post } from "../kit/modern.js";
import { endpoints, serversWith, serving } from "../kit/server.js";

describe.each(endpoints)("listeners behind $name", (endpoint) => {
  const serve = serving(endpoint);

  it.each(serverSets)(
    "of $who receive each requested notification, sent by the server object or in a handler (SUBS-12)",
    async ({ served, sessions }) => {
      const uri = "test://a";
      const listed = "notifications/tools/list_changed";
      const updated = "notifications/resources/updated";
      const change = (
        _: Json,
        { notify }: { notify(method: string, params?: Json): void },
      ): Json => {
        notify(listed);
        notify(updated, { uri });
        return text("changed");
      };
      const capabilities = {
        tools: { listChanged: true },
        resources: { subscribe: true },
      };
      const servers = serversWith({ change }, { capabilities }, served);
      const up = await serve(servers, { sessions });
      const filters: readonly [
        id: unknown,
        filter: Json,
        methods: readonly string[],
      ][] = [
        [
          "both",
          { toolsListChanged: true, resourceSubscriptions: [uri] },
          [listed, updated],
        ],
        [7, { toolsListChanged: true }, [listed]],
        ["one", { resourceSubscriptions: [uri] }, [updated]],
      ];
      const streams = [];
      for (const [id, notifications] of filters) {
        const stream = await up.send(
          post(ask(id, "subscriptions/listen", { notifications })),
        );
        expect((await stream.message())["method"]).toContain("acknowledged");
        streams.push(stream);
      }
      const server = servers.find(
        ({ revision }) => revision === modern.revision,
      );
      server?.notify["toolsListChanged"]?.();
      server?.notify["resourceUpdated"]?.({ uri });
      expect((await up.send(post(call(1, "change")))).status).toBe(200);
      const { subscriptionId = "" } = modern.facts.meta;
      for (const [i, [id, , methods]] of filters.entries()) {
        for (const method of [...methods, ...methods]) {
          const _meta = { [subscriptionId]: id };
          expect(await streams[i]?.message()).toMatchObject({
            method,
            params: { _meta },
          });
        }
      }
      for (const stream of streams) stream.leave();
    },
  );
});

it("a listener that disconnects while authenticate runs leaves no session behind (HTTP-45)", async () => {
  const servers = serversWith(
    {},
    { capabilities: { tools: { listChanged: true } } },
    [modern],
  );
  const client = new AbortController();
  const handler = createHttpHandler(servers, {
    authenticate: () => {
      client.abort();
      return { principal: "ada" };
    },
  });
  const notifications = { toolsListChanged: true };
  const sent = {
    ...post(ask(1, "subscriptions/listen", { notifications })),
    signal: client.signal,
  };
  expect((await sendWeb(handler, sent)).status).toBe(499);
  await until(() =>
    expect(servers.map(({ core }) => core.sessions.size)).toEqual([0]),
  );
  await handler.close();
});
