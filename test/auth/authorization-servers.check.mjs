// What the specification asks of authorization servers, of those that the tests
// of clients and servers sign in to.
import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jwtBearer, startCompany } from "./company.mjs";
import { startProvider } from "./servers.mjs";
import { resource, startWorkloads } from "./workloads.mjs";

const seconds = () => Math.floor(Date.now() / 1000);
const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const metadataOf = async ({ issuer }) =>
  (await fetch(`${issuer}/.well-known/openid-configuration`)).json();

/** Asks for a token, and returns the status and the answer. */
async function ask({ issuer }, form, headers = {}) {
  const response = await fetch(`${issuer}/token`, {
    method: "POST",
    headers,
    body: new URLSearchParams(form),
  });
  return { status: response.status, ...(await response.json()) };
}
const basic = (id, secret) => ({
  authorization: `Basic ${btoa(`${id}:${secret}`)}`,
});

/** An assertion whose content was replaced and whose signature was not. */
function changed(assertion, claims) {
  const [header, payload, signature] = assertion.split(".");
  const own = JSON.parse(Buffer.from(payload, "base64url").toString());
  return [
    header,
    Buffer.from(JSON.stringify({ ...own, ...claims })).toString("base64url"),
    signature,
  ].join(".");
}

describe("an authorization server", () => {
  let as;
  beforeAll(async () => {
    as = await startProvider({
      clients: [
        {
          client_id: "bound",
          client_secret: "secret of bound",
          grant_types: ["client_credentials"],
          redirect_uris: [],
          response_types: [],
          dpop_bound_access_tokens: true,
        },
      ],
      more: { features: { dPoP: { enabled: true } } },
    });
  });
  afterAll(() => as.stop());

  it("AUTH-72 publishes how machines authenticate, and with which algorithms they sign", async () => {
    const metadata = await metadataOf(as);
    expect(metadata.grant_types_supported).toContain("client_credentials");
    const methods = ["private_key_jwt", "client_secret_basic"];
    expect(metadata.token_endpoint_auth_methods_supported).toEqual(
      expect.arrayContaining(methods),
    );
    const algorithms =
      metadata.token_endpoint_auth_signing_alg_values_supported;
    expect(algorithms).toContain("ES256");
    expect(algorithms).not.toContain("none");
  });

  it("AUTH-82 lists only asymmetric algorithms for proofs, and rejects a token request of a bound client without a proof", async () => {
    const { dpop_signing_alg_values_supported: algorithms } =
      await metadataOf(as);
    expect(algorithms).toContain("ES256");
    expect(
      algorithms.filter((name) => !/^(ES|PS|RS)\d+$|^Ed/.test(name)),
    ).toEqual([]);
    const form = { grant_type: "client_credentials", scope: "files", resource };
    const refused = await ask(as, form, basic("bound", "secret of bound"));
    expect(refused).toMatchObject({
      status: 400,
      error: expect.stringMatching(/^invalid_/),
    });
    expect(refused.access_token).toBeUndefined();
  });
});

