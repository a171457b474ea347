import { describe, expect, it } from "vitest";
import { type Json, makeServer, modern } from "../../kit/index.js";
import { post } from "../kit/modern.js";
import { endpoints } from "../kit/server.js";

describe.each(endpoints)("lists in pages behind $name", (endpoint) => {
  /**
   * Requests each page from another replica, and returns the cursors that the
   * handlers got and the pages that the client got.
   */
  const turn = async (
    scopes: readonly (string | undefined)[],
    prefix = "",
  ): Promise<{ cursors: unknown[]; pages: Json[]; faults: string[] }> => {
    const [cursors, pages, faults]: [unknown[], Json[], string[]] = [
      [],
      [],
      [],
    ];
    let cursor: unknown;
    for (const [at, cacheScope] of scopes.entries()) {
      const replica = await endpoint.open(
        makeServer(modern.protocol, {
          onError: ({ message }) => faults.push(message),
          handlers: {
            "tools/list": (params) => {
              cursors.push(params?.["cursor"]);
              const nextCursor =
                at + 1 < scopes.length ? `${prefix}${at + 1}` : undefined;
              return {
                tools: [],
                ...(cacheScope && { cacheScope }),
                ...(nextCursor && { nextCursor }),
              };
            },
          },
        }),
      );
      const params = cursor === undefined ? {} : { cursor };
      const answer = await replica.send(
        post({ jsonrpc: "2.0", id: at, method: "tools/list", params }),
      );
      const message = await answer.json();
      pages.push((message["result"] ?? message["error"]) as Json);
      cursor = pages.at(-1)?.["nextCursor"];
      await replica.close();
    }
    return { cursors, pages, faults };
  };
  const scopesOf = (pages: readonly Json[]): unknown[] =>
    pages.map(({ cacheScope }) => cacheScope);

  it.each([
    [["public", "public", undefined], "public"],
    [["private", "public", undefined], "private"],
    [[undefined, "public", "private"], "private"],
  ])(
    "CACHE-06 have one scope on all replicas: for the scopes %j of the handlers, %s",
    async (scopes, expected) => {
      for (const prefix of ["", "+", "-"]) {
        const { cursors, pages } = await turn(scopes, prefix);
        expect(scopesOf(pages)).toEqual([expected, expected, expected]);
        expect(cursors).toEqual([undefined, `${prefix}1`, `${prefix}2`]);
      }
    },
  );

  it("CACHE-06 does not change the cursors of a private list", async () => {
    const { pages } = await turn([undefined, undefined], "");
    expect(pages[0]?.["nextCursor"]).toBe("1");
  });

  it("CACHE-06 rejects a private page after a public one", async () => {
    const { pages, faults } = await turn(["public", "private"]);
    expect(pages[1]).toMatchObject({ code: -32603, message: "Internal error" });
    expect(faults).toEqual([
      "tools/list: this page is private, but the first page was public; all pages must have one cacheScope.",
    ]);
  });
});
