// What a platform promises beside the response. Whatever is rewritten in
// `role/http-server` must keep each row, on each way to a handler and in both
// eras.
import { createHttpHandler, type HttpOptions } from "@mcpgen/runtime/http";
import { describe, expect, it } from "vitest";
import { afterTest } from "../../kit/closing.js";
import {
  type Json,
  legacy,
  modern,
  resultOf,
  text,
  textOf,
  turns,
} from "../../kit/index.js";
import { gate, until, watch } from "../../kit/watch.js";
import {
  type Client,
  carriers,
  tenantHeader,
  tenants,
} from "../kit/carriers.js";
import type { Sent } from "../kit/exchange.js";
import { ask, call, hello, modernPost, tell } from "../kit/messages.js";
import { serversWith, stuck, type Tools } from "../kit/server.js";

/** A client of one revision: returns the POSTs of its messages. */
interface Era {
  readonly era: string;
  readonly isModern: boolean;
  readonly options: HttpOptions;
  enter(client: Client): Promise<(message: Json) => Sent>;
}

const { version = "", session: sessionHeader = "" } = legacy.facts.headers;

const eras: readonly Era[] = [
  {
    era: modern.revision,
    isModern: true,
    options: {},
    enter: async () => (message) => modernPost(modern, message),
  },
  {
    era: `${legacy.revision} without sessions`,
    isModern: false,
    options: { sessions: false },
    enter: async () => (body) => ({
      body,
      headers: { [version]: legacy.revision },
    }),
  },
  {
    era: legacy.revision,
    isModern: false,
    options: {},
    enter: async (client) => {
      const opening = await client.send({ body: hello(legacy.revision) });
      const id = opening.header(sessionHeader.toLowerCase());
      await opening.text();
      const headers = { [version]: legacy.revision, [sessionHeader]: id };
      const ready = tell("notifications/initialized");
      await (await client.send({ body: ready, headers })).text();
      return (body) => ({ body, headers });
    },
  },
];

const withHeaders = (sent: Sent, headers: Sent["headers"]): Sent => ({
  ...sent,
  headers: { ...sent.headers, ...headers },
});

/** Sends the head and half of the body of a request. */
function beginHalf(client: Client, sent: Sent) {
  const body = JSON.stringify(sent.body);
  const middle = Math.floor(body.length / 2);
  const sending = client.begin(sent);
  sending.write(body.slice(0, middle));
  return {
    ...sending,
    finish: () => {
      sending.write(body.slice(middle));
      sending.end();
    },
  };
}

