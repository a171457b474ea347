import { createHash, createHmac } from "node:crypto";
import { dpop, replayStore } from "@mcpgen/auth/protect";
import { memorySharedStore } from "@mcpgen/runtime/cluster";
import fc from "fast-check";
import { exportSPKI } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Json, legacy, modern } from "../kit/index.js";
import type { Answer, Sent } from "../http/kit/exchange.js";
import { ask, call, hello, modernPost } from "../http/kit/messages.js";
import { endpoints, overSockets } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import { type Issuer, resource } from "./issuer.js";
import { makeKey, proofOf } from "./proof.js";
import {
  bearer,
  challengeOf,
  protectedServers,
  type Setup,
} from "./serving.js";
import { runs } from "../../whole.js";

const metadataUrl =
  "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
const seconds = (): number => Math.floor(Date.now() / 1000);

/** A call of a tool without a session, and the message that opens one. */
const requests: readonly { readonly era: string; readonly sent: Sent }[] = [
  { era: "modern", sent: modernPost(modern, call(1, "read")) },
  { era: "legacy", sent: { body: hello(legacy.revision) } },
];
const withHeaders = (sent: Sent, headers: Sent["headers"]): Sent => ({
  ...sent,
  headers: { ...sent.headers, ...headers },
});

const encode = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");

/** Tokens that the server must reject, each valid except for one thing. */
const badTokens: readonly (readonly [
  string,
  string,
  (issuer: Issuer) => Promise<string>,
])[] = [
  [
    "for another server",
    "The token is for another server.",
    (issuer) => issuer.token({ aud: "https://other" }),
  ],
  [
    "for no server",
    "The token is for another server.",
    (issuer) => issuer.token({ aud: undefined }),
  ],
  [
    "of another issuer",
    "The token is not valid.",
    (issuer) => issuer.token({ iss: "https://evil.example" }),
  ],
  [
    "of no issuer",
    "The token is not valid.",
    (issuer) => issuer.token({ iss: undefined }),
  ],
  [
    "with the algorithm none",
    "The token is not valid.",
    async (issuer) => {
      const [, payload] = (await issuer.token()).split(".");
      return `${encode({ alg: "none", typ: "at+jwt" })}.${payload}.`;
    },
  ],
  [
    "signed by HMAC with the public key",
    "The token is not valid.",
    async (issuer) => {
      const [key] = issuer.keys;
      const [, payload] = (await issuer.token()).split(".");
      const head = `${encode({ alg: "HS256", typ: "at+jwt", kid: key?.kid })}.${payload}`;
      const secret = key ? await exportSPKI(key.publicKey) : "";
      return `${head}.${createHmac("sha256", secret).update(head).digest("base64url")}`;
    },
  ],
  [
    "whose claims were changed",
    "The token is not valid.",
    async (issuer) => {
      const [head, , signature] = (await issuer.token()).split(".");
      const [, payload] = (await issuer.token({ sub: "root" })).split(".");
      return `${head}.${payload}.${signature}`;
    },
  ],
  [
    "of a key with the same id that was never published",
    "The token is not valid.",
    async (issuer) => {
      const key = await issuer.addKey();
      issuer.keys.pop();
      return issuer.token({}, { kid: String(issuer.keys[0]?.kid) }, key);
    },
  ],
  [
    "that has expired",
    "The token has expired.",
    (issuer) => issuer.token({ exp: seconds() - 1 }),
  ],
  [
    "without an expiry",
    "The token has expired.",
    (issuer) => issuer.token({ exp: undefined }),
  ],
  [
    "that is not valid yet",
    "The token is not valid yet.",
    (issuer) => issuer.token({ nbf: seconds() + 301 }),
  ],
  [
    "of the type of a logout token",
    "The token is not valid.",
    (issuer) => issuer.token({}, { typ: "logout+jwt" }),
  ],
  [
    "whose type is a number",
    "The token is not valid.",
    (issuer) => issuer.token({}, { typ: 1 as never }),
  ],
  [
    "of nobody",
    "The token names neither a user nor a client.",
    (issuer) => issuer.token({ sub: undefined, client_id: undefined }),
  ],
  [
    "that is bound to a key and sent without a proof",
    "This server does not accept tokens that are bound to a key.",
    (issuer) => issuer.token({ cnf: { jkt: "thumbprint" } }),
  ],
  [
    "that is bound to a certificate",
    "This server does not accept tokens that are bound to a key.",
    (issuer) => issuer.token({ cnf: { "x5t#S256": "thumbprint" } }),
  ],
  [
    "that is not a JWT",
    "The token is not valid.",
    async () => "an-opaque-token",
  ],
];

