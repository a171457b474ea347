import { jwt } from "@mcpgen/auth/protect";
import { describe, expect, it } from "vitest";
import {
  authOf,
  claimsError,
  reported,
  thumbprintOf,
} from "../../../src/auth/protect/claims.js";
import { readIssuerMetadata } from "../../../src/auth/protect/issuer.js";
import { failure, type Json } from "../kit/index.js";

const issuer = "https://as.example.com";

describe("the metadata of an authorization server", () => {
  /** What is asked of a server with these answers, by address. */
  async function reading(
    address: string,
    answers: Readonly<Record<string, Response>>,
  ) {
    const asked: string[] = [];
    const fetch = async (url: unknown): Promise<Response> => {
      asked.push(String(url));
      return answers[String(url)] ?? new Response(null, { status: 404 });
    };
    const read = await readIssuerMetadata(address, fetch as never).catch(
      (error: unknown) => (error as Error).message,
    );
    return { asked, read };
  }
  const at = (path: string): string => issuer + path;
  const oauth = "/.well-known/oauth-authorization-server";
  const openid = "/.well-known/openid-configuration";

  it.each([
    ["", [oauth, openid]],
    ["/", [oauth, openid]],
    ["/a", [`${oauth}/a`, `${openid}/a`, `/a${openid}`]],
    ["/a/", [`${oauth}/a`, `${openid}/a`, `/a${openid}`]],
    ["/a/b", [`${oauth}/a/b`, `${openid}/a/b`, `/a/b${openid}`]],
  ])("with the path %j is looked for at %j", async (path, paths) => {
    const { asked, read } = await reading(at(path), {});
    expect(asked).toEqual(paths.map(at));
    expect(read).toBe(
      `The authorization server ${at(path)} publishes no metadata.`,
    );
  });

  it.each<[string, Response, string | undefined]>([
    ["none", new Response("{}", { status: 404 }), undefined],
    ["an error of the client", new Response("{}", { status: 499 }), undefined],
    ["no JSON", new Response("<html>"), undefined],
    ["a list", Response.json([]), undefined],
    [
      "a failure",
      new Response("{}", { status: 500 }),
      `${at(oauth)} answered with status 500.`,
    ],
    [
      "that of another issuer",
      Response.json({ issuer: at("/other") }),
      `${at(oauth)} is the metadata of another issuer than ${issuer}.`,
    ],
    [
      "one without an issuer",
      Response.json({}),
      `${at(oauth)} is the metadata of another issuer than ${issuer}.`,
    ],
  ])(
    "is the second document if the first is %s, and otherwise an error",
    async (_, first, error) => {
      const second = { issuer: `${issuer}/`, jwks_uri: "x" };
      const { read } = await reading(issuer, {
        [at(oauth)]: first,
        [at(openid)]: Response.json(second),
      });
      expect(read).toEqual(error ?? second);
    },
  );

  it.each([
    ["x", '"x"'],
    ["http://as.example.com/keys", '"http://as.example.com/keys"'],
    ["https://me@as.example.com/", '"https://me@as.example.com/"'],
  ])("has no keys at %s, and says which option", async (keys, quoted) => {
    const verify = jwt({ keys: { [issuer]: keys } });
    const part = (value: Json): string => btoa(JSON.stringify(value));
    const token = `${part({ alg: "ES256" })}.${part({ iss: issuer })}.x`;
    const error = await failure(
      verify(token, { resource: at("/mcp"), issuers: [issuer] }) as never,
    );
    expect(error.message).toBe(
      `jwt: keys of ${issuer}: expected an https URL, or an http URL of this machine, without a user name; got ${quoted}.`,
    );
  });
});

