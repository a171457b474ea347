import { createHttpHandler, type HttpOptions } from "@mcpgen/runtime/http";
import { createSseHandler } from "@mcpgen/runtime/sse";
import { serveWebSocket } from "@mcpgen/runtime/websocket";
import { describe, expect, it } from "vitest";
import { failure, legacy, legacyRevisions } from "../../kit/index.js";
import { ask, call, hello, tell } from "../kit/messages.js";
import { endpoints, opener, serversWith } from "../kit/server.js";
import { Session } from "../kit/session.js";

describe("an entry that no request can match", () => {
  const server = serversWith();
  const declarations: readonly (readonly [
    string,
    (options: HttpOptions) => unknown,
  ])[] = [
    ["createHttpHandler", (options) => createHttpHandler(server, options)],
    ["createSseHandler", (options) => createSseHandler(server, options)],
    [
      "serveWebSocket",
      (options) => serveWebSocket(server, { ...options, port: 0 }),
    ],
  ];

  describe.each(declarations)("of %s", (_name, declare) => {
    it.each([
      "",
      "*",
      "*.example.com",
      "https://example.com/mcp",
      "a b",
      "user@example.com",
    ])("is rejected with its text if it is the host %j", async (entry) => {
      const declared = (): unknown =>
        declare({ allowedHosts: ["localhost", entry] });
      const error = await failure(Promise.resolve().then(declared));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe(
        `allowedHosts: expected the name of a host, such as "app.example.com", got ${JSON.stringify(entry)}.`,
      );
    });

    it.each([
      "",
      "app.example.com",
      "localhost:5173",
      "https://*.example.com",
      "https://example.com/page",
    ])("is rejected with its text if it is the origin %j", async (entry) => {
      const error = await failure(
        Promise.resolve().then(() => declare({ allowedOrigins: [entry] })),
      );
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe(
        `allowedOrigins: expected an origin, such as "https://app.example.com", or "*", got ${JSON.stringify(entry)}.`,
      );
    });
  });
});

