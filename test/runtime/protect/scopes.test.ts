import { once } from "node:events";
import {
  McpError,
  memoryPair,
  ScopeError,
  serve as serveOver,
} from "@mcpgen/runtime";
import { prompts, resources, tools } from "@mcpgen/runtime/features";
import { protect } from "@mcpgen/auth/protect";
import { createHttpHandler, http, serveHttp } from "@mcpgen/runtime/http";
import { tasks } from "@mcpgen/runtime/tasks";
import { createSseHandler, sse } from "@mcpgen/runtime/sse";
import { serveWebSocket, webSocket } from "@mcpgen/runtime/websocket";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Answer } from "../http/kit/exchange.js";
import { ask, call, hello, modernPost, tell } from "../http/kit/messages.js";
import { endpoints, named, serving } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import {
  type AnyClient,
  type AnyHandlers,
  errorOf,
  failure,
  info,
  type Json,
  legacy,
  makeServer,
  metaFor,
  modern,
  revisions,
  text,
} from "../kit/index.js";
import { until } from "../kit/watch.js";
import { resource } from "./issuer.js";
import {
  bearer,
  challengeOf,
  protectedServers,
  serversWith,
  sharedIssuer,
} from "./serving.js";

const batches = named("2025-03-26");
const resource_metadata =
  "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

/** The challenge for these scopes. */
const challengeFor = (scope: string): Json => ({
  scheme: "bearer",
  error: "insufficient_scope",
  error_description: "The token lacks a scope that the operation requires.",
  scope,
  resource_metadata,
});

