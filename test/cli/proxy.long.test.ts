import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createHttpHandler, nodeListener } from "@mcpgen/runtime/http";
import { createSseHandler } from "@mcpgen/runtime/sse";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createServers } from "../../generated/index.js";
import { Protected, withoutBrowser } from "../protected.js";
import {
  type Behaviour,
  behind,
  type Proxy,
  startProxy,
} from "../update/proxy.js";
import { tls, trust } from "../update/tls.js";
import { directory, type Ended, mcpgenAlone } from "./support.js";

const servers = createServers({
  info: { name: "behind", version: "1.0.0" },
  handlers: {
    "tools/list": () => ({
      tools: [{ name: "echo", inputSchema: { type: "object" } }],
    }),
    "tools/call": () => ({ content: [{ type: "text", text: "done" }] }),
  },
});
const options = { allowedHosts: [behind, "127.0.0.1", "localhost"] };
const legacy = servers.filter(({ revision }) => revision === "2025-06-18");
const listeners: Readonly<Record<string, ReturnType<typeof nodeListener>>> = {
  "/modern": nodeListener(createHttpHandler(servers, options)),
  "/legacy": nodeListener(createHttpHandler(legacy, options)),
  "/sse": nodeListener(createSseHandler(servers, options)),
};
const answer: RequestListener = (request, response) => {
  const { pathname } = new URL(request.url ?? "", "http://host");
  listeners[pathname]?.(request, response);
};
const serving: Readonly<Record<string, Server>> = {
  http: createServer(answer),
  https: createSecureServer(tls, answer),
};
const ports: Record<string, number> = {};
beforeAll(async () => {
  for (const [scheme, server] of Object.entries(serving)) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ports[scheme] = (server.address() as AddressInfo).port;
  }
});
afterAll(() => {
  for (const server of Object.values(serving)) {
    server.closeAllConnections();
    server.close();
  }
});

const proxies: Proxy[] = [];
afterEach(() => proxies.splice(0).forEach((proxy) => proxy.close()));
async function open(does?: Behaviour, isSecure?: boolean): Promise<Proxy> {
  const proxy = await startProxy(does, isSecure);
  proxies.push(proxy);
  return proxy;
}
const run = (
  args: readonly string[],
  environment: Record<string, string>,
  place = directory(),
): Promise<Ended> =>
  mcpgenAlone([...args, "--no-color"], {
    directory: place,
    environment: { ...trust, ...withoutBrowser(place), ...environment },
  });
const urlOf = (scheme: string, path: string, host: string = behind): string =>
  `${scheme}://${host}:${ports[scheme]}${path}`;

