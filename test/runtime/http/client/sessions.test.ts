import { http } from "@mcpgen/runtime/http";
import { describe, expect, it } from "vitest";
import {
  type Answer,
  events,
  failure as refusal,
  json,
  legacyScript,
  paramsOf,
  result,
  Script,
} from "../kit/script.js";
import { failure, legacy, makeClient, text, textOf } from "../../kit/index.js";
import { call, open, opening } from "../kit/client.js";

describe("a session that the server loses", () => {
  /** A server whose sessions end when the test says so. */
  async function forgetful({
    status = 404,
    body = "" as unknown,
  } = {}): Promise<{
    script: Script;
    forget(): void;
    count(): number;
  }> {
    let session = 0;
    const script = await Script.open((seen, response, count) => {
      const isOpening = seen.body?.["method"] === "initialize";
      if (isOpening) session++;
      else if (seen.headers["mcp-session-id"] !== `s-${session}`) {
        if (typeof body === "string")
          return void response.writeHead(status).end(body);
        return json(response, body, status);
      }
      const calls = (one: typeof seen): void => {
        const { name } = paramsOf(one);
        if (name !== "wait")
          json(response, result(one, text(`in s-${session}`)));
      };
      legacyScript(legacy.revision, calls, { session: `s-${session}` })(
        seen,
        response,
        count,
      );
    });
    return { script, forget: () => void session++, count: () => session };
  }

  it("SESS-05 SESS-06 SESS-09 is opened again once, without the old id, and rejected requests are repeated", async () => {
    const { script, forget } = await forgetful();
    const warnings: string[] = [];
    const client = await open(
      script,
      {},
      { onWarning: (warning) => warnings.push(warning) },
    );
    const pending = failure(client.callTool({ name: "wait" }));
    await script.until((seen) => paramsOf(seen)["name"] === "wait");
    forget();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => client.callTool(call)),
    );
    expect(answers.map(textOf)).toEqual(
      Array.from({ length: 5 }, () => "in s-3"),
    );
    const shakes = script.seen.filter(
      ({ body }) => body?.["method"] === "initialize",
    );
    expect(shakes).toHaveLength(2);
    expect(shakes[1]?.headers["mcp-session-id"]).toBeUndefined();
    expect(shakes[1]?.headers["mcp-protocol-version"]).toBeUndefined();
    expect(await pending).toMatchObject({
      name: "TransportError",
      isSessionLost: true,
      status: undefined,
    });
    expect(warnings).toHaveLength(1);
    expect(textOf(await client.callTool(call))).toBe("in s-3");
  });

  it("gets back the last log level and the open subscriptions, each once, and the program hears of it once", async () => {
    const { script, forget } = await forgetful();
    const warnings: string[] = [];
    const client = await open(
      script,
      {},
      { onWarning: (warning) => warnings.push(warning) },
    );
    await client.setLevel?.({ level: "debug" });
    await client.setLevel?.({ level: "error" });
    for (const uri of ["a://kept", "a://ended", "a://kept", "a://other"])
      await client.subscribe?.({ uri });
    await client.unsubscribe?.({ uri: "a://ended" });
    const before = script.seen.length;
    forget();
    expect(textOf(await client.callTool(call))).toBe("in s-3");
    const again = script.seen
      .slice(before)
      .flatMap(({ body, headers }) =>
        headers["mcp-session-id"] === "s-3" &&
        /setLevel|subscribe/.test(String(body?.["method"]))
          ? [[body?.["method"], body?.["params"]]]
          : [],
      );
    expect(again).toEqual([
      ["logging/setLevel", { level: "error" }],
      ["resources/subscribe", { uri: "a://kept" }],
      ["resources/subscribe", { uri: "a://other" }],
    ]);
    expect(warnings).toEqual([
      "The server lost the session. A new one was opened, with the log level and the subscriptions of the old one.",
    ]);
  });

  it("says which setting a server refuses in the new session, and goes on", async () => {
    const { script, forget } = await forgetful();
    const warnings: string[] = [];
    const client = await open(
      script,
      {},
      { onWarning: (warning) => warnings.push(warning) },
    );
    await client.subscribe?.({ uri: "a://gone" });
    const { answer } = script;
    script.answer = (seen, response, count) =>
      seen.body?.["method"] === "resources/subscribe"
        ? json(response, refusal(seen, -32602))
        : answer(seen, response, count);
    forget();
    expect(textOf(await client.callTool(call))).toBe("in s-3");
    expect(warnings).toEqual([
      "The new session lacks a setting: no",
      expect.stringContaining("The server lost the session."),
    ]);
  });

  it("SESS-09 does not repeat requests that the server had accepted", async () => {
    const { script, forget } = await forgetful();
    const { answer } = script;
    script.answer = (seen, response, count) => {
      const isListening =
        seen.method === "GET" && seen.headers["last-event-id"] === undefined;
      if (isListening) return void events(response).write(": open\n\n");
      if (paramsOf(seen)["name"] !== "stream")
        return answer(seen, response, count);
      events(response).end("id: 1\nretry: 1\ndata:\n\n");
      forget();
    };
    const client = await open(script);
    await script.until(({ method }) => method === "GET");
    expect(await failure(client.callTool({ name: "stream" }))).toMatchObject({
      isSessionLost: true,
      status: undefined,
    });
    expect(textOf(await client.callTool(call))).toBe("in s-3");
    expect(
      script.seen.filter((seen) => paramsOf(seen)["name"] === "stream"),
    ).toHaveLength(1);
  });

  it("SESS-06 rejects the call if the server loses the new session too", async () => {
    const { script, forget } = await forgetful();
    const client = await open(script);
    const { answer } = script;
    script.answer = (seen, response, count) => {
      answer(seen, response, count);
      if (seen.body?.["method"] === "notifications/initialized") forget();
    };
    forget();
    expect(await failure(client.callTool(call))).toMatchObject({
      isSessionLost: true,
      status: 404,
    });
    expect(script.methods.filter((what) => what === "initialize")).toHaveLength(
      2,
    );
  });

  it("HTTP-51 is not assumed after a 404 without a session", async () => {
    const script = await opening(
      (_, response) => void response.writeHead(404).end(),
      { session: "" },
    );
    const client = await open(script);
    expect(await failure(client.callTool(call))).toMatchObject({
      isSessionLost: false,
      status: 404,
    });
    expect(script.methods.filter((what) => what === "initialize")).toHaveLength(
      1,
    );
  });

  it("SESS-02 is rejected if its id is not valid in a header", async () => {
    const script = await opening(() => {}, { session: "a b" });
    const error = await failure(makeClient(legacy.protocol, http(script.url)));
    expect(error).toMatchObject({ name: "TransportError" });
    expect(error.message).toBe(
      "The server sent a session id that is not valid in a header.",
    );
  });

  it("stays lost if it cannot be opened for now, and the next call tries again", async () => {
    const { script, forget } = await forgetful();
    const closings: unknown[] = [];
    const client = await open(
      script,
      {},
      { onClose: (error) => closings.push(error) },
    );
    const { answer } = script;
    const failures: Answer[] = [
      (_, response) => void response.writeHead(503).end(),
      (_, response) => void response.writeHead(429).end(),
      (_, response) => void response.destroy(),
    ];
    script.answer = (seen, response, count) => {
      const fail =
        seen.body?.["method"] === "initialize" ? failures.shift() : undefined;
      (fail ?? answer)(seen, response, count);
    };
    forget();
    for (const status of [503, 429, undefined])
      expect(await failure(client.callTool(call))).toMatchObject({
        name: "TransportError",
        status,
      });
    expect(textOf(await client.callTool(call))).toBe("in s-3");
    const ids = script.seen.filter(
      ({ body }) => body?.["method"] === "tools/call",
    );
    expect(ids.map(({ headers }) => headers["mcp-session-id"])).toEqual([
      "s-1",
      "s-3",
    ]);
    expect(closings).toEqual([]);
  });

  it("closes the connection with the reason if it cannot be opened again", async () => {
    const { script, forget } = await forgetful();
    const closings: unknown[] = [];
    const client = await open(
      script,
      {},
      { onClose: (error) => closings.push(error) },
    );
    const { answer } = script;
    script.answer = (seen, response, count) => {
      if (seen.body?.["method"] === "initialize")
        json(response, refusal(seen, -32603));
      else answer(seen, response, count);
    };
    forget();
    expect(await failure(client.callTool(call))).toMatchObject({
      code: -32603,
    });
    expect(closings).toEqual([expect.objectContaining({ code: -32603 })]);
    expect(await failure(client.callTool(call))).toMatchObject({
      code: -32603,
    });
  });

  const unknown = {
    jsonrpc: "2.0",
    id: null,
    error: { code: -32000, message: "No valid session ID" },
  };
  it.each([
    { status: 410, body: "" },
    { status: 400, body: unknown },
    { status: 400, body: { error: "Server not initialized" } },
    { status: 422, body: "Unknown session" },
    {
      status: 500,
      body: { ...unknown, error: { code: -32001, message: "not found" } },
    },
  ])(
    "SESS-06 is opened again after status $status with $body",
    async ({ status, body }) => {
      const { script, forget } = await forgetful({ status, body });
      const client = await open(script);
      await client.callTool(call);
      forget();
      expect(textOf(await client.callTool(call))).toBe("in s-3");
    },
  );

  const refusing = async (status: number, body: unknown) => {
    let isUp = true;
    const script = await opening((seen, response) => {
      if (isUp) json(response, result(seen, text("first")));
      else json(response, body, status);
    });
    const client = await open(script);
    await client.callTool(call);
    isUp = false;
    const error = await failure(client.callTool(call));
    expect(error).toMatchObject({ status, isSessionLost: false });
    expect(script.methods.filter((what) => what === "initialize")).toHaveLength(
      1,
    );
    return error;
  };

  it.each([401, 403, 429, 503])("is not assumed after a %i", async (status) => {
    await refusing(status, unknown);
  });

  it("is not assumed after a 400 that does not speak of it, whose error says that it may be lost", async () => {
    const { message } = await refusing(400, { error: "The city is unknown." });
    expect(message).toMatch(
      / answered 400: .*"\. The server may have lost the session\.$/,
    );
  });

  it("is opened again once per call if the server rejects each one because of it", async () => {
    let isKnown = true;
    const script = await opening((seen, response) => {
      if (isKnown) json(response, result(seen, text("first")));
      else json(response, unknown, 400);
    });
    const client = await open(script);
    await client.callTool(call);
    isKnown = false;
    expect(await failure(client.callTool(call))).toMatchObject({
      code: -32000,
    });
    expect(await failure(client.callTool(call))).toMatchObject({
      code: -32000,
    });
    expect(script.methods.filter((what) => what === "initialize")).toHaveLength(
      2,
    );
  });

  it("is not lost if the server has no route for GET, and the state of the session stays", async () => {
    const script = await opening(
      (seen, response) => {
        if (seen.method === "GET") response.writeHead(404).end();
        else if (paramsOf(seen)["name"] === "stream")
          events(response).end("id: 1\nretry: 1\ndata:\n\n");
        else json(response, result(seen, text("done")));
      },
      { listens: true },
    );
    const client = await open(
      script,
      {},
      { onWarning: (warning) => expect.unreachable(warning) },
    );
    await script.until(({ method }) => method === "GET");
    for (let i = 0; i < 3; i++) await client.callTool(call);
    const error = await failure(client.callTool({ name: "stream" }));
    expect(error).toMatchObject({ status: 404, isSessionLost: false });
    await client.callTool(call);
    expect(script.methods.filter((what) => what === "initialize")).toHaveLength(
      1,
    );
    expect(
      script.seen.filter(
        ({ method, headers }) => method === "GET" && !headers["last-event-id"],
      ),
    ).toHaveLength(1);
  });
});