describe.each(endpoints)("scopes behind $name", (endpoint) => {
  const open = protectedServers(endpoint);
  const serve = serving(endpoint);

  it("AUTH-56 are listed in a 403 before the tool runs: those of the tool, the method and the server", async () => {
    const rules = { base: ["mcp"], methods: { "tools/call": ["files:read"] } };
    const setup = await open({ scopes: rules });
    const all = challengeFor("mcp files:read files:write files:delete");
    for (const scope of ["", "mcp", "mcp files:read files:write"]) {
      const headers = bearer(await setup.issuer.token({ scope }));
      const answer = await setup.send(
        modernPost(modern, call(1, "delete"), { headers }),
      );
      expect(challengeOf(answer)).toEqual(all);
      expect([answer.status, errorOf(await answer.json())["code"]]).toEqual([
        403, 403,
      ]);
    }
    expect(setup.callers).toEqual([]);
    const headers = bearer(await setup.issuer.token({ scope: all["scope"] }));
    expect(
      (await setup.send(modernPost(modern, call(1, "delete"), { headers })))
        .status,
    ).toBe(200);
    expect(
      (await setup.send(modernPost(modern, ask(2, "tools/list"), { headers })))
        .status,
    ).toBe(200);
  });

  it("AUTH-56 are listed in a 403 in a session too, which stays open", async () => {
    const setup = await open({ scopes: ["mcp"] });
    const headers = bearer(await setup.issuer.token({ scope: "mcp" }));
    const session = await Session.start(setup, legacy, {}, headers);
    const answer = await session.post(call(1, "write"));
    expect([answer.status, challengeOf(answer)]).toEqual([
      403,
      challengeFor("mcp files:write"),
    ]);
    expect((await session.post(call(2, "read"))).status).toBe(200);
    const more = bearer(await setup.issuer.token({ scope: "mcp files:write" }));
    expect(
      (await session.send({ body: call(3, "write"), headers: more })).status,
    ).toBe(200);
  });

  it("are checked for a whole batch before any part of it runs", async () => {
    const setup = await open();
    const headers = bearer(await setup.issuer.token({ scope: "files:write" }));
    const session = await Session.start(setup, batches, {}, headers);
    const answer = await session.post([
      call(1, "read"),
      call(2, "write"),
      call(3, "delete"),
    ]);
    expect([answer.status, challengeOf(answer)]).toEqual([
      403,
      challengeFor("files:write files:delete"),
    ]);
    expect(setup.callers).toEqual([]);
    expect(
      (await session.post([call(4, "read"), call(5, "write")])).status,
    ).toBe(200);
    expect(setup.callers).toHaveLength(2);
  });

  it.each([
    { method: "GET" },
    { method: "DELETE" },
    { body: tell("notifications/initialized") },
  ])(
    "are checked for %j, a request without an answer, if the server requires them",
    async (sent) => {
      const setup = await open({ scopes: ["mcp"] });
      const headers = bearer(await setup.issuer.token({ scope: "other" }));
      const answer = await setup.send({ ...sent, headers });
      expect([answer.status, challengeOf(answer)]).toEqual([
        403,
        challengeFor("mcp"),
      ]);
    },
  );

  it("AUTH-58 are satisfied by a scope that includes them, through several steps", async () => {
    const implies = {
      files: ["files:all"],
      "files:all": ["files:write", "files:delete", "files"],
    };
    const setup = await open({ scopes: { implies } });
    const headers = bearer(await setup.issuer.token({ scope: "files" }));
    expect(
      (await setup.send(modernPost(modern, call(1, "delete"), { headers })))
        .status,
    ).toBe(200);
    expect(setup.callers[0]?.["scopes"]).toEqual([
      "files",
      "files:all",
      "files:write",
      "files:delete",
    ]);
  });

  it("AUTH-58 are not satisfied by a scope that they include", async () => {
    const implies = {
      files: ["files:all"],
      "files:all": ["files:write", "files:delete", "files"],
    };
    const setup = await open({ scopes: { implies } });
    const narrow = bearer(await setup.issuer.token({ scope: "files:write" }));
    expect(
      (
        await setup.send(
          modernPost(modern, call(1, "delete"), { headers: narrow }),
        )
      ).status,
    ).toBe(403);
  });

  it.each([
    ["scope", "files:write other"],
    ["scp", ["files:write"]],
    ["scp", "files:write"],
    ["scopes", ["other", "files:write"]],
  ])("are read from the claim %s: %j", async (claim, value) => {
    const setup = await open();
    const headers = bearer(await setup.issuer.token({ [claim]: value }));
    expect(
      (await setup.send(modernPost(modern, call(1, "write"), { headers })))
        .status,
    ).toBe(200);
  });

  it.each([
    7,
    null,
    { "files:write": true },
    [["files:write"]],
    "files:writer",
    "FILES:WRITE",
  ])("are not satisfied by %j if files:write is required", async (scope) => {
    const setup = await open();
    const headers = bearer(await setup.issuer.token({ scope }));
    expect(
      (await setup.send(modernPost(modern, call(1, "write"), { headers })))
        .status,
    ).toBe(403);
  });

  const throwing = async () => {
    const handlers = {
      "tools/list": () => ({ tools: [] }),
      "tools/call": async (
        params: Json,
        { progress }: { progress(value: number): void },
      ) => {
        if (params["name"] === "late") progress(1);
        throw new ScopeError(["reports"], "A report is for auditors.");
      },
    } as unknown as AnyHandlers;
    const { issuer, send } = await open({ scopes: ["mcp"] }, {}, { handlers });
    const headers = bearer(await issuer.token({ scope: "mcp" }));
    const session = () =>
      Session.start(
        { port: 0, send, close: async () => {} },
        legacy,
        {},
        headers,
      );
    return { send, headers, session };
  };
  const challenge = challengeFor("mcp reports");
  const expectError = (message: Json): void =>
    expect(errorOf(message)).toEqual({
      code: 403,
      message: "A report is for auditors.",
      data: { requiredScopes: ["reports"] },
    });

  it("are listed in a 403 if a handler throws a ScopeError", async () => {
    const { send, headers } = await throwing();
    const stateless = await send(
      modernPost(modern, call(1, "early"), { headers }),
    );
    expect([stateless.status, challengeOf(stateless)]).toEqual([
      403,
      challenge,
    ]);
    expectError(await stateless.json());
  });

  it("are listed in a 403 if a handler of a session throws a ScopeError", async () => {
    const { session } = await throwing();
    const inSession = await (await session()).post(call(2, "early"));
    expect([inSession.status, challengeOf(inSession)]).toEqual([
      403,
      challenge,
    ]);
    expectError(await inSession.json());
  });

  it("are listed in the JSON-RPC error if a handler throws a ScopeError after a first message", async () => {
    const { session } = await throwing();
    const late = await (
      await session()
    ).post(call(3, "late", {}, { progressToken: 1 }));
    expect(late.status).toBe(200);
    expect((await late.message())["method"]).toBe("notifications/progress");
    expectError(await late.message());
  });

  it("AUTH-56 names the scopes of the method too if a handler throws a ScopeError, or a tool of a function has scopes", async () => {
    const scopes = { base: ["mcp"], methods: { "tools/call": ["files:read"] } };
    const list = () => [
      { name: "own", scopes: ["files:write"], handler: () => "called" },
    ];
    const story = await open(
      { scopes },
      {},
      { handlers: { ...tools(list as never) } },
    );
    const headers = bearer(
      await story.issuer.token({ scope: "mcp files:read" }),
    );
    const expected = [403, challengeFor("mcp files:read files:write")];
    const stateless = await story.send(
      modernPost(modern, call(1, "own"), { headers }),
    );
    expect([stateless.status, challengeOf(stateless)]).toEqual(expected);
    const session = await Session.start(story, legacy, {}, headers);
    const inSession = await session.post(call(2, "own"));
    expect([inSession.status, challengeOf(inSession)]).toEqual(expected);
  });

  it("does not require the scopes of an error that a handler passes on from another server", async () => {
    const passOn = (): never => {
      throw new McpError(403, "Forbidden", { requiredScopes: ["admin"] });
    };
    const handlers = tools([
      { name: "relay", handler: passOn },
    ]) as unknown as AnyHandlers;
    const { issuer, send } = await open({}, {}, { handlers });
    const headers = bearer(await issuer.token());
    const answer = await send(
      modernPost(modern, call(1, "relay"), { headers }),
    );
    expect([answer.status, answer.header("www-authenticate")]).toEqual([
      200,
      undefined,
    ]);
    expect(errorOf(await answer.json())).toMatchObject({
      code: 403,
      message: "Forbidden",
    });
  });

  it("are checked for the tools that a function returns for the caller", async () => {
    const list = (context: { auth?: Json }) => [
      {
        name: "own",
        scopes: [`${String(context.auth?.["subject"])}:write`],
        handler: () => "called",
      },
    ];
    const { issuer, send } = await open(
      {},
      {},
      { handlers: { ...tools(list as never) } },
    );
    const callAs = async (sub: string, scope: string): Promise<number> => {
      const headers = bearer(await issuer.token({ sub, scope }));
      return (await send(modernPost(modern, call(1, "own"), { headers })))
        .status;
    };
    expect(await callAs("ada", "ada:write")).toBe(200);
    expect(await callAs("bob", "bob:read")).toBe(403);
    expect(await callAs("bob", "bob:read ada:write")).toBe(403);
  });

  it("are checked for the tools that a function returns before a task of the call exists", async () => {
    const execution = { taskSupport: "optional" };
    const list = () => [
      {
        name: "own",
        scopes: ["files:write"],
        execution,
        handler: () => "called",
      },
    ];
    const created: string[] = [];
    const onTask = ({ kind }: { readonly kind: string }): void =>
      void created.push(kind);
    const handlers = {
      ...tools(list as never),
      ...tasks({ onTask }),
    } as unknown as AnyHandlers;
    const { issuer, send } = await open({}, {}, { handlers });
    const headers = bearer(await issuer.token({ scope: "files:read" }));
    const session = await Session.start(
      { port: 0, send, close: async () => {} },
      legacy,
      {},
      headers,
    );
    const message = call(1, "own");
    const params = { ...(message["params"] as Json), task: {} };
    const answer = await session.post({ ...message, params });
    expect([answer.status, challengeOf(answer)["scope"], created]).toEqual([
      403,
      "files:write",
      [],
    ]);
  });

  it("are checked with `authenticate` too", async () => {
    const callers: Json[] = [];
    const status = async (auth: Json): Promise<number> => {
      const { send } = await serve(serversWith(callers), {
        authenticate: () => auth,
      });
      return (await send(modernPost(modern, call(1, "write")))).status;
    };
    expect(await status({ principal: "ada" })).toBe(403);
    expect(await status({ principal: "ada", scopes: ["files:write"] })).toBe(
      200,
    );
  });

  it("of prompts and resources are checked too, also when their arguments are completed, and are not listed", async () => {
    const features = {
      ...prompts([
        {
          name: "plan",
          scopes: ["plans"],
          arguments: [{ name: "to", complete: ["Oslo"] }],
          get: () => "secret",
        },
      ]),
      ...resources([
        {
          uri: "test://one",
          name: "one",
          scopes: ["one"],
          read: () => "secret",
        },
        {
          uriTemplate: "test://{x}/all",
          name: "all",
          scopes: ["all"],
          read: () => "secret",
        },
      ]),
    };
    const { issuer, send } = await open({}, {}, { handlers: features });
    const ref = { type: "ref/prompt", name: "plan" };
    for (const [method, params, scope] of [
      ["prompts/get", { name: "plan" }, "plans"],
      [
        "completion/complete",
        { ref, argument: { name: "to", value: "" } },
        "plans",
      ],
      ["resources/read", { uri: "test://one" }, "one"],
      ["resources/read", { uri: "test://a/all" }, "all"],
    ] as const) {
      const as = async (granted: string): Promise<Answer> =>
        send(
          modernPost(modern, ask(1, method, params), {
            headers: bearer(await issuer.token({ scope: granted })),
          }),
        );
      const refused = await as("other");
      expect([method, refused.status, challengeOf(refused)["scope"]]).toEqual([
        method,
        403,
        scope,
      ]);
      expect(await (await as(scope)).json()).toHaveProperty("result");
    }
    const headers = bearer(await issuer.token());
    for (const method of [
      "prompts/list",
      "resources/list",
      "resources/templates/list",
    ]) {
      const answer = await send(
        modernPost(modern, ask(1, method), { headers }),
      );
      expect(await answer.text()).toMatch(/^(?=.*"name":)(?!.*scopes)/);
    }
  });

  it("are not in the list of tools", async () => {
    const setup = await open();
    const headers = bearer(await setup.issuer.token());
    const answer: Answer = await setup.send(
      modernPost(modern, ask(1, "tools/list"), { headers }),
    );
    expect(await answer.text()).not.toContain("scopes");
  });
});

