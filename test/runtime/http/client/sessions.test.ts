import { http } from "@mcpgen/runtime/http";
import { describe, expect, it } from "vitest";
import { events, failure as refusal, json, legacyScript, paramsOf, result, Script } from "../kit/script.js";
import { failure, legacy, makeClient, text, textOf } from "../../kit/index.js";
import { call, open, opening } from "../kit/client.js";

describe("a session that the server loses", () => {
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

  it("SESS-05 SESS-06 SESS-09 is opened again once, without the old id, and rejected requests are repeated", async () => {
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

  it("SESS-09 does not repeat requests that the server had accepted", async () => {
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

  it("SESS-06 rejects the call if the server loses the new session too", async () => {
    const { script, forget } = await forgetful();
    const client = await open(script);
    const { answer } = script;
    script.answer = (seen, response, count) => {
      answer(seen, response, count);
      if (seen.body?.["method"] === "notifications/initialized") forget();
    };
    forget();
    expect(await failure(client.callTool(call))).toMatchObject({ isSessionLost: true, status: 404 });
    expect(script.methods.filter((what) => what === "initialize")).toHaveLength(2);
  });

  it("HTTP-51 is not assumed after a 404 without a session", async () => {
    const script = await opening((_, response) => void response.writeHead(404).end(), { session: "" });
    const client = await open(script);
    expect(await failure(client.callTool(call))).toMatchObject({ isSessionLost: false, status: 404 });
    expect(script.methods.filter((what) => what === "initialize")).toHaveLength(1);
  });

  it("SESS-02 is rejected if its id is not valid in a header", async () => {
    const script = await opening(() => {}, { session: "a b" });
    const error = await failure(makeClient(legacy.protocol, http(script.url)));
    expect(error).toMatchObject({ name: "TransportError" });
    expect(error.message).toContain("session id");
  });

  it("closes the connection if it cannot be opened again", async () => {
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
