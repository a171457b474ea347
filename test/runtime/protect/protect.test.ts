import {
  protect,
  type ProtectedAuth,
  type Protection,
  type Verifier,
} from "@mcpgen/auth/protect";
import { createHttpHandler } from "@mcpgen/runtime/http";
import { createSseHandler } from "@mcpgen/runtime/sse";
import { describe, expect, it } from "vitest";
import { sendWeb } from "../http/kit/exchange.js";
import { ask, call, modernPost } from "../http/kit/messages.js";
import { endpoints, overSockets } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import { errorOf, type Json, legacy, modern, resultOf } from "../kit/index.js";
import { foreignPromise } from "../kit/realm.js";
import { resource } from "./issuer.js";
import { bearer, protectedServers, serversWith } from "./serving.js";
import { isWhole } from "../../whole.js";

const path = "/.well-known/oauth-protected-resource/mcp";

/** A verifier that counts, for tokens of the form `name`. */
function counting(): { verify: Verifier; readonly tokens: string[] } {
  const tokens: string[] = [];
  const exp = Date.now() / 1000 + 300;
  const verify: Verifier = async (token, { issuers: [iss] }) => {
    tokens.push(token);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return {
      iss,
      sub: token,
      client_id: "app",
      aud: resource,
      exp,
      extra: { of: "claims" },
    };
  };
  return { verify, tokens };
}