describe("scopes that nobody checks", () => {
  const scopes = ["write"];
  it.each([
    ["tool", "own", tools([{ name: "own", scopes, handler: () => "called" }])],
    ["prompt", "own", prompts([{ name: "own", scopes, get: () => "text" }])],
    [
      "resource",
      "test://own",
      resources([
        { uri: "test://own", name: "own", scopes, read: () => "text" },
      ]),
    ],
    [
      "resource",
      "test://{x}",
      resources([
        { uriTemplate: "test://{x}", name: "own", scopes, read: () => "text" },
      ]),
    ],
  ])(
    "of a %s are an error when a transport with authorization is declared, and not over others",
    async (kind, name, own) => {
      const server = makeServer(legacy.protocol, {
        handlers: { ...own } as never,
      });
      const message = `The options of a server: expected protect or authenticate, got none, although the ${kind} ${JSON.stringify(name)} has scopes.`;
      expect(() => createHttpHandler(server)).toThrow(new TypeError(message));
      expect(() => createSseHandler(server)).toThrow(new TypeError(message));
      expect((await failure(serveWebSocket(server, { port: 0 }))).message).toBe(
        message,
      );
      const authenticate = (): { principal: string } => ({ principal: "ada" });
      expect(createHttpHandler(server, { authenticate })).toBeTypeOf(
        "function",
      );
      const [clientTransport, serverTransport] = memoryPair();
      await serveOver(serverTransport, server);
      await clientTransport.close();
      const open = makeServer(legacy.protocol, {
        handlers: {
          ...tools([{ name: "x", scopes: [], handler: () => "" }]),
        } as never,
      });
      expect(createHttpHandler(open)).toBeTypeOf("function");
    },
  );
});

