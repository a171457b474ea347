import { createHmac } from "node:crypto";
import {
  dpop,
  type DpopResult,
  type DpopUse,
  type ReplayStore,
} from "@mcpgen/auth/protect";
import fc from "fast-check";
import { calculateJwkThumbprint, FlattenedSign, importJWK } from "jose";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Proofs } from "../../../src/auth/client/proofs.js";
import { failure } from "../kit/index.js";
import {
  type Claims,
  claimsOf,
  makeKey,
  type ProofKey,
  proofOf,
  stopClock,
  token,
  url,
  useOf,
  wait,
} from "./proof.js";
import { runs } from "../../whole.js";

const count = Number(process.env["FUZZ_RUNS"] ?? runs(300));

let key: ProofKey;
let other: ProofKey;
beforeAll(async () => {
  [key, other] = await Promise.all([makeKey(), makeKey()]);
});
afterEach(() => void vi.useRealTimers());

/** A check by default settings, for a request of the client with `key`. */
const check = (
  proof: string | undefined,
  changes: Partial<DpopUse> = {},
): Promise<DpopResult> => dpop().check(proof, useOf(key, changes));

/**
 * A JWT with this header and payload, and the signature that a function makes.
 */
const jwt = (
  header: unknown,
  payload: unknown,
  sign: (text: string) => string = () => "AAAA",
): string => {
  const text = [header, payload]
    .map((part) =>
      Buffer.from(
        typeof part === "string" ? part : JSON.stringify(part),
      ).toString("base64url"),
    )
    .join(".");
  return `${text}.${sign(text)}`;
};

