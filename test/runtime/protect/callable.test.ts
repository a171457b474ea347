import { memoryPair, serve } from "@mcpgen/runtime";
import { prompts, resources, tools } from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import { ask, modernPost } from "../http/kit/messages.js";
import { endpoints } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import {
  type AnyHandlers,
  info,
  type Json,
  legacy,
  makeServer,
  modern,
  resultOf,
} from "../kit/index.js";
import { bearer, protectedServers } from "./serving.js";

const visible = ({ auth }: { readonly auth?: Json | undefined }): boolean =>
  auth?.["subject"] === "ada";

/**
 * One of each kind without a condition, with scopes, and with `visible`; in a
 * list, or in functions.
 */
function features(
  options: { readonly list?: "all" | "callable" },
  isDynamic: boolean,
): AnyHandlers {
  const conditions = [
    {},
    { scopes: ["files:write"] },
    { visible },
    { scopes: ["files:write"], visible },
  ];
  const names = ["open", "scoped", "own", "both"];
  const make = <T>(entry: (name: string) => T): never => {
    const list = conditions.map((condition, i) => ({
      ...entry(names[i] ?? ""),
      ...condition,
    }));
    return (isDynamic ? () => list : list) as never;
  };
  return {
    ...tools(
      make((name) => ({ name, handler: () => "called" })),
      options,
    ),
    ...prompts(
      make((name) => ({ name, get: () => "text" })),
      options,
    ),
    ...resources(
      make((name) => ({
        uri: `https://${name}.example.com`,
        name,
        read: () => "text",
      })),
      options,
    ),
    ...resources(
      make((name) => ({
        uriTemplate: `test://${name}/{x}`,
        name,
        read: () => "text",
      })),
      options,
    ),
  } as unknown as AnyHandlers;
}

const methods = [
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
] as const;

function namesIn(result: Json): unknown[] {
  const [items] = Object.values(result).filter(Array.isArray) as Json[][];
  return (items ?? []).map((item) => item["name"]);
}

describe.each(endpoints)(
  "lists of tools, prompts and resources behind $name",
  (endpoint) => {
    const open = protectedServers(endpoint);

    describe.each([
      ["a list", false],
      ["a function", true],
    ])("from %s", (_, isDynamic) => {
      it.each([
        [{}, "ada", "", ["open", "scoped", "own", "both"]],
        [{}, "bob", "files:write", ["open", "scoped"]],
        [{ list: "all" }, "bob", "", ["open", "scoped"]],
        [
          { list: "callable" },
          "ada",
          "files:write",
          ["open", "scoped", "own", "both"],
        ],
        [{ list: "callable" }, "ada", "", ["open", "own"]],
        [{ list: "callable" }, "bob", "files:write", ["open", "scoped"]],
        [{ list: "callable" }, "bob", "", ["open"]],
        [{ list: "callable" }, undefined, "", ["open"]],
      ] as const)(
        "show with the options %j to %s with the scope %j: %j",
        async (options, sub, scope, want) => {
          const handlers = features(options, isDynamic);
          const { issuer, send } = await open(
            { anonymous: true },
            {},
            { handlers },
          );
          const headers =
            sub === undefined ? {} : bearer(await issuer.token({ sub, scope }));
          for (const method of methods) {
            const answer = await send(
              modernPost(modern, ask(1, method), { headers }),
            );
            const result = resultOf(await answer.json());
            expect([method, namesIn(result), result["cacheScope"]]).toEqual([
              method,
              want,
              "private",
            ]);
            expect(JSON.stringify(result)).not.toMatch(/visible|scopes/);
          }
          const session = await Session.start(
            { port: 0, send, close: async () => {} },
            legacy,
            {},
            headers,
          );
          const answer = await session.post(ask(2, "tools/list"));
          expect(namesIn(resultOf(await answer.json()))).toEqual(want);
        },
      );
    });

    it("leave out entries of the option `listed` whose tool the caller may not call", async () => {
      const listed = ["open", "scoped"].map((name) => ({
        name,
        inputSchema: { type: "object" },
      }));
      const list = [
        { name: "open", handler: () => "" },
        { name: "scoped", scopes: ["files:write"], handler: () => "" },
      ];
      const handlers = tools(list, {
        listed,
        list: "callable",
      }) as unknown as AnyHandlers;
      const { issuer, send } = await open({}, {}, { handlers });
      for (const [scope, want] of [
        ["", ["open"]],
        ["files:write", ["open", "scoped"]],
      ] as const) {
        const headers = bearer(await issuer.token({ scope }));
        const answer = await send(
          modernPost(modern, ask(1, "tools/list"), { headers }),
        );
        expect(namesIn(resultOf(await answer.json()))).toEqual(want);
      }
    });
  },
);

describe("lists of what a caller may use, in memory as over stdio", () => {
  it("show what has scopes, which nobody checks there", async () => {
    const handlers = features({ list: "callable" }, false);
    const [clientTransport, serverTransport] = memoryPair();
    await serve(
      serverTransport,
      makeServer(modern.protocol, { info, handlers }),
    );
    await using client = await modern.protocol.Client.connect(clientTransport, {
      info,
    });
    expect(namesIn((await client.listTools()) as unknown as Json)).toEqual([
      "open",
      "scoped",
    ]);
  });
});