describe("scopes of entries that a function returns, without `protect` and `authenticate`", () => {
  const scopes = ["write"];
  /**
   * Servers whose functions return entries with scopes, and the entries that
   * were used.
   */
  function secrets(): {
    readonly servers: ReturnType<typeof makeServer>[];
    readonly used: string[];
  } {
    const used: string[] = [];
    const use = (what: string) => () => {
      used.push(what);
      return what;
    };
    const complete = () => {
      used.push("completion");
      return ["Oslo"];
    };
    const handlers = {
      ...tools((() => [
        { name: "own", scopes, handler: use("tool") },
      ]) as never),
      ...prompts((() => [
        {
          name: "own",
          scopes,
          arguments: [{ name: "to", complete }],
          get: use("prompt"),
        },
      ]) as never),
      ...resources((() => [
        { uri: "test://own", name: "own", scopes, read: use("resource") },
        {
          uriTemplate: "test://{x}/all",
          name: "all",
          scopes,
          read: use("template"),
        },
      ]) as never),
    } as unknown as AnyHandlers;
    return {
      used,
      servers: revisions.map(({ protocol }) =>
        makeServer(protocol, { info, handlers }),
      ),
    };
  }
  const uses = (client: AnyClient): readonly Promise<unknown>[] => [
    client.callTool({ name: "own" }),
    client.getPrompt({ name: "own" }),
    client.readResource({ uri: "test://own" }),
    client.readResource({ uri: "test://a/all" }),
    client.complete({
      ref: { type: "ref/prompt", name: "own" },
      argument: { name: "to", value: "" },
    }),
  ];

  it.each([
    ["modern", "Streamable HTTP", {}, ""],
    ["legacy", "Streamable HTTP", {}, ""],
    ["legacy", "Streamable HTTP without sessions", { sessions: false }, ""],
    ["legacy", "HTTP+SSE", {}, "sse"],
    ["legacy", "a WebSocket", {}, "ws"],
    ["modern", "a WebSocket", {}, "ws"],
  ] as const)(
    "forbid each use to a %s client over %s",
    async (name, _, options, scheme) => {
      const era = name === "modern" ? modern : legacy;
      const { servers, used } = secrets();
      const handler = createHttpHandler(servers, {
        ...options,
        legacySse: createSseHandler(servers),
      });
      await using up =
        scheme === "ws"
          ? await serveWebSocket(servers, { port: 0 })
          : await serveHttp(handler, { port: 0 });
      const transport =
        scheme === "ws"
          ? webSocket(up.url)
          : scheme === "sse"
            ? sse(up.url)
            : http(up.url);
      await using client = await era.protocol.Client.connect(transport, {
        info,
      });
      const results = await Promise.allSettled(uses(client));
      expect(results.map(({ status }) => status)).toEqual(
        results.map(() => "rejected"),
      );
      expect(used).toEqual([]);
    },
  );

  it.each(["modern", "legacy"])(
    "need no scopes in memory, as over stdio, by a %s client",
    async (name) => {
      const era = name === "modern" ? modern : legacy;
      const { servers, used } = secrets();
      const [clientTransport, serverTransport] = memoryPair();
      await serveOver(serverTransport, servers);
      await using client = await era.protocol.Client.connect(clientTransport, {
        info,
      });
      await Promise.all(uses(client));
      expect(used.sort()).toEqual([
        "completion",
        "prompt",
        "resource",
        "template",
        "tool",
      ]);
    },
  );
});

