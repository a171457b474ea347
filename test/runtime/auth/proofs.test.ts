import { memoryStore, oauth } from "@mcpgen/auth";
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { failure } from "../kit/index.js";
import { json, refused, type Seen, type Setup, setUp } from "./kit/index.js";

interface Proof {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly key: string;
}

/** Reads a proof, and checks its signature, as RFC 9449, section 4.3, says. */
async function proofOf({ headers }: Seen): Promise<Proof> {
  const { payload, protectedHeader } = await jwtVerify(
    String(headers.get("dpop")),
    EmbeddedJWK,
    {
      typ: "dpop+jwt",
      algorithms: ["ES256"],
    },
  );
  expect(protectedHeader.jwk).not.toHaveProperty("d");
  return {
    claims: payload,
    key: await calculateJwkThumbprint(protectedHeader.jwk as JWK),
  };
}

/** The authorization server binds its tokens. */
function bind({ as }: Setup): void {
  as.metadata["dpop_signing_alg_values_supported"] = ["ES256"];
  as.tokenAnswer = async ({ headers, form }) => {
    if (headers.get("dpop") === null) return refused("invalid_dpop_proof");
    if (
      form["grant_type"] === "refresh_token" &&
      !as.refreshable.delete(String(form["refresh_token"]))
    )
      return refused("invalid_grant");
    return json({
      ...((await as.issue().json()) as object),
      token_type: "DPoP",
    });
  };
}

describe("a token that is bound to a key", () => {
  it("AUTH-80 is sent with a new proof for each request, by the same key as at the token endpoint", async () => {
    const setup = setUp();
    bind(setup);
    const { world, as, server, options, connect } = setup;
    const client = await connect(oauth(options({ dpop: true })));
    for (let count = 0; count < 5; count++) await client.listTools();
    as.live.clear();
    await client.listTools();
    const sent = world
      .to(server.url)
      .filter(({ headers }) => headers.get("authorization") !== null);
    const all = [...world.to("/token"), ...sent];
    const proofs = await Promise.all(all.map(proofOf));
    expect(proofs.length).toBeGreaterThan(9);
    expect(new Set(proofs.map(({ claims }) => claims["jti"])).size).toBe(
      proofs.length,
    );
    expect(new Set(proofs.map(({ key }) => key)).size).toBe(1);
    for (const [index, { method, url, headers }] of all.entries()) {
      const { htm, htu, iat, ath } = proofs[index]?.claims ?? {};
      expect([htm, htu]).toEqual([method, url.href]);
      expect(Math.abs(Number(iat) * 1000 - Date.now())).toBeLessThan(60_000);
      const token = headers.get("authorization")?.replace(/^DPoP /, "");
      const hash =
        token &&
        (await crypto.subtle.digest(
          "SHA-256",
          new TextEncoder().encode(token),
        ));
      expect(ath).toBe(
        hash ? Buffer.from(hash).toString("base64url") : undefined,
      );
    }
  });

  it("AUTH-80 is sent again once with the nonce of the authorization server or of the server", async () => {
    const setup = setUp();
    bind(setup);
    const { world, as, server, options, connect } = setup;
    const issue = as.tokenAnswer;
    as.tokenAnswer = async (seen) => {
      const { claims } = await proofOf(seen);
      if (claims["nonce"] === "as-nonce") return issue?.(seen);
      return json({ error: "use_dpop_nonce" }, 400, {
        "dpop-nonce": "as-nonce",
      });
    };
    const guarded = world.routes.get(server.url);
    let nonce = "one";
    world.routes.set(server.url, async (seen, init) => {
      const isProved = seen.headers.get("dpop") !== null;
      if (!isProved || (await proofOf(seen)).claims["nonce"] === nonce)
        return (await guarded?.(seen, init)) as Response;
      const headers = {
        "www-authenticate": 'DPoP error="use_dpop_nonce"',
        "dpop-nonce": nonce,
      };
      return new Response(null, { status: 401, headers });
    });
    const client = await connect(oauth(options({ dpop: true })));
    await client.listTools();
    expect(world.to("/token")).toHaveLength(2);
    // The client also opens a stream, by GET, whenever it comes to that.
    const posts = () =>
      world.to(server.url).filter(({ method }) => method === "POST").length;
    nonce = "two";
    const before = posts();
    await client.listTools();
    expect(posts()).toBe(before + 2);
    expect(world.to("/token")).toHaveLength(2);
  });

  it("AUTH-80 has its key in the store, for the next process", async () => {
    const setup = setUp();
    bind(setup);
    const { world, as, server, person, options, connect } = setup;
    const values = memoryStore();
    // What is stored must survive as JSON.
    const store = {
      ...values,
      set: (key: string, value: unknown) =>
        values.set(key, value && JSON.parse(JSON.stringify(value))),
    };
    await connect(oauth(options({ dpop: true, store })));
    as.live.clear();
    await (await connect(oauth(options({ dpop: true, store })))).listTools();
    expect(person.count).toBe(1);
    const proved = world.seen.filter(
      ({ headers }) => headers.get("dpop") !== null,
    );
    expect(proved.some(({ url }) => url.href === server.url)).toBe(true);
    expect(
      new Set(
        await Promise.all(
          proved.map(async (seen) => (await proofOf(seen)).key),
        ),
      ).size,
    ).toBe(1);
  });

  it("AUTH-80 is not requested if the authorization server does not support it, unless an option requires it", async () => {
    const { world, options, connect } = setUp();
    await (await connect(oauth(options({ dpop: true })))).listTools();
    expect(
      world.seen.every(({ headers }) => headers.get("dpop") === null),
    ).toBe(true);
  });

  it("AUTH-80 is required by an option, with an error if the authorization server does not support it", async () => {
    const strict = setUp();
    expect(
      await failure(
        strict.connect(oauth(strict.options({ dpop: "required" }))),
      ),
    ).toMatchObject({
      reason: "metadata",
    });
    expect(strict.person.count).toBe(0);
  });

  it("AUTH-80 is required by an option, with an error if the token is not bound to a key", async () => {
    const late = setUp();
    late.as.metadata["dpop_signing_alg_values_supported"] = ["ES256"];
    expect(
      await failure(late.connect(oauth(late.options({ dpop: "required" })))),
    ).toMatchObject({
      reason: "grant",
    });
  });

  it("AUTH-80 has proofs with the time of the server if the local clock is wrong", async () => {
    const setup = setUp();
    bind(setup);
    const { world, as, options, connect } = setup;
    const date = new Date(Date.now() - 600_000).toUTCString();
    world.routes.set(
      "https://as.example.com/.well-known/oauth-authorization-server",
      () => json(as.metadata, 200, { date }),
    );
    await connect(oauth(options({ dpop: true })));
    const [token] = world.to("/token");
    const { claims } = await proofOf(token as Seen);
    expect(
      Math.abs(Number(claims["iat"]) * 1000 - Date.parse(date)),
    ).toBeLessThan(60_000);
  });
});
