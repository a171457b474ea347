import { connect } from "node:net";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { legacy, modern, resultOf } from "../../kit/index.js";
import { sendNode } from "../kit/exchange.js";
import { ask, hello, modernPost } from "../kit/messages.js";
import { endpoints, serversWith } from "../kit/server.js";
import { Session } from "../kit/session.js";
import { nothingUnhandled, scale, seed } from "./kit.js";

describe("hostile input", () => {
  const runs = 60 * Math.min(scale, 50);

  it("does not stop the server from answering others if it is not HTTP", async () => {
    const errors: Error[] = [];
    const servers = serversWith(
      {},
      { onError: (error) => void errors.push(error) },
    );
    const up = await serveHttp(createHttpHandler(servers), {
      port: 0,
      requestTimeout: 2000,
    });
    const session = await Session.start(
      { ...up, send: (sent) => sendNode(up.port, sent) },
      legacy,
    );
    const body = JSON.stringify(hello(legacy.revision));
    const good = [
      "POST /mcp HTTP/1.1",
      "Host: 127.0.0.1",
      "Accept: application/json, text/event-stream",
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "",
      body,
    ].join("\r\n");
    const mutation = fc.record({
      at: fc.nat(good.length),
      remove: fc.nat(20),
      insert: fc.oneof(
        fc.uint8Array({ maxLength: 20 }),
        fc
          .constantFrom(
            "\r\n",
            "\0",
            ": ",
            "Transfer-Encoding: chunked\r\n",
            "Content-Length: 5\r\n",
            "Expect: 100-continue\r\n",
            "Upgrade: h2c\r\nConnection: Upgrade\r\n",
          )
          .map((one) => new TextEncoder().encode(one)),
      ),
    });
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(mutation, { minLength: 1, maxLength: 4 }).map((all) => {
        let buffer = Buffer.from(good);
        for (const { at, remove, insert } of all)
          buffer = Buffer.concat([
            buffer.subarray(0, at),
            insert,
            buffer.subarray(at + remove),
          ]);
        return buffer;
      }),
    );
    let id = 0;
    await fc.assert(
      fc.asyncProperty(bytes, async (data) => {
        const socket = connect(up.port, "127.0.0.1");
        let output = "";
        socket
          .on("error", () => {})
          .on(
            "data",
            (chunk: Buffer) => void (output += chunk.toString("latin1")),
          );
        socket.end(data);
        await new Promise((resolve) => socket.once("close", resolve));
        expect(output).not.toMatch(/^HTTP\/1\.1 500/);
        expect(resultOf(await session.ask(ask(++id, "ping")))).toEqual({});
      }),
      { numRuns: runs, seed },
    );
    expect(errors.filter((error) => error instanceof TypeError)).toEqual([]);
    await up.close();
  });

  it.each(endpoints)(
    "gets a response that is not 500 for any request, through $name",
    async (endpoint) => {
      const errors: Error[] = [];
      const up = await endpoint.open(
        serversWith({}, { onError: (error) => void errors.push(error) }),
        {
          keepAliveTime: 5,
        },
      );
      const session = await Session.start(up, legacy);
      const alike = fc.oneof(
        fc.jsonValue(),
        fc.record(
          {
            jsonrpc: fc.constantFrom("2.0", "1.0", 2),
            id: fc.constantFrom(1, "a", null, 1.5, {}, -0, 2 ** 60),
            method: fc.constantFrom(
              "ping",
              "initialize",
              "tools/list",
              "notifications/cancelled",
              "__proto__",
              5,
              "subscriptions/listen",
            ),
            params: fc.oneof(
              fc.jsonValue(),
              fc.constant(modernPost(modern, ask(1, "ping")).body as object),
            ),
            result: fc.jsonValue(),
            error: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
      );
      const value = fc.oneof(
        fc.constantFrom(
          "2025-06-18",
          "2026-07-28",
          "",
          "*/*",
          "application/json",
          "text/event-stream",
          "=?base64?!?=",
          "0-1",
        ),
        fc.string({ unit: fc.constantFrom(..."abc,;=\"' %?/") }),
      );
      const headers = fc.dictionary(
        fc.constantFrom(
          "accept",
          "content-type",
          "mcp-session-id",
          "mcp-protocol-version",
          "mcp-method",
          "mcp-name",
          "last-event-id",
          "origin",
          "authorization",
        ),
        value,
      );
      const sent = fc.record({
        method: fc.constantFrom(
          "POST",
          "POST",
          "POST",
          "GET",
          "DELETE",
          "OPTIONS",
          "PUT",
        ),
        inSession: fc.boolean(),
        headers,
        body: fc.oneof(
          alike,
          fc.array(alike, { maxLength: 3 }),
          fc.string(),
          fc.uint8Array(),
        ),
      });
      await fc.assert(
        fc.asyncProperty(
          sent,
          async ({ method, inSession, headers: custom, body }) => {
            const own = inSession && method !== "DELETE" ? session.headers : {};
            const answer = await up.send({
              method,
              headers: { ...own, ...custom },
              ...(method !== "GET" && method !== "DELETE" && { body }),
            });
            expect([200, 202, 204, 400, 403, 404, 405, 406, 415]).toContain(
              answer.status,
            );
            answer.leave();
          },
        ),
        { numRuns: runs * 3, seed },
      );
      expect(
        errors.filter(
          (error) => error instanceof TypeError || error instanceof RangeError,
        ),
      ).toEqual([]);
      expect(resultOf(await session.ask(ask("last", "ping")))).toEqual({});
      await up.close();
    },
  );
});

nothingUnhandled();
