import { describe, expect, it } from "vitest";
import {
  errorOf,
  type Json,
  legacy,
  legacyRevisions,
  resultOf,
  text,
  textOf,
} from "../../kit/index.js";
import { ask, call, tell } from "../kit/messages.js";
import { endpoints, opener, sessionRevisions, slow } from "../kit/server.js";
import { Session } from "../kit/session.js";
import { gate, watch } from "../../kit/watch.js";

describe.each(endpoints)("the legacy shape behind $name", (endpoint) => {
  const open = opener(endpoint, legacyRevisions);

  describe.each(sessionRevisions)("at $revision", (revision) => {
    it("HTTP-01 HTTP-07 answers a request with one JSON object", async () => {
      const session = await Session.start(await open(), revision);
      expect(session.opening.header("content-type")).toBe("application/json");
      const answer = await session.post(call(1, "echo", { value: "hi" }));
      expect(answer.status).toBe(200);
      expect(answer.header("content-type")).toBe("application/json");
      const body = await answer.json();
      expect(body["id"]).toBe(1);
      expect(textOf(resultOf(body))).toBe("hi");
    });

    it("HTTP-01 answers GET on the path of POST with a stream", async () => {
      const session = await Session.start(await open(), revision);
      const stream = await session.listen();
      expect([stream.status, stream.header("content-type")]).toEqual([
        200,
        "text/event-stream",
      ]);
      stream.leave();
    });

    it("HTTP-05 answers notifications and responses with 202 and no body", async () => {
      const session = await Session.start(await open(), revision);
      for (const body of [
        tell("notifications/initialized"),
        tell("notifications/unheard", { of: 1 }),
        { jsonrpc: "2.0", id: 99, result: {} },
        { jsonrpc: "2.0", id: 99, error: { code: 1, message: "no" } },
      ]) {
        const answer = await session.post(body);
        expect([answer.status, await answer.text()]).toEqual([202, ""]);
      }
    });

    it("HTTP-06 HTTP-21 rejects an invalid message with 400 and an error, and keeps the session", async () => {
      const session = await Session.start(await open(), revision);
      /** True for a notification or a response: no request, which has both. */
      const isTold = (body: unknown): boolean =>
        /^\{("jsonrpc":"...",)?("method":"notifications|"id":99,)/.test(
          String(body),
        );
      for (const [body, code] of [
        ["{", -32700],
        ["", -32700],
        [new Uint8Array([0x22, 0xff, 0x22]), -32700],
        ["5", -32600],
        ["null", -32600],
        ['{"jsonrpc":"2.0"}', -32600],
        ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
        ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
        ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
        ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
        ['{"jsonrpc":"2.0","id":1,"method":7}', -32600],
        ['{"jsonrpc":"2.0","id":1}', -32600],
        // JSON cannot keep these ids exact (JRPC-02).
        ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600],
        ['{"jsonrpc":"2.0","id":-1e300,"method":"ping"}', -32600],
        // Notifications and responses.
        ['{"jsonrpc":"1.0","method":"notifications/initialized"}', -32600],
        ['{"method":"notifications/initialized"}', -32600],
        [
          '{"jsonrpc":"2.0","method":"notifications/initialized","params":[]}',
          -32600,
        ],
        [
          '{"jsonrpc":"2.0","method":"notifications/initialized","params":"x"}',
          -32600,
        ],
        [
          '{"jsonrpc":"2.0","method":"notifications/unheard","params":7}',
          -32600,
        ],
        ['{"jsonrpc":"1.0","id":99,"result":{}}', -32600],
        [
          '{"jsonrpc":"2.0","id":99,"result":{},"error":{"code":1,"message":"no"}}',
          -32600,
        ],
        ['{"jsonrpc":"2.0","id":99,"result":[]}', -32600],
        ['{"jsonrpc":"2.0","id":99,"error":"no"}', -32600],
        [
          '{"jsonrpc":"2.0","id":99,"error":{"code":1.5,"message":"no"}}',
          -32600,
        ],
        ['{"jsonrpc":"2.0","id":99,"error":{"code":1}}', -32600],
      ] as const) {
        const answer = await session.post(body);
        expect([body, answer.status]).toEqual([body, 400]);
        expect(errorOf(await answer.json())).toEqual({
          code,
          message: expect.stringMatching(
            isTold(body)
              ? /^Expected a notification whose params are an object, or a response with one of result and error\.$/
              : /./,
          ),
        });
      }
      expect(resultOf(await session.ask(ask(2, "ping")))).toEqual({});
    });

    it("JRPC-03 rejects an id that is in use, and still answers the first request", async () => {
      const seen = watch();
      const work = gate<Json>();
      const session = await Session.start(
        await open({}, slow(seen, work.ended)),
        revision,
      );
      const first = session.post(call("same", "slow"));
      await seen.until("begun");
      const second = await session.post(ask("same", "ping"));
      expect([second.status, (await second.json())["id"]]).toEqual([
        400,
        "same",
      ]);
      work.end(text("slow"));
      expect(textOf(resultOf(await (await first).json()))).toBe("slow");
      expect(resultOf(await session.ask(ask("same", "ping")))).toEqual({});
    });

    it("answers with an error if a result is not JSON", async () => {
      const errors: Error[] = [];
      const circle: Record<string, unknown> = {};
      circle["self"] = circle;
      const session = await Session.start(
        await open(
          {},
          {
            circle: async () => circle,
            count: () => ({ content: [], big: 1n }),
          },
          { onError: (error) => void errors.push(error) },
        ),
        revision,
      );
      for (const name of ["circle", "count"]) {
        expect(errorOf(await session.ask(call(name, name)))["code"]).toBe(
          -32603,
        );
      }
      expect(errors).toHaveLength(2);
      expect(resultOf(await session.ask(ask(2, "ping")))).toEqual({});
    });
  });

  it("JRPC-12 ignores a byte order mark, and returns text unchanged", async () => {
    const session = await Session.start(await open(), legacy);
    const value = "grüß 你好 \u{1F600} \u2028 \uFFFD";
    const bytes = new TextEncoder().encode(
      `\uFEFF${JSON.stringify(call(1, "echo", { value }))}`,
    );
    expect(textOf(resultOf(await (await session.post(bytes)).json()))).toBe(
      value,
    );
  });

  it("JRPC-02 returns ids unchanged", async () => {
    const session = await Session.start(await open(), legacy);
    for (const id of [
      0,
      -1,
      2 ** 53 - 1,
      "",
      "0",
      "é",
      "x".repeat(10_000),
      "__proto__",
    ])
      expect((await session.ask(ask(id, "ping")))["id"]).toBe(id);
  });
});
