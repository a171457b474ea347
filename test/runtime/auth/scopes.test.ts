import { memoryStore, oauth } from "@mcpgen/auth";
import { describe, expect, it, vi } from "vitest";
import { failure } from "../kit/index.js";
import { type Setup, setUp } from "./kit/index.js";

const insufficient = (scope: string): Response =>
  new Response(null, {
    status: 403,
    headers: {
      "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"`,
    },
  });

/** Makes the server require these scopes for calls of tools. */
function guardCalls({ server, person }: Setup, needs: string): void {
  server.refusal = (_, body) => {
    const has = String(person.pageParams["scope"]).split(" ");
    const isMissing = needs.split(" ").some((scope) => !has.includes(scope));
    return body.includes("tools/call") && isMissing
      ? insufficient(needs)
      : undefined;
  };
}

describe("the scopes that a client requests", () => {
  it.each([
    ["files:read mail", ["files"], "files:read mail"],
    [undefined, ["files", "mail"], "files mail"],
    [undefined, undefined, undefined],
  ])(
    "AUTH-40 AUTH-41 with %j in the challenge and %j in the metadata of the server are %j",
    async (challenged, published, scope) => {
      const { server, person, connect } = setUp();
      if (challenged !== undefined)
        server.challenge += `, scope="${challenged}"`;
      if (published) server.metadata["scopes_supported"] = published;
      await connect();
      expect(person.pageParams["scope"]).toBe(scope);
    },
  );

  it.each([
    ["a list", ["mail"]],
    [
      "a function of the published scopes",
      (all: readonly string[]) => all.filter((one) => one === "mail"),
    ],
  ])("are chosen by the option scopes, which may be %s", async (_, scopes) => {
    const { server, person, options, connect } = setUp();
    server.metadata["scopes_supported"] = ["files", "mail"];
    server.challenge += ', scope="files"';
    await connect(oauth(options({ scopes })));
    expect(person.pageParams["scope"]).toBe("mail");
  });

  it.each([
    [["offline_access", "x"], undefined, "offline_access"],
    [["x"], undefined, undefined],
    [undefined, undefined, undefined],
    [["offline_access"], false, undefined],
  ])(
    "AUTH-28 with the supported scopes %j and the option offline: %j include %j",
    async (supported, offline, scope) => {
      const { as, person, options, connect } = setUp();
      as.metadata["scopes_supported"] = supported;
      await connect(oauth(options(offline === undefined ? {} : { offline })));
      expect(person.pageParams["scope"]).toBe(scope);
      expect(person.pageParams["prompt"]).toBe(
        scope === undefined ? undefined : "consent",
      );
    },
  );

  it("AUTH-57 grow by those that a call requires, without a refresh", async () => {
    const setup = setUp();
    const { world, server, person, connect } = setup;
    server.challenge += ', scope="base"';
    guardCalls(setup, "files:write");
    const client = await connect();
    await client.callTool({ name: "echo" });
    expect(person.pageParams["scope"]).toBe("base files:write");
    await client.callTool({ name: "echo" });
    expect(person.count).toBe(2);
    expect(
      world.to("/token").map(({ form }) => form["grant_type"]),
    ).not.toContain("refresh_token");
  });

  it("AUTH-57 grow if a call requires one that they have and one that they do not", async () => {
    const setup = setUp();
    setup.server.challenge += ', scope="base"';
    guardCalls(setup, "base files:write");
    const client = await setup.connect();
    await client.callTool({ name: "echo" });
    expect(setup.person.pageParams["scope"]).toBe("base files:write");
    expect(setup.person.count).toBe(2);
  });

  it.each([
    'error="insufficient_scope"',
    'error="insufficient_scope", scope=""',
    'error="invalid_token", scope="files"',
    'scope="files"',
  ])(
    "AUTH-57 stay as they are if the server refuses a call and names none that it lacks: %s",
    async (params) => {
      const { server, person, connect } = setUp();
      server.refusal = (_, body) =>
        body.includes("tools/call")
          ? new Response(null, {
              status: 403,
              headers: { "www-authenticate": `Bearer ${params}` },
            })
          : undefined;
      const client = await connect();
      expect(await failure(client.callTool({ name: "echo" }))).toMatchObject({
        name: "TransportError",
        status: 403,
      });
      expect(person.count).toBe(1);
    },
  );

  it("AUTH-57 are requested once for many calls at the same time", async () => {
    const setup = setUp();
    guardCalls(setup, "files:write");
    const client = await setup.connect();
    await Promise.all(
      Array.from({ length: 20 }, () => client.callTool({ name: "echo" })),
    );
    expect(setup.person.count).toBe(2);
  });

  it.each([
    ["at the same time", false],
    ["while a person signs in", true],
  ])(
    "AUTH-57 grow in one sign-in after the other for calls that require different ones %s",
    async (_, isMeanwhile) => {
      const { server, person, connect } = setUp();
      const scopes = ["files", "mail", "notes"];
      const refused = new Set<string>();
      server.refusal = (_request, body) => {
        const has = String(person.pageParams["scope"]).split(" ");
        const needs = scopes.find((one) => body.includes(`"${one}"`));
        if (needs === undefined || has.includes(needs)) return undefined;
        refused.add(needs);
        return insufficient(needs);
      };
      const client = await connect();
      const call = async (text: string): Promise<unknown> =>
        await client.callTool({ name: "echo", arguments: { text } });
      const [first = "", ...others] = scopes;
      const calls: Promise<unknown>[] = [];
      const callOthers = (): void => void calls.push(...others.map(call));
      let [open, most] = [0, 0];
      const { redirectUri } = person;
      person.redirectUri = (preferred) => {
        most = Math.max(most, ++open);
        const redirect = redirectUri(preferred);
        return {
          ...redirect,
          close: () => void open--,
          async open(page) {
            if (isMeanwhile && calls.length === 1) {
              callOthers();
              await vi.waitUntil(() => refused.size === scopes.length);
            }
            await redirect.open(page);
          },
        };
      };
      calls.push(call(first));
      if (!isMeanwhile) callOthers();
      await vi.waitUntil(() => calls.length === scopes.length);
      await Promise.all(calls);
      const { scope = "" } = person.pageParams;
      expect(scope.split(" ").sort()).toEqual(scopes);
      expect([person.count, most]).toEqual([1 + scopes.length, 1]);
    },
  );

  it("AUTH-57 AUTH-68 are not requested again if the server still rejects the new token", async () => {
    const { server, person, connect } = setUp();
    server.refusal = (_, body) =>
      body.includes("tools/call") ? insufficient("admin") : undefined;
    const client = await connect();
    const error = await failure(client.callTool({ name: "echo" }));
    expect(error).toMatchObject({ reason: "scope" });
    expect(error.message).toContain("admin");
    expect(person.count).toBe(2);
    expect(await failure(client.callTool({ name: "echo" }))).toMatchObject({
      reason: "scope",
    });
    expect(person.count).toBe(2);
    await client.listTools();
  });

  it("AUTH-68 are not requested again after a person has refused them, while other scopes are", async () => {
    const { as, server, person, connect } = setUp();
    let needs = "admin";
    server.refusal = (_, body) => {
      const has =
        String(person.pageParams["scope"]).split(" ").includes(needs) &&
        needs !== "admin";
      return body.includes("tools/call") && !has
        ? insufficient(needs)
        : undefined;
    };
    const client = await connect();
    as.answer = (params) => {
      params.delete("code");
      params.set("error", "access_denied");
    };
    expect(await failure(client.callTool({ name: "echo" }))).toMatchObject({
      reason: "denied",
    });
    expect(await failure(client.callTool({ name: "echo" }))).toMatchObject({
      reason: "scope",
    });
    expect(person.count).toBe(2);
    as.answer = () => {};
    needs = "mail";
    await client.callTool({ name: "echo" });
    expect(person.count).toBe(3);
  });

  it("AUTH-68 are not requested again after a person has refused them, whatever their order, while one with their letters is", async () => {
    const { as, server, person, connect } = setUp();
    const asked = [
      "mail admin files",
      "files mail admin",
      "admin files mail",
      "adminfilesmail",
    ];
    let needs = "";
    server.refusal = (_, body) =>
      body.includes("tools/call") ? insufficient(needs) : undefined;
    const client = await connect();
    as.answer = (params) => {
      params.delete("code");
      params.set("error", "access_denied");
    };
    const reasons: unknown[] = [];
    for (needs of asked) {
      const error = await failure(client.callTool({ name: "echo" }));
      reasons.push((error as { reason?: unknown }).reason);
    }
    expect(reasons).toEqual(["denied", "scope", "scope", "denied"]);
    expect(person.count).toBe(3);
  });

  describe.each([
    ["a list", ["base"]],
    ["a function", () => ["base"]],
  ])("that the option scopes names as %s", (_, scopes) => {
    it("AUTH-57 grow by those that a call requires", async () => {
      const setup = setUp();
      const { person, options, connect } = setup;
      guardCalls(setup, "files:write");
      const client = await connect(oauth(options({ scopes })));
      expect(person.pageParams["scope"]).toBe("base");
      await client.callTool({ name: "echo" });
      expect([person.count, person.pageParams["scope"]]).toEqual([
        2,
        "base files:write",
      ]);
    });

    it("AUTH-57 are not requested again if the call requires nothing more", async () => {
      const { server, person, options, connect } = setUp();
      server.refusal = (_, body) =>
        body.includes("tools/call") ? insufficient("base") : undefined;
      const client = await connect(oauth(options({ scopes })));
      for (let round = 0; round < 2; round++)
        expect(await failure(client.callTool({ name: "echo" }))).toMatchObject({
          reason: "scope",
          scopes: ["base"],
          message: expect.stringContaining(
            'needs the scope "base", which was not granted',
          ) as string,
        });
      expect(person.count).toBe(1);
    });
  });

  it("include those that another process has obtained meanwhile, without another sign-in", async () => {
    const store = memoryStore();
    const setup = setUp();
    const { world, server, person, options, connect } = setup;
    const first = await connect(oauth(options({ store })));
    const second = await connect(oauth(options({ store })));
    server.refusal = (authorization, body) => {
      const isNew = authorization !== `Bearer ${String(tokens[0])}`;
      return body.includes("tools/call") && !isNew
        ? insufficient("files")
        : undefined;
    };
    const tokens = [...setup.as.live];
    await first.callTool({ name: "echo" });
    await second.callTool({ name: "echo" });
    expect([person.count, world.to("/authorize").length]).toEqual([2, 2]);
  });

  it("AUTH-68 open one sign-in for a call, although the server requires another scope after each", async () => {
    const { server, person, connect } = setUp();
    let count = 0;
    server.refusal = (_, body) =>
      body.includes("tools/call") ? insufficient(`s${++count}`) : undefined;
    const client = await connect();
    for (const [signIns, scope, next] of [
      [2, "s1", "s2"],
      [3, "s1 s3", "s4"],
    ] as const) {
      expect(await failure(client.callTool({ name: "echo" }))).toMatchObject({
        reason: "scope",
        scopes: [next],
        message: expect.stringMatching(
          new RegExp(
            `needs the scope "${next}", and a person has just signed in for this request\\. Repeat it to sign in again\\.$`,
          ),
        ) as string,
      });
      expect([person.count, person.pageParams["scope"]]).toEqual([
        signIns,
        scope,
      ]);
    }
  });

  it("AUTH-68 open one sign-in for the request that begins with it", async () => {
    const { server, person, connect } = setUp();
    let count = 0;
    server.refusal = () => insufficient(`s${++count}`);
    expect(await failure(connect())).toMatchObject({ reason: "scope" });
    expect(person.count).toBe(1);
  });

  it("are named by the error of a client that cannot ask a person, and its token stays in use", async () => {
    const store = memoryStore();
    const setup = setUp();
    const { world, server, options, connect } = setup;
    await connect(oauth(options({ store })));
    guardCalls(setup, "files:write mail");
    const client = await connect(oauth({ store, fetch: world.fetch }));
    for (let round = 0; round < 2; round++)
      expect(await failure(client.callTool({ name: "echo" }))).toMatchObject({
        reason: "login-required",
        scopes: ["files:write", "mail"],
        message: expect.stringContaining(
          'with the scope "files:write mail"',
        ) as string,
      });
    await client.listTools();
    server.refusal = (_, body) =>
      body.includes("tools/call") ? insufficient("a\u001b[2J") : undefined;
    expect(
      (await failure(client.callTool({ name: "echo" }))).message,
    ).not.toMatch(/\p{C}/u);
  });

  it("do not change after a 403 for another reason, with which the call rejects", async () => {
    const { server, person, connect } = setUp();
    server.refusal = (_, body) =>
      body.includes("tools/call")
        ? new Response(null, { status: 403 })
        : undefined;
    const client = await connect();
    expect(await failure(client.callTool({ name: "echo" }))).toMatchObject({
      name: "TransportError",
      status: 403,
    });
    expect(person.count).toBe(1);
  });
});