describe.each(carriers)("behind $name", (carrier) => {
  const open = (tools: Tools, options: HttpOptions = {}) => {
    const servers = serversWith(tools);
    const handler = createHttpHandler(servers, options);
    afterTest(() => handler.close());
    return { servers, client: carrier.open(handler) };
  };

  describe.each(eras)("a client of $era", ({ isModern, options, enter }) => {
    const whoAmI: Tools = {
      tenant: async () => {
        const before = tenants.getStore();
        await turns(2);
        return text(`${before} ${tenants.getStore()}`);
      },
    };

    it.each(["whole", "split"])(
      "async context: a handler and `authenticate` have the one in which their request arrived, with a %s body",
      async (kind) => {
        const seen = new Set<unknown>();
        const authenticate = async (): Promise<Json> => {
          seen.add(tenants.getStore());
          await turns(1);
          return {};
        };
        const all = { ...options, authenticate };
        const client = await open(whoAmI, all).client;
        const post = await enter(client);
        seen.clear();
        const sent = withHeaders(post(call(1, "tenant")), {
          [tenantHeader]: "red",
        });
        const sending = kind === "whole" ? undefined : beginHalf(client, sent);
        await turns();
        sending?.finish();
        const answer = await (sending?.answer ?? client.send(sent));
        expect(textOf(resultOf(await answer.json()))).toBe("red red");
        expect([...seen]).toEqual(["red"]);
      },
    );

    it("async context: two requests at once, and one after the other on a connection, see their own", async () => {
      const client = await open(whoAmI, options).client;
      const post = await enter(client);
      const names = ["red", "blue", "green"];
      const sendings = names.map((name, id) =>
        beginHalf(
          client,
          withHeaders(post(call(id, "tenant")), { [tenantHeader]: name }),
        ),
      );
      await turns();
      for (const { finish } of [...sendings].reverse()) finish();
      for (const [i, { answer }] of sendings.entries())
        expect(textOf(resultOf(await (await answer).json()))).toBe(
          `${names[i]} ${names[i]}`,
        );
      for (const name of names) {
        const sent = withHeaders(post(call(name, "tenant")), {
          [tenantHeader]: name,
        });
        const answer = await client.send(sent);
        expect(textOf(resultOf(await answer.json()))).toBe(`${name} ${name}`);
      }
    });

    /** Resolves once a request is answered with 200 and not refused. */
    const untilServed = (client: Client, post: (message: Json) => Sent) =>
      until(async () => {
        const answer = await client.send(post(call("next", "echo")));
        await answer.text();
        expect(answer.status).toBe(200);
      });

    it("disconnect while the caller is identified: its slot is free", async () => {
      const seen = watch();
      const arrived = gate<Json>();
      let waits = false;
      const authenticate = async (): Promise<Json> => {
        if (!waits) return {};
        waits = false;
        seen.saw("asked");
        return arrived.ended;
      };
      const limits = { requests: 1 };
      const tools = stuck(seen);
      const client = await open(tools, { ...options, authenticate, limits })
        .client;
      const post = await enter(client);
      waits = true;
      const sent = post(call(1, "echo"));
      const sending = client.begin(sent);
      sending.write(JSON.stringify(sent.body));
      sending.end();
      await seen.until("asked");
      sending.leave();
      await turns();
      arrived.end({});
      await untilServed(client, post);
    });

    it("disconnect in the middle of a body: its slot is free", async () => {
      const seen = watch();
      const authenticate = (): Json => {
        seen.saw("asked");
        return {};
      };
      const limits = { requests: 1 };
      const client = await open({}, { ...options, authenticate, limits })
        .client;
      const post = await enter(client);
      const before = seen.events.length;
      const sending = beginHalf(client, post(call(1, "echo")));
      await seen.until("asked", before + 1);
      await turns();
      sending.leave();
      await untilServed(client, post);
    });

    it.each(["before anything is sent", "during a stream"])(
      `disconnect while a handler runs, %s: it is ${isModern ? "" : "not "}cancelled, and its slot is free once it has ended`,
      async (phase) => {
        const seen = watch();
        const ending = gate<Json>();
        const work: Tools = {
          work: async (_, { signal, progress }) => {
            if (phase === "during a stream") progress(1);
            signal.addEventListener("abort", () => seen.saw("aborted"));
            seen.saw("begun");
            const aborted = new Promise<Json>((resolve) =>
              signal.addEventListener("abort", () => resolve(text("aborted"))),
            );
            const result = await Promise.race([ending.ended, aborted]);
            seen.saw("ended");
            return result;
          },
        };
        const limits = { requests: 4 };
        const client = await open(work, { ...options, limits }).client;
        const post = await enter(client);
        const sendings = [1, 2, 3, 4].map((id) => {
          const sent = post(call(id, "work", {}, { progressToken: id }));
          const sending = client.begin(sent);
          sending.write(JSON.stringify(sent.body));
          sending.end();
          return sending;
        });
        await seen.until("begun", 4);
        if (phase === "during a stream")
          for (const { answer } of sendings) await (await answer).next();
        for (const { leave } of sendings) leave();
        if (isModern) await seen.until("aborted", 4);
        else {
          await turns();
          expect(seen.events).not.toContain("aborted");
          const refused = await client.send(post(call(5, "echo")));
          await refused.text();
          expect(refused.status).toBe(503);
          ending.end(text("done"));
        }
        await seen.until("ended", 4);
        await untilServed(client, post);
      },
    );

    it("backpressure: a handler that waits for its client to read goes on when that client leaves", async () => {
      const seen = watch();
      const long = "x".repeat(100_000);
      const flood: Tools = {
        flood: async (_, { progress, signal }) => {
          seen.saw("begun");
          for (let i = 1; !signal.aborted && i < 200; i++) {
            await (progress(i, undefined, long) as unknown);
            await turns(1);
            if (i === 30) seen.saw("sending");
          }
          seen.saw("ended");
          return text("");
        },
      };
      const client = await open(flood, options).client;
      const post = await enter(client);
      const sent = post(call(1, "flood", {}, { progressToken: 1 }));
      const sending = client.begin(sent);
      sending.write(JSON.stringify(sent.body));
      sending.end();
      await seen.until("begun");
      await (await sending.answer).next();
      await turns(20);
      sending.leave();
      await seen.until("ended");
      await untilServed(client, post);
    });

    it("half-read body: the next request on the connection gets its response", async () => {
      const client = await open({}, options).client;
      const post = await enter(client);
      const big = withHeaders(
        post(call(1, "echo", { value: "x".repeat(1e6) })),
        {
          "content-type": "text/plain",
        },
      );
      const refused = await client.send(big);
      await refused.text();
      expect(refused.status).toBe(415);
      await untilServed(client, post);
    });
  });

  it("GET: a stream whose client is gone loses no notification", async () => {
    const { servers, client: opening } = open({});
    const client = await opening;
    const post = await (eras[2] as Era).enter(client);
    const { headers = {} } = post({});
    const get = {
      method: "GET",
      headers: { ...headers, accept: "text/event-stream" },
    };
    const stream = await client.send(get);
    const { id = "" } = (await stream.next()) ?? {};
    stream.leave();
    const announce = (): void => {
      for (const { notify } of servers) notify["toolsListChanged"]?.();
    };
    await turns(20);
    announce();
    const again = await client.send(withHeaders(get, { "last-event-id": id }));
    expect((await again.message())["method"]).toBe(
      "notifications/tools/list_changed",
    );
    again.leave();
  });

  it("GET: a stream is open when its headers arrive, and ends with the server", async () => {
    const { client: opening } = open({});
    const client = await opening;
    const post = await (eras[2] as Era).enter(client);
    const { headers = {} } = post({});
    const stream = await client.send({ method: "GET", headers });
    expect([stream.status, stream.header("content-type")]).toEqual([
      200,
      "text/event-stream",
    ]);
    const ended = await client.send({ method: "DELETE", headers });
    expect(ended.status).toBe(204);
    while (await stream.next());
  });

  it("a stream of notifications whose client leaves makes room for another", async () => {
    const limits = { sessions: 1 };
    const client = await open({}, { limits }).client;
    const notifications = { toolsListChanged: true };
    const listen = (id: number) =>
      client.send(
        modernPost(modern, ask(id, "subscriptions/listen", { notifications })),
      );
    const first = await listen(1);
    expect(first.status).toBe(200);
    await first.next();
    expect((await listen(2)).status).toBe(503);
    first.leave();
    await until(async () => expect((await listen(3)).status).toBe(200));
  });
});

describe.each(carriers.filter(({ isWeb }) => !isWeb))(
  "behind $name, a stream of a program's own function",
  (carrier) => {
    it("that breaks off is not taken for a whole one", async () => {
      const client = await carrier.open(() => {
        let isFirst = true;
        const body = new ReadableStream({
          pull: async (controller) => {
            if (isFirst) {
              isFirst = false;
              return controller.enqueue(
                new TextEncoder().encode("data: 1\n\n"),
              );
            }
            await turns();
            controller.error(new Error("The source broke."));
          },
        });
        return new Response(body, {
          headers: { "content-type": "text/event-stream" },
        });
      });
      const answer = await client.send({ method: "GET" });
      expect((await answer.next())?.data).toBe("1");
      await answer.text();
      expect(answer.isBroken).toBe(true);
    });
  },
);
