import { describe, expect, it } from "vitest";
import {
  cached,
  event,
  events,
  failure as refusal,
  json,
  paramsOf,
  result,
} from "../kit/script.js";
import {
  type AnyClient,
  failure,
  type Json,
  modern,
  turns,
} from "../../kit/index.js";
import { ways } from "../kit/client.js";
import { done, isCall, open, opening } from "../kit/client-modern.js";

const version = String(modern.facts.meta.protocolVersion);

describe.each(ways)(
  "a client of the modern era over HTTP, by $way",
  ({ options }) => {
    it("HTTP-41 HDR-01 HDR-02 HDR-03 sends each request in one POST, with its method and subject in headers", async () => {
      const answers: Readonly<Record<string, Json>> = {
        "tools/call": done,
        "tools/list": { tools: [], ...cached },
        "prompts/get": { messages: [], resultType: "complete" },
        "resources/read": { contents: [], ...cached },
      };
      const script = await opening((seen, response) =>
        json(
          response,
          result(seen, answers[String(seen.body?.["method"])] ?? {}),
        ),
      );
      const client = await open(script, options);
      await client.listTools();
      await client.callTool({ name: "naïve\ttool" });
      await client.getPrompt({ name: "p" });
      await client.readResource({ uri: "file:///a b" });
      await client.close();
      const headerPairs = script.seen.map(({ headers }) => [
        headers["mcp-method"],
        headers["mcp-name"],
      ]);
      expect(headerPairs).toEqual([
        ["server/discover", undefined],
        ["tools/list", undefined],
        [
          "tools/call",
          `=?base64?${Buffer.from("naïve\ttool").toString("base64")}?=`,
        ],
        ["prompts/get", "p"],
        ["resources/read", "file:///a b"],
      ]);
      for (const seen of script.seen) {
        expect(seen.method).toBe("POST");
        expect(seen.headers["mcp-protocol-version"]).toBe(modern.revision);
        expect((paramsOf(seen)["_meta"] as Json)[version]).toBe(
          modern.revision,
        );
        expect(seen.headers["mcp-session-id"]).toBeUndefined();
        expect(seen.headers["accept"]).toContain("text/event-stream");
      }
    });

    it.each(["stream", "silence"])(
      "HTTP-45 CANC-07 CANC-09 cancels a call by closing its stream, and sends no notification, during %s",
      async (name) => {
        const script = await opening((seen, response) => {
          if (paramsOf(seen)["name"] === "stream")
            events(response).write(": wait\n\n");
        });
        const client = await open(script, options);
        const controller = new AbortController();
        const calling = failure(
          client.callTool({ name }, { signal: controller.signal }),
        );
        const request = await script.until(
          (seen) => paramsOf(seen)["name"] === name,
        );
        controller.abort(new Error("enough"));
        expect((await calling).message).toBe("enough");
        expect(await request.cut).toBe(true);
        await turns();
        expect(script.methods).toEqual(["server/discover", "tools/call"]);
      },
    );

    it.each(["ends", "breaks"])(
      "HTTP-46 SSE-11 rejects a request whose stream %s, and never resumes the stream",
      async (name) => {
        const script = await opening((_, response) => {
          if (name === "ends")
            events(response).end("id: 1\nretry: 1\ndata:\n\n");
          else
            events(response).write("id: 1\ndata:\n\n", () =>
              response.destroy(),
            );
        });
        const client = await open(script, { ...options, reconnectTime: 1 });
        const error = await failure(client.callTool({ name }));
        expect(error.name).toBe("TransportError");
        expect(error.message).toMatch(/stream ended before the answer/);
        await turns();
        expect(script.methods).toEqual(["server/discover", "tools/call"]);
      },
    );

    it("HTTP-50 HTTP-51 rejects with the error of a 400 or 404, and opens no session", async () => {
      const script = await opening((seen, response) => {
        const { name } = paramsOf(seen);
        if (name === "gone") return json(response, refusal(seen, -32601), 404);
        if (name === "lacking")
          return json(
            response,
            refusal(seen, -32021, { requiredCapabilities: {} }),
            400,
          );
        response.writeHead(404).end();
      });
      const client = await open(script, options);
      expect(await failure(client.callTool({ name: "gone" }))).toMatchObject({
        name: "McpError",
        code: -32601,
      });
      expect(await failure(client.callTool({ name: "lacking" }))).toMatchObject(
        {
          code: -32021,
          data: { requiredCapabilities: {} },
        },
      );
      expect(await failure(client.callTool({ name: "empty" }))).toMatchObject({
        name: "TransportError",
        status: 404,
        isSessionLost: false,
      });
      expect(script.methods.filter((what) => what !== "tools/call")).toEqual([
        "server/discover",
      ]);
    });

    it("JRPC-14 does not answer requests of the server on a stream", async () => {
      const script = await opening((seen, response) => {
        events(response).end(
          event({ jsonrpc: "2.0", id: 1, method: "ping" }) +
            event(result(seen, done)),
        );
      });
      const warnings: string[] = [];
      const client = await open(script, options, {
        onWarning: (warning) => warnings.push(warning),
      });
      expect(await client.callTool({ name: "x" })).toEqual(done);
      await turns();
      expect(warnings).toEqual([expect.stringContaining("Unexpected request")]);
      expect(script.methods).toEqual(["server/discover", "tools/call"]);
    });

    it("SUBS-06 SUBS-07 HTTP-45 listens on several streams, and ends each by closing it", async () => {
      const script = await opening((seen, response) => {
        const tag = {
          [String(modern.facts.meta.subscriptionId)]: seen.body?.["id"],
        };
        const { notifications } = paramsOf(seen);
        const params = { notifications, _meta: tag };
        events(response).write(
          event({
            jsonrpc: "2.0",
            method: "notifications/subscriptions/acknowledged",
            params,
          }) +
            event({
              jsonrpc: "2.0",
              method: "notifications/tools/list_changed",
              params: { _meta: tag },
            }),
        );
      });
      const messages: unknown[] = [];
      const client = await open(script, options, {
        handlers: {
          "notifications/tools/list_changed": (params) =>
            void messages.push(params),
        },
      });
      const controllers = [new AbortController(), new AbortController()];
      const streams = controllers.map(({ signal }) =>
        client.subscriptionsListen?.(
          { notifications: { toolsListChanged: true } },
          { signal },
        ),
      );
      const ends = streams.map((stream) =>
        failure(stream ?? Promise.resolve()),
      );
      while (messages.length < 2) await turns();
      for (const controller of controllers)
        controller.abort(new Error("enough"));
      expect((await Promise.all(ends)).map(({ message }) => message)).toEqual([
        "enough",
        "enough",
      ]);
      for (const seen of script.seen.slice(1))
        expect(await seen.cut).toBe(true);
    });

    const breaking = async () => {
      let streams = 0;
      const script = await opening((seen, response) => {
        if (isCall(seen)) return json(response, result(seen, done));
        // The third one is rejected, the fifth ends with its result.
        if (++streams === 3) return void response.writeHead(503).end();
        const tag = {
          [String(modern.facts.meta.subscriptionId)]: seen.body?.["id"],
        };
        const params = {
          notifications: paramsOf(seen)["notifications"],
          _meta: tag,
        };
        const method = "notifications/subscriptions/acknowledged";
        const last =
          streams === 5
            ? event(result(seen, { resultType: "complete", _meta: tag }))
            : "";
        events(response).end(event({ jsonrpc: "2.0", method, params }) + last);
      });
      const notices: string[] = [];
      const listen = (client: AnyClient): Promise<Json> =>
        client.subscriptionsListen?.(
          { notifications: { toolsListChanged: true } },
          { onNotice: (method) => notices.push(method) },
        ) as Promise<Json>;
      return { script, notices, listen, streams: () => streams };
    };

    it("SUBS-09 opens a broken stream again with a new request", async () => {
      const { script, notices, listen } = await breaking();
      const patient = await open(script, options, {
        listening: { reconnectTime: 1 },
      });
      expect(await listen(patient)).toMatchObject({ resultType: "complete" });
      const listens = script.seen.filter(
        ({ body }) => body?.["method"] === modern.facts.wellKnown.listen,
      );
      expect(new Set(listens.map(({ body }) => body?.["id"])).size).toBe(5);
      expect(notices).toHaveLength(4);
    });

    it("SUBS-09 rejects after the last attempt to open a broken stream again", async () => {
      const { script, listen, streams } = await breaking();
      const hasty = await open(script, options, {
        listening: { reconnectTime: 1, maxReconnects: 1 },
      });
      expect((await failure(listen(hasty))).message).toMatch(
        /the stream ended before the answer/,
      );
      expect(streams()).toBe(2);
    });

    it("SUBS-09 does not open a stream again that was rejected or aborted", async () => {
      const script = await opening((seen, response) => {
        if (script.seen.length === 2) return void response.writeHead(503).end();
        const tag = {
          [String(modern.facts.meta.subscriptionId)]: seen.body?.["id"],
        };
        const params = { notifications: {}, _meta: tag };
        events(response).end(
          event({
            jsonrpc: "2.0",
            method: "notifications/subscriptions/acknowledged",
            params,
          }),
        );
      });
      const client = await open(script, options, {
        listening: { reconnectTime: 3_600_000 },
      });
      const listen = (signal?: AbortSignal): Promise<Error & Json> =>
        failure(
          client.subscriptionsListen?.({ notifications: {} }, { signal }),
        );
      expect((await listen())["status"]).toBe(503);
      const enough = new AbortController();
      const aborted = listen(enough.signal);
      await script.until(() => script.seen.length === 3);
      await turns();
      enough.abort(new Error("enough"));
      expect((await aborted).message).toBe("enough");
      const closed = listen();
      await script.until(() => script.seen.length === 4);
      await turns();
      await client.close();
      expect((await closed).message).toBe("The connection is closed.");
      expect(script.seen).toHaveLength(4);
    });
  },
);