afterEach(() => void vi.useRealTimers());

describe.each(endpoints)(
  "an attacker of a protected server behind $name",
  (endpoint) => {
    const open = protectedServers(endpoint);

    /**
     * Expects an error response, and that neither its body nor the log contains
     * the token.
     */
    async function expectRefusal(
      { log, callers }: Setup,
      answer: Answer,
      status: number,
      challenge: Json | undefined,
      secret = "",
    ): Promise<void> {
      const body = await answer.text();
      expect([answer.status, body]).toEqual([status, expect.any(String)]);
      if (challenge)
        expect(challengeOf(answer)).toEqual({
          resource_metadata: metadataUrl,
          ...challenge,
        });
      expect(callers).toEqual([]);
      if (secret === "") return;
      const [, , signature = secret] = secret.split(".");
      const leaks = [
        body,
        answer.header("www-authenticate") ?? "",
        ...log,
      ].filter((text) => text.includes(signature || secret));
      expect(leaks).toEqual([]);
    }

    it("AUTH-01 AUTH-02 AUTH-15 gets 401 and the URL of the metadata without a token, for every HTTP method", async () => {
      const setup = await open({ scopes: ["mcp", "offline_access"] });
      const sent = [
        ...requests.map((one) => one.sent),
        { method: "GET" },
        { method: "DELETE" },
      ];
      for (const one of sent) {
        const answer = await setup.send(one);
        await expectRefusal(setup, answer, 401, {
          scheme: "bearer",
          scope: "mcp",
        });
      }
    });

    it.each(badTokens)(
      "AUTH-51 gets 401 with a token %s",
      async (_, reason, make) => {
        const setup = await open();
        const token = await make(setup.issuer);
        for (const { sent } of requests) {
          const answer = await setup.send(withHeaders(sent, bearer(token)));
          const expected = {
            scheme: "bearer",
            error: "invalid_token",
            error_description: reason,
          };
          await expectRefusal(setup, answer, 401, expected, token);
        }
      },
    );

    it("AUTH-01 gets 400 with a token in the URL, two tokens, or no token after the scheme", async () => {
      const setup = await open();
      const token = await setup.issuer.token();
      const malformed: Sent[] = [
        { path: `/mcp?access_token=${token}` },
        { path: `/mcp?access_token=${token}`, headers: bearer(token) },
        { headers: { authorization: `Bearer ${token}, Bearer ${token}` } },
        { headers: { authorization: [`Bearer ${token}`, `Bearer ${token}`] } },
        { headers: { authorization: [`Bearer ${token}`, "Basic YTpi"] } },
        { headers: { authorization: "Bearer" } },
        { headers: { authorization: `Bearer ${token} more` } },
      ];
      for (const { headers, ...rest } of malformed) {
        const answer = await setup.send({
          ...withHeaders(requests[0]?.sent ?? {}, headers),
          ...rest,
        });
        const error_description =
          "Expected one access token, in the header Authorization.";
        const expected = {
          scheme: "bearer",
          error: "invalid_request",
          error_description,
        };
        await expectRefusal(setup, answer, 400, expected, token);
      }
    });

    it("gets no access and causes no fault with any Authorization header", async () => {
      const setup = await open();
      const token = await setup.issuer.token();
      const part = fc.constantFrom(
        "Bearer",
        "bearer",
        "DPoP",
        "Basic",
        " ",
        "  ",
        ",",
        "=",
        '"',
        token.slice(0, -1),
        "a.b.c",
      );
      const header = fc.oneof(
        fc.array(part, { maxLength: 5 }).map((parts) => parts.join("")),
        fc.stringMatching(/^[!-~]([ -~]{0,40}[!-~])?$/),
      );
      await fc.assert(
        fc.asyncProperty(
          header,
          fc.boolean(),
          async (authorization, isModern) => {
            const sent = withHeaders(requests[isModern ? 0 : 1]?.sent ?? {}, {
              authorization,
            });
            const answer = await setup.send(sent);
            expect([400, 401]).toContain(answer.status);
            expect(challengeOf(answer)).toMatchObject({
              scheme: "bearer",
              resource_metadata: metadataUrl,
            });
          },
        ),
        { numRuns: runs(200) },
      );
      expect([setup.callers, setup.log]).toEqual([[], []]);
    });

    it("gets 401 without an error for the credentials of another scheme", async () => {
      const setup = await open();
      const answer = await setup.send(
        withHeaders(requests[0]?.sent ?? {}, { authorization: "Basic YTpi" }),
      );
      await expectRefusal(setup, answer, 401, { scheme: "bearer" });
    });

    it("AUTH-67 SESS-08 gets 404 with the id of a session and a token of another user", async () => {
      const setup = await open();
      const session = await Session.start(
        setup,
        legacy,
        {},
        bearer(await setup.issuer.token()),
      );
      const mallory = bearer(await setup.issuer.token({ sub: "mallory" }));
      const otherApp = bearer(await setup.issuer.token({ client_id: "other" }));
      for (const headers of [mallory, otherApp])
        for (const sent of [
          { body: ask(1, "ping") },
          { method: "GET" },
          { method: "DELETE" },
        ]) {
          const answer = await session.send({ ...sent, headers });
          expect(answer.status).toBe(404);
          expect(await answer.text()).not.toContain("ada");
        }
      const refreshed = bearer(
        await setup.issuer.token({ jti: "another token of ada" }),
      );
      expect(
        (await session.send({ body: ask(2, "ping"), headers: refreshed }))
          .status,
      ).toBe(200);
      expect(
        (
          await session.send({
            body: ask(3, "ping"),
            headers: { authorization: undefined },
          })
        ).status,
      ).toBe(401);
    });

    it("AUTH-81 gets 401 with a proof that was used, or is for another URL or method", async () => {
      const setup = await open({ dpop: dpop() });
      const key = await makeKey();
      const token = await setup.issuer.token({ cnf: { jkt: key.thumbprint } });
      const send = async (
        proof: string,
        host = "127.0.0.1",
      ): Promise<Answer> => {
        const sent = withHeaders(requests[0]?.sent ?? {}, {
          authorization: `DPoP ${token}`,
          dpop: proof,
        });
        return setup.send(
          endpoint.name === "serveHttp" ? sent : withHeaders(sent, { host }),
        );
      };
      const make = (claims: Json = {}): Promise<string> =>
        proofOf(key, { ath: hashOf(token), ...claims });
      const good = await make();
      expect((await send(good)).status).toBe(200);
      expect(setup.callers.splice(0)).toHaveLength(1);
      const bad: readonly (readonly [string, string])[] = [
        [good, "The proof was used before."],
        [
          await make({ htu: "https://evil.example/mcp" }),
          "The claim htu is not the URL of this server.",
        ],
        [
          await make({ htu: "http://127.0.0.1/mcp" }),
          "The claim htu is not the URL of this server.",
        ],
        [
          await make({ htm: "GET" }),
          "The claim htm is not the method of the request.",
        ],
        [
          await make({ ath: hashOf("another token") }),
          "The claim ath is not the hash of the token.",
        ],
        [
          await make({ iat: 0 }),
          "The claim iat is more than 5 minutes from the time of this server.",
        ],
        [
          await proofOf(await makeKey(), { ath: hashOf(token) }),
          "The key of the proof is not the key that the token is bound to.",
        ],
        [
          await proofOf(key, { ath: hashOf(token) }, { typ: "JWT" }),
          "The proof must be a JWT of type dpop+jwt, signed with its public jwk and an algorithm that the server supports.",
        ],
      ];
      for (const [proof, error_description] of bad) {
        const answer = await send(proof);
        expect(challengeOf(answer)).toMatchObject({
          scheme: "dpop",
          error: "invalid_dpop_proof",
          error_description,
        });
        await expectRefusal(setup, answer, 401, undefined, token);
      }
    });

    it("AUTH-81 gets 503, and a time after which to try again, while no one can say whether a proof was used", async () => {
      const put = (): Promise<never> =>
        Promise.reject(new Error("The engine did not answer."));
      const replay = replayStore({ ...memorySharedStore(), put });
      const setup = await open({ dpop: dpop({ replay }) });
      const key = await makeKey();
      const token = await setup.issuer.token({ cnf: { jkt: key.thumbprint } });
      const headers = {
        authorization: `DPoP ${token}`,
        dpop: await proofOf(key, { ath: hashOf(token) }),
      };
      const answer = await setup.send(
        withHeaders(requests[0]?.sent ?? {}, headers),
      );
      expect([answer.status, answer.header("retry-after")]).toEqual([503, "5"]);
      expect(setup.callers).toEqual([]);
    });

    it("AUTH-81 gets 401 with a proof whose clock differs by 301 seconds, but not by 300", async () => {
      const setup = await open({ dpop: dpop() });
      const key = await makeKey();
      vi.useFakeTimers({ toFake: ["Date"], now: seconds() * 1000 });
      const token = await setup.issuer.token({ cnf: { jkt: key.thumbprint } });
      for (const [skew, status] of [
        [-301, 401],
        [-300, 200],
        [300, 200],
        [301, 401],
      ] as const) {
        const proof = await proofOf(key, {
          ath: hashOf(token),
          iat: seconds() + skew,
        });
        const headers = { authorization: `DPoP ${token}`, dpop: proof };
        const answer = await setup.send(
          withHeaders(requests[0]?.sent ?? {}, headers),
        );
        expect([skew, answer.status]).toEqual([skew, status]);
      }
    });

    it("AUTH-81 gets 401 with a bound token as a Bearer token", async () => {
      const accepted = await open({ dpop: dpop() });
      const bound = await accepted.issuer.token({
        cnf: { jkt: (await makeKey()).thumbprint },
      });
      const asBearer = await accepted.send(
        withHeaders(requests[0]?.sent ?? {}, bearer(bound)),
      );
      expect(challengeOf(asBearer)).toMatchObject({
        scheme: "dpop",
        error: "invalid_token",
        error_description: "The token is bound to a key and requires a proof.",
      });
      await expectRefusal(accepted, asBearer, 401, undefined, bound);
    });

    it.each(["Bearer", "DPoP"])(
      "AUTH-81 gets 401 with an unbound token as %s where proofs are required",
      async (scheme) => {
        const required = await open({ dpop: dpop({ required: true }) });
        const unbound = await required.issuer.token();
        const headers = { authorization: `${scheme} ${unbound}` };
        const answer = await required.send(
          withHeaders(requests[0]?.sent ?? {}, headers),
        );
        expect(challengeOf(answer)).toMatchObject({
          scheme: "dpop",
          error: "invalid_token",
          error_description: "The token is not bound to a key.",
        });
        expect(answer.header("www-authenticate")).not.toContain("Bearer");
        await expectRefusal(required, answer, 401, undefined, unbound);
      },
    );
  },
);

describe("an attacker of the metadata of a protected server", () => {
  const open = protectedServers(overSockets);

  it.each([{}, { host: "evil.example", "x-forwarded-host": "evil.example" }])(
    "gets the same metadata with the headers %j",
    async (headers) => {
      const { issuer, send } = await open({ scopes: ["mcp"] });
      const path = "/.well-known/oauth-protected-resource/mcp";
      const answer = await send({ path, headers });
      expect(await answer.json()).toEqual({
        resource,
        authorization_servers: [issuer.issuer],
        bearer_methods_supported: ["header"],
        scopes_supported: ["mcp"],
      });
    },
  );
});

const hashOf = (text: string): string =>
  Buffer.from(createHash("sha256").update(text).digest()).toString("base64url");
