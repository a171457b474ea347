import { http } from "@mcpgen/runtime/http";
import { describe, expect, it } from "vitest";
import { connect, type Revision } from "../../../generated/index.js";
import {
  failure,
  info,
  type Json,
  legacy,
  legacyRevisions,
  metaFor,
  modern,
  text,
} from "../kit/index.js";
import {
  type Answer,
  event,
  events,
  failure as refusal,
  json,
  legacyScript,
  modernScript,
  paramsOf,
  result,
  Script,
  type Seen,
} from "./kit/script.js";

const old = legacyRevisions.map(({ revision }) => revision as Revision);
const open = (
  script: Script,
  options: object = {},
): ReturnType<typeof connect> =>
  connect(http(script.url), { info, ...options });
const done = text("done");
const isProbe = ({ body }: Seen): boolean =>
  body?.["method"] === "server/discover";

/** A legacy server with this response to the probe of a modern client. */
const meeting = (probe: Answer): Promise<Script> => {
  const rest = legacyScript(legacy.revision, (seen, response) =>
    json(response, result(seen, done)),
  );
  return Script.open((seen, ...more) =>
    (isProbe(seen) ? probe : rest)(seen, ...more),
  );
};

describe("connect over HTTP", () => {
  it("COMPAT-05 sends the modern probe first", async () => {
    const script = await Script.open(modernScript(modern.revision, () => {}));
    await using client = await open(script);
    expect(client.revision).toBe(modern.revision);
    const [first] = script.seen;
    expect(paramsOf(first as Seen)["_meta"]).toMatchObject(metaFor(modern));
    expect(script.methods).toEqual(["server/discover"]);
  });

  it.each<[string, Answer]>([
    ["an empty 400", (_, response) => void response.writeHead(400).end()],
    ["an empty 404", (_, response) => void response.writeHead(404).end()],
    ["a 405", (_, response) => void response.writeHead(405).end("no")],
    [
      "a 400 with text",
      (_, response) => void response.writeHead(400).end("Bad Request"),
    ],
    [
      "a 400 with an error of its own and no id",
      (_, response) =>
        json(
          response,
          {
            jsonrpc: "2.0",
            id: null,
            error: { code: -32000, message: "no session" },
          },
          400,
        ),
    ],
    [
      "COMPAT-07 a 200 with -32601",
      (seen, response) => json(response, refusal(seen, -32601)),
    ],
    [
      "COMPAT-07 a 404 with -32601",
      (seen, response) => json(response, refusal(seen, -32601), 404),
    ],
    [
      "an invalid response",
      (seen, response) => json(response, result(seen, { hello: 1 })),
    ],
    ...[402, 406, 410, 415, 422, 451].map((status): [string, Answer] => [
      `a ${status}`,
      (_, response) => void response.writeHead(status).end("no"),
    ]),
    ["an empty 202", (_, response) => void response.writeHead(202).end()],
    [
      "a page",
      (_, response) =>
        void response
          .writeHead(200, { "content-type": "text/html" })
          .end("<p>"),
    ],
    [
      "a 200 with JSON that is not a message",
      (_, response) => json(response, { ok: true }),
    ],
    [
      "a stream without an answer",
      (_, response) => void events(response).end(),
    ],
  ])("COMPAT-06 falls back to the handshake on %s", async (_, probe) => {
    const script = await meeting(probe);
    await using client = await open(script);
    expect(client.revision).toBe(legacy.revision);
    expect(script.methods.slice(0, 3)).toEqual([
      "server/discover",
      "initialize",
      "notifications/initialized",
    ]);
    expect(script.seen[1]?.headers["mcp-protocol-version"]).toBeUndefined();
    expect(script.seen[1]?.headers["mcp-method"]).toBeUndefined();
  });

  it.each([-32020, -32021])(
    "COMPAT-06 does not fall back to a legacy revision on %i",
    async (code) => {
      const script = await meeting((seen, response) =>
        json(response, refusal(seen, code), 400),
      );
      expect(await failure(open(script))).toMatchObject({
        name: "McpError",
        code,
      });
      expect(script.methods).toEqual(["server/discover"]);
    },
  );

  const unsupported = (...supported: readonly string[]): Answer => {
    return (seen, response) =>
      json(response, refusal(seen, -32022, { supported, requested: "?" }), 400);
  };

  it("COMPAT-06 COMPAT-09 VERS-08 uses a revision that the server lists in its error", async () => {
    const shared = await meeting(
      unsupported("2099-01-01", String(legacy.revision)),
    );
    await using client = await open(shared);
    expect(client.revision).toBe(legacy.revision);
    expect(shared.methods.slice(0, 2)).toEqual([
      "server/discover",
      "initialize",
    ]);
  });

  it("VERS-08 fails if it has none of the revisions that the server lists in its error", async () => {
    const none = await meeting(unsupported("2099-01-01"));
    const error = await failure(open(none));
    expect(error).toMatchObject({ name: "SessionError", reason: "revision" });
    expect(error.message).toMatch(new RegExp(`2099-01-01.*${modern.revision}`));
    expect(none.methods).toEqual(["server/discover"]);
  });

  it("VERS-08 asks again in a modern revision that the server lists in its error", async () => {
    let isFirst = true;
    const answer = modernScript(modern.revision, () => {});
    const again = await Script.open((...of) => {
      (isFirst ? unsupported(modern.revision) : answer)(...of);
      isFirst = false;
    });
    await using second = await open(again);
    expect(second.revision).toBe(modern.revision);
    expect(again.methods).toEqual(["server/discover", "server/discover"]);
  });

  it.each(
    [401, 403, 407, 408, 429, 502, 503].flatMap((status) => [
      [status, "no body"] as const,
      [status, "a JSON-RPC error"] as const,
    ]),
  )(
    "COMPAT-08 does not conclude the era from a %i with %s",
    async (status, what) => {
      const body = {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32603, message: "no" },
      };
      const script = await meeting((_, response) => {
        if (what !== "no body") json(response, body, status);
        else response.writeHead(status).end();
      });
      expect(await failure(open(script))).toMatchObject({
        name: "TransportError",
        status,
      });
      // After a 502 the client sends a request that changes nothing once more.
      expect(new Set(script.methods)).toEqual(new Set(["server/discover"]));
    },
  );

  it.each([500, 501, 505])(
    "COMPAT-06 sends one initialize after a %i",
    async (status) => {
      const script = await meeting(
        (_, response) => void response.writeHead(status).end(),
      );
      await using client = await open(script);
      expect(client.revision).toBe(legacy.revision);
      const methods = ["server/discover", "initialize"];
      expect(script.methods.slice(0, 2)).toEqual(methods);
    },
  );

  it.each([500, 501, 505])(
    "names both errors if a server answers its one initialize after a %i with 503",
    async (status) => {
      const down = await Script.open((seen, response) =>
        json(response, refusal(seen, -32603), isProbe(seen) ? status : 503),
      );
      const error = await failure(open(down));
      expect(error).toMatchObject({ name: "TransportError", status: 503 });
      expect(error.message).toMatch(
        new RegExp(`answered ${status}.*answered 503`),
      );
      expect(down.methods).toEqual(["server/discover", "initialize"]);
    },
  );

  it.each([500, 501, 505])(
    "names both errors if a server refuses its one initialize after a %i",
    async (status) => {
      const refuses = await meeting(
        (_, response) => void response.writeHead(status).end(),
      );
      refuses.answer = (seen, response) => {
        if (isProbe(seen)) response.writeHead(status).end();
        else json(response, refusal(seen, -32601));
      };
      expect((await failure(open(refuses))).message).toMatch(
        new RegExp(`answered ${status}.*initialize.*no`),
      );
      expect(refuses.methods).toEqual(["server/discover", "initialize"]);
    },
  );

  it("COMPAT-08 does not conclude the era from silence or a broken connection", async () => {
    const silent = await meeting(() => {});
    const timeout = await failure(open(silent, { probeTimeout: 30 }));
    expect(timeout).toMatchObject({
      name: "TimeoutError",
      message: expect.stringContaining("`probeTimeout`"),
    });
    const broken = await meeting((_, response) => response.destroy());
    expect((await failure(open(broken))).name).toBe("TransportError");
    expect(new Set([...silent.methods, ...broken.methods])).toEqual(
      new Set(["server/discover"]),
    );
  });

  const changing = async () => {
    const script = await meeting(
      (_, response) => void response.writeHead(400).end(),
    );
    const revisionCache = new Map<string, string>();
    await (await open(script, { revisionCache })).close();
    return { script, revisionCache, answer: script.answer };
  };

  it("COMPAT-10 caches a legacy server by its address", async () => {
    const { script, revisionCache } = await changing();
    for (let i = 0; i < 2; i++)
      await (await open(script, { revisionCache })).close();
    expect(script.seen.filter(isProbe)).toHaveLength(1);
    expect([...revisionCache]).toEqual([[script.url, legacy.revision]]);
  });

  it("COMPAT-10 does not probe a server again that is cached and fails", async () => {
    const { script, revisionCache } = await changing();
    script.answer = (_, response) => void response.writeHead(503).end();
    expect(await failure(open(script, { revisionCache }))).toMatchObject({
      status: 503,
    });
    expect(script.seen.filter(isProbe)).toHaveLength(1);
  });

  it("COMPAT-10 probes a cached server again when it has changed, in both directions", async () => {
    const { script, revisionCache, answer } = await changing();
    script.answer = (seen, response, count) => {
      if (isProbe(seen))
        modernScript(modern.revision, () => {})(seen, response, count);
      else json(response, refusal(seen, -32601), 404);
    };
    await using client = await open(script, { revisionCache });
    expect(client.revision).toBe(modern.revision);
    expect([...revisionCache]).toEqual([[script.url, modern.revision]]);
    // A server that is no longer cached as legacy is probed.
    script.answer = answer;
    await (await open(script, { revisionCache })).close();
    expect(revisionCache.get(script.url)).toBe(legacy.revision);
  });
});