describe("an authorization server that trusts the identity provider of a company", () => {
  let company;
  beforeAll(async () => {
    company = await startCompany({ resource });
  });
  afterAll(() => company.stop());
  const use = (assertion, more = {}) =>
    ask(
      company.as,
      { grant_type: jwtBearer, assertion, ...more },
      basic("at-as", "secret of at-as"),
    );
  const claims = { resource, scope: "files other" };

  it("AUTH-78 issues a token with the scopes that both servers allow, whose audience is the MCP server", async () => {
    const { status, access_token: token } = await use(
      await company.sign(claims),
    );
    expect(status).toBe(200);
    const [, payload] = token.split(".");
    const tokenClaims = JSON.parse(
      Buffer.from(payload, "base64url").toString(),
    );
    expect(tokenClaims).toMatchObject({
      aud: resource,
      scope: "files",
      sub: "ada",
      client_id: "at-as",
    });
  });

  it.each([
    ["of another key", () => company.sign(claims, {}, stranger)],
    [
      "whose claims were changed",
      async () => changed(await company.sign(claims), { sub: "root" }),
    ],
    [
      "without a signature",
      async () =>
        `${btoa('{"alg":"none"}').replaceAll("=", "")}.${btoa("{}")}.`,
    ],
    [
      "of another issuer",
      () => company.sign({ ...claims, iss: "https://evil.example" }),
    ],
    [
      "for another authorization server",
      () => company.sign({ ...claims, aud: "https://other.example" }),
    ],
    [
      "for another MCP server",
      () => company.sign({ ...claims, resource: "https://other.example/mcp" }),
    ],
    [
      "without an MCP server",
      () => company.sign({ ...claims, resource: undefined }),
    ],
    ["without a subject", () => company.sign({ ...claims, sub: undefined })],
    [
      "for another client",
      () => company.sign({ ...claims, client_id: "somebody" }),
    ],
    ["without an id", () => company.sign({ ...claims, jti: undefined })],
    ["that has expired", () => company.sign({ ...claims, exp: seconds() - 1 })],
    ["of another type", () => company.sign(claims, { typ: "JWT" })],
    [
      "for scopes that are not granted",
      () => company.sign({ ...claims, scope: "other" }),
    ],
  ])("AUTH-78 refuses an assertion %s", async (_, make) => {
    expect(await use(await make())).toMatchObject({
      status: 400,
      error: "invalid_grant",
    });
  });

  it("AUTH-78 refuses an assertion that was used before, and one of a client that does not authenticate", async () => {
    const assertion = await company.sign(claims);
    expect((await use(assertion)).status).toBe(200);
    expect(await use(assertion)).toMatchObject({
      status: 400,
      error: "invalid_grant",
    });
    const form = {
      grant_type: jwtBearer,
      assertion: await company.sign(claims),
      client_id: "at-as",
    };
    expect(await ask(company.as, form)).toMatchObject({
      status: 401,
      error: "invalid_client",
    });
  });
});

describe("an authorization server that trusts the workloads of a platform", () => {
  let workloads;
  beforeAll(async () => {
    workloads = await startWorkloads();
  });
  afterAll(() => workloads.stop());
  const use = (assertion, more = {}) =>
    ask(workloads.as, { grant_type: jwtBearer, assertion, resource, ...more });

  it("AUTH-84 publishes that it accepts assertions, and issues a token to a workload without a client id", async () => {
    expect((await metadataOf(workloads.as)).grant_types_supported).toContain(
      jwtBearer,
    );
    const { status, access_token: token } = await use(await workloads.sign());
    expect([status, typeof token]).toEqual([200, "string"]);
  });

  it.each([
    ["of another key", () => workloads.sign({}, {}, stranger)],
    [
      "whose claims were changed",
      async () =>
        changed(await workloads.sign({ sub: "other" }), { sub: "deploy" }),
    ],
    [
      "of an unknown platform",
      () => workloads.sign({ iss: "https://evil.example" }),
    ],
    ["of another workload", () => workloads.sign({ sub: "system:build:test" })],
    [
      "for another authorization server",
      () => workloads.sign({ aud: "https://other.example" }),
    ],
    ["without an id", () => workloads.sign({ jti: undefined })],
    ["that has expired", () => workloads.sign({ exp: seconds() - 1 })],
    ["that is an hour old", () => workloads.sign({ iat: seconds() - 3600 })],
  ])("AUTH-84 refuses the token of a workload %s", async (_, make) => {
    expect(await use(await make())).toMatchObject({
      status: 400,
      error: "invalid_grant",
    });
  });

  it("AUTH-84 refuses a token that was used before, and one for another MCP server", async () => {
    const assertion = await workloads.sign();
    expect((await use(assertion)).status).toBe(200);
    expect(await use(assertion)).toMatchObject({ error: "invalid_grant" });
    const other = await use(await workloads.sign(), {
      resource: "https://other.example/mcp",
    });
    expect(other).toMatchObject({ error: "invalid_target" });
  });
});
