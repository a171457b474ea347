import { oauth } from "@mcpgen/runtime/auth";
import { describe, expect, it } from "vitest";
import { failure } from "../kit/index.js";
import { type Setup, setUp } from "./kit/index.js";

const insufficient = (scope: string): Response =>
  new Response(null, {
    status: 403,
    headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"` },
  });

/** Makes the server require these scopes for calls of tools. */
function guardCalls({ server, person }: Setup, needs: string): void {
  server.refusal = (_, body) => {
    const has = String(person.pageParams["scope"]).split(" ");
    const isMissing = needs.split(" ").some((scope) => !has.includes(scope));
    return body.includes("tools/call") && isMissing ? insufficient(needs) : undefined;
  };
}

describe("the scopes that a client requests", () => {
  it("AUTH-40 AUTH-41 are those of the challenge, or all that the server publishes, or none", async () => {
    const want: readonly (readonly [string | undefined, string[] | undefined, string | undefined])[] = [
      ["files:read mail", ["files"], "files:read mail"],
      [undefined, ["files", "mail"], "files mail"],
      [undefined, undefined, undefined],
    ];
    for (const [challenged, published, scope] of want) {
      const { server, person, connect } = setUp();
      if (challenged !== undefined) server.challenge += `, scope="${challenged}"`;
      if (published) server.metadata["scopes_supported"] = published;
      await connect();
      expect(person.pageParams["scope"]).toBe(scope);
    }
  });

  it("are those of the option scopes, which may be a function that chooses published scopes", async () => {
    for (const scopes of [
      ["mail"],
      (offered: readonly string[]) => offered.filter((one) => one === "mail"),
    ]) {
      const { server, person, options, connect } = setUp();
      server.metadata["scopes_supported"] = ["files", "mail"];
      server.challenge += ', scope="files"';
      await connect(oauth(options({ scopes })));
      expect(person.pageParams["scope"]).toBe("mail");
    }
  });

  it("AUTH-28 include offline_access only if the authorization server lists it and no option forbids it", async () => {
    const want: readonly (readonly [string[] | undefined, boolean | undefined, string | undefined])[] = [
      [["offline_access", "x"], undefined, "offline_access"],
      [["x"], undefined, undefined],
      [undefined, undefined, undefined],
      [["offline_access"], false, undefined],
    ];
    for (const [supported, offline, scope] of want) {
      const { as, person, options, connect } = setUp();
      as.metadata["scopes_supported"] = supported;
      await connect(oauth(options(offline === undefined ? {} : { offline })));
      expect(person.pageParams["scope"]).toBe(scope);
      expect(person.pageParams["prompt"]).toBe(scope === undefined ? undefined : "consent");
    }
  });

  it("AUTH-57 are the earlier ones together with those that a call requires, without a refresh", async () => {
    const setup = setUp();
    const { world, server, person, connect } = setup;
    server.challenge += ', scope="base"';
    guardCalls(setup, "files:write");
    const client = await connect();
    await client.callTool({ name: "echo" });
    expect(person.pageParams["scope"]).toBe("base files:write");
    await client.callTool({ name: "echo" });
    expect(person.count).toBe(2);
    expect(world.to("/token").map(({ form }) => form["grant_type"])).not.toContain("refresh_token");
  });

  it("AUTH-57 are requested once for many calls at the same time", async () => {
    const setup = setUp();
    guardCalls(setup, "files:write");
    const client = await setup.connect();
    await Promise.all(Array.from({ length: 20 }, () => client.callTool({ name: "echo" })));
    expect(setup.person.count).toBe(2);
  });

  it("AUTH-57 AUTH-68 are not requested again if the server still rejects the new token", async () => {
    const { server, person, connect } = setUp();
    server.refusal = (_, body) => (body.includes("tools/call") ? insufficient("admin") : undefined);
    const client = await connect();
    const error = await failure(client.callTool({ name: "echo" }));
    expect(error).toMatchObject({ reason: "scope" });
    expect(error.message).toContain("admin");
    expect(person.count).toBe(2);
    expect(await failure(client.callTool({ name: "echo" }))).toMatchObject({ reason: "scope" });
    expect(person.count).toBe(2);
    await client.listTools();
  });

  it("AUTH-68 are not requested again after a person has refused them, while other scopes are", async () => {
    const { as, server, person, connect } = setUp();
    let needs = "admin";
    server.refusal = (_, body) => {
      const has = String(person.pageParams["scope"]).split(" ").includes(needs) && needs !== "admin";
      return body.includes("tools/call") && !has ? insufficient(needs) : undefined;
    };
    const client = await connect();
    as.answer = (params) => {
      params.delete("code");
      params.set("error", "access_denied");
    };
    expect(await failure(client.callTool({ name: "echo" }))).toMatchObject({ reason: "denied" });
    expect(await failure(client.callTool({ name: "echo" }))).toMatchObject({ reason: "scope" });
    expect(person.count).toBe(2);
    as.answer = () => {};
    needs = "mail";
    await client.callTool({ name: "echo" });
    expect(person.count).toBe(3);
  });

  it("do not change after a 403 for another reason, with which the call rejects", async () => {
    const { server, person, connect } = setUp();
    server.refusal = (_, body) =>
      body.includes("tools/call") ? new Response(null, { status: 403 }) : undefined;
    const client = await connect();
    expect(await failure(client.callTool({ name: "echo" }))).toMatchObject({
      name: "TransportError",
      status: 403,
    });
    expect(person.count).toBe(1);
  });
});