describe("COMPAT-11 a client without legacy revisions", () => {
  it.each<[string, Answer]>([
    ["an empty 400", (_, response) => void response.writeHead(400).end()],
    [
      "an error in a 400",
      (seen, response) => json(response, refusal(seen, -32000), 400),
    ],
    ["an empty 202", (_, response) => void response.writeHead(202).end()],
  ])(
    "says what to generate for a legacy server, which answers with %s",
    async (_, probe) => {
      const script = await meeting(probe);
      const error = await failure(open(script, { mode: modern.revision }));
      expect(error).toMatchObject({
        name: "SessionError",
        reason: "revision",
        cause: expect.any(Error),
      });
      expect(error.message).toMatch(
        /older than 2026-07-28.*mcpgen --version all.*connect/,
      );
      expect(script.methods).toEqual(["server/discover"]);
    },
  );

  it("says what to generate for a server that lists only legacy revisions", async () => {
    const script = await meeting((seen, response) =>
      json(
        response,
        refusal(seen, -32022, { supported: [legacy.revision], requested: "?" }),
        400,
      ),
    );
    const error = await failure(open(script, { mode: modern.revision }));
    expect(error).toMatchObject({ name: "SessionError", reason: "revision" });
    expect(error.message).toMatch(
      new RegExp(`"${legacy.revision}".*${modern.revision}.*mcpgen --version`),
    );
  });

  it.each([401, 403, 500, 502])(
    "rejects with the status %i, which is not about the revision",
    async (status) => {
      const script = await meeting(
        (_, response) => void response.writeHead(status).end(),
      );
      expect(
        await failure(open(script, { mode: modern.revision })),
      ).toMatchObject({ status });
      expect(new Set(script.methods)).toEqual(new Set(["server/discover"]));
    },
  );
});

