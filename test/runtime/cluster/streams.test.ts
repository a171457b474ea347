import { describe, expect, it } from "vitest";
import {
  endStream,
  idIn,
  shortAnswer,
  shortNotification,
  textOf,
} from "../../../src/runtime/cluster/streams.js";

describe("the part of an event id that says which request is open", () => {
  it.each<[string, readonly (string | number | undefined)[], string]>([
    ["a number", [7], "7"],
    ["a text", ["a b/1"], "%22a%20b%2F1%22"],
    [
      "a text that takes all of it",
      ["x".repeat(250)],
      `%22${"x".repeat(250)}%22`,
    ],
    ["one character more", ["x".repeat(251)], ""],
    ["several", [1, 2], ""],
    ["none", [], ""],
  ])("for %s is %j", (_, ids, text) => {
    expect(textOf(ids)).toBe(text);
    expect(idIn(text)).toBe(text === "" ? undefined : ids[0]);
  });

  it.each(["", "%", "x", "%5B1%5D", "null", "{}", "true"])(
    "may be changed by a client to %j, which is not an id",
    (text) => {
      expect(idIn(text)).toBeUndefined();
    },
  );
});

describe("a message that another process passes on", () => {
  /** A message whose JSON has this length. */
  const padded = (message: object, length: number): never => {
    const text = JSON.stringify({ ...message, pad: "" });
    return { ...message, pad: "x".repeat(length - text.length) } as never;
  };

  it.each([
    [700_000, true],
    [700_001, false],
  ])("is an answer of %i bytes: %s", (length, isWhole) => {
    const answer = padded({ jsonrpc: "2.0", id: "1" }, length);
    const sent = shortAnswer(answer);
    if (isWhole) expect(sent).toBe(answer);
    else
      expect(sent).toEqual({
        jsonrpc: "2.0",
        id: "1",
        error: {
          code: -32603,
          message: "The answer is too long for another process.",
        },
      });
  });

  const params = {
    requestId: 1,
    progressToken: "2",
    progress: 3,
    total: 4,
    message: "x".repeat(2000),
  };
  const { message: _, ...short } = params;

  it.each<[string, number, object | undefined, object | undefined]>([
    ["of 1,024 bytes", 1024, undefined, undefined],
    ["of 1,025 bytes without params", 1025, undefined, {}],
    ["with a long text", 1025, params, short],
    [
      "with a long name",
      1025,
      { ...params, progressToken: "x".repeat(1024) },
      undefined,
    ],
  ])("is a notification %s", (_, length, params, sent) => {
    const head = { jsonrpc: "2.0", method: "n", ...(params && { params }) };
    const notification = params ? (head as never) : padded(head, length);
    if (length === 1024)
      expect(shortNotification(notification)).toBe(notification);
    else
      expect(shortNotification(notification)).toEqual(
        sent && { jsonrpc: "2.0", method: "n", params: sent },
      );
  });
});

describe("the answer to a client that resumes a stream of another process", () => {
  const first = "retry: 1000\n\n";
  const lost =
    'data: {"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"The process that ran this request has ended.","data":{"reason":"process-lost","mayHaveRun":true}}}\n\n';
  const head = [
    200,
    { "content-type": "text/event-stream", "cache-control": "no-cache" },
  ];

  it.each<[string, boolean | undefined, number | undefined, unknown[]]>([
    ["runs", true, 5, [head, first, "end"]],
    ["runs, with an unknown request", true, undefined, [head, first, "end"]],
    ["may run", undefined, undefined, [head, first, "end"]],
    ["has ended", false, 5, [head, first + lost, "end"]],
    [
      "has ended, with an unknown request",
      false,
      undefined,
      [[404, {}, "The process that ran this request has ended."]],
    ],
  ])("that %s", async (_, isRunning, id, expected) => {
    const sent: unknown[] = [];
    const response = {
      reply: (...reply: unknown[]) => void sent.push(reply),
      stream: (headers: object) => void sent.push([200, headers]),
      write: async (text: string) => void sent.push(text),
      end: () => void sent.push("end"),
    };
    const asked: string[] = [];
    const find = async (author: string): Promise<boolean | undefined> => {
      asked.push(author);
      return isRunning;
    };
    await endStream(response as never, { find } as never, "other", id, first);
    expect([asked, sent]).toEqual([["other"], expected]);
  });
});