describe.each(endpoints)("a server with `protect` behind $name", (endpoint) => {
  const open = protectedServers(endpoint);
  const callAs = (token: string) =>
    modernPost(modern, call(1, "read"), { headers: bearer(token) });

  it("AUTH-52 passes the caller to handlers, and the token only if an option says so", async () => {
    const { verify } = counting();
    const setup = await open({ verify });
    await setup.send(callAs("ada"));
    const [caller] = setup.callers as unknown as ProtectedAuth[];
    expect(caller).toEqual({
      principal: JSON.stringify([setup.issuer.issuer, "ada", "app"]),
      issuer: setup.issuer.issuer,
      subject: "ada",
      clientId: "app",
      scopes: [],
      claims: expect.objectContaining({ extra: { of: "claims" } }) as unknown,
      expiresAt: expect.any(Number) as unknown,
    });
    expect(caller?.token).toBeUndefined();
    const { claims, scopes } = caller ?? {};
    expect(
      [caller, claims, claims?.["extra"], scopes].map(Object.isFrozen),
    ).toEqual([true, true, true, true]);
  });

  it("AUTH-52 passes the token to handlers if an option says so, and it is not written as JSON", async () => {
    const keeping = await open({ verify: counting().verify, keepToken: true });
    await keeping.send(callAs("ada"));
    const [other] = keeping.callers as unknown as ProtectedAuth[];
    expect(other?.token).toBe("ada");
    expect(JSON.stringify(other)).not.toContain('"token"');
  });

  it("AUTH-61 checks each request, and verifies a token once in its recheck time, for any number of concurrent requests", async () => {
    const { verify, tokens } = counting();
    const setup = await open({ verify });
    const names = ["ada", "bob", "ada", "ada", "bob"];
    const statuses = await Promise.all(
      names.map(async (name) => (await setup.send(callAs(name))).status),
    );
    expect(statuses).toEqual(names.map(() => 200));
    expect((await setup.send(callAs("ada"))).status).toBe(200);
    expect(tokens.sort()).toEqual(["ada", "bob"]);
  });

  it("AUTH-61 checks each request of a session", async () => {
    const setup = await open({ verify: counting().verify });
    const session = await Session.start(setup, legacy, {}, bearer("ada"));
    const without = await session.send({
      body: ask(1, "ping"),
      headers: { authorization: undefined },
    });
    expect(without.status).toBe(401);
  });

  it("verifies a token once, however a client writes the header", async () => {
    const { verify, tokens } = counting();
    const setup = await open({ verify });
    for (const authorization of [
      "Bearer ada",
      "bearer ada",
      "BEARER   ada",
      "bEaReR ada  ",
    ]) {
      const { status } = await setup.send(
        modernPost(modern, call(1, "read"), { headers: { authorization } }),
      );
      expect(status).toBe(200);
    }
    expect(tokens).toEqual(["ada"]);
  });

  it("tells apart tokens that have the same end", async () => {
    const setup = await open({ verify: counting().verify });
    const end = "x".repeat(100);
    const names = ["ada", "bob", "ada", "ada", "bob"].map(
      (name) => `${name}-${end}`,
    );
    for (const name of names)
      expect((await setup.send(callAs(name))).status).toBe(200);
    const callers = setup.callers as unknown as ProtectedAuth[];
    expect(callers.map(({ subject }) => subject)).toEqual(names);
  });

  it.each(["", "/"])(
    "accepts an issuer whose slash after the host differs from that of tokens and metadata, which end with %j",
    async (end) => {
      const setup = await open();
      const { issuer } = setup.issuer;
      const published = issuer + end;
      setup.issuer.answer = (path) =>
        path === "/.well-known/oauth-authorization-server"
          ? {
              status: 200,
              text: JSON.stringify({
                issuer: published,
                jwks_uri: `${issuer}/jwks`,
              }),
            }
          : undefined;
      const principals = new Set<unknown>();
      for (const listed of [issuer, `${issuer}/`]) {
        const protection = protect({ resource, issuers: [listed] });
        const handler = createHttpHandler(serversWith(setup.callers), {
          protect: protection,
        });
        const token = await setup.issuer.token({ iss: published });
        expect((await sendWeb(handler, callAs(token))).status).toBe(200);
        const caller = setup.callers.pop();
        // As the option spells it, so that a caller has one principal.
        expect(caller).toMatchObject({
          issuer: listed,
          claims: { iss: published },
        });
        principals.add(caller?.["principal"]);
        const other = await setup.issuer.token({ iss: `${issuer}//` });
        expect((await sendWeb(handler, callAs(other))).status).toBe(401);
        await handler.close();
      }
      expect(principals.size).toBe(2);
    },
  );

  const protectionOf = (admit: Protection["admit"]): Protection => ({
    admit,
    scopesOf: () => [],
    refuse: () => ({ status: 403, headers: {} }),
    whenEnded: () => () => {},
    routes: {},
  });

  it("waits for a protection whose promise is of another realm", async () => {
    const rejection = {
      status: 401,
      headers: { "www-authenticate": "Bearer" },
      text: "no",
    };
    const protection = protectionOf(() => foreignPromise(rejection));
    const setup = await open({}, { protect: protection, legacySse: undefined });
    const answer = await setup.send(callAs("ada"));
    expect([answer.status, await answer.text()]).toEqual([401, "no"]);
    expect(setup.callers).toEqual([]);
  });

  it.each([
    [{}],
    [{ auth: undefined }],
    [{ auth: "ada" }],
    [Promise.resolve({})],
  ])(
    "answers with 500 and reports if a protection neither admits nor rejects: %j",
    async (result) => {
      const protection = protectionOf(() => result as never);
      const setup = await open(
        {},
        { protect: protection, legacySse: undefined },
      );
      expect((await setup.send(callAs("ada"))).status).toBe(500);
      expect(setup.callers).toEqual([]);
      expect(setup.log).toEqual([
        expect.stringContaining("protect: admit: expected { auth }"),
      ]);
    },
  );

  it("verifies a token for each request with `recheckTime: 0`", async () => {
    const { verify, tokens } = counting();
    const setup = await open({ verify, recheckTime: 0 });
    for (let i = 0; i < 3; i++)
      expect((await setup.send(callAs("ada"))).status).toBe(200);
    expect(tokens).toEqual(["ada", "ada", "ada"]);
  });

  it.runIf(isWhole || endpoint !== overSockets)(
    "forgets the oldest of 1,000 tokens",
    async () => {
      const { verify, tokens } = counting();
      const setup = await open({ verify });
      const names = Array.from({ length: 1001 }, (_, i) => `user-${i}`);
      for (let i = 0; i < names.length; i += 100)
        await Promise.all(
          names.slice(i, i + 100).map((name) => setup.send(callAs(name))),
        );
      await setup.send(callAs("user-1000"));
      await setup.send(callAs("user-0"));
      expect(tokens.slice(1001)).toEqual(["user-0"]);
    },
  );

  it("checks a request once if a second handler on the URL has the same protection", async () => {
    const { verify, tokens } = counting();
    const setup = await open({ verify, recheckTime: 0 });
    const stream = await setup.send({
      headers: { accept: "text/event-stream", ...bearer("ada") },
    });
    const { data = "" } = (await stream.next()) ?? {};
    expect(tokens).toEqual(["ada"]);
    const sent = { path: data, body: ask(1, "ping"), headers: bearer("ada") };
    expect((await setup.send(sent)).status).toBe(202);
    expect((await setup.send({ ...sent, headers: bearer("bob") })).status).toBe(
      404,
    );
    expect((await setup.send({ ...sent, headers: {} })).status).toBe(401);
    stream.leave();
  });

  it("MRTR-10 rejects the state of a call from another principal", async () => {
    const handlers = {
      "tools/list": () => ({ tools: [] }),
      "tools/call": async (
        _: Json,
        { request }: { request(method: string, params: Json): Promise<Json> },
      ) => {
        const schema = {
          type: "object",
          properties: { name: { type: "string" } },
        };
        const answer = await request("elicitation/create", {
          mode: "form",
          message: "?",
          requestedSchema: schema,
        });
        return {
          content: [{ type: "text", text: JSON.stringify(answer["content"]) }],
        };
      },
    };
    const setup = await open({ verify: counting().verify }, {}, { handlers });
    const capabilities = { elicitation: { form: {} } };
    const send = async (token: string, more: Json): Promise<Json> => {
      const message = ask(1, "tools/call", {
        name: "ask",
        arguments: {},
        ...more,
      });
      const answer = await setup.send(
        modernPost(modern, message, { headers: bearer(token), capabilities }),
      );
      return answer.json();
    };
    const { requestState, inputRequests } = resultOf(await send("ada", {}));
    const [key = ""] = Object.keys(inputRequests as object);
    const inputResponses = {
      [key]: { action: "accept", content: { name: "Ada" } },
    };
    const stolen = await send("bob", { requestState, inputResponses });
    expect(errorOf(stolen)).toMatchObject({ code: -32602 });
    const own = await send("ada", { requestState, inputResponses });
    expect(resultOf(own)).toMatchObject({
      content: [{ text: '{"name":"Ada"}' }],
    });
  });
});

