import { createSseHandler } from "@mcpgen/runtime/sse";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it } from "vitest";
import {
  legacy,
  modern,
  resultOf,
  revisions,
  textOf,
} from "../../kit/index.js";
import { ask, call, hello, modernPost } from "../kit/messages.js";
import { callerOf } from "../../../../src/runtime/core/role/http-server/access.js";
import { endpoints, opener, type Servers, serversWith } from "../kit/server.js";
import { Session } from "../kit/session.js";

/** Invalid results of `authenticate`: neither callers nor responses. */
const mistakes: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["null", null],
  ["false", false],
  ["true", true],
  ["a string", "ada"],
  ["an array", [{ principal: "ada" }]],
  ["a status without a response", { status: 401 }],
  ["a principal that is not a string", { principal: { name: "ada" } }],
  ["headers", new Headers({ "x-user": "ada" })],
  ["a Map", new Map([["principal", "ada"]])],
  ["a Date", new Date(0)],
  ["a function", () => ({ principal: "ada" })],
];

/** A response from another realm. */
const foreignResponse = runInNewContext(`
  new (class Response {
    status = 401;
    headers = new (class Headers {
      get(name) { return name === "www-authenticate" ? "Bearer" : null; }
      forEach(call) {
        call("Bearer", "www-authenticate");
        call("gzip", "content-encoding");
      }
    })();
    async text() { return "Who are you?"; }
  })()
`) as Response;

const { Response: globalResponse } = globalThis;
afterEach(() => void (globalThis.Response = globalResponse));

describe.each(endpoints)("authenticate behind $name", (endpoint) => {
  const open = opener(endpoint, revisions);
  const who = {
    who: (_: unknown, { auth }: { auth: unknown }) =>
      textResult(JSON.stringify(auth ?? null)),
  };
  const textResult = (text: string) => ({ content: [{ type: "text", text }] });
  const attempts = [
    { era: "modern", sent: modernPost(modern, call(1, "who")) },
    { era: "legacy", sent: { body: hello(legacy.revision) } },
  ];

  it.each(mistakes)(
    "answers each attempt with 500 and reports when it returns %s",
    async (_, returned) => {
      const errors: Error[] = [];
      const authenticate = (): never => returned as never;
      const up = await open({ authenticate }, who, {
        onError: (error) => void errors.push(error),
      });
      for (const { sent } of attempts) {
        const answer = await up.send(sent);
        expect([answer.status, await answer.text()]).toEqual([500, ""]);
      }
      expect(errors.map(({ message }) => message)).toEqual(
        attempts.map(
          () =>
            expect.stringContaining(
              "expected a Response or a plain object",
            ) as string,
        ),
      );
    },
  );

  it.each(attempts)(
    "rejects a caller with a response of another realm, without its transfer headers, in the $era era",
    async ({ sent }) => {
      const up = await open({ authenticate: () => foreignResponse }, who);
      const answer = await up.send(sent);
      expect([answer.status, await answer.text()]).toEqual([
        401,
        "Who are you?",
      ]);
      expect(answer.header("www-authenticate")).toBe("Bearer");
      expect(answer.header("content-encoding")).toBeUndefined();
    },
  );

  it("rejects a caller with a response that was created before a framework replaced the global class", async () => {
    const up = await open(
      { authenticate: () => new globalResponse("No", { status: 401 }) },
      who,
    );
    if (endpoint.name === "serveHttp")
      globalThis.Response = class extends globalResponse {};
    for (const { sent } of attempts)
      expect((await up.send(sent)).status).toBe(401);
  });

  it.each([
    ["of another realm", runInNewContext(`({ principal: "ada" })`)],
    [
      "without a prototype",
      Object.assign(Object.create(null), { principal: "ada" }),
    ],
  ] as [string, { principal: string }][])(
    "accepts a plain object %s as the caller",
    async (_, auth) => {
      const up = await open({ authenticate: () => auth }, who);
      const answer = await up.send(attempts[0]?.sent as never);
      expect(textOf(resultOf(await answer.json()))).toBe('{"principal":"ada"}');
    },
  );

  it("is given the values of all Authorization headers, in their order", async () => {
    const seen: unknown[] = [];
    const authenticate = ({ headers }: Request) => {
      seen.push(headers.get("authorization"));
      return { principal: "ada" };
    };
    const up = await open({ authenticate }, who);
    for (const authorization of [["Bearer one", "Bearer two"], ["Bearer one"]])
      await up.send({
        body: hello(legacy.revision),
        headers: { authorization },
      });
    expect(seen).toEqual(["Bearer one, Bearer two", "Bearer one"]);
  });

  it("binds a session to the Authorization header if the caller has no principal (SESS-08)", async () => {
    const up = await open({ authenticate: () => ({ scope: "read" }) });
    const session = await Session.start(
      up,
      legacy,
      {},
      { authorization: "Bearer one" },
    );
    expect((await session.post(ask(1, "ping"))).status).toBe(200);
    for (const authorization of ["Bearer two", undefined]) {
      const answer = await session.send({
        body: ask(2, "ping"),
        headers: { authorization },
      });
      expect([authorization, answer.status]).toEqual([authorization, 404]);
    }
    expect((await session.post(ask(3, "ping"))).status).toBe(200);
  });
});