describe("a server that only a proxy reaches", () => {
  it.each([
    ["http", "/modern"],
    ["http", "/legacy"],
    ["http", "/sse"],
    ["https", "/modern"],
    ["https", "/legacy"],
    ["https", "/sse"],
  ])(
    "is called over %s at %s, and a line says how to connect without the proxy",
    async (scheme, path) => {
      const proxy = await open();
      const environment = {
        [`${scheme.toUpperCase()}_PROXY`]: `http://me:p%40ss@${proxy.url}`,
      };
      const { code, out, err } = await run(
        ["call", urlOf(scheme, path), "echo"],
        environment,
      );
      expect([code, out], err).toEqual([0, "done\n"]);
      expect(err).toContain(
        `connecting to ${behind}:${ports[scheme]} through the proxy ${proxy.url}; NO_PROXY=${behind} avoids it\n`,
      );
      // A tunnel for TLS; without TLS, the proxy gets each URL.
      const target =
        scheme === "https"
          ? `${behind}:${ports["https"]}`
          : urlOf(scheme, path);
      expect(proxy.targets.length).toBeGreaterThan(0);
      expect(
        proxy.targets.every((one) =>
          one.startsWith(target.replace(/\/sse$/, "")),
        ),
      ).toBe(true);
      expect(new Set(proxy.headers)).toEqual(
        new Set([`Basic ${btoa("me:p@ss")}`]),
      );
    },
  );

  it.each(["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])(
    "is reached by the variable %s",
    async (name) => {
      const proxy = await open();
      const { code, err } = await run(
        ["call", urlOf("http", "/modern"), "echo"],
        { [name]: proxy.url },
      );
      expect(code, err).toBe(0);
      expect(proxy.targets).not.toEqual([]);
    },
  );

  it("is reached by a proxy that speaks TLS", async () => {
    const proxy = await open("connects", true);
    const { code, err } = await run(
      ["call", urlOf("https", "/modern"), "echo"],
      {
        HTTPS_PROXY: `https://${proxy.url}`,
      },
    );
    expect(code, err).toBe(0);
    expect(proxy.targets).not.toEqual([]);
  });

  it("is pulled, checked and made into stubs", async () => {
    const proxy = await open();
    const url = urlOf("http", "/modern");
    const place = directory({
      "mcpgen.config.json": JSON.stringify({
        servers: [{ snapshot: "a.mcp.json", source: { url } }],
      }),
    });
    for (const args of [
      ["pull"],
      ["pull", "--url", url],
      ["check", "--live"],
      ["stubs", "--url", url, "--out", "gen"],
    ]) {
      const before = proxy.targets.length;
      const { code, err } = await run(args, { HTTP_PROXY: proxy.url }, place);
      expect(code, err).toBe(0);
      expect(proxy.targets.length).toBeGreaterThan(before);
    }
    expect(readFileSync(join(place, "a.mcp.json"), "utf8")).not.toContain(
      proxy.url,
    );
  });

  it("is not reached if NO_PROXY names it", async () => {
    const proxy = await open();
    const environment = {
      HTTP_PROXY: proxy.url,
      NO_PROXY: `other.example,${behind}`,
    };
    const { code, err } = await run(
      ["call", urlOf("http", "/modern"), "echo"],
      environment,
    );
    expect([code, proxy.targets]).toEqual([3, []]);
    expect(err).toMatch(/^MG730 .*(ENOTFOUND|EAI_AGAIN)/);
  });

  it.each(["http", "https"])(
    "is an error over %s if the proxy refuses, without its password",
    async (scheme) => {
      const proxy = await open("refuses");
      const environment = {
        [`${scheme}_proxy`]: `http://me:secret@${proxy.url}`,
      };
      const { code, err } = await run(
        ["call", urlOf(scheme, "/modern"), "echo"],
        environment,
      );
      expect([code, err]).toEqual([
        3,
        expect.stringMatching(
          /^connecting .*\nMG730 .*the proxy 127\.0\.0\.1:\d+/,
        ),
      ]);
      expect(err).not.toContain("secret");
    },
  );

  it.each(["socks5://me:secret@127.0.0.1:1080", "http://me:secret@[bad:80"])(
    "is an error if the proxy cannot be used: %s",
    async (proxy) => {
      const { code, err } = await run(
        ["call", urlOf("http", "/modern"), "echo"],
        { HTTP_PROXY: proxy },
      );
      expect([code, err]).toEqual([
        3,
        expect.stringMatching(
          /^MG730 .*the proxy that .*HTTP_PROXY.* names is not an http or https URL/,
        ),
      ]);
      expect(err).not.toContain("secret");
    },
  );
});

describe("a server on this machine", () => {
  it.each(["127.0.0.1", "localhost"])(
    "is never reached through a proxy: %s",
    async (host) => {
      const proxy = await open();
      const url = urlOf("http", "/modern", host);
      const { code, out, err } = await run(["call", url, "echo"], {
        HTTP_PROXY: proxy.url,
        ALL_PROXY: proxy.url,
      });
      expect([code, out], err).toEqual([0, "done\n"]);
      expect(err).not.toContain("proxy");
      expect(proxy.targets).toEqual([]);
    },
  );
});

describe("the authorization of a server that only a proxy reaches", () => {
  let server: Protected;
  beforeAll(async () => (server = await Protected.start(behind)));
  afterAll(() => server.stop());

  it("signs in, refreshes and signs out through the proxy", async () => {
    const proxy = await open();
    const place = directory();
    const through = (...args: readonly string[]): Promise<Ended> =>
      run([...args, "--url", server.url], { HTTPS_PROXY: proxy.url }, place);
    const login = await through("login", "--device");
    expect([login.code, login.err]).toEqual([
      0,
      expect.stringContaining("signed in to"),
    ]);
    server.live.clear();
    const pulled = await through("pull");
    expect(pulled.code, pulled.err).toBe(0);
    const logout = await through("logout");
    expect([logout.code, logout.err]).toEqual([
      0,
      expect.stringContaining("the refresh token is revoked"),
    ]);
    expect(server.seen).toEqual(
      expect.arrayContaining(["refresh_token", "revoke"]),
    );
  });

  it.each<[string, (origin: string) => Record<string, string>]>([
    [
      "client-credentials",
      () => ({
        MCPGEN_CLIENT_ID: "robot",
        MCPGEN_CLIENT_SECRET: "s3cret-of-the-robot",
      }),
    ],
    [
      "github-actions",
      (origin) => ({
        ACTIONS_ID_TOKEN_REQUEST_URL: `${origin}/identity?v=1`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: "request-token",
      }),
    ],
  ])(
    "gets tokens with --auth %s through the proxy",
    async (form, variables) => {
      const proxy = await open();
      const { origin } = new URL(server.url);
      const args = [
        "pull",
        "--url",
        server.url,
        "--auth",
        form,
        "--issuer",
        origin,
      ];
      const { code, err } = await run(args, {
        HTTPS_PROXY: proxy.url,
        ...variables(origin),
      });
      expect(code, err).toBe(0);
      expect(new Set(proxy.targets)).toEqual(new Set([new URL(origin).host]));
    },
  );
});