describe("a proof of possession", () => {
  it.each([
    "ES256",
    "ES384",
    "ES512",
    "PS256",
    "PS384",
    "PS512",
    "RS256",
    "RS384",
    "RS512",
    "EdDSA",
    "Ed25519",
  ])(
    "AUTH-81 is accepted with the algorithm %s, which the challenge lists",
    async (alg) => {
      const own = await makeKey(alg);
      expect(await dpop().check(await proofOf(own), useOf(own))).toEqual({});
      expect(dpop().algorithms).toContain(alg);
    },
  );

  it("AUTH-80 AUTH-81 is accepted from this package's own client", async () => {
    const proofs = new Proofs(new Map());
    const own = await proofs.key();
    const { d: _, ...publicJwk } = own;
    proofs.use(own);
    const thumbprint = await calculateJwkThumbprint(publicJwk as never);
    const server = dpop({ nonce: true });
    const send = async (method: string): Promise<DpopResult> =>
      server.check(
        await proofs.make(method, new URL(`${url}?session=1`), token),
        {
          method,
          url,
          token,
          thumbprint,
          principal: "ada",
        },
      );
    const { error, nonce } = await send("POST");
    expect(error).toBe("use_dpop_nonce");
    proofs.read(new URL(url).origin, nonce);
    expect(await send("POST")).toEqual({});
    expect(await send("GET")).toEqual({});
  });

  it.each([
    ["https://mcp.example.com/mcp", "https://MCP.example.com:443/mcp"],
    ["https://mcp.example.com/mcp", "https://mcp.example.com/x/../mcp?a=b#c"],
    ["https://mcp.example.com", "https://mcp.example.com/"],
    ["wss://mcp.example.com/ws", "wss://mcp.example.com/ws"],
    ["wss://mcp.example.com/ws", "https://mcp.example.com/ws"],
    ["http://127.0.0.1:3000/ws", "ws://127.0.0.1:3000/ws"],
    ["https://mcp.example.com/mcp?tenant=1", "https://mcp.example.com/mcp"],
  ])(
    "AUTH-81 is accepted by the server %s with the URL %s",
    async (own, htu) => {
      expect(await check(await proofOf(key, { htu }), { url: own })).toEqual(
        {},
      );
    },
  );

  it.each([
    ["a proof without a method", { htm: undefined }],
    ["a proof with another method", { htm: "GET" }],
    ["a proof with the method in lower case", { htm: "post" }],
    ["a proof with a list of methods", { htm: ["POST"] }],
    ["a proof without a URL", { htu: undefined }],
    ["a proof with an invalid URL", { htu: "/mcp" }],
    ["a proof with a list of URLs", { htu: [url] }],
    ["a proof with another path", { htu: `${url}/` }],
    ["a proof with another host", { htu: "https://mcp.example.org/mcp" }],
    ["a proof with another port", { htu: "https://mcp.example.com:8443/mcp" }],
    ["a proof with another scheme", { htu: "http://mcp.example.com/mcp" }],
    [
      "a proof with a scheme that only begins like that of a WebSocket",
      { htu: "wsx://mcp.example.com/mcp" },
    ],
    [
      "a proof with a user name in its URL",
      { htu: "https://ann@mcp.example.com/mcp" },
    ],
    ["a proof without a time", { iat: undefined }],
    [
      "a proof with a string as its time",
      { iat: String(Math.floor(Date.now() / 1000)) },
    ],
    ["a proof without the hash of a token", { ath: undefined }],
    [
      "a proof with the hash of another token",
      { ath: "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg" },
    ],
    ["a proof with the token instead of its hash", { ath: token }],
    ["a proof without an identifier", { jti: undefined }],
    ["a proof with an empty identifier", { jti: "" }],
    ["a proof with an identifier that is a number", { jti: 1 }],
    ["a proof with a long identifier", { jti: "x".repeat(257) }],
    ["a proof that has expired", { exp: Math.floor(Date.now() / 1000) - 301 }],
    [
      "a proof that is not valid yet",
      { nbf: Math.floor(Date.now() / 1000) + 360 },
    ],
  ])("AUTH-81 is rejected: %s", async (_, claims) => {
    expect(await check(await proofOf(key, claims))).toMatchObject({
      error: "invalid_dpop_proof",
    });
  });

  it("AUTH-81 may have other claims, and an identifier of 256 characters", async () => {
    const claims = {
      jti: "x".repeat(256),
      iss: "someone",
      exp: Math.floor(Date.now() / 1000) + 60,
      more: {},
    };
    expect(await check(await proofOf(key, claims))).toEqual({});
  });

  const rejected = { error: "invalid_dpop_proof" };
  /**
   * A proof with anything as the key in its header, and without a signature.
   */
  const withKey = (jwk: unknown): string =>
    jwt({ alg: "ES256", typ: "dpop+jwt", jwk }, claimsOf());
  /** A proof of the client with any header and any payload. */
  const signed = async (more: object, payload: unknown): Promise<string> => {
    const { alg, privateJwk, publicJwk: jwk } = key;
    const flat = await new FlattenedSign(
      new TextEncoder().encode(JSON.stringify(payload)),
    )
      .setProtectedHeader({ alg, typ: "dpop+jwt", jwk, ...more })
      .sign(await importJWK(privateJwk, alg), { crit: { x: true } });
    return `${flat.protected}.${flat.payload}.${flat.signature}`;
  };
  const proof = (header = {}) => proofOf(key, {}, header);

  it.each([
    ["no proof", () => undefined],
    ["an empty proof", () => ""],
    ["a proof that is not a JWT", () => "x"],
    ["two proofs", async () => `${await proof()}, ${await proof()}`],
    [
      "two proofs without a space",
      async () => `${await proof()},${await proof()}`,
    ],
    ["a proof before a space", async () => `${await proof()} `],
    ["a proof after a space", async () => ` ${await proof()}`],
    ["a proof with a fourth part", async () => `${await proof()}.`],
    ["a proof without a type", () => proof({ typ: undefined })],
    ["a proof with the type JWT", () => proof({ typ: "JWT" })],
    ["a proof with the type at+jwt", () => proof({ typ: "at+jwt" })],
    [
      "a proof with a critical header",
      () => signed({ crit: ["x"], x: 1 }, claimsOf()),
    ],
    ["a proof whose payload is null", () => signed({}, null)],
    ["a proof whose payload is a list", () => signed({}, [])],
    ["a proof whose payload is a text", () => signed({}, "text")],
    ["a proof whose payload is a number", () => signed({}, 1)],
    ["a proof of another key", () => proofOf(other)],
    [
      "a proof of another key with this key in its header",
      () => proofOf(other, {}, { jwk: key.publicJwk }),
    ],
    ["a proof without a key in its header", () => proof({ jwk: undefined })],
    ["a proof whose key is null", () => withKey(null)],
    ["a proof whose key is a list", () => withKey([])],
    ["a proof whose key is a text", () => withKey("text")],
    ["a proof whose key is empty", () => withKey({})],
    ["a proof whose key has only a type", () => withKey({ kty: "EC" })],
    [
      "a proof whose key is on no curve",
      () => withKey({ ...key.publicJwk, x: "AAAA" }),
    ],
    [
      "a proof with another payload",
      async () =>
        (await proof()).replace(
          /\..*\./,
          `.${jwt({}, claimsOf()).split(".")[1]}.`,
        ),
    ],
    ["a proof with a private key", () => proof({ jwk: key.privateJwk })],
  ])("AUTH-81 is rejected: %s", async (_, make) => {
    expect(await check(await make())).toMatchObject(rejected);
  });

  it("AUTH-81 is missing in a request without one, which the reason says", async () => {
    expect(await check(undefined)).toEqual({
      ...rejected,
      reason: "The request has no DPoP proof.",
    });
  });

  it("AUTH-81 is accepted if it is signed by hand", async () => {
    expect(await check(await signed({}, claimsOf()))).toEqual({});
  });

  it.each(["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"])(
    "AUTH-81 is rejected with the private part %s in its key",
    async (name) => {
      const reason = "The jwk of the proof must not have a private part.";
      expect(
        await check(await proof({ jwk: { ...key.publicJwk, [name]: "" } })),
      ).toEqual({
        ...rejected,
        reason,
      });
    },
  );

  it("AUTH-81 is rejected with a symmetric key", async () => {
    const secret = Buffer.alloc(32, 1);
    const jwk = { kty: "oct", k: secret.toString("base64url") };
    const thumbprint = await calculateJwkThumbprint(jwk);
    const sign = (text: string): string =>
      createHmac("sha256", secret).update(text).digest("base64url");
    const own = jwt({ alg: "HS256", typ: "dpop+jwt", jwk }, claimsOf(), sign);
    expect(await check(own, { thumbprint })).toMatchObject(rejected);
  });

  it.each(
    [
      "none",
      "None",
      "HS256",
      "ES256K",
      "toString",
      "",
      undefined,
      null,
      1,
      ["ES256"],
    ].map((alg) => [alg]),
  )(
    "AUTH-81 is rejected with the algorithm %j, with a signature and without one",
    async (alg) => {
      for (const sign of [() => "", () => "AAAA"])
        expect(
          await check(
            jwt({ alg, typ: "dpop+jwt", jwk: key.publicJwk }, claimsOf(), sign),
          ),
        ).toMatchObject(rejected);
    },
  );

  it("AUTH-81 is rejected with an algorithm that the option does not list", async () => {
    const rsa = await makeKey("PS256");
    const server = dpop({ algorithms: ["ES256"] });
    expect(server.algorithms).toEqual(["ES256"]);
    expect(await server.check(await proofOf(rsa), useOf(rsa))).toMatchObject(
      rejected,
    );
    expect(await server.check(await proof(), useOf(key))).toEqual({});
  });

  it.each(["none", "HS256", "dir", "ES256K", ""])(
    "AUTH-81 cannot be configured with the algorithm %j",
    (name) => {
      expect(() => dpop({ algorithms: ["ES256", name] })).toThrow(
        new TypeError(
          `algorithms: ${JSON.stringify(name)} is not a signature algorithm with a public key, such as "ES256".`,
        ),
      );
    },
  );

  it.each([
    [-301, "rejected"],
    [-300, "accepted"],
    [300, "accepted"],
    [301, "rejected"],
  ])(
    "AUTH-81 with a time %i seconds from now is %s",
    async (difference, outcome) => {
      const result = await check(
        await proofOf(key, { iat: stopClock() + difference }),
      );
      expect(result.error).toBe(
        outcome === "accepted" ? undefined : "invalid_dpop_proof",
      );
    },
  );

  it.each([-1, 0, 1e300])(
    "AUTH-81 is rejected with the time %d",
    async (iat) => {
      expect(await check(await proofOf(key, { iat }))).toMatchObject(rejected);
    },
  );

  it("AUTH-81 is rejected before it is parsed if it is too long", async () => {
    const proof = await proofOf(key, { more: "x".repeat(8000) });
    expect(proof.length).toBeGreaterThan(8192);
    expect(await check(proof)).toEqual({
      error: "invalid_dpop_proof",
      reason: "The proof has more than 8192 characters.",
    });
    expect(await check(`${"A".repeat(10_000_000)}.A.A`)).toMatchObject({
      error: "invalid_dpop_proof",
    });
  });

  it("AUTH-81 is accepted only once until it expires, even with another signature", async () => {
    const now = stopClock();
    const server = dpop();
    const claims = { jti: "same", iat: now + 300 };
    const proof = await proofOf(key, claims);
    expect(await server.check(proof, useOf(key))).toEqual({});
    const used = {
      error: "invalid_dpop_proof",
      reason: "The proof was used before.",
    };
    expect(await server.check(proof, useOf(key))).toEqual(used);
    expect(await server.check(await proofOf(key, claims), useOf(key))).toEqual(
      used,
    );
    for (let second = 0; second < 600; second += 20) {
      wait(20);
      expect(await server.check(proof, useOf(key))).toEqual(used);
    }
    wait(1);
    expect((await server.check(proof, useOf(key))).reason).toContain("iat");
  });

  it("AUTH-81 may have the identifier that a proof of another key had", async () => {
    const server = dpop();
    expect(
      await server.check(await proofOf(key, { jti: "same" }), useOf(key)),
    ).toEqual({});
    expect(
      await server.check(await proofOf(other, { jti: "same" }), useOf(other)),
    ).toEqual({});
  });

  it("AUTH-81 is accepted only once if it is sent many times concurrently", async () => {
    const server = dpop();
    const proof = await proofOf(key);
    const results = await Promise.all(
      Array.from({ length: 20 }, () => server.check(proof, useOf(key))),
    );
    expect(results.filter(({ error }) => error === undefined)).toHaveLength(1);
  });

  const added: unknown[] = [];
  const noting = () => {
    added.length = 0;
    const replay: ReplayStore = {
      add: async (...entry) => added.push(entry) > 0,
    };
    const now = stopClock();
    return { now, server: dpop({ replay, nonce: true }) };
  };

  it.each([
    { htm: "GET" },
    { htu: "x" },
    { iat: 0 },
    { ath: "" },
    { jti: "" },
    {},
    { nonce: "x" },
  ] as Claims[])(
    "AUTH-81 is not passed to the replay store with %j, because it is not valid",
    async (claims) => {
      const { server } = noting();
      expect(
        (await server.check(await proofOf(key, claims), useOf(key))).error,
      ).toBeDefined();
      expect(added).toEqual([]);
    },
  );

  it("AUTH-81 is not passed to the replay store with another key, or if there is none", async () => {
    const { server } = noting();
    await server.check(await proofOf(other), useOf(key));
    await server.check(undefined, useOf(key));
    expect(added).toEqual([]);
  });

  it("AUTH-81 is passed to the replay store with a key that reveals nothing about it", async () => {
    const { now, server } = noting();
    const { nonce } = await server.check(undefined, useOf(key));
    const jti = "an-identifier";
    expect(
      await server.check(await proofOf(key, { nonce, jti }), useOf(key)),
    ).toEqual({});
    expect(added).toEqual([
      [expect.stringMatching(/^[\w-]{43}$/), (now + 301) * 1000, "ada"],
    ]);
  });

  it("AUTH-81 is neither accepted nor rejected while the replay store fails", async () => {
    const replay: ReplayStore = {
      add: () => Promise.reject(new Error("Redis is down.")),
    };
    const proof = await proofOf(key);
    expect(await failure(dpop({ replay }).check(proof, useOf(key)))).toEqual(
      new Error("Redis is down."),
    );
  });

  it("is rejected with fixed texts, which contain no part of the request and are valid in a header", async () => {
    const secret = "s3cret-of-the-request";
    const proofs = [
      undefined,
      secret,
      secret.repeat(500),
      jwt(secret, secret),
      await proofOf(key, {}, { typ: secret }),
      await proofOf(
        key,
        {},
        { kid: secret, jwk: { ...key.publicJwk, d: secret } },
      ),
      await proofOf(other, { jti: secret }),
      ...(await Promise.all(
        [
          { htm: secret },
          { htu: secret },
          { iat: secret },
          { ath: secret },
          { jti: secret.repeat(99) },
          { nonce: secret },
        ].map((claims: Claims) => proofOf(key, claims)),
      )),
    ];
    const server = dpop({ nonce: true });
    const reasons = await Promise.all(
      proofs.map(async (proof) =>
        String((await server.check(proof, useOf(key))).reason),
      ),
    );
    expect(new Set(reasons).size).toBe(11);
    for (const reason of reasons)
      expect(reason).toMatch(/^The [\w ,+.-]{10,150}\.$/);
    expect(reasons.join()).not.toContain("s3cret");
  });

  it("is required only if the option says so", () => {
    expect([
      dpop().isRequired,
      dpop({ required: false }).isRequired,
      dpop({ required: true }).isRequired,
    ]).toEqual([false, false, true]);
  });
});