describe.each(endpoints)(
  "a handler of HTTP+SSE as `legacySse` behind $name",
  (endpoint) => {
    const closing: (() => Promise<void>)[] = [];
    afterEach(
      async () =>
        void (await Promise.all(closing.splice(0).map((close) => close()))),
    );
    const open = async (
      servers: Servers,
      options: object,
      own: object = {},
    ) => {
      const up = await endpoint.open(servers, {
        ...options,
        legacySse: createSseHandler(servers, own),
      });
      closing.push(up.close);
      return up;
    };
    const opening = { method: "GET", headers: { accept: "text/event-stream" } };
    const authenticate = (request: Request) =>
      request.headers.get("authorization") === "Bearer t"
        ? { principal: "ada" }
        : new Response(null, { status: 401 });

    it("is protected by the origin checks of the handler that serves the URL", async () => {
      const up = await open(serversWith(), {
        allowedHosts: ["mcp.example.com"],
      });
      const headers = { accept: "text/event-stream", host: "evil.example.com" };
      expect((await up.send({ method: "GET", headers })).status).toBe(403);
      const post = {
        path: "/mcp?sessionId=1",
        body: ask(1, "ping"),
        headers: { host: "evil.example.com" },
      };
      expect((await up.send(post)).status).toBe(403);
      const page = {
        accept: "text/event-stream",
        host: "mcp.example.com",
        origin: "http://evil.example.com",
      };
      expect((await up.send({ method: "GET", headers: page })).status).toBe(
        403,
      );
    });

    it("is protected by `authenticate` of the handler that serves the URL, and gets the caller", async () => {
      const tools = {
        who: (_: unknown, { auth }: { auth: unknown }) => ({
          content: [{ type: "text", text: JSON.stringify(auth) }],
        }),
      };
      const up = await open(serversWith(tools), { authenticate });
      expect((await up.send(opening)).status).toBe(401);
      expect(
        (await up.send({ path: "/mcp?sessionId=1", body: ask(1, "ping") }))
          .status,
      ).toBe(401);
      const authorization = "Bearer t";
      const stream = await up.send({
        ...opening,
        headers: { ...opening.headers, authorization },
      });
      const path = (await stream.next())?.data ?? "";
      expect((await up.send({ path, body: ask(1, "ping") })).status).toBe(401);
      for (const body of [hello(legacy.revision), call(2, "who")]) {
        expect(
          (await up.send({ path, body, headers: { authorization } })).status,
        ).toBe(202);
      }
      await stream.message();
      expect(textOf(resultOf(await stream.message()))).toBe(
        '{"principal":"ada"}',
      );
    });

    it("also calls its own `authenticate`, if set", async () => {
      const own = { authenticate: () => new Response(null, { status: 403 }) };
      const up = await open(
        serversWith(),
        { authenticate: () => ({ principal: "ada" }) },
        own,
      );
      expect((await up.send(opening)).status).toBe(403);
      expect((await up.send({ body: hello(legacy.revision) })).status).toBe(
        200,
      );
    });
  },
);

it.each([
  ["ada", "ada"],
  ["ada#", "ada#"],
  ["#ada", "##ada"],
  ["#", "##"],
])(
  "a principal is never taken for the digest of a token: %j is the caller %j",
  async (principal, caller) => {
    const request = { header: () => "Bearer token" };
    expect(await callerOf({ principal }, request)).toBe(caller);
    expect(await callerOf({}, request)).toMatch(/^#authorization /);
    expect(await callerOf(undefined, request)).toBeUndefined();
  },
);
