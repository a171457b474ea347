import { describe, expect, it } from "vitest";
import { readLines } from "../../src/commands/validate/lines.js";
import { directory, runHere } from "./support.js";

/** What is printed about messages of a connection, one a line. */
async function told(revision: string, messages: readonly object[]) {
  const complete = (one: unknown): unknown =>
    typeof one === "object" ? { jsonrpc: "2.0", ...one } : one;
  const lines = messages.map((one) =>
    JSON.stringify(Array.isArray(one) ? one.map(complete) : complete(one)),
  );
  return await runHere(["validate", revision], directory(), lines.join("\n"));
}

/** Messages, each with all that is said about it. */
const conversation: readonly (readonly [object, ...string[]])[] = [
  [{ id: null, error: { code: 1, message: "a" } }],
  [{ error: { code: -1, message: "" } }],
  [{ id: null, error: null }, "error: expected an object, got null"],
  [{ id: null, error: [] }, "error: expected an object, got an array"],
  [{ id: null, error: "x" }, 'error: expected an object, got "x"'],
  [
    { id: null, error: {} },
    "error: code: expected an integer, got nothing",
    "error: message: expected a string, got nothing",
  ],
  [
    { id: null, error: { code: 1.5, message: 1 } },
    "error: code: expected an integer, got 1.5",
    "error: message: expected a string, got 1",
  ],
  [
    { id: null, error: { code: {}, message: [] } },
    "error: code: expected an integer, got an object",
    "error: message: expected a string, got an array",
  ],
  [
    { id: 1, error: { code: 1, message: "a" } },
    "the error answers 1, but no earlier request has that id",
  ],
  [
    { id: 1, result: {} },
    "the result answers 1, but no earlier request has that id",
  ],
  [{ id: 1, method: "ping" }],
  [
    { id: 1, error: { code: "x", message: "a" } },
    'ping error: code: expected an integer, got "x"',
  ],
  [
    { id: 1, error: { code: 1, message: "a" } },
    "the error answers 1, but no earlier request has that id",
  ],
  [{ id: 1, method: "roots/list" }],
  [{ id: "1", method: "tools/list" }],
  [{ id: 1, method: "tools/list" }],
  [
    { id: 1, method: "prompts/list" },
    "prompts/list: id: 1 is still in use by an earlier tools/list",
  ],
  [{ id: 1, result: { tools: [] } }],
  [{ id: 1, result: { roots: [] } }],
  [
    { id: 1, result: {} },
    "prompts/list result: prompts: expected an array, got nothing",
  ],
  [
    { id: 1, result: {} },
    "the result answers 1, but no earlier request has that id",
  ],
  [
    { id: "1", result: {} },
    "tools/list result: tools: expected an array, got nothing",
  ],
  // Each side may have sent one of them.
  [{ id: 5, method: "ping" }],
  [{ id: 5, method: "ping" }],
  [
    { id: 2, method: "pings" },
    '"pings" is not a request of 2025-03-26; did you mean ping?',
  ],
  [{ id: 2, method: "xyz" }, '"xyz" is not a request of 2025-03-26'],
  [
    { method: "notifications/initialised" },
    '"notifications/initialised" is not a notification of 2025-03-26; did you mean notifications/initialized?',
  ],
  [{ method: "xyz" }, '"xyz" is not a notification of 2025-03-26'],
  [
    [
      { id: 4, method: "ping" },
      { id: 4, result: 1 },
      { id: null, error: 1 },
      { method: "xyz" },
      1,
    ],
    "[1] ping result: expected an object, got 1",
    "[2] error: expected an object, got 1",
    '[3]: "xyz" is not a notification of 2025-03-26',
    "[4]: a message must be an object",
  ],
];

describe("mcpgen validate", () => {
  it("says all that is wrong with each message of a conversation", async () => {
    const { code, out, err } = await told(
      "2025-03-26",
      conversation.map(([message]) => message),
    );
    const words = conversation.flatMap(([, ...issues], i) =>
      issues.map((text) => `line ${i + 1}: ${text}\n`),
    );
    const invalid = conversation.filter((row) => row.length > 1).length;
    expect(out).toBe(words.join(""));
    expect([code, err]).toEqual([
      1,
      `${conversation.length} messages checked against 2025-03-26: ${invalid} invalid\n`,
    ]);
  });
});

describe("the lines of a stream", () => {
  const linesOf = async (...chunks: readonly Uint8Array[]) => {
    const lines = [];
    const input = (async function* () {
      yield* chunks;
    })();
    for await (const line of readLines(input)) lines.push(line);
    return lines;
  };
  const bytes = (text: string) => Buffer.from(text);

  it.each<[chunks: readonly string[], lines: readonly string[]]>([
    [[], []],
    [["", "\n"], [""]],
    [["a"], ["a"]],
    [["a\n"], ["a"]],
    [
      ["a\n\nb\r\n\r", "\nc\r"],
      ["a", "", "b", "", "c"],
    ],
    [
      ["a", "b", "\nc", "d\n", "e"],
      ["ab", "cd", "e"],
    ],
    [["\u00e9\u{1f600}\n"], ["\u00e9\u{1f600}"]],
  ])(
    "end with LF or CR LF, wherever the chunks end: %j",
    async (chunks, lines) => {
      expect(await linesOf(...chunks.map(bytes))).toEqual(
        lines.map((text, i) => ({ number: i + 1, text })),
      );
    },
  );

  it("are not read beyond 64 MiB, and the next line is read again", async () => {
    const half = Buffer.alloc(2 ** 25, "a");
    const lines = await linesOf(
      half,
      half,
      bytes("\n"),
      half,
      half,
      bytes("b\nc"),
    );
    expect(lines.map(({ text }) => text?.length)).toEqual([
      2 ** 26,
      undefined,
      1,
    ]);
    expect(lines[1]).toEqual({
      number: 2,
      text: null,
      problem: "it is longer than the maximum of 64 MiB",
    });
  });
});
