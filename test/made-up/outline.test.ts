import { beforeAll, describe, expect, it } from "vitest";
import { carelessly } from "../runtime/kit/careless.js";
import { type Json } from "../runtime/kit/messages.js";
import {
  generated,
  type Generated,
  type Handlers,
  joined as join,
  read,
  refusal,
  schemas,
  write,
} from "./made-up.js";

const whole = [
  "intro",
  {
    title: "One",
    below: {
      a: "text",
      b: [{ to: "#two", instead: { title: "Two", below: {} } }],
    },
  },
];
const handlers: Handlers = {
  "outline/move": (params, { progress, notify }) => {
    progress(1);
    notify("notifications/outline/changed", { part: "intro" });
    return { whole: params["whole"] };
  },
};

let outline: Generated;
beforeAll(async () => {
  outline = await generated(schemas.outline);
});

describe("a schema with constructs of extensions", () => {
  it("passes a recursive union without a tag unchanged to the server and back", async () => {
    const { client } = await join(outline, handlers);
    expect(
      await client["outlineMove"]?.({ whole, from: [0], to: null }),
    ).toEqual({ whole });
  });

  it("accepts metadata that inline params hide, such as a progress token", async () => {
    const messages: number[] = [];
    const { client } = await join(outline, handlers);
    await client["outlineMove"]?.(
      { whole, from: [0], to: [1, "a"], _meta: { mine: true } },
      { onProgress: ({ progress }) => messages.push(progress) },
    );
    expect(messages).toEqual([1]);
  });

  it("delivers a notification that no union lists", async () => {
    const parts: unknown[] = [];
    const { client } = await join(outline, handlers, {
      client: {
        "notifications/outline/changed": ({ part }) => parts.push(part),
      },
    });
    await client["outlineMove"]?.({ whole, from: [0], to: null });
    expect(parts).toEqual(["intro"]);
  });

  it("JRPC-11 rejects a value that is not in the union, at any depth", async () => {
    const { client } = await join(outline, handlers);
    const wrong = ["intro", { title: "One", below: { a: { to: 5 } } }];
    const moved = (
      params: Json,
    ): Promise<Awaited<ReturnType<typeof refusal>>> =>
      carelessly(outline["clientSide"], () =>
        refusal(client["outlineMove"]?.(params)),
      );
    const { code, message } = await moved({ whole: wrong, from: [], to: null });
    expect(code).toBe(-32602);
    expect(message).toMatch(/^outline\/move: params\.whole\[1\]/);
    const { data } = await moved({ whole: "a", from: [true], to: null });
    expect(data).toMatchObject({ issues: [{ path: ["params", "from", 0] }] });
  });

  it("validates any depth of the union without a stack overflow", () => {
    let deep: unknown = "leaf";
    let flawed: unknown = 5;
    for (let i = 0; i < 20_000; i++) {
      deep = i % 2 === 0 ? [deep] : { title: "t", below: { a: deep } };
      flawed = i % 2 === 0 ? [flawed] : { title: "t", below: { a: flawed } };
    }
    expect(outline["isOutline"]?.(deep)).toBe(true);
    expect(outline["isOutline"]?.(flawed)).toBe(false);
  });
});

describe("a request whose result the schema does not describe as an object", () => {
  it.each([
    ["not at all", ""],
    ["as anything", "export type OutlinePokeResult = unknown;"],
    ["as any object", "export type OutlinePokeResult = Result;"],
    [
      "as one of two objects",
      "export type OutlinePokeResult = OutlineMoveResult | Result;",
    ],
  ])(
    "is answered by the handler, and its result is passed on: %s",
    async (title, result) => {
      const text = read(schemas.outline).replace(
        "export type ClientRequest = ",
        `export interface OutlinePokeRequest extends Request { method: "outline/poke" }
      ${result}
      export type ClientRequest = OutlinePokeRequest | `,
      );
      const path = write(`outline-${title.replaceAll(" ", "-")}.ts`, text);
      const { client } = await join(await generated(path), {
        ...handlers,
        "outline/poke": () => ({ whole: "ouch" }),
      });
      expect(await client["outlinePoke"]?.()).toEqual({ whole: "ouch" });
    },
  );
});

describe("a schema like the one tagged 2024-10-07", () => {
  let alike: Generated;
  beforeAll(async () => {
    alike = await generated(schemas.alike);
  });

  const old: Handlers = {
    "tools/list": () => ({
      tools: [{ name: "echo", inputSchema: { type: "object" } }],
    }),
    "tools/call": async (params, { request }) => {
      const { roots } = await request("roots/list");
      return {
        toolResult: { said: (params["arguments"] as Json)["text"], roots },
      };
    },
    "resources/list": () => ({ resources: [{ uri: "file:///a", name: "a" }] }),
    "resources/templates/list": () => ({
      resourceTemplates: [{ uriTemplate: "file:///{a}", name: "a" }],
    }),
    "roots/list": () => ({ roots: [{ uri: "file:///server" }] }),
  };
  const client: Handlers = {
    "roots/list": () => ({ roots: [{ uri: "file:///client", name: "home" }] }),
    "sampling/createMessage": () => ({
      role: "assistant",
      model: "m",
      content: { type: "text", text: "hi" },
    }),
  };

  it("opens, lists, and calls a tool whose result has any type", async () => {
    const { client: caller } = await join(alike, old, { client });
    expect(caller.revision).toBe("2024-10-07");
    expect(
      await caller["callTool"]?.({ name: "echo", arguments: { text: "hi" } }),
    ).toEqual({
      toolResult: {
        said: "hi",
        roots: [{ uri: "file:///client", name: "home" }],
      },
    });
    expect(await caller["listResourceTemplates"]?.()).toEqual({
      resourceTemplates: [{ uriTemplate: "file:///{a}", name: "a" }],
    });
  });

  it("lets both sides request roots, because both of its unions have the request", async () => {
    const { client: caller } = await join(alike, old, {
      client,
      serverCapabilities: { roots: {} },
    });
    expect(await caller["listRoots"]?.()).toEqual({
      roots: [{ uri: "file:///server" }],
    });
  });

  it("aborts a call without a notification, because the schema has no cancellation", async () => {
    const waiting: Handlers = {
      ...old,
      "tools/call": () => new Promise<never>(() => {}),
    };
    const { client: caller } = await join(alike, waiting);
    const controller = new AbortController();
    const call = caller["callTool"]?.(
      { name: "echo" },
      { signal: controller.signal },
    ) as Promise<unknown>;
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    expect(await caller["ping"]?.()).toEqual({});
  });

  it("accepts hints with unknown keys, and rejects known keys of the wrong type", () => {
    const preferences = {
      hints: [{ name: "claude", speed: "high" }],
      costPriority: 0.5,
    };
    expect(alike["isModelPreferences"]?.(preferences)).toBe(true);
    expect(alike["isModelPreferences"]?.({ hints: [{ name: 5 }] })).toBe(false);
  });
});
