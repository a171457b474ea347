import { sse } from "@mcpgen/runtime/sse";
import type { ServerResponse } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { afterTest } from "../../kit/closing.js";
import { info, legacy, makeClient } from "../../kit/index.js";
import { call, done, open } from "../kit/client.js";
import {
  event,
  events,
  json,
  legacyScript,
  paramsOf,
  result,
  Script,
} from "../kit/script.js";

describe("`maxConnections` of a client over HTTP", () => {
  it("does not count the stream of notifications", async () => {
    const script = await Script.open(
      legacyScript(
        legacy.revision,
        (seen, response) => {
          if (seen.method === "GET") events(response).write(": open\n\n");
          else json(response, result(seen, done));
        },
        { listens: true },
      ),
    );
    const client = await open(script, { maxConnections: 1 });
    await script.until(({ method }) => method === "GET");
    for (let i = 0; i < 3; i++)
      expect(await client.callTool(call)).toEqual(done);
  });

  it("does not count answers to the questions of open calls", async () => {
    const asking = new Map<unknown, () => void>();
    const script = await Script.open(
      legacyScript(legacy.revision, (seen, response) => {
        const params = {
          message: "?",
          requestedSchema: { type: "object", properties: {} },
        };
        const id = `q${String(seen.body?.["id"])}`;
        events(response).write(
          event({ jsonrpc: "2.0", id, method: "elicitation/create", params }),
        );
        asking.set(id, () => response.end(event(result(seen, done))));
      }),
    );
    const { answer } = script;
    script.answer = (seen, ...more) => {
      asking.get(seen.body?.["id"])?.();
      answer(seen, ...more);
    };
    const handlers = {
      "elicitation/create": () => ({ action: "decline" as const }),
    };
    const client = await open(script, { maxConnections: 2 }, { handlers });
    const calls = [
      client.callTool(call),
      client.callTool(call),
      client.callTool(call),
    ];
    expect(await Promise.all(calls)).toEqual([done, done, done]);
  });

  it("does not count cancellations, and counts calls", async () => {
    const script = await Script.open(legacyScript(legacy.revision, () => {}));
    const client = await open(script, { maxConnections: 1 });
    const stop = new AbortController();
    const first = client
      .callTool({ name: "first" }, { signal: stop.signal })
      .catch(() => {});
    const second = client
      .callTool({ name: "second" }, { timeout: 60_000 })
      .catch(() => {});
    await script.until((seen) => paramsOf(seen)["name"] === "first");
    stop.abort();
    await script.until(
      ({ body }) => body?.["method"] === "notifications/cancelled",
    );
    await script.until((seen) => paramsOf(seen)["name"] === "second");
    await client.close();
    await Promise.all([first, second]);
    const names = script.seen
      .map((seen) => paramsOf(seen)["name"])
      .filter((name) => name !== undefined);
    expect(names).toEqual(["first", "second"]);
  });

  it("does not count the stream of HTTP+SSE", async () => {
    let stream: ServerResponse | undefined;
    const script = await Script.open((seen, response) => {
      if (seen.method === "GET") {
        stream = events(response);
        return void stream.write("event: endpoint\ndata: /messages\n\n");
      }
      response.writeHead(202).end();
      const hello = {
        protocolVersion: legacy.revision,
        capabilities: { tools: {} },
        serverInfo: info,
      };
      const isOpening = seen.body?.["method"] === "initialize";
      if (seen.body?.["id"] !== undefined)
        stream?.write(event(result(seen, isOpening ? hello : done)));
    });
    await using client = await makeClient(
      legacy.protocol,
      sse(script.url, { maxConnections: 1 }),
    );
    expect(await client.callTool(call)).toEqual(done);
  });
});

describe("a client over HTTP", () => {
  it.each(["Bun", "Deno", "WebSocketPair"])(
    "sends requests by `fetch` on a platform with %s, even if it has the modules of Node",
    async (name) => {
      const script = await Script.open(
        legacyScript(legacy.revision, (seen, response) =>
          json(response, result(seen, done)),
        ),
      );
      const { fetch } = globalThis;
      const sending = vi.fn(fetch);
      vi.stubGlobal(name, {});
      vi.stubGlobal("fetch", sending);
      afterTest(() => vi.unstubAllGlobals());
      const client = await open(script);
      expect(await client.callTool(call)).toEqual(done);
      expect(sending).toHaveBeenCalled();
    },
  );

  it("sends no request by `fetch` on Node", async () => {
    const script = await Script.open(
      legacyScript(legacy.revision, (seen, response) =>
        json(response, result(seen, done)),
      ),
    );
    const sending = vi.spyOn(globalThis, "fetch");
    afterTest(() => sending.mockRestore());
    const client = await open(script);
    expect(await client.callTool(call)).toEqual(done);
    expect(sending).not.toHaveBeenCalled();
  });
});
