import {
  dpop,
  introspection,
  jwt,
  memoryReplayStore,
  protect,
  type ProtectOptions,
  type Verifier,
} from "@mcpgen/auth/protect";
import {
  base64url,
  exportJWK,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeKey, proofOf, stopClock, useOf } from "./proof.js";

const resource = "https://mcp.example.com/mcp";
const issuer = "https://as.example.com";

let start = 0;
beforeEach(() => void (start = stopClock() * 1000));
afterEach(() => void vi.useRealTimers());
/** Sets the clock to a time after the begin of the test, in milliseconds. */
const at = (time: number): void => void vi.setSystemTime(start + time);

/** A token that says of which issuer it is, and is signed by nobody. */
const unsigned = (iss: string): string =>
  [{ alg: "ES256" }, { iss }]
    .map((part) => base64url.encode(JSON.stringify(part)))
    .join(".") + ".AAAA";

/** An authorization server with one key, and a server that accepts its tokens. */
async function withKeys(staleKeys: number) {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "own", alg: "ES256" };
  let asked: string[] = [];
  let isAway = false;
  const warnings: string[] = [];
  const fetch: typeof globalThis.fetch = async (url) => {
    const { pathname } = new URL(String(url));
    asked.push(pathname.replace(/.*\//, ""));
    if (isAway) throw new Error("It is away.");
    return pathname === "/jwks"
      ? Response.json({ keys: [jwk] })
      : Response.json({ issuer, jwks_uri: `${issuer}/jwks` });
  };
  const verify = jwt({ fetch, staleKeys });
  const reporting = { onWarning: (text: string) => void warnings.push(text) };
  const tokenWith = (kid: string): Promise<string> =>
    new SignJWT({ iss: issuer })
      .setProtectedHeader({ alg: "ES256", kid })
      .sign(privateKey);
  const own = await tokenWith("own");
  const other = await tokenWith("other");
  return {
    warnings,
    goAway: () => void (isAway = true),
    /** What is read for a token: "ok", or why it is not verified. */
    verified: async (isOther = false) => {
      asked = [];
      const result = await Promise.resolve(
        verify(isOther ? other : own, {
          resource,
          issuers: [issuer],
          reporting,
        }),
      ).then(
        (claims) => (claims ? "accepted" : "rejected"),
        (error: Error) => error.message,
      );
      return [result, ...asked];
    },
  };
}

describe("the keys of an issuer", () => {
  it("are read with its metadata at first, again after ten minutes, and its metadata after an hour", async () => {
    const { verified } = await withKeys(0);
    const metadata = "oauth-authorization-server";
    expect(await verified()).toEqual(["accepted", metadata, "jwks"]);
    at(599_999);
    expect(await verified()).toEqual(["accepted"]);
    at(600_000);
    expect(await verified()).toEqual(["accepted", "jwks"]);
    at(3_599_999);
    expect(await verified()).toEqual(["accepted", "jwks"]);
    at(3_600_000);
    expect(await verified()).toEqual(["accepted", metadata]);
  });

  it("are read for a key that is not known, once in half a minute", async () => {
    const { verified } = await withKeys(0);
    await verified();
    at(29_999);
    expect(await verified(true)).toEqual(["rejected"]);
    at(30_000);
    expect(await verified(true)).toEqual(["rejected", "jwks"]);
    at(59_999);
    expect(await verified(true)).toEqual(["rejected"]);
  });

  it("are used with a warning for as long as `staleKeys` says if the issuer is away, which is asked once in five seconds", async () => {
    const { verified, goAway, warnings } = await withKeys(10_000);
    await verified();
    goAway();
    at(600_000);
    expect(await verified()).toEqual(["accepted", "jwks"]);
    at(604_999);
    expect(await verified()).toEqual(["accepted"]);
    at(605_000);
    expect(await verified()).toEqual(["accepted", "jwks"]);
    const warning = `The key set of ${issuer} is not renewed: ${issuer} could not be reached: "It is away." The last one is used until ${new Date(start + 610_000).toISOString()}.`;
    expect(warnings).toEqual([warning, warning]);
    at(609_999);
    expect(await verified()).toEqual(["accepted"]);
    at(610_000);
    const why = `${issuer} could not be reached: "It is away."`;
    expect(await verified()).toEqual([why, "jwks"]);
    at(610_001);
    expect(await verified()).toEqual([why]);
    expect(warnings).toHaveLength(2);
  });

  it("are remembered for 1,000 issuers, those that came last", async () => {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = async (url) => {
      const { origin, pathname } = new URL(String(url));
      asked.push(origin);
      return pathname === "/jwks"
        ? Response.json({ keys: [] })
        : Response.json({ issuer: origin, jwks_uri: `${origin}/jwks` });
    };
    const verify = jwt({ fetch });
    const context = { resource, issuers: [], accepts: () => true };
    const named = (i: number): string => `https://as${i}.example.com`;
    const use = async (i: number): Promise<boolean> => {
      asked.length = 0;
      await verify(unsigned(named(i)), context);
      return asked.length > 0;
    };
    for (let i = 0; i < 1000; i++) expect(await use(i)).toBe(true);
    expect([await use(0), await use(999)]).toEqual([false, false]);
    expect(await use(1000)).toBe(true);
    expect([await use(1), await use(999)]).toEqual([false, false]);
    expect([await use(0), await use(1)]).toEqual([true, true]);
  });
});

/** The answers of a server to tokens that a function verifies. */
function serverWith(verify: Verifier, options: Partial<ProtectOptions> = {}) {
  const errors: string[] = [];
  const protection = protect({
    resource,
    issuers: [issuer],
    verify,
    ...options,
  });
  const onError = (error: unknown): void =>
    void errors.push((error as Error).message);
  return {
    errors,
    /** The caller, or the reason to reject the token. */
    answerTo: async (token: string) => {
      const header = (name: string): string | undefined =>
        name === "authorization" ? `Bearer ${token}` : undefined;
      const request = { method: "POST", url: resource, header };
      const answer = await protection.admit(request, { onError });
      if ("auth" in answer) return "accepted";
      const { error_description: reason } = JSON.parse(answer.text ?? "{}") as {
        error_description?: string;
      };
      return reason ?? answer.status;
    },
  };
}

/** The claims of a token that is accepted for an hour. */
const claims = { iss: issuer, sub: "ada", aud: resource };
const inAnHour = () => (start + 3_600_000) / 1000;

describe("a token at the edge of its time", () => {
  const reasons = {
    expired: "The token has expired.",
    early: "The token is not valid yet.",
  };
  it.each([
    ["exp", -1, reasons.expired],
    ["exp", 0, reasons.expired],
    ["exp", 1, "accepted"],
    ["nbf", 29_999, "accepted"],
    ["nbf", 30_000, "accepted"],
    ["nbf", 30_001, reasons.early],
  ])("with %s in %i ms: %s", async (name, time, expected) => {
    const { answerTo, errors } = serverWith(() => ({
      ...claims,
      exp: inAnHour(),
      [name]: (start + time) / 1000,
    }));
    expect(await answerTo("a")).toBe(expected);
    // What only has expired is no news for an operator.
    expect(errors).toHaveLength(expected === reasons.early ? 1 : 0);
  });

  it.each([
    [-1, 0],
    [0, 0],
    [1, 1],
  ])(
    "is introspected if it says that it ends in %i ms: %i requests",
    async (time, count) => {
      let asked = 0;
      const fetch = async (): Promise<Response> => {
        asked++;
        return Response.json({ active: false });
      };
      const endpoint = `${issuer}/introspect`;
      const verify = introspection({ id: "a", secret: "b", endpoint, fetch });
      const token = new UnsecuredJWT({ exp: (start + time) / 1000 }).encode();
      await verify(token, { resource, issuers: [issuer] });
      expect(asked).toBe(count);
    },
  );
});

describe("the result of a verification", () => {
  const counted = (options: Partial<ProtectOptions> = {}, life = 3_600_000) => {
    let count = 0;
    const server = serverWith((token) => {
      count++;
      return token.startsWith("no")
        ? undefined
        : { ...claims, exp: (start + life) / 1000 };
    }, options);
    /** How often tokens were verified, after one more request. */
    return async (token: string): Promise<number> => {
      await server.answerTo(token);
      return count;
    };
  };

  it.each<[string, Partial<ProtectOptions>, string, number, number]>([
    ["for a minute", {}, "yes", 3_600_000, 60_000],
    ["until the token ends", {}, "yes", 7000, 7000],
    ["as long as an option says", { recheckTime: 9 }, "yes", 7000, 9],
    ["for five seconds if it is a refusal", {}, "no", 3_600_000, 5000],
    [
      "of a refusal no longer than that of an acceptance",
      { recheckTime: 9 },
      "no",
      7000,
      9,
    ],
    ["never with the option 0", { recheckTime: 0 }, "yes", 7000, 0],
  ])("is used %s", async (_, options, token, life, time) => {
    const count = counted(options, life);
    await count(token);
    if (time > 0) at(time - 1);
    expect(await count(token)).toBe(time > 0 ? 1 : 2);
    at(time);
    expect(await count(token)).toBe(time > 0 ? 2 : 3);
  });

  it.each(["yes", "no"])(
    "is remembered for 1,000 tokens that are answered %s, those that came last",
    async (kind) => {
      const count = counted();
      const token = (i: number): string => `${kind}-${i}-${"x".repeat(24)}${i}`;
      for (let i = 0; i < 1000; i++) await count(token(i));
      expect(await count(token(0))).toBe(1000);
      expect(await count(token(1000))).toBe(1001);
      expect(await count(token(1))).toBe(1001);
      expect(await count(token(0))).toBe(1002);
    },
  );

  it("is that of the whole token, although another one has the same end", async () => {
    const count = counted();
    const end = "x".repeat(100);
    expect(await count(`yes-${end}`)).toBe(1);
    expect(await count(`no-${end}`)).toBe(2);
    expect([await count(`yes-${end}`), await count(`no-${end}`)]).toEqual([
      2, 2,
    ]);
    expect(await count(`yes-2-${end}`)).toBe(3);
    expect(await count(`yes-${end}`)).toBe(4);
  });
});

describe("what an operator hears of tokens", () => {
  it("names at most 20 unknown issuers in a minute, each once", async () => {
    const { answerTo, errors } = serverWith(jwt());
    const ask = async (i: number): Promise<number> => {
      await answerTo(unsigned(`https://${i}.example.com`));
      return errors.length;
    };
    expect([await ask(0), await ask(0)]).toEqual([1, 1]);
    at(6000);
    expect(await ask(0)).toBe(1);
    for (let i = 1; i < 20; i++) expect(await ask(i)).toBe(i + 1);
    expect(await ask(20)).toBe(20);
    at(59_999);
    expect(await ask(21)).toBe(20);
    at(60_000);
    expect([await ask(22), await ask(22)]).toEqual([21, 21]);
    expect(errors[0]).toBe(
      'A token is rejected: its issuer is not one of `issuers`. It says, and nobody has verified that, that it is of "https://0.example.com".',
    );
  });

  it.each([
    [1000, true],
    [1001, false],
  ])("asks for an issuer of %i characters: %s", async (length, isAsked) => {
    const asked: string[] = [];
    const accepts = (name: string): boolean => asked.push(name) < 0;
    await jwt()(unsigned("x".repeat(length)), {
      resource,
      issuers: [],
      accepts,
    });
    expect(asked).toHaveLength(isAsked ? 1 : 0);
  });

  it.each<[string, object, string]>([
    [
      "another issuer",
      { iss: "https://other.example.com" },
      `A token of "https://other.example.com" is rejected: The token is of another issuer. \`iss\` is "https://other.example.com", and \`issuers\` are "${issuer}".`,
    ],
    [
      "another audience",
      { aud: "https://other.example.com/" },
      `A token of "${issuer}" is rejected: The token is for another server. \`aud\` is "https://other.example.com/", and \`resource\` and \`audience\` are "${resource}", "b".`,
    ],
    [
      "no audience",
      { aud: 7 },
      `A token of "${issuer}" is rejected: The token is for another server. \`aud\` is nothing, and \`resource\` and \`audience\` are "${resource}", "b".`,
    ],
    [
      "more audiences than a line has room for",
      { aud: Array.from({ length: 11 }, (_, i) => `a${i}`) },
      `A token of "${issuer}" is rejected: The token is for another server. \`aud\` is ${Array.from({ length: 10 }, (_, i) => `"a${i}"`).join(", ")}, and \`resource\` and \`audience\` are "${resource}", "b".`,
    ],
    [
      "nobody's name",
      { sub: "" },
      `A token of "${issuer}" is rejected: The token names neither a user nor a client. It has no text \`sub\`, \`client_id\` or \`azp\`.`,
    ],
  ])("says what is wrong with a token with %s", async (_, wrong, text) => {
    const { answerTo, errors } = serverWith(
      () => ({ ...claims, exp: inAnHour(), ...wrong }),
      { audience: ["b"] },
    );
    expect(await answerTo("a")).toMatch(/^The token .+\.$/);
    expect(errors).toEqual([text]);
  });
});

describe("the limits of proofs", () => {
  const form = "The header DPoP must hold exactly one signed JWT.";
  it.each([
    [8192, form],
    [8193, "The proof has more than 8192 characters."],
  ])("of %i characters: %s", async (length, reason) => {
    const key = await makeKey();
    expect(await dpop().check("-".repeat(length), useOf(key))).toEqual({
      error: "invalid_dpop_proof",
      reason,
    });
  });

  it.each([
    [0, false],
    [1, true],
    [256, true],
    [257, false],
  ])("with an identifier of %i characters: %s", async (length, isValid) => {
    const key = await makeKey();
    const proof = await proofOf(key, { jti: "x".repeat(length) });
    expect((await dpop().check(proof, useOf(key))).reason).toBe(
      isValid ? undefined : "The claim jti must have 1 to 256 characters.",
    );
  });

  it("keep a used proof until the end of its minute, and not longer", () => {
    const store = memoryReplayStore();
    const end = Math.ceil((start + 1) / 60_000) * 60_000;
    expect([store.add("a", end), store.add("a", end)]).toEqual([true, false]);
    vi.setSystemTime(end - 1);
    expect(store.add("a", end)).toBe(false);
    vi.setSystemTime(end);
    expect(store.add("a", end + 60_000)).toBe(true);
  });

  it("give a caller a quarter of the room, and all callers the whole", () => {
    const store = memoryReplayStore(8);
    const end = start + 60_000;
    const add = (key: string, who?: string): unknown => {
      try {
        return store.add(key, end, who);
      } catch (error) {
        return (error as Error).message;
      }
    };
    const full = (size: number, share: number): string =>
      `The replay store is full: it has ${size} keys, ${share} of this principal. Raise the limit: \`memoryReplayStore(maxEntries)\`.`;
    expect([add("a", "ada"), add("b", "ada")]).toEqual([true, true]);
    expect(add("c", "ada")).toBe(full(2, 2));
    // A proof that was used before is told as such, although there is no room.
    expect(add("a", "ada")).toBe(false);
    for (const key of ["d", "e", "f", "g", "h", "i"])
      expect(add(key)).toBe(true);
    expect(add("j", "bob")).toBe(full(8, 0));
    expect(add("j")).toBe(full(8, 6));
    vi.setSystemTime(end + 60_000);
    expect(store.add("a", end + 120_000, "ada")).toBe(true);
  });
});

describe("the refusal of a caller", () => {
  const bound = { cnf: { jkt: "x" } };
  const otherwise = { cnf: { "x5t#S256": "x" } };
  const lack = `error="insufficient_scope", error_description="The token lacks a scope that the operation requires.", scope="write", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"`;
  const plain = lack.replace(/^error=.*requires\.", /, "");
  const algs = 'algs="ES256"';
  it.each([
    ["a token without a key", {}, undefined, `Bearer ${lack}`],
    [
      "a token with a key, where none is accepted",
      bound,
      undefined,
      `Bearer ${lack}`,
    ],
    [
      "a token without a key",
      {},
      false,
      `Bearer ${lack}, DPoP ${plain}, ${algs}`,
    ],
    [
      "a token with a key",
      bound,
      false,
      `DPoP ${lack}, ${algs}, Bearer ${plain}`,
    ],
    [
      "a token with a key of another kind",
      otherwise,
      false,
      `DPoP ${lack}, ${algs}, Bearer ${plain}`,
    ],
    ["a token without a key", {}, true, `DPoP ${lack}, ${algs}`],
    ["a token with a key", bound, true, `DPoP ${lack}, ${algs}`],
  ])(
    "with %s, %j, has the error in the challenge of its scheme (keys required: %s)",
    (_, ownClaims, required, expected) => {
      const proofs = dpop({ required, algorithms: ["ES256"] });
      const protection = protect({
        resource,
        issuers: [issuer],
        dpop: required === undefined ? undefined : proofs,
      });
      const auth = { principal: "ada", scopes: [], claims: ownClaims };
      expect(protection.refuse(auth, { scopes: ["write"] })).toEqual({
        status: 403,
        headers: { "www-authenticate": expected },
      });
    },
  );

  it.each([
    ["x".repeat(200), "x".repeat(200)],
    ["x".repeat(201), "x".repeat(200)],
  ])("has at most 200 characters of a reason", (reason, told) => {
    const protection = protect({ resource, issuers: [issuer] });
    const auth = { principal: "ada", scopes: [], claims: {} };
    const { status, headers } = protection.refuse(auth, { scopes: [], reason });
    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toContain(
      `Bearer error="invalid_token", error_description="${told}", `,
    );
  });
});