describe.each(endpoints)("the legacy shape behind $name", (endpoint) => {
  const open = opener(endpoint, legacyRevisions);

  it("HTTP-08 rejects a stream for a page of another origin with 403", async () => {
    const up = await open();
    const listening = await up.send({
      method: "GET",
      headers: { origin: "http://evil.example.com" },
    });
    expect(listening.status).toBe(403);
  });

  it.each([
    ["mcp.example.com", undefined, 200],
    ["MCP.example.com:8080", undefined, 200],
    ["mcp.example.com:8080", "http://mcp.example.com:8080", 200],
    ["mcp.example.com:8080", "http://mcp.example.com", 403],
    ["evil.example.com", undefined, 403],
    ["127.0.0.1", undefined, 403],
  ] as const)(
    "HTTP-10 answers a request for the host %s from the origin %s with %i if one host is allowed",
    async (host, origin, status) => {
      const up = await open({ allowedHosts: ["mcp.example.com"] });
      expect(
        (
          await up.send({
            body: hello(legacy.revision),
            headers: { host, origin },
          })
        ).status,
      ).toBe(status);
    },
  );

  it.each([
    ["MCP.Example.com", "mcp.example.com"],
    ["mcp.example.com:8080", "mcp.example.com"],
    ["https://mcp.example.com", "mcp.example.com"],
    ["https://MCP.example.com:8080/", "mcp.example.com"],
    ["::1", "[::1]"],
    ["[::1]", "[::1]"],
    ["::ffff:127.0.0.1", "[::ffff:7f00:1]"],
    ["127.0.0.1:3000", "127.0.0.1"],
  ])(
    "HTTP-10 accepts the host that allowedHosts names as %s",
    async (entry, host) => {
      const up = await open({ allowedHosts: ["other.example.com", entry] });
      for (const [sent, status] of [
        [host, 200],
        [`${host.toUpperCase()}:8080`, 200],
        ["evil.example.com", 403],
      ] as const) {
        const answer = await up.send({
          body: hello(legacy.revision),
          headers: { host: sent },
        });
        expect([sent, answer.status]).toEqual([sent, status]);
      }
    },
  );

  it.each([
    ["https://app.example.com/", "https://app.example.com"],
    ["HTTPS://App.Example.com", "https://app.example.com"],
    ["https://app.example.com:443", "https://app.example.com"],
    ["http://[::1]:5173/", "http://[::1]:5173"],
    ["vscode-webview://abc/", "vscode-webview://abc"],
    ["null", "null"],
  ])(
    "HTTP-08 accepts pages of the origin that allowedOrigins names as %s",
    async (entry, origin) => {
      const up = await open({
        allowedOrigins: ["https://other.example.com", entry],
      });
      for (const [sent, status] of [
        [origin, 200],
        [`${origin}.evil.example.com`, 403],
      ] as const) {
        const answer = await up.send({
          body: hello(legacy.revision),
          headers: { origin: sent },
        });
        expect([sent, answer.status]).toEqual([sent, status]);
      }
    },
  );

  it("warns once of each host and each origin that it refuses, and says which option allows it", async () => {
    const warnings: string[] = [];
    const up = await open(
      { allowedHosts: ["mcp.example.com"] },
      {},
      { onWarning: (message) => void warnings.push(message) },
    );
    const refused = async (headers: Record<string, string>): Promise<void> => {
      const answer = await up.send({ body: hello(legacy.revision), headers });
      expect(answer.status).toBe(403);
    };
    for (const host of ["0.0.0.0:3000", "0.0.0.0:3000", "10.0.0.1"])
      await refused({ host });
    for (const origin of ["https://a.example.com", "https://a.example.com"])
      await refused({ host: "mcp.example.com", origin });
    expect(warnings).toEqual([
      'The host "0.0.0.0:3000" is not allowed. To allow it, add it to allowedHosts.',
      'The host "10.0.0.1" is not allowed. To allow it, add it to allowedHosts.',
      'The origin "https://a.example.com" is not allowed. To allow it, add it to allowedOrigins.',
    ]);
  });

  it("warns of a hundred refused hosts at most, whose names the clients choose", async () => {
    const warnings: string[] = [];
    const up = await open(
      { allowedHosts: ["mcp.example.com"] },
      {},
      { onWarning: (message) => void warnings.push(message) },
    );
    for (let i = 0; i < 120; i++)
      await up.send({
        body: hello(legacy.revision),
        headers: { host: `h${i}.example.com${"x".repeat(i * 10)}` },
      });
    expect(warnings).toHaveLength(100);
    expect(Math.max(...warnings.map(({ length }) => length))).toBeLessThan(300);
  });

  const page = "https://app.example.com";
  it("sends CORS headers to allowed pages in preflights, and none to others", async () => {
    const up = await open({ allowedOrigins: [page] });
    const preflight = await up.send({
      method: "OPTIONS",
      headers: {
        origin: page,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type, mcp-session-id",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.header("access-control-allow-origin")).toBe(page);
    expect(preflight.header("access-control-allow-methods")).toBe(
      "GET, POST, DELETE",
    );
    expect(preflight.header("access-control-allow-headers")).toBe(
      "content-type, mcp-session-id",
    );
    const stranger = await up.send({
      method: "OPTIONS",
      headers: { origin: "https://evil.example.com" },
    });
    expect([
      stranger.status,
      stranger.header("access-control-allow-origin"),
    ]).toEqual([403, undefined]);
  });

  it("sends CORS headers to allowed pages in every response", async () => {
    const up = await open({ allowedOrigins: [page] });
    const session = await Session.start(up, legacy, {}, { origin: page });
    const answers = [
      session.opening,
      await session.post(ask(1, "ping")),
      await session.post(call(2, "count", {}, { progressToken: 1 })),
      await session.post("{"),
      await session.post(tell("notifications/initialized")),
      await session.send({ method: "PUT", body: "{}" }),
      await up.send({ body: ask(1, "ping"), headers: { origin: page } }),
    ];
    for (const answer of answers) {
      expect(answer.header("access-control-allow-origin")).toBe(page);
      expect(answer.header("access-control-expose-headers")).toMatch(
        /mcp-session-id/i,
      );
      expect(answer.header("vary")).toBe("Origin");
    }
  });

  it("sends no CORS headers to a request in the session of a page that has another origin", async () => {
    const session = await Session.start(
      await open({ allowedOrigins: [page] }),
      legacy,
      {},
      { origin: page },
    );
    const plain = await session.send({
      body: ask(3, "ping"),
      headers: { origin: undefined },
    });
    expect(plain.header("access-control-allow-origin")).toBeUndefined();
  });

  it("reports an error of authenticate to onError and does not send it", async () => {
    const errors: Error[] = [];
    const up = await open(
      {
        authenticate: () => {
          throw new Error("the password is swordfish");
        },
      },
      {},
      { onError: (error) => void errors.push(error) },
    );
    const answer = await up.send({ body: hello(legacy.revision) });
    expect([answer.status, await answer.text()]).toEqual([500, ""]);
    expect(errors.map(({ message }) => message)).toEqual([
      "the password is swordfish",
    ]);
  });
});