describe("a server that supports only HTTP+SSE", () => {
  /** Sends responses to POSTs over the stream. */
  const first = (
    post: (response: Parameters<Answer>[1]) => void,
  ): Promise<Script> => {
    let stream: Parameters<Answer>[1] | undefined;
    return Script.open((seen, response) => {
      if (seen.method === "GET") {
        stream = events(response);
        return void stream.write(
          "event: endpoint\ndata: /messages?session=1\n\n",
        );
      }
      if (seen.url === "/mcp") return post(response);
      response.writeHead(202).end("Accepted");
      const hello = {
        protocolVersion: old.at(-1),
        capabilities: { tools: {} },
        serverInfo: info,
      };
      const value: Json =
        seen.body?.["method"] === "initialize" ? hello : { ...done };
      if (seen.body?.["id"] !== undefined)
        stream?.write(`event: message\n${event(result(seen, value))}`);
    });
  };

  it.each([400, 404, 405, 410])(
    "COMPAT-16 is detected by a %i to initialize",
    async (status) => {
      const script = await first((response) =>
        response.writeHead(status).end(),
      );
      await using client = await open(script, { revisions: old });
      expect(client.revision).toBe(old.at(-1));
      expect(await client.callTool({ name: "x" })).toEqual(done);
      expect(script.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
        "POST /mcp",
        "GET /mcp",
        ...Array.from({ length: 3 }, () => "POST /messages?session=1"),
      ]);
      expect(script.seen[1]?.headers.accept).toBe("text/event-stream");
    },
  );

  it("COMPAT-06 COMPAT-16 is also detected after the modern probe", async () => {
    const script = await first((response) => response.writeHead(404).end());
    await using client = await open(script);
    expect(client.revision).toBe(old.at(-1));
    expect(script.seen.slice(0, 3).map(({ method }) => method)).toEqual([
      "POST",
      "POST",
      "GET",
    ]);
  });

  it("COMPAT-16 CANC-01 is probed there too, and gets a notification for each cancelled call", async () => {
    let stream: Parameters<Answer>[1] | undefined;
    const discovered = {
      resultType: "complete",
      supportedVersions: [modern.revision],
      capabilities: { tools: {} },
    };
    const script = await Script.open((seen, response) => {
      if (seen.method === "GET") {
        stream = events(response);
        return void stream.write(
          "event: endpoint\ndata: /messages?session=1\n\n",
        );
      }
      if (seen.url === "/mcp") return void response.writeHead(405).end();
      response.writeHead(202).end();
      const cached = { ttlMs: 0, cacheScope: "private" };
      if (isProbe(seen))
        stream?.write(event(result(seen, { ...discovered, ...cached })));
      if (seen.body?.["method"] === "tools/call") controller.abort();
    });
    const controller = new AbortController();
    await using client = await open(script);
    expect(client.revision).toBe(modern.revision);
    await failure(
      client.callTool({ name: "x" }, { signal: controller.signal }),
    );
    await script.until(
      ({ body }) => body?.["method"] === "notifications/cancelled",
    );
    expect(script.methods).toEqual([
      "server/discover",
      "initialize",
      "GET",
      "server/discover",
      "tools/call",
      "notifications/cancelled",
    ]);
  });

  it("COMPAT-16 keeps the tools whose headers are invalid, because no header repeats an argument there", async () => {
    let stream: Parameters<Answer>[1] | undefined;
    const inputSchema = {
      type: "object",
      properties: { a: { type: "object", "x-mcp-header": "a b" } },
    };
    const cached = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
    const script = await Script.open((seen, response) => {
      if (seen.method === "GET") {
        stream = events(response);
        return void stream.write(
          "event: endpoint\ndata: /messages?session=1\n\n",
        );
      }
      if (seen.url === "/mcp") return void response.writeHead(405).end();
      response.writeHead(202).end();
      const value = isProbe(seen)
        ? { supportedVersions: [modern.revision], capabilities: { tools: {} } }
        : { tools: [{ name: "x", inputSchema }] };
      if (seen.body?.["id"] !== undefined)
        stream?.write(event(result(seen, { ...cached, ...value })));
    });
    await using client = await open(script);
    expect(client.revision).toBe(modern.revision);
    expect((await client.listTools()).tools).toMatchObject([{ name: "x" }]);
  });

  it.each([-32601, -32020, -32022])(
    "COMPAT-17 is not tried after an error body with %i",
    async (code) => {
      const script = await first((response) =>
        json(
          response,
          { jsonrpc: "2.0", id: 0, error: { code, message: "no" } },
          404,
        ),
      );
      expect(await failure(open(script, { revisions: old }))).toMatchObject({
        name: "McpError",
        code,
      });
      expect(script.methods).not.toContain("GET");
    },
  );

  it.each([401, 403, 500])(
    "COMPAT-16 is not tried after a %i",
    async (status) => {
      const script = await first((response) =>
        response.writeHead(status).end(),
      );
      expect(await failure(open(script, { revisions: old }))).toMatchObject({
        name: "TransportError",
        status,
      });
      expect(script.methods).not.toContain("GET");
    },
  );

  it("COMPAT-16 rejects with the first error if there is no such server", async () => {
    const script = await Script.open(
      (_, response) => void response.writeHead(404).end(),
    );
    expect(await failure(open(script, { revisions: old }))).toMatchObject({
      name: "TransportError",
      status: 404,
    });
    expect(script.methods).toEqual(["initialize", "GET"]);
  });
});
