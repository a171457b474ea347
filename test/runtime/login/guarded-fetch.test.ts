import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { oauth } from "@mcpgen/auth";
import { type GuardedFetch, guardedFetch } from "@mcpgen/auth/login";
import { afterEach, describe, expect, it } from "vitest";
import { failure } from "../kit/index.js";
import { setUp } from "../auth/kit/index.js";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A local server, and the number of its connections. */
async function listen(
  listener: RequestListener,
): Promise<{ port: number; count: () => number }> {
  let count = 0;
  const server = createServer(listener).on("connection", () => count++);
  // It never closes a connection by itself.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  return { port: (server.address() as AddressInfo).port, count: () => count };
}

const rules = (isAllowed: boolean) => ({
  server: new URL("https://mcp.example.com"),
  isAllowed: () => isAllowed,
});

/** A resolver of these names, and the number of its calls. */
function resolver(names: Readonly<Record<string, readonly string[]>>) {
  const lookups: string[] = [];
  const lookup: GuardedFetch["lookup"] = async (host) => {
    lookups.push(host);
    return (names[host] ?? []).map((address) => ({
      address,
      family: address.includes(":") ? 6 : 4,
    }));
  };
  return { lookups, lookup };
}

describe("guardedFetch", () => {
  it("AUTH-13 resolves a name once, and connects to that address with that host name", async () => {
    const seen: unknown[] = [];
    const { port } = await listen((request, response) => {
      seen.push([
        request.method,
        request.url,
        request.headers.host,
        request.headers["x-a"],
      ]);
      request.pipe(
        response.writeHead(201, { "x-b": "2", "set-cookie": ["c=1", "d=2"] }),
      );
    });
    const { lookups, lookup } = resolver({ "as.example.com": ["127.0.0.1"] });
    const url = new URL(`http://as.example.com:${port}/token?x=1`);
    const init = {
      method: "POST",
      headers: { "x-a": "1" },
      body: new URLSearchParams({ a: "b" }),
    };
    const response = await guardedFetch({ lookup })(url, init, rules(true));
    expect([
      response.status,
      response.headers.get("x-b"),
      await response.text(),
    ]).toEqual([201, "2", "a=b"]);
    expect(response.headers.getSetCookie()).toEqual(["c=1", "d=2"]);
    expect(seen).toEqual([
      ["POST", "/token?x=1", `as.example.com:${port}`, "1"],
    ]);
    expect(lookups).toEqual(["as.example.com"]);
  });

  it.each<
    [string, NonNullable<RequestInit["body"]> | null, string | undefined]
  >([
    ["nothing", null, ""],
    ["text", "é", "é"],
    ["a form", new URLSearchParams({ a: "é" }), "a=%C3%A9"],
    ["bytes", new Uint8Array(1), undefined],
    ["a multipart form", new FormData(), undefined],
  ])("sends text and forms, and rejects others: %s", async (_, body, text) => {
    const { port, count } = await listen((request, response) => {
      request.pipe(response);
    });
    const url = new URL(`http://127.0.0.1:${port}/`);
    const sent = guardedFetch()(url, { method: "POST", body }, rules(true));
    if (text === undefined)
      await expect(sent).rejects.toThrow(
        new TypeError("guardedFetch sends text and forms only."),
      );
    else expect(await (await sent).text()).toBe(text);
    expect(count()).toBe(text === undefined ? 0 : 1);
  });

  it("AUTH-13 follows no redirect, and stops when its signal aborts", async () => {
    const { port } = await listen((request, response) => {
      if (request.url === "/")
        response.writeHead(302, { location: "/other" }).end();
    });
    const send = guardedFetch();
    const url = new URL(`http://127.0.0.1:${port}/`);
    expect((await send(url, {}, rules(true))).headers.get("location")).toBe(
      "/other",
    );
    const hanging = send(
      new URL("/hangs", url),
      { signal: AbortSignal.timeout(50) },
      rules(true),
    );
    expect((await failure(hanging)).name).toMatch(/AbortError|TimeoutError/);
    const unknown = guardedFetch(resolver({}))(
      new URL("http://nowhere.example.com"),
      {},
      rules(true),
    );
    await expect(unknown).rejects.toThrow("nowhere.example.com has no address");
  });

  it.each([200, 204, 304, 404])(
    "has what a response with the status %i has, and leaves no connection open",
    async (status) => {
      const closed: Promise<unknown>[] = [];
      const text = status === 204 || status === 304 ? "" : "text";
      const { port } = await listen(({ socket }, response) => {
        closed.push(once(socket, "close"));
        response.writeHead(status, { connection: "keep-alive" }).end(text);
      });
      const url = new URL(`http://127.0.0.1:${port}/`);
      const response = await guardedFetch()(url, {}, rules(true));
      expect([response.status, await response.text()]).toEqual([status, text]);
      await Promise.all(closed);
    },
  );

  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "169.254.169.254",
    "::1",
    "::ffff:10.0.0.1",
    "fe80::1%eth0",
    "fd00::1",
    "0.0.0.0",
  ])(
    "AUTH-13 does not connect to the private address %s that a name resolves to, even if it is one of several",
    async (address) => {
      const { port, count } = await listen((_, response) => response.end("{}"));
      const scene = setUp();
      const issuer = `https://as.attacker.example:${port}`;
      scene.server.metadata["authorization_servers"] = [issuer];
      const { lookup } = resolver({
        "as.attacker.example": ["93.184.216.34", address],
        "mcp.example.com": ["93.184.216.35"],
      });
      const guarded = guardedFetch({ lookup });
      const fetch: NonNullable<Parameters<typeof oauth>[0]>["fetch"] = (
        url,
        init,
        rules,
      ) =>
        url.hostname === "as.attacker.example"
          ? guarded(url, init, rules)
          : scene.world.fetch(url, init);
      const error = await failure(
        scene.connect(oauth(scene.options({ fetch }))),
      );
      expect(error).toMatchObject({ reason: "unsafe-url" });
      expect(error.message).toContain(`is at the private address ${address}`);
      expect(count()).toBe(0);
    },
  );

  describe.each([
    ["a server in a private network", "127.0.0.1", {}, "127.0.0.1", "network"],
    [
      "a server in another private network",
      "10.0.0.1",
      {},
      "127.0.0.1",
      "unsafe-url",
    ],
    // Connections to the unspecified address reach this machine.
    [
      "a server in a private network and the unspecified address",
      "10.0.0.1",
      {},
      "0.0.0.0",
      "unsafe-url",
    ],
    [
      "a server in a private network and the unspecified address of IPv6",
      "10.0.0.1",
      {},
      "::",
      "unsafe-url",
    ],
    [
      "a server with a public and a private address",
      "93.184.216.35 127.0.0.1",
      {},
      "127.0.0.1",
      "unsafe-url",
    ],
    [
      "an option that allows it",
      "93.184.216.35",
      { allowPrivate: true },
      "127.0.0.1",
      "network",
    ],
  ])("AUTH-13 with %s", (_, own, more, at, reason) => {
    // The server of this test does not speak TLS, so that a connection ends in
    // an error of the network.
    const isReached = reason === "network";
    it(`${isReached ? "connects" : "does not connect"} to a private address`, async () => {
      const { port, count } = await listen((_, response) =>
        response.writeHead(404).end("{}"),
      );
      const scene = setUp();
      scene.server.metadata["authorization_servers"] = [
        `https://as.corp.example:${port}`,
      ];
      const { lookup } = resolver({
        "as.corp.example": [at],
        "mcp.example.com": own.split(" "),
      });
      const guarded = guardedFetch({ lookup });
      const fetch: NonNullable<Parameters<typeof oauth>[0]>["fetch"] = (
        url,
        init,
        rules,
      ) =>
        url.hostname === "as.corp.example"
          ? guarded(url, init, rules)
          : scene.world.fetch(url, init);
      expect(
        await failure(scene.connect(oauth(scene.options({ fetch, ...more })))),
      ).toMatchObject({
        reason,
      });
      expect(count() > 0).toBe(isReached);
    });
  });

  it("AUTH-13 recognizes an IPv4 address behind NAT64, as networks with only IPv6 have it, and public IPv6 addresses", async () => {
    const verdicts: boolean[] = [];
    const fetch: NonNullable<Parameters<typeof oauth>[0]>["fetch"] = (
      _url,
      _init,
      { isAllowed },
    ) => {
      verdicts.push(
        isAllowed("64:ff9b::5db8:d822", []),
        isAllowed("64:ff9b::a9fe:a9fe", []),
        isAllowed("64:ff9b::7f00:1", []),
        isAllowed("64:ff9b::7f00:1", ["10.0.0.1"]),
        isAllowed("64:ff9b:1::5db8:d822", []),
        isAllowed("2001:200::1", []),
        isAllowed("2001:4860:4860::8888", []),
        isAllowed("2a00:1450::1", []),
      );
      return Promise.reject(new Error("enough"));
    };
    const scene = setUp();
    await failure(scene.connect(oauth(scene.options({ fetch }))));
    expect(verdicts.slice(0, 8)).toEqual([
      true,
      false,
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });
});
