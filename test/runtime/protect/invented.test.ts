import { introspection, protect, type Verifier } from "@mcpgen/auth/protect";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sendNode } from "../http/kit/exchange.js";
import { call, modernPost } from "../http/kit/messages.js";
import { endpoints, overSockets } from "../http/kit/server.js";
import { type Json, modern } from "../kit/index.js";
import { until } from "../kit/watch.js";
import { Issuer, resource } from "./issuer.js";
import {
  bearer,
  protectedServers,
  serversWith,
  type Setup,
  sharedIssuer,
} from "./serving.js";
import { isWhole } from "../../whole.js";

afterEach(() => void vi.useRealTimers());

const statusOf = async (
  { send }: Pick<Setup, "send">,
  token: string,
): Promise<number> =>
  (await send(modernPost(modern, call(1, "read"), { headers: bearer(token) })))
    .status;

/**
 * Makes an authorization server answer introspections: no token is active.
 * Returns how often it was asked.
 */
function introspected(issuer: Issuer): { readonly count: () => number } {
  const { issuer: iss } = issuer;
  const metadata = { issuer: iss, introspection_endpoint: `${iss}/introspect` };
  issuer.answer = (path) => ({
    status: 200,
    text: JSON.stringify(
      path.startsWith("/.well-known/") ? metadata : { active: false },
    ),
  });
  return {
    count: () =>
      issuer.requests.filter((path) => path === "/introspect").length,
  };
}

describe.each(endpoints)("invented tokens behind $name", (endpoint) => {
  const open = protectedServers(endpoint);

  it("are asked about once in five seconds each, however often a client sends them", async () => {
    const verify = introspection({ id: "files", secret: "s" });
    const setup = await open({ verify });
    const { count } = introspected(setup.issuer);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    for (let i = 0; i < 5; i++)
      expect(await statusOf(setup, "invented")).toBe(401);
    expect(count()).toBe(1);
    expect(await statusOf(setup, "another")).toBe(401);
    expect(count()).toBe(2);
    vi.setSystemTime(Date.now() + 5001);
    expect(await statusOf(setup, "invented")).toBe(401);
    expect(count()).toBe(3);
  });

  it("are rejected without a request if they do not have the form of tokens", async () => {
    const verify = introspection({
      id: "files",
      secret: "s",
      form: /^at_\w{4}$/g,
    });
    const setup = await open({ verify });
    const { count } = introspected(setup.issuer);
    for (const token of ["invented", "at_12345", "xat_1234"])
      expect(await statusOf(setup, token)).toBe(401);
    expect(count()).toBe(0);
    for (const token of ["at_1234", "at_abcd"])
      expect(await statusOf(setup, token)).toBe(401);
    expect(count()).toBe(2);
  });

  it("are rejected without a request if they are JWTs that have expired", async () => {
    const plain = await open({
      verify: introspection({ id: "files", secret: "s" }),
    });
    const asked = introspected(plain.issuer);
    expect(await statusOf(plain, await plain.issuer.token({ exp: 1 }))).toBe(
      401,
    );
    expect(asked.count()).toBe(0);
  });

  it.runIf(isWhole || endpoint !== overSockets)(
    "take no place of tokens that were accepted",
    async () => {
      const exp = Date.now() / 1000 + 300;
      const asked: string[] = [];
      const verify: Verifier = (token, { issuers: [iss] }) => {
        asked.push(token);
        return token === "ada"
          ? { iss, sub: "ada", aud: resource, exp }
          : undefined;
      };
      const setup = await open({ verify });
      expect(await statusOf(setup, "ada")).toBe(200);
      for (let i = 0; i < 11; i++) {
        const tokens = Array.from({ length: 100 }, (_, j) => `quick-${i}-${j}`);
        await Promise.all(tokens.map((token) => statusOf(setup, token)));
      }
      expect(await statusOf(setup, "ada")).toBe(200);
      expect(asked.filter((token) => token === "ada")).toHaveLength(1);
    },
  );

  it.runIf(isWhole || endpoint !== overSockets)(
    "cause no refusal of a caller with a valid token while 1,000 are verified, whether this server knows the token or not",
    async () => {
      const exp = Date.now() / 1000 + 300;
      const hanging: (() => void)[] = [];
      const asked: string[] = [];
      const verify: Verifier = async (token, { issuers: [iss] }) => {
        asked.push(token);
        if (!token.startsWith("invented"))
          return { iss, sub: token, aud: resource, exp };
        await new Promise<void>((resolve) => hanging.push(resolve));
        return undefined;
      };
      const setup = await open({ verify });
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
      const tokens = (kind: string, size: number): string[] =>
        Array.from({ length: size }, (_, i) => `${kind}-${i}`);
      /** How often each status came. */
      const count = async (
        statuses: readonly Promise<number>[],
      ): Promise<Record<number, number>> => {
        const counts: Record<number, number> = {};
        for (const status of await Promise.all(statuses))
          counts[status] = (counts[status] ?? 0) + 1;
        return counts;
      };
      const send = (kind: string, size: number): Promise<number>[] =>
        tokens(kind, size).map((token) => statusOf(setup, token));
      expect(await count(send("known", 16))).toEqual({ 200: 16 });
      const invented = send("invented", 1000);
      await until(() => expect(hanging).toHaveLength(1000));
      const counts = {
        known: await count(send("known", 16)),
        new: await count(send("new", 16)),
      };
      expect(counts).toEqual({ known: { 200: 16 }, new: { 200: 16 } });
      // A token that is known is verified again after a minute.
      vi.setSystemTime(Date.now() + 61_000);
      expect(await count(send("known", 16))).toEqual({ 200: 16 });
      expect(asked.filter((token) => token.startsWith("known"))).toHaveLength(
        32,
      );
      for (const end of hanging) end();
      expect(await count(invented)).toEqual({ 401: 1000 });
    },
  );

  it.each([
    ["keys", undefined],
    ["introspection", introspection({ id: "files", secret: "s" })],
  ])(
    "of issuers that are not listed reach onError, quoted, once a minute each and 20 in all, if %s would verify them",
    async (_, verify) => {
      const setup = await open({ verify });
      if (verify) introspected(setup.issuer);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
      const iss = 'https://other.example\n"';
      for (const jti of ["a", "b"])
        expect(
          await statusOf(setup, await setup.issuer.token({ iss, jti })),
        ).toBe(401);
      expect(setup.log).toEqual([
        expect.stringContaining(
          `nobody has verified that, that it is of ${JSON.stringify(iss)}`,
        ),
      ]);
      for (let i = 0; i < 30; i++)
        await statusOf(
          setup,
          await setup.issuer.token({
            iss: `https://${i}.example/${"x".repeat(2000)}`,
          }),
        );
      expect(setup.log).toHaveLength(20);
      expect(Math.max(...setup.log.map(({ length }) => length))).toBeLessThan(
        500,
      );
      vi.setSystemTime(Date.now() + 60_001);
      await statusOf(
        setup,
        await setup.issuer.token({
          iss,
          jti: "c",
          exp: Date.now() / 1000 + 60,
        }),
      );
      expect(setup.log).toHaveLength(21);
      vi.useRealTimers();
    },
  );
});