describe("any text instead of a proof", () => {
  const rejected = async (proof: string): Promise<void> => {
    expect(await check(proof)).toMatchObject({
      error: "invalid_dpop_proof",
      reason: expect.stringMatching(/^The .*\.$/),
    });
  };

  it("AUTH-81 is rejected without an exception: any text", async () => {
    await fc.assert(fc.asyncProperty(fc.string({ unit: "binary" }), rejected), {
      numRuns: count,
    });
  });

  it("AUTH-81 is rejected without an exception: a JWT of any JSON", async () => {
    const header = fc.record(
      {
        alg: fc.oneof(
          fc.constantFrom("ES256", "RS256", "EdDSA", "none", "HS256"),
          fc.jsonValue(),
        ),
        typ: fc.oneof(fc.constant("dpop+jwt"), fc.jsonValue()),
        jwk: fc.oneof(
          fc.constant(key.publicJwk),
          fc.record({
            kty: fc.constantFrom("EC", "RSA", "OKP", "oct", "AKP"),
            n: fc.jsonValue(),
            e: fc.string(),
          }),
          fc.jsonValue(),
        ),
        crit: fc.jsonValue(),
        b64: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const part = fc.oneof(header, fc.jsonValue(), fc.string());
    const signature = fc.stringMatching(/^[\w-]{0,90}$/);
    await fc.assert(
      fc.asyncProperty(part, part, signature, (first, second, end) =>
        rejected(jwt(first, second, () => end)),
      ),
      { numRuns: count },
    );
  });

  it("AUTH-81 is rejected without an exception: a valid proof with one change", async () => {
    const proof = await proofOf(key);
    // The last characters of a signature have bits that do not count.
    const position = fc.nat({ max: proof.length - 2 });
    await fc.assert(
      fc.asyncProperty(
        position,
        fc.string({ minLength: 1, maxLength: 3 }),
        async (at, text) => {
          const changed = proof.slice(0, at) + text + proof.slice(at + 1);
          if (changed !== proof) await rejected(changed);
        },
      ),
      { numRuns: count },
    );
  });
});
