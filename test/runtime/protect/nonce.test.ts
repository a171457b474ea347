import { dpop, type DpopResult } from "@mcpgen/auth/protect";
import { base64url, SignJWT } from "jose";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  makeKey,
  type ProofKey,
  proofOf,
  stopClock,
  useOf,
  wait,
} from "./proof.js";

let key: ProofKey;
beforeAll(async () => {
  key = await makeKey();
});
afterEach(() => void vi.useRealTimers());

describe("a nonce of the server", () => {
  const keys = ["k".repeat(32), Buffer.alloc(32, 7)] as const;
  const nonceOf = async (server = dpop({ nonce: true })): Promise<string> =>
    String((await server.check(undefined, useOf(key))).nonce);
  const use = async (
    server: ReturnType<typeof dpop>,
    nonce: unknown,
  ): Promise<DpopResult> =>
    server.check(await proofOf(key, { nonce }), useOf(key));

  it("AUTH-81 is sent after a proof without one, and is valid for many proofs", async () => {
    const server = dpop({ nonce: true });
    const first = await use(server, undefined);
    expect(first).toEqual({
      error: "use_dpop_nonce",
      reason: "The proof must have the nonce of the header DPoP-Nonce.",
      nonce: expect.stringMatching(/^[\w.-]{20,120}$/),
    });
    for (let count = 0; count < 3; count++)
      expect(await use(server, first.nonce)).toEqual({});
  });

  it("AUTH-81 is renewed with a successful response in the second half of its 5 minutes, and invalid after them", async () => {
    stopClock();
    const server = dpop({ nonce: true });
    const old = await nonceOf(server);
    wait(150);
    expect(await use(server, old)).toEqual({});
    wait(1);
    const renewed = await use(server, old);
    expect(renewed).toEqual({ nonce: expect.any(String) });
    wait(149);
    expect((await use(server, old)).error).toBeUndefined();
    wait(1);
    expect((await use(server, old)).error).toBe("use_dpop_nonce");
    expect(await use(server, renewed.nonce)).toEqual({});
  });

  it.each([
    [150_000, {}],
    [150_001, { nonce: expect.any(String) }],
    [300_000, { nonce: expect.any(String) }],
    [300_001, { error: "use_dpop_nonce" }],
    [-300_000, {}],
    [-300_001, { error: "use_dpop_nonce" }],
  ])(
    "AUTH-81 is valid and renewed to the millisecond: after %i milliseconds",
    async (time, expected) => {
      const now = 1000 * stopClock();
      const server = dpop({ nonce: true });
      const nonce = await nonceOf(server);
      const proof = await proofOf(key, { nonce, iat: (now + time) / 1000 });
      vi.setSystemTime(now + time);
      const result = await server.check(proof, useOf(key));
      if ("error" in expected) expect(result).toMatchObject(expected);
      else expect(result).toEqual(expected);
    },
  );

  it("AUTH-81 is not needed for a server without nonces, which ignores that of a proof", async () => {
    expect(await use(dpop(), undefined)).toEqual({});
    expect(await use(dpop(), "anything")).toEqual({});
    expect((await dpop().check(undefined, useOf(key))).nonce).toBeUndefined();
  });

  it("AUTH-81 cannot be forged", async () => {
    const server = dpop({ nonce: true });
    const nonce = await nonceOf(server);
    const [head, time, code] = nonce.split(".") as [string, string, string];
    const later = base64url.encode(
      JSON.stringify({ iat: Math.floor(Date.now() / 1000) + 100 }),
    );
    const changed = (code.startsWith("A") ? "B" : "A") + code.slice(1);
    const unsigned = base64url.encode(
      JSON.stringify({ alg: "none", typ: "nonce" }),
    );
    const secret = new TextEncoder().encode("x".repeat(32));
    const foreign = new SignJWT()
      .setProtectedHeader({ alg: "HS256", typ: "nonce" })
      .setIssuedAt();
    const forged = [
      `${head}.${later}.${code}`,
      `${head}.${time}.${changed}`,
      `${head}.${time}.`,
      `${unsigned}.${time}.`,
      `${head}..${code}`,
      `${time}.${code}`,
      time,
      code,
      await foreign.sign(secret),
      "",
      "x".repeat(5000),
      `${nonce}x`,
      `${nonce}.${nonce}`,
      await nonceOf(),
      1,
      null,
      {},
      `${head.toUpperCase()}.${time}.${code}`,
    ];
    for (const one of forged)
      expect([one, (await use(server, one)).error]).toEqual([
        one,
        "use_dpop_nonce",
      ]);
  });

  it("AUTH-81 is one text, and not a list of two", async () => {
    const server = dpop({ nonce: true });
    const nonce = await nonceOf(server);
    expect(await use(server, [nonce, nonce])).toMatchObject({
      error: "use_dpop_nonce",
    });
    expect(await use(server, nonce)).toEqual({});
  });

  const replicas = async () => {
    const [first, second] = keys;
    const [old, both, next] = [[first], [second, first], [second]].map((some) =>
      dpop({ nonce: { keys: some } }),
    );
    if (!old || !both || !next) throw new Error("There are three servers.");
    return {
      old,
      both,
      next,
      oldNonce: await nonceOf(old),
      newNonce: await nonceOf(both),
    };
  };

  it("AUTH-81 is accepted by replicas that have its key, at any index of their keys", async () => {
    const { both, next, oldNonce, newNonce } = await replicas();
    expect(await use(both, oldNonce)).toEqual({});
    expect(await use(next, newNonce)).toEqual({});
  });

  it("AUTH-81 is refused by replicas that do not have its key", async () => {
    const { old, next, oldNonce, newNonce } = await replicas();
    expect((await use(next, oldNonce)).error).toBe("use_dpop_nonce");
    expect((await use(old, newNonce)).error).toBe("use_dpop_nonce");
    expect((await use(dpop({ nonce: true }), oldNonce)).error).toBe(
      "use_dpop_nonce",
    );
  });

  it("AUTH-81 is accepted from a replica whose clock is up to 5 minutes ahead", async () => {
    stopClock();
    const server = dpop({ nonce: { keys } });
    wait(300);
    const nonce = await nonceOf(server);
    wait(1);
    const distant = await nonceOf(server);
    wait(-301);
    expect(await use(server, nonce)).toEqual({});
    expect((await use(server, distant)).error).toBe("use_dpop_nonce");
  });

  it("AUTH-81 does not change when the bytes of its key are cleared after the server is made", async () => {
    const bytes = Buffer.alloc(32, 7);
    const server = dpop({ nonce: { keys: [bytes] } });
    bytes.fill(0);
    const nonce = await nonceOf(
      dpop({ nonce: { keys: [Buffer.alloc(32, 7)] } }),
    );
    expect(await use(server, nonce)).toEqual({});
  });

  it.each([[[]], [["k".repeat(31)]], [["k".repeat(32), new Uint8Array(31)]]])(
    "AUTH-81 cannot be made with the keys %j",
    (some) => {
      expect(() => dpop({ nonce: { keys: some } })).toThrow(
        new TypeError(
          "dpop: `nonce.keys` must have at least one key, and each at least 32 bytes.",
        ),
      );
    },
  );
});