describe("`issuers` as a function", () => {
  const tenants = [sharedIssuer(), sharedIssuer()];

  it("accepts the tokens of each issuer for which it returns true, and no others", async () => {
    const [first, second] = tenants.map(({ current }) => current) as [
      Issuer,
      Issuer,
    ];
    const known = new Set<string>([first.issuer]);
    const asked: string[] = [];
    const callers: Json[] = [];
    const protection = protect({
      resource,
      issuers: async (issuer) => {
        asked.push(issuer);
        return known.has(issuer);
      },
      recheckTime: 0,
      metadata: { authorization_servers: [first.issuer] },
    });
    await using up = await serveHttp(
      createHttpHandler(serversWith(callers), { protect: protection }),
      {
        port: 0,
      },
    );
    const post = async (token: string): Promise<number> => {
      const sent = modernPost(modern, call(1, "read"), {
        headers: bearer(token),
      });
      return (await sendNode(up.port, sent)).status;
    };
    expect(await post(await first.token())).toBe(200);
    const token = await second.token();
    expect(await post(token)).toBe(401);
    known.add(second.issuer);
    expect(await post(token)).toBe(200);
    expect(callers.map((caller) => caller["issuer"])).toEqual([
      first.issuer,
      second.issuer,
    ]);
    expect(await post(await second.token({ iss: "x".repeat(2000) }))).toBe(401);
    expect(asked).not.toContain("x".repeat(2000));
    const response = await fetch(
      `${up.url.replace("/mcp", "")}/.well-known/oauth-protected-resource/mcp`,
    );
    expect(await response.json()).toMatchObject({
      authorization_servers: [first.issuer],
    });
  });

  it("needs `authorization_servers` in `metadata`, and rejects a request with 503 if it fails", async () => {
    const issuers = (): Promise<boolean> =>
      Promise.reject(new Error("no database"));
    expect(() => protect({ resource, issuers })).toThrow(
      "expected authorization_servers",
    );
    const [{ current }] = tenants as [{ current: Issuer }];
    const protection = protect({
      resource,
      issuers,
      metadata: { authorization_servers: [current.issuer] },
    });
    const token = await current.token();
    const header = (name: string): string | undefined =>
      name === "authorization" ? `Bearer ${token}` : undefined;
    expect(
      await protection.admit({ method: "POST", url: "/mcp", header }),
    ).toMatchObject({ status: 503 });
  });
});
