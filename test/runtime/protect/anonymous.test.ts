import { memoryStore, oauth, type OtherGrant } from "@mcpgen/auth";
import { protect, type Protection } from "@mcpgen/auth/protect";
import { ScopeError, TokenError } from "@mcpgen/runtime";
import { prompts, resources, tools } from "@mcpgen/runtime/features";
import { createHttpHandler, http, serveHttp } from "@mcpgen/runtime/http";
import { createSseHandler, sse } from "@mcpgen/runtime/sse";
import { serveWebSocket, webSocket } from "@mcpgen/runtime/websocket";
import { describe, expect, it } from "vitest";
import { freePort } from "../../free-port.js";
import type { Answer } from "../http/kit/exchange.js";
import { ask, call, hello, modernPost } from "../http/kit/messages.js";
import { endpoints, named, serving } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import {
  type AnyHandlers,
  errorOf,
  failure,
  info,
  type Json,
  legacy,
  makeServer,
  modern,
  revisions,
  text,
} from "../kit/index.js";
import { resource } from "./issuer.js";
import {
  bearer,
  challengeOf,
  protectedServers,
  serversWith,
  sharedIssuer,
} from "./serving.js";

const resource_metadata =
  "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
const needsToken = (scope: string): Json => ({
  scheme: "bearer",
  resource_metadata,
  ...(scope && { scope }),
});
const expired = "The token of the calendar has expired.";

const oldest = named("2024-11-05");

/** A tool without scopes, and entries with scopes in functions. */
const sources = {
  ...tools([
    {
      name: "public",
      handler: (_: unknown, { auth }) =>
        auth === undefined ? "nobody" : "somebody",
    },
  ]),
  ...tools((() => [
    { name: "own", scopes: ["files:write"], handler: () => "called" },
    {
      name: "calendar",
      handler: (
        _: unknown,
        { progress }: { progress(value: number): void },
      ) => {
        progress(1);
        throw new TokenError(expired, ["calendar"]);
      },
    },
  ]) as never),
  ...prompts((() => [
    { name: "own", scopes: ["plans"], get: () => "text" },
  ]) as never),
  ...resources((() => [
    { uri: "test://own", name: "own", scopes: ["one"], read: () => "text" },
  ]) as never),
} as unknown as AnyHandlers;

