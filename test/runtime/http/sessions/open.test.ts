import { describe, expect, it } from "vitest";
import {
  errorOf,
  legacy,
  legacyRevisions,
  resultOf,
  text,
  textOf,
} from "../../kit/index.js";
import { ask, call, hello, tell } from "../kit/messages.js";
import { endpoints, opener, sessionRevisions } from "../kit/server.js";
import { Session } from "../kit/session.js";

describe.each(endpoints)("sessions behind $name", (endpoint) => {
  const open = opener(endpoint, legacyRevisions);

  it.each(sessionRevisions)(
    "SESS-01 SESS-02 are opened by each handshake at $revision, with a new id",
    async (revision) => {
      const up = await open();
      const ids = new Set<string>();
      for (let i = 0; i < 20; i++) {
        const answer = await up.send({ body: hello(revision.revision) });
        const id = answer.header("mcp-session-id") ?? "";
        expect(id).toMatch(/^[\x21-\x7e]{32,}$/);
        expect(resultOf(await answer.json())["protocolVersion"]).toBe(
          revision.revision,
        );
        ids.add(id);
      }
      expect(ids.size).toBe(20);
    },
  );

  it("SESS-01 opens no session if the handshake fails, and refuses one above the limit", async () => {
    const up = await open({ limits: { sessions: 1 } });
    for (const body of [
      ask(1, "initialize"),
      ask(1, "initialize", { protocolVersion: 5 }),
      ask(null, "initialize", {}),
      tell("initialize"),
    ]) {
      const answer = await up.send({ body });
      expect([answer.header("mcp-session-id"), answer.status < 500]).toEqual([
        undefined,
        true,
      ]);
    }
    const session = await Session.start(up, legacy);
    expect((await session.post(ask(1, "ping"))).status).toBe(200);
    const full = await up.send({ body: hello(legacy.revision) });
    expect([full.status, full.header("retry-after")]).toEqual([503, "10"]);
  });

  it.each([
    { body: ask(1, "ping") },
    { body: call(1, "echo") },
    { method: "GET" },
    { method: "DELETE" },
  ])("SESS-04 LIFE-07 rejects %j without a session with 400", async (sent) => {
    const answer = await (await open()).send(sent);
    expect(answer.status).toBe(400);
    expect(errorOf(await answer.json())["code"]).toBe(-32600);
  });

  it("LIFE-08 rejects a second handshake in a session, which stays open", async () => {
    const session = await Session.start(await open(), legacy);
    const answer = await session.post({ ...hello("2024-11-05"), id: 2 });
    expect([answer.status, errorOf(await answer.json())["code"]]).toEqual([
      400, -32600,
    ]);
    expect(resultOf(await session.ask(ask(3, "ping")))).toEqual({});
  });

  it("SESS-08 rejects requests of other principals in a session", async () => {
    const principals: string[] = [];
    const up = await open({
      authenticate: (request) => {
        const who = request.headers.get("authorization");
        principals.push(`${request.method} ${who}`);
        if (who) return { principal: who, scope: "all" };
        return new Response("Who are you?", {
          status: 401,
          headers: { "www-authenticate": "Bearer" },
        });
      },
    });
    const ada = await Session.start(up, legacy, {}, { authorization: "Ada" });
    const bob = { authorization: "Bob" };
    for (const sent of [
      { body: ask(1, "ping") },
      { method: "GET" },
      { method: "DELETE" },
    ]) {
      const stolen = await ada.send({ ...sent, headers: bob });
      expect(stolen.status).toBe(404);
      const nobody = await ada.send({
        ...sent,
        headers: { authorization: undefined },
      });
      expect([
        nobody.status,
        nobody.header("www-authenticate"),
        await nobody.text(),
      ]).toEqual([401, "Bearer", "Who are you?"]);
    }
    expect(resultOf(await ada.ask(ask(1, "ping")))).toEqual({});
    expect(principals).toContain("DELETE Bob");
  });

  const challenging = async () => {
    const up = await open(
      {
        allowedOrigins: ["https://app.example.com"],
        authenticate: async (request) =>
          request.headers.get("authorization") === "Bearer good"
            ? { principal: "ada", scopes: ["read"] }
            : Response.json({ error: "invalid_token" }, { status: 401 }),
      },
      { who: (_, { auth }) => text(JSON.stringify(auth)) },
    );
    return up;
  };

  it("passes the result of authenticate to the handler", async () => {
    const session = await Session.start(
      await challenging(),
      legacy,
      {},
      { authorization: "Bearer good" },
    );
    expect(textOf(resultOf(await session.ask(call(1, "who"))))).toBe(
      '{"principal":"ada","scopes":["read"]}',
    );
  });

  it("lets web pages read a challenge of authenticate", async () => {
    const up = await challenging();
    const origin = "https://app.example.com";
    const refused = await up.send({
      body: ask(1, "ping"),
      headers: { origin },
    });
    expect([
      refused.status,
      refused.header("access-control-allow-origin"),
    ]).toEqual([401, origin]);
    expect(refused.header("access-control-expose-headers")).toMatch(
      /www-authenticate/i,
    );
    expect(await refused.json()).toEqual({ error: "invalid_token" });
    const preflight = await up.send({ method: "OPTIONS", headers: { origin } });
    expect(
      preflight.status,
      "a browser asks before it may show who is calling",
    ).toBe(204);
  });
});
