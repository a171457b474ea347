import { McpError } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import { toolHeaders } from "../../../../src/runtime/core/transport/http-client/header-policy.js";
import { type Json, modern } from "../../kit/index.js";

const { clientSide: side } = modern.protocol;
const { revision } = side;
const { "tools/list": listRow, "tools/call": callRow } = side.outgoingRequests;
if (!listRow || !callRow) throw new Error("The revision has no tools.");

const safe = (name: string): Json => ({
  name,
  inputSchema: { type: "object" },
  annotations: { readOnlyHint: true },
});

describe("what a client over HTTP knows about tools", () => {
  it("is kept for the 10,000 tools that were listed last", () => {
    const policy = toolHeaders();
    const learn = (tools: readonly Json[]): unknown =>
      policy.learn(revision, listRow, { tools }, () => {});
    const safeOnes = (...names: readonly string[]): readonly string[] =>
      names.filter(
        (name) => policy.options(revision, callRow, { name }).isSafe,
      );
    learn(Array.from({ length: 10_000 }, (_, i) => safe(`${i}`)));
    expect(safeOnes("0", "1", "9999", "x")).toEqual(["0", "1", "9999"]);
    // The first is listed once more, and the third is safe no longer.
    learn([safe("0"), safe("x"), { ...safe("2"), annotations: {} }]);
    expect(safeOnes("0", "1", "2", "3", "x")).toEqual(["0", "3", "x"]);
  });

  it.each([
    ["the list has no other page", [undefined], 1],
    ["a cursor comes twice", ["a", "a", "b"], 2],
    ["the tool is found", ["a", "found", "c"], 2],
    [
      "there are very many pages",
      Array.from({ length: 200 }, (_, i) => `${i}`),
      100,
    ],
  ])(
    "is read again until %s, before the call is sent once more",
    async (_, cursors, count) => {
      const asked: unknown[] = [];
      const code = Number(revision.errors["HEADER_MISMATCH"]);
      const ask = (row: unknown, params?: Json): Promise<unknown> => {
        if (row !== listRow)
          return asked.push("call") === 1
            ? Promise.reject(new McpError(code, "no"))
            : Promise.resolve("done");
        const nextCursor = cursors[asked.length - 1];
        asked.push(params?.["cursor"]);
        const name = nextCursor === "found" ? "t" : "other";
        return Promise.resolve({ tools: [safe("x"), safe(name)], nextCursor });
      };
      const params = { name: "t" };
      const policy = toolHeaders();
      expect(await policy.call(side, callRow, params, ask as never)).toBe(
        "done",
      );
      expect(asked).toEqual([
        "call",
        undefined,
        ...cursors.slice(0, count - 1),
        "call",
      ]);
    },
  );
});