describe.each(endpoints)(
  "a server with `anonymous: true` behind $name",
  (endpoint) => {
    const open = protectedServers(endpoint);
    const serve = serving(endpoint);

    it("answers a caller without a token who uses what needs no scope, with no `context.auth`", async () => {
      const { send, callers } = await open({ anonymous: true });
      expect((await send(modernPost(modern, call(1, "read")))).status).toBe(
        200,
      );
      expect(
        (await send(modernPost(modern, ask(2, "tools/list")))).status,
      ).toBe(200);
      expect(callers).toEqual([undefined]);
    });

    it("answers a caller without a token with 401 if the server needs one for everything", async () => {
      expect(
        (await (await open()).send(modernPost(modern, call(1, "read")))).status,
      ).toBe(401);
    });

    it.each([
      ["tools/call", { name: "own" }, "files:write"],
      ["prompts/get", { name: "own" }, "plans"],
      ["resources/read", { uri: "test://own" }, "one"],
      ["prompts/list", {}, "lists"],
    ] as const)(
      "answers %s with %j, which needs a scope, with 401, the scope %s and the URL of the metadata",
      async (method, params, scope) => {
        const scopes = { methods: { "prompts/list": ["lists"] } };
        const { issuer, send } = await open(
          { anonymous: true, scopes },
          {},
          { handlers: sources },
        );
        const as = async (
          headers: Record<string, string> = {},
        ): Promise<Answer> =>
          send(modernPost(modern, ask(1, method, params), { headers }));
        const refused = await as();
        expect([refused.status, challengeOf(refused)]).toEqual([
          401,
          needsToken(scope),
        ]);
        expect(errorOf(await refused.json())).toMatchObject({
          code: 401,
          data: { requiredScopes: [scope] },
        });
        const lacking = await as(
          bearer(await issuer.token({ scope: "other" })),
        );
        expect([lacking.status, challengeOf(lacking)["error"]]).toEqual([
          403,
          "insufficient_scope",
        ]);
        expect((await as(bearer(await issuer.token({ scope })))).status).toBe(
          200,
        );
      },
    );

    it("answers a call over HTTP+SSE that needs a scope in the same way, and one that needs none", async () => {
      const { send, callers } = await open({ anonymous: true });
      const stream = await send({
        method: "GET",
        headers: { accept: "text/event-stream" },
      });
      const { data: path = "" } = (await stream.next()) ?? {};
      await send({ path, body: hello(oldest.revision) });
      await stream.message();
      const refused = await send({ path, body: call(1, "delete") });
      expect([refused.status, challengeOf(refused)]).toEqual([
        401,
        needsToken("files:write files:delete"),
      ]);
      expect((await send({ path, body: call(2, "read") })).status).toBe(202);
      expect(await stream.message()).toMatchObject({
        id: 2,
        result: text("called"),
      });
      expect(callers).toEqual([undefined]);
      stream.leave();
    });

    it("answers tools of a list before it runs anything, also in a batch, with the scopes of all", async () => {
      const { send, callers } = await open({ anonymous: true });
      const answer = await send(modernPost(modern, call(1, "delete")));
      expect([answer.status, challengeOf(answer)]).toEqual([
        401,
        needsToken("files:write files:delete"),
      ]);
      expect(callers).toEqual([]);
    });

    it.each([
      ["a call", modernPost(modern, call(1, "read"))],
      ["GET", { method: "GET" }],
      ["DELETE", { method: "DELETE" }],
    ])(
      "answers %s with 401 if the server requires a scope of all",
      async (_, sent) => {
        const { send } = await open({ anonymous: true, scopes: ["mcp"] });
        const answer = await send(sent);
        expect([answer.status, challengeOf(answer)]).toEqual([
          401,
          needsToken("mcp"),
        ]);
      },
    );

    it.each([
      ["Bearer wrong", 401],
      ["Bearer", 400],
      ["Basic YTpi", 401],
      ["Negotiate", 401],
    ])(
      "does not take a caller with the header `Authorization: %s` for one without a token",
      async (authorization, status) => {
        const { send, callers } = await open({ anonymous: true });
        const answer = await send(
          modernPost(modern, call(1, "read"), { headers: { authorization } }),
        );
        expect([answer.status, callers]).toEqual([status, []]);
      },
    );

    it("gives a session that began without a token to the caller who signs in, and to nobody else", async () => {
      const setup = await open({ anonymous: true });
      const session = await Session.start(setup, legacy);
      expect((await session.post(call(1, "read"))).status).toBe(200);
      const refused = await session.post(call(2, "write"));
      expect([refused.status, challengeOf(refused)]).toEqual([
        401,
        needsToken("files:write"),
      ]);
      const ada = bearer(await setup.issuer.token({ scope: "files:write" }));
      expect(
        (await session.send({ body: call(3, "write"), headers: ada })).status,
      ).toBe(200);
      const renewed = bearer(
        await setup.issuer.token({ scope: "files:write other" }),
      );
      expect(
        (await session.send({ body: call(4, "write"), headers: renewed }))
          .status,
      ).toBe(200);
      const bob = bearer(await setup.issuer.token({ sub: "bob" }));
      expect(
        (await session.send({ body: call(5, "read"), headers: bob })).status,
      ).toBe(404);
      expect((await session.post(call(6, "read"))).status).toBe(404);
      expect(setup.callers.map((caller) => caller?.["subject"])).toEqual([
        undefined,
        "ada",
        "ada",
      ]);
    });

    const rejecting = async () => {
      const fail = (): never => {
        throw new TokenError(`${expired}"\r\nx: \u20ac`, ["calendar"]);
      };
      const handlers = tools([
        { name: "calendar", handler: fail },
      ]) as unknown as AnyHandlers;
      const { issuer, send } = await open(
        { anonymous: true },
        {},
        { handlers },
      );
      const headers = bearer(await issuer.token());
      return {
        send,
        headers,
        invalid: { ...needsToken("calendar"), error: "invalid_token" },
      };
    };

    it("answers a TokenError of a handler with 401, as the challenge to sign in again", async () => {
      const { send, headers, invalid } = await rejecting();
      const answer = await send(
        modernPost(modern, call(1, "calendar"), { headers }),
      );
      const challenge = challengeOf(answer);
      expect([answer.status, challenge]).toEqual([
        401,
        {
          ...invalid,
          error_description: expect.stringContaining(expired) as unknown,
        },
      ]);
      expect(errorOf(await answer.json())).toMatchObject({ code: 401 });
    });

    it("answers a TokenError of a handler in a session with 401", async () => {
      const { send, headers } = await rejecting();
      const session = await Session.start(
        { port: 0, send, close: async () => {} },
        legacy,
        {},
        headers,
      );
      const inSession = await session.post(call(2, "calendar"));
      expect([inSession.status, challengeOf(inSession)["error"]]).toEqual([
        401,
        "invalid_token",
      ]);
    });

    it("answers a TokenError of a handler without a token to reject as if it needed one", async () => {
      const { send } = await rejecting();
      const anonymous = await send(modernPost(modern, call(3, "calendar")));
      expect([anonymous.status, challengeOf(anonymous)]).toEqual([
        401,
        needsToken("calendar"),
      ]);
    });

    it("sends a TokenError as a JSON-RPC error after a first message", async () => {
      const { issuer, send } = await open({}, {}, { handlers: sources });
      const headers = bearer(await issuer.token());
      const session = await Session.start(
        { port: 0, send, close: async () => {} },
        legacy,
        {},
        headers,
      );
      const late = await session.post(
        call(1, "calendar", {}, { progressToken: 1 }),
      );
      expect((await late.message())["method"]).toBe("notifications/progress");
      const error = {
        code: 401,
        message: expired,
        data: { requiredScopes: ["calendar"] },
      };
      expect(errorOf(await late.message())).toEqual(error);
    });

    it("answers a TokenError with 401 without `protect` too, and passes on none of another server", async () => {
      const servers = (error: Error): ReturnType<typeof makeServer> => {
        const handler = (): never => {
          throw error;
        };
        return makeServer(modern.protocol, {
          handlers: tools([{ name: "own", handler }]) as never,
        });
      };
      const authenticate = (): Json => ({ principal: "ada" });
      const { send } = await serve(servers(new TokenError(expired)), {
        authenticate,
      });
      const answer = await send(modernPost(modern, call(1, "own")));
      expect([answer.status, answer.header("www-authenticate")]).toEqual([
        401,
        "Bearer",
      ]);
      const received = Object.assign(new ScopeError([]), {
        data: { requiredScopes: ["x"] },
      });
      const other = await serve(servers(received), { authenticate });
      expect(
        (await other.send(modernPost(modern, call(1, "own")))).status,
      ).toBe(200);
    });

    it.each(["anonymous", "guest"])(
      "lets a protection of one's own answer 401 to a caller: %s",
      async (kind) => {
        const seen: unknown[] = [];
        const protection: Protection = {
          admit: () => ({
            auth: kind === "anonymous" ? "anonymous" : { principal: "guest" },
          }),
          scopesOf: () => [],
          refuse: (auth, { scopes }) => {
            seen.push(auth?.principal);
            return {
              status: 401,
              headers: {
                "www-authenticate": `Own scope="${scopes.join(" ")}"`,
              },
            };
          },
          whenEnded: () => () => {},
          routes: {},
        };
        const callers: Json[] = [];
        const { send } = await serve(serversWith(callers), {
          protect: protection,
        });
        expect((await send(modernPost(modern, call(1, "read")))).status).toBe(
          200,
        );
        const answer = await send(modernPost(modern, call(2, "write")));
        expect([answer.status, answer.header("www-authenticate")]).toEqual([
          401,
          'Own scope="files:write"',
        ]);
        const principal = kind === "guest" ? "guest" : undefined;
        expect([seen, callers.map((caller) => caller?.["principal"])]).toEqual([
          [principal],
          [principal],
        ]);
      },
    );
  },
);

