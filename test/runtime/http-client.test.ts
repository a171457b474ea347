import { http, type HttpClientOptions } from "@mcpgen/runtime/http";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  event,
  events,
  json,
  legacyScript,
  paramsOf,
  result,
  Script,
  failure as refusal,
} from "./http-script.js";
import {
  type AnyClient,
  type ClientOptions,
  failure,
  type Json,
  legacy,
  legacyRevisions,
  makeClient,
  text,
  textOf,
  turns,
} from "./kit.js";

const clients: AnyClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** Both ways in which the requests may be made. */
const ways: readonly { way: string; options: HttpClientOptions }[] = [
  { way: "Node's own client", options: {} },
  { way: "fetch", options: { fetch: (url, init) => fetch(url, init) } },
];

async function open(
  script: Script,
  options: HttpClientOptions = {},
  settings: ClientOptions = {},
): Promise<AnyClient> {
  const client = await makeClient(
    legacy.protocol,
    http(script.url, { reconnectTime: 5, ...options }),
    settings,
  );
  clients.push(client);
  return client;
}

/** Notes which of these times, in milliseconds, are waited for from now on. */
function waitsAmong(...times: readonly number[]): () => readonly number[] {
  const spy = vi.spyOn(globalThis, "setTimeout");
  return () => {
    const waited = spy.mock.calls.map(([, time]) => Number(time)).filter((time) => times.includes(time));
    spy.mockRestore();
    return waited;
  };
}

const call = { name: "x" };
const opening = (calls: Parameters<typeof legacyScript>[1], more?: Parameters<typeof legacyScript>[2]) =>
  Script.open(legacyScript(legacy.revision, calls, more));
const done = text("done");

