import { http } from "@mcpgen/runtime/http";
import { sse } from "@mcpgen/runtime/sse";
import { webSocket } from "@mcpgen/runtime/websocket";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { event, events, json, paramsOf, result } from "../kit/script.js";
import { failure, legacy, makeClient } from "../../kit/index.js";
import { call, done, open, opening, ways } from "../kit/client.js";

describe.each(ways)("a client over HTTP, by $way", ({ options }) => {
  const error = (code: number) => ({ code, message: "no" });
  it.each([
    [400, 1, -32602],
    [405, 1, -32602],
    [413, 1, -32602],
    [422, 1, -32602],
    [422, undefined, -32600],
  ])(
    "HTTP-50 rejects with the JSON-RPC error of a %i, whose id is %j: %i",
    async (status, own, code) => {
      const script = await opening((seen, response) =>
        json(
          response,
          { jsonrpc: "2.0", id: own && seen.body?.["id"], error: error(code) },
          status,
        ),
      );
      const client = await open(script, options);
      expect(await failure(client.callTool(call))).toMatchObject({
        name: "McpError",
        code,
      });
    },
  );

  it.each([401, 403, 429, 502])(
    "rejects with the status %i, although the answer is a JSON-RPC error",
    async (status) => {
      const script = await opening((_, response) =>
        json(response, { jsonrpc: "2.0", error: error(-32600) }, status),
      );
      const client = await open(script, options);
      expect(await failure(client.callTool(call))).toMatchObject({
        name: "TransportError",
        status,
      });
    },
  );

  it.each([400, 410, 500])(
    "rejects with the status %i of an answer that is a page",
    async (status) => {
      const script = await opening(
        (_, response) =>
          void response
            .writeHead(status, { "content-type": "text/html" })
            .end("<p>password</p>"),
      );
      const client = await open(script, options);
      expect(await failure(client.callTool(call))).toMatchObject({
        name: "TransportError",
        status,
      });
    },
  );

  it.each([500, 400, 200])(
    "shows the content type and the beginning of the body of a %i, escaped, and no header that was sent",
    async (status) => {
      const script = await opening((seen, response) => {
        const { authorization, "x-key": key } = seen.headers;
        response.writeHead(status, { "content-type": "text/html" });
        response.end(
          `<p>\u001b[31m\n${authorization} ${key} zoe's pass:word ${"x".repeat(300)}end`,
        );
      });
      const token = Buffer.from("zoe:pass:word").toString("base64");
      const client = await open(script, {
        ...options,
        headers: { authorization: `Basic ${token}`, "x-key": "s3cret" },
      });
      const { message } = await failure(client.callTool(call));
      expect(message).toContain(
        String.raw`text/html "<p>\u001b[31m\n… … zoe's … x`,
      );
      expect(message).not.toContain("end");
      expect(message).not.toContain(token);
    },
  );

  it.each([
    [429, undefined, true, undefined],
    [502, undefined, true, undefined],
    [503, undefined, true, undefined],
    [504, undefined, true, undefined],
    [400, undefined, false, undefined],
    [403, undefined, false, undefined],
    [500, undefined, false, undefined],
    [503, "7", true, 7000],
    [503, new Date(Date.now() - 60_000).toUTCString(), true, 0],
    [503, "soon", true, undefined],
  ])(
    "says after a %i with the time %j whether a call may be sent again, %j, and when: %j",
    async (status, time, isRetryable, retryAfter) => {
      const script = await opening((_, response) => {
        response
          .writeHead(status, time === undefined ? {} : { "retry-after": time })
          .end();
      });
      const client = await open(script, options);
      expect(await failure(client.callTool(call))).toMatchObject({
        isRetryable,
        retryAfter,
      });
    },
  );

  it.each(["127.0.0.1", "localhost"])(
    "says that a call may be sent again if %s cannot be reached",
    async (host) => {
      const closed = await opening(() => {});
      const { url } = closed;
      await closed.close();
      const error = await failure(
        makeClient(
          legacy.protocol,
          http(url.replace("127.0.0.1", host), options),
        ),
      );
      expect(error).toMatchObject({
        name: "TransportError",
        isRetryable: true,
      });
      expect(error.message).toMatch(/could not be reached: \S/);
    },
  );

  it.each(["s3cret\r\nx: y", "s3cret\0", "s3cret\u20ac"])(
    "rejects the header %j, which is not valid, without its value",
    async (value) => {
      const script = await opening(() => {});
      const transport = http(script.url, {
        ...options,
        headers: { authorization: value },
      });
      const error = await failure(makeClient(legacy.protocol, transport));
      expect(error.message).toContain("authorization");
      expect(inspect(error, { showHidden: true })).not.toContain("s3cret");
    },
  );

  const whole = { jsonrpc: "2.0", id: "another", result: {} };
  const long = JSON.stringify({ text: "x".repeat(1000) });
  it.each([
    ["half of an object", "application/json", "{", { name: "ValidationError" }],
    [
      "nothing",
      "application/json",
      "",
      { message: expect.stringContaining("answered 200, but not the request") },
    ],
    [
      "the answer to another request",
      "application/json",
      JSON.stringify(whole),
      { name: "TransportError" },
    ],
    ["a page", "text/html", JSON.stringify(whole), { name: "TransportError" }],
    [
      "JSON that is too long",
      "application/json",
      long,
      { message: expect.stringContaining("longer than 1000 bytes") },
    ],
    [
      "an event that is too long",
      "text/event-stream",
      `data: ${long}`,
      { message: expect.stringContaining("longer than 1000 bytes") },
    ],
  ])(
    "rejects a request with the reason if the response is %s",
    async (_, type, answer, expected) => {
      const script = await opening(
        (_seen, response) =>
          void response.writeHead(200, { "content-type": type }).end(answer),
      );
      const client = await open(script, { ...options, maxMessageBytes: 1000 });
      expect(await failure(client.callTool(call))).toMatchObject(expected);
    },
  );

  it.each([null, undefined])(
    "JRPC-07 accepts an error with the id %j as the response",
    async (id) => {
      const script = await opening((_, response) =>
        json(response, { jsonrpc: "2.0", id, error: error(-32700) }),
      );
      const client = await open(script, options);
      expect(await failure(client.callTool(call))).toMatchObject({
        name: "McpError",
        code: -32700,
      });
    },
  );

  it.each([
    ["without a result", (id: unknown) => ({ jsonrpc: "2.0", id })],
    ["in an array", (id: unknown) => [{ jsonrpc: "2.0", id, result: done }]],
  ])("BATCH-05 accepts no response %s", async (_, answer) => {
    const script = await opening((seen, response) =>
      json(response, answer(seen.body?.["id"])),
    );
    const client = await open(script, options);
    expect((await failure(client.callTool(call))).message).toMatch(
      /answered 200, but not the request/,
    );
  });

  it("keeps the JSON-RPC error in the body of an answer with status 500 (HTTP-50)", async () => {
    const error = {
      code: -32603,
      message: "The disk is full.",
      data: { disk: 1 },
    };
    const script = await opening((seen, response) => {
      response.writeHead(500, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ jsonrpc: "2.0", id: seen.body?.["id"], error }),
      );
    });
    const client = await open(script, options);
    expect(await failure(client.callTool(call))).toMatchObject({
      name: "McpError",
      ...error,
    });
  });

  it("warns of an event that is not JSON, and continues", async () => {
    const script = await opening((seen, response) => {
      events(response).end(
        `data: {\n\nevent: other\ndata: {}\n\n${event(result(seen, done))}`,
      );
    });
    const warnings: string[] = [];
    const client = await open(script, options, {
      onWarning: (warning) => warnings.push(warning),
    });
    expect(await client.callTool(call)).toEqual(done);
    expect(warnings).toEqual([expect.stringContaining("not JSON")]);
  });

  it("COMPAT-08 rejects with the address of an unreachable server, without the secrets of its URL", async () => {
    const script = await opening(() => {});
    const { origin } = script;
    await script.close();
    const transport = http(
      `${origin.replace("//", "//user:secret@")}/mcp?key=secret`,
      options,
    );
    const error = await failure(makeClient(legacy.protocol, transport));
    expect(error.name).toBe("TransportError");
    expect(error.message).toContain(`${origin}/mcp could not be reached`);
    expect(error.message).not.toContain("secret");
  });

  it("rejects only the call whose connection breaks", async () => {
    const script = await opening((seen, response) => {
      const { name } = paramsOf(seen);
      if (name === "cut") response.destroy();
      else if (name === "half")
        response
          .writeHead(200, { "content-length": 100 })
          .write("{", () => response.destroy());
      else json(response, result(seen, done));
    });
    const client = await open(script, options);
    for (const name of ["cut", "half"]) {
      expect((await failure(client.callTool({ name }))).name).toBe(
        "TransportError",
      );
    }
    expect(await client.callTool(call)).toEqual(done);
  });
});

it.each([http, sse, webSocket])(
  "an invalid address is rejected without its password, by %o",
  (make) => {
    let error: unknown;
    try {
      make("http://user:s3cret@:x/");
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      name: "TypeError",
      message: expect.stringContaining("not a valid URL"),
    });
    expect(inspect(error)).not.toContain("s3cret");
  },
);
