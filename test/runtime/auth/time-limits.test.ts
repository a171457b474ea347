import { memoryStore, type TokenStore } from "@mcpgen/auth";
import { decodeJwt } from "jose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type Discovery,
  DiscoveryCache,
} from "../../../src/auth/client/discovery.js";
import { Proofs } from "../../../src/auth/client/proofs.js";
import {
  forgetRegistration,
  readRegistration,
} from "../../../src/auth/client/registration.js";
import { Denials } from "../../../src/auth/client/scopes.js";
import { takePending } from "../../../src/auth/client/sign-in-page.js";
import {
  type PendingSignIn,
  type Registration,
  registrationKey,
} from "../../../src/auth/client/store.js";

const now = 1_800_000_000_000;
const at = (time: number): unknown => vi.setSystemTime(now + time);

describe("a client that keeps what it learned for a time", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now }));
  afterEach(() => void vi.useRealTimers());

  it("asks for denied scopes again after ten minutes or a logout", () => {
    const denials = new Denials();
    denials.add(["b", "a"]);
    at(599_999);
    expect([denials.has(["a", "b"]), denials.has(["a"])]).toEqual([
      true,
      false,
    ]);
    at(600_000);
    expect(denials.has(["a", "b"])).toBe(false);
    denials.add(["a"]);
    expect(denials.has(["a"])).toBe(true);
    denials.clear();
    expect(denials.has(["a"])).toBe(false);
  });

  it("reads what a server says of itself again after an hour, or when asked to", async () => {
    let count = 0;
    const cache = new DiscoveryCache(
      async () => ({ count: ++count }) as unknown as Discovery,
    );
    const read = async (time: number): Promise<unknown> => {
      at(time);
      return cache.get({} as never);
    };
    expect(await read(0)).toEqual({ count: 1 });
    expect(await read(3_599_999)).toEqual({ count: 1 });
    expect(await read(3_600_000)).toEqual({ count: 2 });
    expect(await cache.renew({} as never)).toEqual({ count: 3 });
    expect(await read(7_199_999)).toEqual({ count: 3 });
  });

  const issuer = "https://as.example.com";
  const registered = async (expires?: number): Promise<TokenStore> => {
    const store = memoryStore();
    const entry: Registration = {
      kind: "registration",
      issuer,
      clientId: "one",
      expires,
    };
    await store.set(registrationKey(issuer), entry);
    return store;
  };
  it.each([
    [undefined, true],
    [now + 1, true],
    [now, false],
  ])(
    "uses a registration that ends at %s before its end only",
    async (expires, isUsed) => {
      const store = await registered(expires);
      const found = await readRegistration(store, issuer);
      expect(found?.clientId).toBe(isUsed ? "one" : undefined);
    },
  );

  it("forgets a registration by its own client id only", async () => {
    const store = await registered();
    await forgetRegistration(store, issuer, "two");
    expect(await readRegistration(store, issuer)).toBeDefined();
    await forgetRegistration(store, issuer, "one");
    expect(await readRegistration(store, issuer)).toBeUndefined();
  });

  const id = "p".repeat(32);
  const pending: PendingSignIn = {
    kind: "sign-in",
    server: "https://mcp.example.com/mcp",
    account: "ann",
    issuer,
    clientId: "one",
    redirectUri: "https://app.example.com",
    state: `a${id}`,
    verifier: "v",
    scopes: [],
    expires: now + 1000,
  };
  it.each([
    [999, pending.state, "ann", true],
    [1000, pending.state, "ann", false],
    [0, `b${id}`, "ann", false],
    [0, pending.state, "bob", false],
    [0, undefined, "ann", false],
  ])(
    "takes a sign-in once, by its own answer and before its end: after %i milliseconds with the state %s of %s",
    async (time, state, account, isTaken) => {
      const store = memoryStore();
      await store.set(JSON.stringify(["sign-in", id]), pending);
      at(time);
      const answer = new URLSearchParams({
        code: "1",
        ...(state && { state }),
      });
      const take = (): Promise<PendingSignIn> =>
        takePending(store, answer, account);
      const refusal = new TypeError(
        "This account has no pending sign-in for this answer.",
      );
      if (isTaken) expect(await take()).toEqual(pending);
      await expect(take()).rejects.toThrow(refusal);
    },
  );

  it("uses the clock of a server in the proofs for that server only", async () => {
    const skews = new Map([[issuer, 90_500]]);
    const proofs = new Proofs(skews);
    const claimsFor = async (origin: string): Promise<unknown> =>
      decodeJwt(await proofs.make("GET", new URL(`${origin}/x?y`)));
    const seconds = now / 1000;
    expect(await claimsFor(issuer)).toMatchObject({
      iat: seconds + 90,
      htu: `${issuer}/x`,
    });
    expect(await claimsFor("https://b.example")).toMatchObject({
      iat: seconds,
    });
  });

  it("keeps the last nonce of each of the last 100 servers", async () => {
    const proofs = new Proofs(new Map());
    const originOf = (i: number): string => `https://s${i}.example`;
    const nonceFor = async (i: number): Promise<unknown> =>
      decodeJwt(await proofs.make("GET", new URL(originOf(i))))["nonce"];
    for (let i = 0; i < 100; i++) proofs.read(originOf(i), `n${i}`);
    proofs.read(originOf(0), "again");
    proofs.read(originOf(0), "");
    proofs.read(originOf(0), null);
    expect([await nonceFor(0), await nonceFor(1)]).toEqual(["again", "n1"]);
    proofs.read(originOf(100), "n100");
    expect(await Promise.all([0, 1, 2, 100].map(nonceFor))).toEqual([
      "again",
      undefined,
      "n2",
      "n100",
    ]);
  });
});
