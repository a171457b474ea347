import { isSessionError } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import {
  clientWire,
  errorOf,
  failure,
  info,
  join,
  type Json,
  legacyRevisions,
  makeServer,
  metaFor,
  modernRevisions,
  revisions,
  type ServerOptions,
  serveWire,
  shakeHands,
  Wire,
} from "../kit/index.js";
import { echo, serveEcho } from "../kit/calls.js";

describe.each(legacyRevisions)(
  "a session with a server of $revision",
  ({ revision, protocol, facts }) => {
    const serve = (options?: ServerOptions): Promise<Wire> =>
      serveEcho(protocol, options);

    it.each([
      "prompts/list",
      "resources/read",
      "logging/setLevel",
      "resources/subscribe",
    ])(
      'LIFE-06 LIFE-09 answers %s with "method not found" if it is not declared',
      async (method) => {
        const wire = await serve();
        await shakeHands(wire, revision);
        const params = { uri: "a:b", level: "info" };
        const answer = await wire.ask(1, method, params);
        expect(errorOf(answer)["code"]).toBe(facts.errors["METHOD_NOT_FOUND"]);
      },
    );
  },
);

describe.each(revisions)("a server of $revision", ({ protocol, facts }) => {
  it("sends only notifications that it declared, and warns with the missing capability (TOOL-13, LIFE-06)", () => {
    const warnings: string[] = [];
    const silent = makeServer(protocol, {
      handlers: echo,
      onWarning: (text) => void warnings.push(text),
    });
    silent.notify["toolsListChanged"]?.();
    expect(warnings).toEqual([
      'notifications/tools/list_changed was not sent: it needs {"tools":{"listChanged":true}} among the server\'s capabilities.',
    ]);
    const declared = makeServer(protocol, {
      handlers: echo,
      capabilities: { tools: { listChanged: true } },
    });
    expect(() => declared.notify["toolsListChanged"]?.()).not.toThrow();
  });

  it("declares the capabilities of its handlers and those of the options", async () => {
    const { client } = await join(protocol, {
      server: {
        handlers: {
          ...echo,
          "prompts/get": () => ({ messages: [] }),
          "resources/read": () => ({ contents: [] }),
        },
        capabilities: {
          resources: { listChanged: true },
          experimental: { "x/y": {} },
        },
      },
    });
    expect(client.server.capabilities).toEqual({
      tools: {},
      prompts: {},
      resources: { listChanged: true },
      experimental: { "x/y": {} },
    });
  });

  it("COMP-01 declares completion if the revision has a capability for it", async () => {
    const handlers = {
      "completion/complete": () => ({ completion: { values: ["a"] } }),
    };
    const { client } = await join(protocol, { server: { handlers } });
    const params = {
      ref: { type: "ref/prompt", name: "p" },
      argument: { name: "a", value: "" },
    };
    expect(await client.complete(params)).toMatchObject({
      completion: { values: ["a"] },
    });
    const hasCapability = facts.revision !== "2024-11-05";
    expect(Object.hasOwn(client.server.capabilities, "completions")).toBe(
      hasCapability,
    );
  });
});

describe.each(modernRevisions)("a server of $revision", (one) => {
  const { protocol } = one;

  it("DISC-02 declares exactly the features that it supports", async () => {
    const groups: readonly (readonly [string, string, string])[] = [
      ["tools", "tools/list", "tools/call"],
      ["prompts", "prompts/list", "prompts/get"],
      ["resources", "resources/list", "resources/read"],
      ["completions", "completion/complete", "completion/complete"],
    ];
    for (const [group, ...methods] of groups) {
      const handlers = Object.fromEntries(
        methods.map((method) => [method, () => ({})]),
      );
      const wire = await serveWire(makeServer(protocol, { handlers }));
      const { result } = await wire.ask(1, "server/discover", {
        _meta: metaFor(one),
      });
      expect(Object.keys((result as Json)["capabilities"] as Json)).toEqual([
        group,
      ]);
      for (const [, ...others] of groups.filter(([other]) => other !== group)) {
        for (const method of others) {
          expect(
            errorOf(await wire.ask(2, method, { _meta: metaFor(one) }))["code"],
            method,
          ).toBe(-32601);
        }
      }
    }
  });
});

describe.each(revisions)("a client of $revision", (one) => {
  it("LIFE-04 LIFE-06 rejects requests for features that the server did not declare", async () => {
    const { client, wire } = await clientWire(one, {}, { tools: {} });
    for (const call of [
      client.getPrompt({ name: "x" }),
      client.readResource({ uri: "a:b" }),
    ]) {
      const error = await failure(call);
      expect(isSessionError(error) && error.reason).toBe("capability");
    }
    if (client.subscribe) {
      const error = await failure(client.subscribe({ uri: "a:b" }));
      expect(isSessionError(error) && error.reason).toBe("capability");
    }
    expect(await wire.rest()).toEqual([]);
  });
});

describe.each(legacyRevisions)("the client's side of $revision", (one) => {
  const { revision } = one;

  it("LIFE-01 LIFE-03 ROOT-01 SAMP-01 declares the capabilities of its handlers and those of the options", async () => {
    const { wire } = await clientWire(one, {
      handlers: {
        "roots/list": () => ({ roots: [] }),
        "sampling/createMessage": () => ({}),
      },
      capabilities: { roots: { listChanged: true } },
    });
    const [hello, initialized] = wire.seen;
    expect(hello).toEqual({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: {
        protocolVersion: revision,
        capabilities: { roots: { listChanged: true }, sampling: {} },
        clientInfo: info,
      },
    });
    expect(initialized).toEqual({
      jsonrpc: "2.0",
      method: "notifications/initialized",
    });
  });

  it.each([
    "roots/list",
    "sampling/createMessage",
    "elicitation/create",
    "tools/list",
  ])(
    "LIFE-10 ROOT-04 answers %s with -32601 if it is not declared",
    async (method) => {
      const { wire } = await clientWire(one);
      expect(errorOf(await wire.ask(1, method, {}))["code"]).toBe(-32601);
    },
  );

  it("ROOT-03 sends a notification when its roots change, if it declared listChanged", async () => {
    const { client, wire } = await clientWire(one, {
      capabilities: { roots: { listChanged: true } },
    });
    await client.rootsListChanged?.();
    expect(await wire.next()).toEqual({
      jsonrpc: "2.0",
      method: "notifications/roots/list_changed",
    });
    const silent = await clientWire(one, {
      handlers: { "roots/list": () => ({ roots: [] }) },
    });
    const error = await failure(silent.client.rootsListChanged?.());
    expect(isSessionError(error) && error.reason).toBe("capability");
  });
});