describe("a server with `anonymous: true`", () => {
  const issuer = sharedIssuer();
  const servers = (): ReturnType<typeof makeServer>[] =>
    revisions.map(({ protocol }) =>
      makeServer(protocol, { info, handlers: sources }),
    );

  it("names the scopes that a request over a WebSocket lacks, in an error with the code 401", async () => {
    const protection = protect({
      resource,
      issuers: [issuer.current.issuer],
      anonymous: true,
    });
    await using up = await serveWebSocket(servers(), {
      port: 0,
      protect: protection,
    });
    for (const era of [legacy, modern]) {
      await using client = await era.protocol.Client.connect(
        webSocket(up.url),
        { info },
      );
      expect(await client.callTool({ name: "public" })).toMatchObject(
        text("nobody"),
      );
      const error = await failure(client.callTool({ name: "own" }));
      expect(error).toMatchObject({
        code: 401,
        data: { requiredScopes: ["files:write"] },
      });
    }
  });

  it.each(["Streamable HTTP", "HTTP+SSE"])(
    "lets a client over %s sign in when a call needs it, once, and again when a handler rejects its token",
    async (name) => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/mcp`;
      const { issuer: as } = issuer.current;
      const protection = protect({
        resource: url,
        issuers: [as],
        anonymous: true,
      });
      let rejected: string | undefined;
      const upstream = tools([
        {
          name: "upstream",
          handler: (_: unknown, { auth }) => {
            const jti = String((Object(auth?.["claims"]) as Json)["jti"]);
            if ((rejected ??= jti) === jti) throw new TokenError(expired);
            return "called";
          },
        },
      ]);
      const handlers = { ...sources, ...upstream } as AnyHandlers;
      const own = revisions.map(({ protocol }) =>
        makeServer(protocol, { info, handlers }),
      );
      const handler = createHttpHandler(own, {
        protect: protection,
        legacySse: createSseHandler(own, { protect: protection }),
      });
      await using _up = await serveHttp(handler, { port });
      issuer.current.answer = (path) =>
        path.includes("authorization-server")
          ? {
              status: 200,
              text: JSON.stringify({
                issuer: as,
                jwks_uri: `${as}/jwks`,
                token_endpoint: `${as}/token`,
              }),
            }
          : undefined;
      const asked: unknown[] = [];
      const login: OtherGrant = {
        token: async ({ params }) => {
          asked.push(params["scope"]);
          const claims = {
            aud: url,
            scope: params["scope"] ?? "",
            jti: crypto.randomUUID(),
          };
          const accessToken = await issuer.current.token(claims);
          return {
            clientId: "app",
            accessToken,
            refreshToken: undefined,
            lifetime: 60,
            isBound: false,
          };
        },
      };
      const auth = oauth({ login, store: memoryStore() });
      const transport =
        name === "HTTP+SSE" ? sse(url, { auth }) : http(url, { auth });
      await using client = await legacy.protocol.Client.connect(transport, {
        info,
      });
      expect(await client.callTool({ name: "public" })).toMatchObject(
        text("nobody"),
      );
      expect(asked).toEqual([]);
      if (name === "HTTP+SSE") return;
      expect(await client.callTool({ name: "own" })).toMatchObject(
        text("called"),
      );
      expect(asked).toEqual(["files:write"]);
      expect(await client.callTool({ name: "upstream" })).toMatchObject(
        text("called"),
      );
      expect(asked).toHaveLength(2);
    },
  );
});