describe.each(ways)("a client over HTTP, by $way", ({ options }) => {
  it("HTTP-02 HTTP-03 HTTP-04 HTTP-07 posts each message, and takes one JSON object for an answer", async () => {
    const script = await opening((seen, response) => json(response, result(seen, done)));
    const client = await open(script, options);
    expect(await client.callTool(call)).toEqual(done);
    await script.until(({ method }) => method === "GET");
    expect([...script.story].sort()).toEqual([
      "GET",
      "initialize",
      "notifications/initialized",
      "tools/call",
    ]);
    for (const { headers, body } of script.seen.filter(({ method }) => method === "POST")) {
      expect(body?.["jsonrpc"]).toBe("2.0");
      expect(headers.accept).toContain("application/json");
      expect(headers.accept).toContain("text/event-stream");
      expect(headers["content-type"]).toBe("application/json");
    }
  });

  it("HTTP-07 HTTP-19 SSE-09 takes a stream of events, in whatever pieces, with what belongs to the call before its answer", async () => {
    const script = await opening((seen, response) => {
      const { progressToken } = paramsOf(seen)["_meta"] as Json;
      const params = { progressToken, progress: 1 };
      const heard = { jsonrpc: "2.0", method: "notifications/progress", params };
      const bytes = Buffer.from(
        `\uFEFF: hello\n\nid: 1\ndata:\n\n${event(heard, "2")}${event(result(seen, text("é 🎲")), "3")}`,
      );
      events(response);
      for (const byte of bytes) response.write(Buffer.from([byte]));
      response.end();
    });
    const client = await open(script, options);
    const heard: number[] = [];
    const answer = await client.callTool(call, { onProgress: ({ progress }) => heard.push(progress) });
    expect(textOf(answer)).toBe("é 🎲");
    expect(heard).toEqual([1]);
  });

  it("SESS-01 SESS-03 SESS-07 HTTP-11 sends the session and the version on all that follows, and ends the session", async () => {
    const script = await opening((seen, response) => json(response, result(seen, done)));
    const client = await open(script, options);
    await client.callTool(call);
    await script.until(({ method }) => method === "GET");
    await client.close();
    const [first, ...rest] = script.seen;
    expect(first?.headers["mcp-session-id"]).toBeUndefined();
    expect(first?.headers["mcp-protocol-version"]).toBeUndefined();
    expect(rest.at(-1)?.method).toBe("DELETE");
    for (const { headers } of rest) {
      expect(headers["mcp-session-id"]).toBe("s-1");
      expect(headers["mcp-protocol-version"]).toBe(legacy.revision);
    }
  });

  it("SESS-07 ends no session where there is none", async () => {
    const script = await opening((seen, response) => json(response, result(seen, done)), { session: "" });
    const client = await open(script, options);
    await client.callTool(call);
    await client.close();
    expect(script.story).not.toContain("DELETE");
    expect(script.seen.every(({ headers }) => headers["mcp-session-id"] === undefined)).toBe(true);
  });

  it("HTTP-14 HTTP-15 hears on a stream of its own what belongs to no request, and answers there what is asked", async () => {
    const script = await opening(
      (seen, response) => {
        if (seen.method === "GET") {
          events(response).write(event({ jsonrpc: "2.0", id: "p", method: "ping" }));
          response.write(
            event({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: 1 } }),
          );
        } else json(response, result(seen, done));
      },
      { listens: true },
    );
    const heard: Json[] = [];
    const handlers = { "notifications/message": (params: Json) => void heard.push(params) };
    await open(script, options, { handlers });
    const answer = await script.until(({ body }) => body?.["id"] === "p");
    expect(answer.body).toMatchObject({ id: "p", result: {} });
    expect(heard).toEqual([{ level: "info", data: 1 }]);
    const get = script.seen.find(({ method }) => method === "GET");
    expect(get?.headers.accept).toBe("text/event-stream");
    expect(get?.headers["content-type"]).toBeUndefined();
    // A stream that is open already is not opened twice.
    expect(script.story.filter((what) => what === "GET")).toHaveLength(1);
  });

  it("HTTP-15 gets on without such a stream, and does not ask again", async () => {
    const faults: Error[] = [];
    const script = await opening((seen, response) => json(response, result(seen, done)));
    const client = await open(script, options, { onError: (error) => faults.push(error) });
    await script.until(({ method }) => method === "GET");
    for (let i = 0; i < 3; i++) await client.callTool(call);
    await client.setLevel?.({ level: "error" });
    expect(script.story.filter((what) => what === "GET")).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it("HTTP-20 CANC-01 CANC-09 tells the server of a call it gives up, and lets the stream go", async () => {
    const script = await opening((_, response) => void events(response).write(": wait\n\n"));
    const client = await open(script, options);
    const controller = new AbortController();
    const calling = failure(client.callTool(call, { signal: controller.signal }));
    const asked = await script.until(({ body }) => body?.["method"] === "tools/call");
    controller.abort(new Error("enough"));
    expect((await calling).message).toBe("enough");
    const told = await script.until(({ body }) => body?.["method"] === "notifications/cancelled");
    expect(paramsOf(told)["requestId"]).toBe(asked.body?.["id"]);
    expect(await asked.cut).toBe(true);
  });

  it("SSE-02 SSE-06 takes up a stream that broke where it was, after the time the server names", async () => {
    const script = await opening((seen, response) => {
      if (seen.method === "GET") {
        expect(seen.headers["last-event-id"]).toBe("a-1");
        return void events(response).end(event({ ...result(script.seen[2] ?? seen, done) }, "a-2"));
      }
      events(response).end("id: a-1\nretry: 77\ndata:\n\n");
    });
    const client = await open(script, { ...options, reconnectTime: 1 });
    await script.until(({ method }) => method === "GET");
    script.seen.length = 2;
    const waits = waitsAmong(1, 77);
    expect(await client.callTool(call)).toEqual(done);
    const [, , post, get] = script.seen;
    expect(post?.body?.["method"]).toBe("tools/call");
    expect(get?.method).toBe("GET");
    expect(get?.headers["mcp-session-id"]).toBe("s-1");
    expect(waits()).toEqual([77]);
  });

  it("SSE-02 takes up a stream as often as that brings news", async () => {
    let pieces = 0;
    const script = await opening((seen, response) => {
      pieces++;
      const asked = script.seen.find(({ body }) => body?.["method"] === "tools/call") ?? seen;
      const last = pieces === 12 ? event(result(asked, done), "end") : `id: ${pieces}\ndata:\n\n`;
      events(response).end(`retry: 1\n${last}`);
    });
    const client = await open(script, { ...options, maxReconnects: 2 });
    expect(await client.callTool(call)).toEqual(done);
    const resumed = script.seen.flatMap(({ headers }) => headers["last-event-id"] ?? []);
    expect(resumed).toEqual(Array.from({ length: 11 }, (_, i) => String(i + 1)));
  });

  it("SSE-07 waits ever longer where the server names no time, and gives up after some attempts", async () => {
    const script = await opening((seen, response) => {
      if (seen.method === "GET") response.writeHead(503).end();
      else events(response).end("id: 1\ndata:\n\n");
    });
    const client = await open(script, { ...options, reconnectTime: 13, maxReconnects: 3 });
    const waits = waitsAmong(13, 26, 52, 104);
    const error = await failure(client.callTool(call));
    expect(error).toMatchObject({ name: "TransportError", status: 503 });
    expect(script.seen.filter(({ headers }) => headers["last-event-id"])).toHaveLength(3);
    expect(waits()).toEqual([13, 26, 52]);
  });

  it("SSE-11 fails a request whose stream ends without an answer and without an id", async () => {
    const script = await opening((_, response) => void events(response).end(": nothing\n\n"));
    const client = await open(script, options);
    const error = await failure(client.callTool(call));
    expect(error.name).toBe("TransportError");
    expect(error.message).toMatch(/stream ended before the answer/);
    expect(script.seen.some(({ headers }) => headers["last-event-id"])).toBe(false);
  });

  it("SSE-07 opens its own stream again when it breaks", async () => {
    const script = await opening(
      (seen, response) => {
        if (seen.method === "GET") events(response).end();
        else json(response, result(seen, done));
      },
      { listens: true },
    );
    const faults: Error[] = [];
    const client = await open(
      script,
      { ...options, reconnectTime: 1, maxReconnects: 3 },
      { onError: (error) => faults.push(error) },
    );
    while (faults.length === 0) await turns();
    expect(faults[0]?.name).toBe("TransportError");
    expect(script.story.filter((what) => what === "GET")).toHaveLength(4);
    // Its calls go on all the same.
    expect(await client.callTool(call)).toEqual(done);
  });

  it("HTTP-22 follows redirects within the origin, and none to another", async () => {
    const elsewhere = await Script.open((_, response) => void response.writeHead(500).end());
    let target = "/other";
    const script = await opening((seen, response) => {
      if (seen.url === "/mcp") response.writeHead(307, { location: target }).end();
      else json(response, result(seen, done));
    });
    const headers = { authorization: "Bearer secret" };
    const client = await open(script, { ...options, headers });
    expect(await client.callTool(call)).toEqual(done);
    const last = script.seen.at(-1);
    expect(last).toMatchObject({ url: "/other", method: "POST", body: { method: "tools/call" } });
    expect(last?.headers.authorization).toBe("Bearer secret");
    for (target of [elsewhere.url, "/mcp", "https://"]) {
      expect(await failure(client.callTool(call))).toMatchObject({ name: "TransportError", status: 307 });
    }
    expect(elsewhere.seen).toEqual([]);
  });

  it("HTTP-22 takes no redirect that would lose the message", async () => {
    const script = await opening((seen, response) => {
      if (seen.url === "/mcp") response.writeHead(302, { location: "/other" }).end();
      else json(response, result(seen, done));
    });
    const client = await open(script, options);
    expect(await failure(client.callTool(call))).toMatchObject({ name: "TransportError", status: 302 });
    expect(script.seen.some(({ url }) => url === "/other")).toBe(false);
  });

  it("HTTP-50 hands on a JSON-RPC error at any 4xx, and other failures with their status", async () => {
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
    for (status of [401, 403, 429, 500, 502]) {
      expect(await failure(client.callTool(call))).toMatchObject({ name: "TransportError", status });
    }
    body = undefined;
    for (status of [400, 404 + 6, 500]) {
      const error = await failure(client.callTool(call));
      expect(error).toMatchObject({ name: "TransportError", status });
      expect(error.message).not.toContain("password");
    }
  });

  it("fails a request that is answered with something else, and says what", async () => {
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

  it("JRPC-07 BATCH-05 takes an error without an id for the request's, and nothing that is malformed for its answer", async () => {
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

  it("reports an event that is no JSON, and goes on", async () => {
    const script = await opening((seen, response) => {
      events(response).end(`data: {\n\nevent: other\ndata: {}\n\n${event(result(seen, done))}`);
    });
    const faults: Error[] = [];
    const client = await open(script, options, { onError: (error) => faults.push(error) });
    expect(await client.callTool(call)).toEqual(done);
    expect(faults.map(({ name }) => name)).toEqual(["ValidationError"]);
  });

  it("COMPAT-08 says that nobody is there, and not what was secret in the address", async () => {
    const script = await opening(() => {});
    const { origin } = script;
    await script.close();
    const transport = http(`${origin.replace("//", "//user:secret@")}/mcp?key=secret`, options);
    const error = await failure(makeClient(legacy.protocol, transport));
    expect(error.name).toBe("TransportError");
    expect(error.message).toContain(`${origin}/mcp could not be reached`);
    expect(error.message).not.toContain("secret");
  });

  it("fails a call whose connection breaks, and no other", async () => {
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

  it("sends the user's headers, made anew each time when they are a function, and its own before them", async () => {
    const script = await opening((seen, response) => json(response, result(seen, done)));
    let count = 0;
    const headers = async (): Promise<Record<string, string>> => ({
      Authorization: `Bearer ${count++}`,
      "Content-Type": "text/plain",
    });
    const client = await open(script, { ...options, headers });
    await client.callTool(call);
    const calls = script.seen.filter(({ method }) => method === "POST");
    expect(new Set(calls.map(({ headers }) => headers.authorization)).size).toBe(calls.length);
    expect(calls.every(({ headers }) => headers["content-type"] === "application/json")).toBe(true);
    const failing = makeClient(
      legacy.protocol,
      http(script.url, {
        ...options,
        headers: () => {
          throw new Error("no token");
        },
      }),
    );
    expect((await failure(failing)).message).toContain("no token");
  });

  it("asks once what to do about a challenge, and repeats the request when told so", async () => {
    let isIn = false;
    const script = await opening((seen, response) => {
      if (isIn) return json(response, result(seen, done));
      const challenge = 'Bearer error="insufficient_scope", scope="a b"';
      response.writeHead(403, { "www-authenticate": challenge, "content-type": "text/plain" }).end("no");
    });
    const asked: (string | null)[] = [];
    const onChallenge = async (response: Response): Promise<boolean> => {
      asked.push(`${response.status} ${response.headers.get("www-authenticate")}`);
      await turns();
      return (isIn = asked.length > 1);
    };
    const client = await open(script, { ...options, onChallenge });
    expect(await failure(client.callTool(call))).toMatchObject({ name: "TransportError", status: 403 });
    expect(await client.callTool(call)).toEqual(done);
    expect(asked).toEqual(
      Array.from({ length: 2 }, () => '403 Bearer error="insufficient_scope", scope="a b"'),
    );
    isIn = false;
    const never = await open(script, { ...options, onChallenge: () => true });
    expect(await failure(never.callTool(call))).toMatchObject({ status: 403 });
  });

  it("closes when its signal aborts", async () => {
    const script = await opening(() => {});
    const controller = new AbortController();
    const client = await open(script, { ...options, signal: controller.signal });
    const calling = failure(client.callTool(call));
    const asked = await script.until(({ body }) => body?.["method"] === "tools/call");
    controller.abort();
    expect((await calling).name).toBe("TransportError");
    expect(await asked.cut).toBe(true);
    await script.until(({ method }) => method === "DELETE");
  });

  it("HTTP-05 goes on once a notification is taken, though its answer does not end", async () => {
    const script = await Script.open((seen, response, count) => {
      const isTold = seen.body?.["method"] === "notifications/initialized";
      if (isTold) response.writeHead(202).flushHeaders();
      else legacyScript(legacy.revision, (one, to) => json(to, result(one, done)))(seen, response, count);
    });
    const client = await open(script, options);
    expect(await client.callTool(call)).toEqual(done);
  });

  it("HTTP-02 keeps the order of notifications, however slow the server is", async () => {
    let slow = 20;
    const script = await Script.open((seen, response, count) => {
      const answer = legacyScript(legacy.revision, () => {});
      const isSlow = seen.body?.["method"] === "notifications/roots/list_changed";
      setTimeout(() => answer(seen, response, count), isSlow ? (slow -= 5) : 0);
    });
    const client = await open(script, options, { capabilities: { roots: { listChanged: true } } });
    const before = script.seen.length;
    await Promise.all(Array.from({ length: 4 }, () => client.rootsListChanged?.()));
    const times = script.seen.slice(before).filter(({ method }) => method === "POST");
    expect(times).toHaveLength(4);
    expect(slow).toBe(0);
  });
});

describe("a session that the server forgets", () => {
  /** A server whose sessions end when the test says so. */
  async function forgetful(): Promise<{ script: Script; forget(): void; count(): number }> {
    let session = 0;
    const script = await Script.open((seen, response, count) => {
      const isOpening = seen.body?.["method"] === "initialize";
      if (isOpening) session++;
      else if (seen.headers["mcp-session-id"] !== `s-${session}`) return void response.writeHead(404).end();
      const calls = (one: typeof seen): void => {
        const { name } = paramsOf(one);
        if (name !== "wait") json(response, result(one, text(`in s-${session}`)));
      };
      legacyScript(legacy.revision, calls, { session: `s-${session}` })(seen, response, count);
    });
    return { script, forget: () => void session++, count: () => session };
  }

  it("SESS-05 SESS-06 SESS-09 is opened anew once, without the old id, and what was refused is asked again", async () => {
    const { script, forget } = await forgetful();
    const warnings: string[] = [];
    const client = await open(script, {}, { onWarning: (warning) => warnings.push(warning) });
    const pending = failure(client.callTool({ name: "wait" }));
    await script.until((seen) => paramsOf(seen)["name"] === "wait");
    forget();
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.callTool(call)));
    expect(answers.map(textOf)).toEqual(Array.from({ length: 5 }, () => "in s-3"));
    const shakes = script.seen.filter(({ body }) => body?.["method"] === "initialize");
    expect(shakes).toHaveLength(2);
    expect(shakes[1]?.headers["mcp-session-id"]).toBeUndefined();
    expect(shakes[1]?.headers["mcp-protocol-version"]).toBeUndefined();
    expect(await pending).toMatchObject({ name: "TransportError", isSessionLost: true, status: undefined });
    expect(warnings).toHaveLength(1);
    expect(textOf(await client.callTool(call))).toBe("in s-3");
  });

  it("SESS-09 is not asked twice for what it had taken, though it refuses to go on with it", async () => {
    const { script, forget } = await forgetful();
    const client = await open(script);
    const { answer } = script;
    script.answer = (seen, response, count) => {
      if (paramsOf(seen)["name"] !== "stream") return answer(seen, response, count);
      events(response).end("id: 1\nretry: 1\ndata:\n\n");
      forget();
    };
    expect(await failure(client.callTool({ name: "stream" }))).toMatchObject({
      isSessionLost: true,
      status: undefined,
    });
    expect(textOf(await client.callTool(call))).toBe("in s-3");
    expect(script.seen.filter((seen) => paramsOf(seen)["name"] === "stream")).toHaveLength(1);
  });

  it("SESS-06 gives up on a server that forgets every session", async () => {
    const { script, forget } = await forgetful();
    const client = await open(script);
    const { answer } = script;
    script.answer = (seen, response, count) => {
      answer(seen, response, count);
      if (seen.body?.["method"] === "notifications/initialized") forget();
    };
    forget();
    expect(await failure(client.callTool(call))).toMatchObject({ isSessionLost: true, status: 404 });
    expect(script.story.filter((what) => what === "initialize")).toHaveLength(2);
  });

  it("HTTP-51 is none when there was no session", async () => {
    const script = await opening((_, response) => void response.writeHead(404).end(), { session: "" });
    const client = await open(script);
    expect(await failure(client.callTool(call))).toMatchObject({ isSessionLost: false, status: 404 });
    expect(script.story.filter((what) => what === "initialize")).toHaveLength(1);
  });

  it("SESS-02 refuses an id that no header can hold", async () => {
    const script = await opening(() => {}, { session: "a b" });
    const error = await failure(makeClient(legacy.protocol, http(script.url)));
    expect(error).toMatchObject({ name: "TransportError" });
    expect(error.message).toContain("session id");
  });

  it("closes when the new handshake fails", async () => {
    const { script, forget } = await forgetful();
    const closings: unknown[] = [];
    const client = await open(script, {}, { onClose: (error) => closings.push(error) });
    const { answer } = script;
    script.answer = (seen, response, count) => {
      if (seen.body?.["method"] === "initialize") json(response, refusal(seen, -32603));
      else answer(seen, response, count);
    };
    forget();
    expect(await failure(client.callTool(call))).toMatchObject({ code: -32603 });
    expect(closings).toHaveLength(1);
    expect((await failure(client.callTool(call))).name).toBe("TransportError");
  });
});

it.each(legacyRevisions)(
  "HTTP-11 sends the version of $revision where it has a header for it",
  async (one) => {
    const script = await Script.open(
      legacyScript(one.revision, (seen, response) => json(response, result(seen, done))),
    );
    const client = await makeClient(one.protocol, http(script.url));
    await client.callTool(call);
    await client.close();
    const name = one.facts.headers.version?.toLowerCase();
    const sent = script.seen.slice(1).map(({ headers }) => headers["mcp-protocol-version"]);
    expect(new Set(sent)).toEqual(new Set([name === undefined ? undefined : one.revision]));
    expect(script.seen.at(-1)?.headers["mcp-session-id"]).toBe("s-1");
  },
);

it("refuses an address that is none of HTTP", () => {
  expect(() => http("file:///etc/passwd")).toThrow(TypeError);
});
