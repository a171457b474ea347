import { DpopSession } from "@modelcontextprotocol/client";
import { dpop } from "@mcpgen/auth/protect";
import { decodeJwt } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Person, startProvider } from "../auth/servers.mjs";
import {
  allScopes,
  keptAuth,
  post,
  startProtected,
  whoami,
} from "./protected.mjs";
import {
  openOurs,
  openSdk,
  rowsOf,
  sdk2,
  sdkProvider,
} from "./protected-peers.mjs";

const closing = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** How each client binds its tokens to a key. SDK v1 cannot. */
const open = {
  "SDK v2": ({ url }, { transport, revision }, isBound) => {
    const session = DpopSession.create();
    const authProvider = sdkProvider(
      new Person(),
      isBound ? { dpop: () => session } : {},
    );
    return openSdk(sdk2, transport, { url, revision, authProvider });
  },
  mcpgen: (server, { transport, revision }, isBound) => {
    const { auth } = keptAuth({ login: new Person(), dpop: isBound });
    return openOurs(transport, { ...server, revision, auth });
  },
};

const modes = [
  { mode: "that accepts bound tokens", options: {} },
  { mode: "that requires bound tokens", options: { required: true } },
  {
    mode: "that requires bound tokens and nonces",
    options: { required: true, nonce: true },
  },
];

describe.each(modes)("with a server $mode,", ({ options }) => {
  let as;
  beforeAll(async () => {
    const dPoP = {
      enabled: true,
      nonceSecret: Buffer.alloc(32, 7),
      requireNonce: () => options.nonce === true,
    };
    as = await startProvider({
      scopes: allScopes,
      more: { features: { dPoP } },
    });
  });
  afterAll(() => as.stop());

  describe.each(rowsOf("SDK v2", "mcpgen"))(
    "$client over $transport at $revision",
    (row) => {
      it("AUTH-80 AUTH-81 sends a proof of possession with each request, and no other client can use its token", async () => {
        const server = await startProtected(as, { dpop: dpop(options) });
        closing.push(server.close);
        const client = await open[row.client](server, row, true);
        closing.push(() => client.close());
        await client.listTools();
        const { auth } = await whoami(client);
        expect(auth).toMatchObject({
          subject: "ada",
          claims: { cnf: { jkt: expect.any(String) } },
        });
        const authorized = server.requests.filter(
          ({ headers }) => headers.authorization,
        );
        expect(authorized.length).toBeGreaterThan(0);
        for (const { headers } of authorized)
          expect(headers.authorization).toMatch(/^DPoP /);
        const proofs = authorized.map(({ headers }) => decodeJwt(headers.dpop));
        expect(new Set(proofs.map(({ jti }) => jti)).size).toBe(proofs.length);
        if (options.nonce)
          expect(proofs.at(-1).nonce).toEqual(expect.any(String));

        const { authorization, dpop: proof } = authorized.at(-1).headers;
        const challenge = async (headers) => {
          const response = await post(server.url, headers, { method: "ping" });
          expect(response.status).toBe(401);
          return response.headers.get("www-authenticate");
        };
        expect(await challenge({ authorization, dpop: proof })).toMatch(
          /^DPoP error="invalid_dpop_proof"/,
        );
        expect(await challenge({ authorization })).toMatch(
          /^DPoP error="invalid_dpop_proof"/,
        );
        const asBearer = authorization.replace("DPoP", "Bearer");
        expect(await challenge({ authorization: asBearer })).toMatch(
          /error="invalid_token"/,
        );
        expect((await whoami(client)).auth).toEqual(auth);
      });

      it(`AUTH-81 is ${options.required ? "rejected" : "accepted"} with a token that is not bound to a key`, async () => {
        const server = await startProtected(as, { dpop: dpop(options) });
        closing.push(server.close);
        const outcome = await open[row.client](server, row, false).then(
          (client) => (closing.push(() => client.close()), whoami(client)),
          ({ message }) => message,
        );
        expect(outcome).toEqual(
          options.required
            ? expect.stringMatching(/rejects the token|401/)
            : {
                revision: row.revision,
                auth: expect.objectContaining({ subject: "ada" }),
              },
        );
        expect(server.requests.at(-1).headers.authorization).toMatch(
          /^Bearer /,
        );
      });
    },
  );
});
