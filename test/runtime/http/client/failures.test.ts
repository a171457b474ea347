import { http } from "@mcpgen/runtime/http";
import { sse } from "@mcpgen/runtime/sse";
import { webSocket } from "@mcpgen/runtime/websocket";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { event, events, json, paramsOf, result } from "../kit/script.js";
import { failure, type Json, legacy, makeClient } from "../../kit/index.js";
import { call, done, open, opening, ways } from "../kit/client.js";

describe.each(ways)("a client over HTTP, by $way", ({ options }) => {
  it("HTTP-50 rejects with the JSON-RPC error of any 4xx, and with the status of other responses", async () => {
    let status = 400;
    let body: ((seen: Json) => unknown) | undefined;
    const script = await opening((seen, response) => {
      if (body) json(response, body(seen.body ?? {}), status);
      else response.writeHead(status, { "content-type": "text/html" }).end("<p>password</p>");
    });
    const client = await open(script, options);
    body = ({ id }) => ({ jsonrpc: "2.0", id, error: { code: -32602, message: "no" } });
    for (status of [400, 405, 413, 422]) {
      expect(await failure(client.callTool(call))).toMatchObject({ name: "McpError", code: -32602 });
    }
    body = () => ({ jsonrpc: "2.0", error: { code: -32600, message: "which?" } });
    expect(await failure(client.callTool(call))).toMatchObject({ name: "McpError", code: -32600 });
    for (status of [401, 403, 429, 502]) {
      expect(await failure(client.callTool(call))).toMatchObject({ name: "TransportError", status });
    }
    body = undefined;
    for (status of [400, 404 + 6, 500]) {
      const error = await failure(client.callTool(call));
      expect(error).toMatchObject({ name: "TransportError", status });
    }
  });

  it("shows the content type and the beginning of the body, escaped, and no header that was sent", async () => {
    let status = 500;
    const script = await opening((seen, response) => {
      const { authorization, "x-key": key } = seen.headers;
      response.writeHead(status, { "content-type": "text/html" });
      response.end(`<p>\u001b[31m\n${authorization} ${key} zoe's pass:word ${"x".repeat(300)}end`);
    });
    const token = Buffer.from("zoe:pass:word").toString("base64");
    const client = await open(script, {
      ...options,
      headers: { authorization: `Basic ${token}`, "x-key": "s3cret" },
    });
    for (status of [500, 400, 200]) {
      const { message } = await failure(client.callTool(call));
      expect(message).toContain(String.raw`text/html "<p>\u001b[31m\n… … zoe's … x`);
      expect(message).not.toContain("end");
      expect(message).not.toContain(token);
    }
  });

  it("says whether and when a call may be sent again", async () => {
    let status = 0;
    let retryAfter: string | undefined;
    const script = await opening((_, response) => {
      response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": retryAfter }).end();
    });
    const client = await open(script, options);
    for (status of [429, 502, 503, 504])
      expect(await failure(client.callTool(call))).toMatchObject({
        isRetryable: true,
        retryAfter: undefined,
      });
    for (status of [400, 403, 500])
      expect(await failure(client.callTool(call))).toMatchObject({ isRetryable: false });
    [status, retryAfter] = [503, "7"];
    expect(await failure(client.callTool(call))).toMatchObject({ retryAfter: 7000 });
    retryAfter = new Date(Date.now() - 60_000).toUTCString();
    expect(await failure(client.callTool(call))).toMatchObject({ retryAfter: 0 });
    retryAfter = "soon";
    expect(await failure(client.callTool(call))).toMatchObject({ retryAfter: undefined });
    const closed = await opening(() => {});
    const { url } = closed;
    await closed.close();
    for (const address of [url, url.replace("127.0.0.1", "localhost")]) {
      const error = await failure(makeClient(legacy.protocol, http(address, options)));
      expect(error).toMatchObject({ name: "TransportError", isRetryable: true });
      expect(error.message).toMatch(/could not be reached: \S/);
    }
  });

  it("rejects a header that is not valid without its value", async () => {
    const script = await opening(() => {});
    for (const value of ["s3cret\r\nx: y", "s3cret\0", "s3cret\u20ac"]) {
      const transport = http(script.url, { ...options, headers: { authorization: value } });
      const error = await failure(makeClient(legacy.protocol, transport));
      expect(error.message).toContain("authorization");
      expect(inspect(error, { showHidden: true })).not.toContain("s3cret");
    }
  });

  it("rejects a request with the reason if the response is not JSON-RPC", async () => {
    let answer = "";
    let type = "application/json";
    const script = await opening(
      (_, response) => void response.writeHead(200, { "content-type": type }).end(answer),
    );
    const client = await open(script, { ...options, maxMessageBytes: 1000 });
    answer = "{";
    expect((await failure(client.callTool(call))).name).toBe("ValidationError");
    answer = "";
    expect((await failure(client.callTool(call))).message).toMatch(/answered 200, but not the request/);
    answer = JSON.stringify({ jsonrpc: "2.0", id: "another", result: {} });
    expect((await failure(client.callTool(call))).name).toBe("TransportError");
    type = "text/html";
    expect((await failure(client.callTool(call))).name).toBe("TransportError");
    answer = JSON.stringify({ text: "x".repeat(1000) });
    type = "application/json";
    expect((await failure(client.callTool(call))).message).toContain("longer than 1000 bytes");
    type = "text/event-stream";
    answer = `data: ${answer}`;
    expect((await failure(client.callTool(call))).message).toContain("longer than 1000 bytes");
  });

  it("JRPC-07 BATCH-05 accepts an error without an id as the response, and no malformed message", async () => {
    let answer: ((id: unknown) => unknown) | undefined;
    const script = await opening((seen, response) => json(response, answer?.(seen.body?.["id"])));
    const client = await open(script, options);
    for (const id of [null, undefined]) {
      answer = () => ({ jsonrpc: "2.0", id, error: { code: -32700, message: "no" } });
      expect(await failure(client.callTool(call))).toMatchObject({ name: "McpError", code: -32700 });
    }
    for (answer of [
      (id: unknown) => ({ jsonrpc: "2.0", id }),
      (id: unknown) => [{ jsonrpc: "2.0", id, result: done }],
    ]) {
      expect((await failure(client.callTool(call))).message).toMatch(/answered 200, but not the request/);
    }
  });

  it("keeps the JSON-RPC error in the body of an answer with status 500 (HTTP-50)", async () => {
    const error = { code: -32603, message: "The disk is full.", data: { disk: 1 } };
    const script = await opening((seen, response) => {
      response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: seen.body?.["id"], error }));
    });
    const client = await open(script, options);
    expect(await failure(client.callTool(call))).toMatchObject({ name: "McpError", ...error });
  });

  it("warns of an event that is not JSON, and continues", async () => {
    const script = await opening((seen, response) => {
      events(response).end(`data: {\n\nevent: other\ndata: {}\n\n${event(result(seen, done))}`);
    });
    const warnings: string[] = [];
    const client = await open(script, options, { onWarning: (warning) => warnings.push(warning) });
    expect(await client.callTool(call)).toEqual(done);
    expect(warnings).toEqual([expect.stringContaining("not JSON")]);
  });

  it("COMPAT-08 rejects with the address of an unreachable server, without the secrets of its URL", async () => {
    const script = await opening(() => {});
    const { origin } = script;
    await script.close();
    const transport = http(`${origin.replace("//", "//user:secret@")}/mcp?key=secret`, options);
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
        response.writeHead(200, { "content-length": 100 }).write("{", () => response.destroy());
      else json(response, result(seen, done));
    });
    const client = await open(script, options);
    for (const name of ["cut", "half"]) {
      expect((await failure(client.callTool({ name }))).name).toBe("TransportError");
    }
    expect(await client.callTool(call)).toEqual(done);
  });
});

it.each([http, sse, webSocket])("an invalid address is rejected without its password, by %o", (make) => {
  let error: unknown;
  try {
    make("http://user:s3cret@:x/");
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ name: "TypeError", message: expect.stringContaining("not a valid URL") });
  expect(inspect(error)).not.toContain("s3cret");
});