describe("scopes over a WebSocket", () => {
  const issuer = sharedIssuer();

  it("are named in the error to a request that lacks one, and the connection stays open", async () => {
    const protection = protect({
      resource,
      issuers: [issuer.current.issuer],
      scopes: ["mcp"],
    });
    const callers: Json[] = [];
    await using up = await serveWebSocket(serversWith(callers), {
      port: 0,
      protect: protection,
    });
    const connect = async (scope: string, era = legacy) => {
      const headers = bearer(await issuer.current.token({ scope }));
      return era.protocol.Client.connect(webSocket(up.url, { headers }), {
        info,
      });
    };
    for (const era of [legacy, modern]) {
      await using client = await connect("mcp", era);
      const error = await failure(client.callTool({ name: "write" }));
      expect(error).toMatchObject({
        code: 403,
        data: { requiredScopes: ["mcp", "files:write"] },
      });
      expect(await client.callTool({ name: "read" })).toMatchObject(
        text("called"),
      );
      expect(await failure(connect("other", era))).toMatchObject({
        name: "TransportError",
      });
    }
    expect(callers).toHaveLength(2);
  });

  it("rejects a call whose name is an object without a primitive value, or is nested too deeply", async () => {
    const protection = protect({ resource, issuers: [issuer.current.issuer] });
    await using up = await serveWebSocket(serversWith([]), {
      port: 0,
      protect: protection,
    });
    const socket = new WebSocket(up.url, ["mcp"], {
      headers: bearer(await issuer.current.token()),
    });
    await once(socket, "open");
    const levels = 200_000;
    for (const name of [
      '{"toString":0,"valueOf":0}',
      "[".repeat(levels) + "]".repeat(levels),
    ]) {
      socket.send(
        JSON.stringify(call(1, "name", {}, metaFor(modern))).replace(
          '"name":"name"',
          `"name":${name}`,
        ),
      );
      const [data] = (await once(socket, "message")) as [unknown];
      expect(JSON.parse(String(data))).toMatchObject({
        id: 1,
        error: { code: -32602 },
      });
    }
    socket.close();
  });

  it("checks a batch as a whole, before any part of it runs", async () => {
    const protection = protect({ resource, issuers: [issuer.current.issuer] });
    const callers: Json[] = [];
    await using up = await serveWebSocket(serversWith(callers), {
      port: 0,
      protect: protection,
    });
    const headers = bearer(
      await issuer.current.token({ scope: "files:write" }),
    );
    const socket = new WebSocket(up.url, ["mcp"], { headers });
    await once(socket, "open");
    const send = (message: unknown): void =>
      socket.send(JSON.stringify(message));
    const next = async (): Promise<Json> =>
      JSON.parse(String((await once(socket, "message"))[0])) as Json;
    send(hello(batches.revision));
    expect(await next()).toMatchObject({
      result: { protocolVersion: batches.revision },
    });
    send(tell("notifications/initialized"));
    const received: Json[] = [];
    socket.on("message", (data) =>
      received.push(JSON.parse(String(data)) as Json),
    );
    const response = { jsonrpc: "2.0", id: 9, result: {} };
    send([call(1, "read"), response, call(2, "write"), call(3, "delete")]);
    const error = {
      code: 403,
      data: { requiredScopes: ["files:write", "files:delete"] },
    };
    await until(() => expect(received).toHaveLength(3));
    expect(received).toMatchObject([1, 2, 3].map((id) => ({ id, error })));
    expect(callers).toEqual([]);
    send([call(4, "read"), call(5, "write")]);
    await until(() => expect(callers).toHaveLength(2));
    socket.close();
  });
});