describe("the metadata of `protect`", () => {
  const issuers = [
    "https://as.example.com/tenant",
    "https://other.example.com",
  ];
  const scopes = {
    base: ["mcp"],
    methods: { "tools/call": ["files:read", "offline_access"] },
  };

  it.each([path, "/.well-known/oauth-protected-resource"])(
    "AUTH-03 AUTH-04 AUTH-59 is served at %s, the path of the resource or the root, for pages of any origin",
    async (at) => {
      const { routes } = protect({
        resource,
        issuers,
        scopes,
        metadata: { resource_name: "Files" },
      });
      expect(Object.keys(routes)).toEqual([
        path,
        "/.well-known/oauth-protected-resource",
      ]);
      const route = routes[at] as NonNullable<(typeof routes)[string]>;
      const response = await route(new Request("https://evil.example/"));
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "application/json",
        "access-control-allow-origin": "*",
        "cache-control": "public, max-age=3600",
      });
      expect(await response.json()).toEqual({
        resource,
        authorization_servers: issuers,
        bearer_methods_supported: ["header"],
        scopes_supported: ["mcp", "files:read"],
        resource_name: "Files",
      });
      const preflight = await route(
        new Request("https://evil.example/", { method: "OPTIONS" }),
      );
      expect([
        preflight.status,
        preflight.headers.get("access-control-allow-headers"),
      ]).toEqual([204, "*"]);
      const post = await route(
        new Request("https://evil.example/", { method: "POST" }),
      );
      expect([post.status, post.headers.get("allow")]).toEqual([
        405,
        "GET, HEAD, OPTIONS",
      ]);
    },
  );

  it("has one URL for a server at the root of its origin", () => {
    const { routes } = protect({
      resource: "https://mcp.example.com",
      issuers,
    });
    expect(Object.keys(routes)).toEqual([
      "/.well-known/oauth-protected-resource",
    ]);
  });

  it("excludes the option `authenticate`", () => {
    const options = {
      protect: protect({ resource, issuers }),
      authenticate: () => ({ principal: "ada" }),
    };
    const servers = serversWith([]);
    expect(() => createHttpHandler(servers, options)).toThrow(
      /expected protect or authenticate, got both/,
    );
    expect(() => createSseHandler(servers, options)).toThrow(
      /expected protect or authenticate, got both/,
    );
  });

  it("is served with CORS headers that let pages read the challenge and the nonce", async () => {
    const handler = createHttpHandler(serversWith([]), {
      protect: protect({ resource, issuers }),
      allowedOrigins: ["https://app.example.com"],
    });
    const headers = { origin: "https://app.example.com" };
    const answer = await sendWeb(handler, { body: ask(1, "ping"), headers });
    expect(answer.header("access-control-expose-headers")).toMatch(
      /WWW-Authenticate.*DPoP-Nonce/,
    );
    await handler.close();
  });
});