describe("the claims of a token", () => {
  const now = 1_000_000_000_000;
  const seconds = now / 1000;
  const resource = "https://mcp.example.com/mcp";
  const claims = { iss: issuer, aud: resource, exp: seconds + 1, sub: "me" };
  const second = "https://b.example.com";
  const rules = {
    issuer: issuer as string | undefined,
    issuers: [issuer, second],
    audiences: [resource, "urn:x"],
  };
  const errorOf = (own: Json, given: Partial<typeof rules> = {}): unknown =>
    claimsError({ ...claims, ...own } as never, { ...rules, ...given }, now);

  const expired = { reason: "The token has expired." };
  const early = (nbf: string) => ({
    reason: "The token is not valid yet.",
    detail: `\`nbf\` is ${nbf}, and the time of this server is ${seconds}.`,
  });
  const other = (aud: string) => ({
    reason: "The token is for another server.",
    detail: `\`aud\` is ${aud}, and \`resource\` and \`audience\` are "${resource}", "urn:x".`,
  });
  const nobody = {
    reason: "The token names neither a user nor a client.",
    detail: "It has no text `sub`, `client_id` or `azp`.",
  };

  it.each<[Json, object | undefined]>([
    [{}, undefined],
    [{ exp: seconds + 0.001 }, undefined],
    [{ exp: seconds }, expired],
    [{ exp: String(seconds + 1) }, expired],
    [{ exp: undefined }, expired],
    [{ exp: NaN }, expired],
    [{ nbf: seconds + 30 }, undefined],
    [{ nbf: seconds + 31 }, early(String(seconds + 31))],
    [{ nbf: "x" }, early("NaN")],
    [{ nbf: null }, early("0")],
    [{ aud: ["a", "urn:x"] }, undefined],
    [{ aud: "HTTPS://MCP.example.com:443/mcp" }, undefined],
    [{ aud: "URN:x" }, other('"URN:x"')],
    [{ aud: [1, "a", "b"] }, other('"a", "b"')],
    [
      { aud: Array.from({ length: 11 }, (_, i) => String(i)) },
      other('"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"'),
    ],
    [{ aud: undefined }, other("nothing")],
    [{ sub: "" }, nobody],
    [{ sub: 1, client_id: "c" }, nobody],
    [{ sub: undefined }, nobody],
    [{ sub: undefined, client_id: "", azp: 1 }, nobody],
    [{ sub: undefined, client_id: "c" }, undefined],
    [{ sub: undefined, azp: "c" }, undefined],
  ])("%j: %j", (own, error) => {
    expect(errorOf(own)).toEqual(error);
  });

  it.each([
    [rules.issuers, `are "${issuer}", "${second}"`],
    [[], "does not accept it"],
  ])("of another issuer than %j are rejected", (issuers, why) => {
    expect(errorOf({ iss: "x" }, { issuer: undefined, issuers })).toEqual({
      reason: "The token is of another issuer.",
      detail: `\`iss\` is "x", and \`issuers\` ${why}.`,
    });
  });

  it("are reported if only the operator can correct them, and the client gets the reason", () => {
    const reports: unknown[] = [];
    const onError = (error: unknown, where?: string): void =>
      void reports.push(String(error), where);
    expect(reported(nobody, issuer, { onError })).toBe(nobody.reason);
    expect(reported(expired, issuer, { onError })).toBe(expired.reason);
    expect(reported(nobody, issuer, {})).toBe(nobody.reason);
    expect(reports).toEqual([
      `Error: A token of "${issuer}" is rejected: ${nobody.reason} ${nobody.detail}`,
      "protect",
    ]);
  });

  it.each<[Json, readonly (string | null)[]]>([
    [{}, [issuer, "me", null]],
    [{ client_id: "c" }, [issuer, "me", "c"]],
    [{ sub: undefined, azp: "c" }, [issuer, null, "c"]],
    [{ client_id: "c", azp: "d" }, [issuer, "me", "c"]],
  ])("%j name the principal %j", (own, names) => {
    const auth = authOf({ ...claims, ...own } as never, issuer, {}, "secret");
    expect(JSON.parse(auth.principal)).toEqual(names);
    expect([auth.subject ?? null, auth.clientId ?? null]).toEqual(
      names.slice(1),
    );
    expect([auth.token, auth.expiresAt]).toEqual(["secret", now + 1000]);
    expect(JSON.stringify(auth)).not.toContain("secret");
  });

  it("cannot be changed by a handler, at any depth", () => {
    const own = { roles: [{ name: "a" }], none: null, act: { sub: "b" } };
    const auth = authOf({ ...claims, ...own } as never, issuer, {}, undefined);
    const { roles, act } = auth.claims as typeof own;
    const all = [auth, auth.scopes, auth.claims, roles, roles[0], act];
    expect(all.map(Object.isFrozen)).toEqual(all.map(() => true));
    expect(auth.claims).toEqual({ ...claims, ...own });
    expect("token" in auth).toBe(false);
  });

  it.each<[unknown, string | undefined]>([
    [undefined, undefined],
    [null, ""],
    ["text", ""],
    [{}, ""],
    [{ jkt: 1 }, ""],
    [{ "x5t#S256": "a" }, ""],
    [{ jkt: "a" }, "a"],
  ])("are bound by `cnf` %j to the key %j", (cnf, thumbprint) => {
    expect(thumbprintOf({ ...claims, cnf } as never)).toBe(thumbprint);
  });
});
