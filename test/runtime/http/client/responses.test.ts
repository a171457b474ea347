import { describe, expect, it } from "vitest";
import { TransportError } from "@mcpgen/runtime";
import {
  hasOwnError,
  isMaybeSse,
  ResponseReader,
  speaksOfSession,
  unsentError,
} from "../../../../src/runtime/core/transport/http-client/response-reader.js";
import { failure } from "../../kit/index.js";
import { call, open, opening } from "../kit/client.js";

const json = "application/json";

/** What a client reads from a response with this body, in these parts. */
function read(
  status: number,
  type: string,
  parts: readonly string[],
  maxBytes?: number,
) {
  const messages: unknown[] = [];
  const ends: (string | undefined)[] = [];
  const reader = new ResponseReader(
    {
      message: (value) => void messages.push(value),
      onError: ({ message }) => void ends.push(message),
      end: (_, error) => void ends.push(error?.message),
    },
    maxBytes,
  );
  reader.head(status, (name) => (name === "content-type" ? type : undefined));
  for (const part of parts) reader.data(new TextEncoder().encode(part));
  reader.end();
  return { reader, messages, ends };
}

describe("a response that a client over HTTP reads", () => {
  it.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
  ])("is a success with the status %i: %s", (status, isSuccess) => {
    const { reader, messages } = read(status, json, ["{}"]);
    expect(reader.isSuccess).toBe(isSuccess);
    expect([messages, reader.errorBody]).toEqual(
      isSuccess ? [[{}], undefined] : [[], {}],
    );
  });

  it.each([
    [10, [["abcdefgh"], []], [undefined]],
    [9, [[], []], ["A message is longer than 9 bytes."]],
  ])(
    "may be as long as the limit of %i bytes, which counts all its parts",
    (maxBytes, [messages], ends) => {
      const seen = read(200, json, ['"abc', "defgh", '"'], maxBytes);
      expect([seen.messages, seen.ends]).toEqual([messages, ends]);
    },
  );

  it.each([
    [65_536, true],
    [65_537, false],
  ])(
    "of an error is read if it has %i bytes: %s, and ends only once",
    (size, isRead) => {
      const error = { code: 1, message: "no" };
      const body = JSON.stringify({ jsonrpc: "2.0", error }).padStart(size);
      const parts = [body.slice(0, 60_000), body.slice(60_000)];
      const { reader, ends } = read(400, json, parts);
      expect([hasOwnError(reader, true), ends]).toEqual([isRead, [undefined]]);
      expect(reader.text.length).toBe(isRead ? size : 60_000);
    },
  );

  it.each([
    ["application/json", true],
    ["Application/JSON; charset=utf-8", true],
    ["application/problem+json", true],
    ["application/jsonl", false],
    ["text/json", false],
    ["x-application/json", false],
    ["", false],
  ])("has the type %j, which is JSON: %s", (type, isJson) => {
    expect(read(200, type, ["1"]).messages).toEqual(isJson ? [1] : []);
  });

  it("is shown without the headers of the user of more than 3 characters, however long they are", async () => {
    const token = "t".repeat(3000);
    const script = await opening(({ headers }, response) => {
      response.writeHead(500, { "content-type": "text/plain" });
      const { authorization, "x-long": long, "x-short": short } = headers;
      response.end(`${authorization}, ${token}, ${long}, ${short}!`);
    });
    const headers = {
      authorization: `Bearer ${token}`,
      "x-long": "abcd",
      "x-short": "xyz",
    };
    const client = await open(script, { headers });
    expect((await failure(client.callTool(call))).message).toBe(
      `${script.url} answered 500: text/plain "…, …, …, xyz!". The server may have lost the session.`,
    );
  });

  it.each([
    [-32019, true],
    [-32020, false],
    [-32099, false],
    [-32100, true],
    [-32601, false],
    [-32600, true],
  ])(
    "with the status 400 and the error %i may come from a server of HTTP+SSE: %s",
    (code, isOld) => {
      const body = JSON.stringify({ jsonrpc: "2.0", error: { code } });
      expect(isMaybeSse(read(400, json, [body]).reader)).toBe(isOld);
      expect(isMaybeSse(read(401, json, [body]).reader)).toBe(false);
      expect(isMaybeSse(read(500, json, [body]).reader)).toBe(false);
    },
  );

  const error = (code: unknown): string =>
    JSON.stringify({ jsonrpc: "2.0", error: { code } });
  it.each([
    [400, "text/plain", "No such Session", true],
    [500, "text/plain", "Server not initialized", true],
    [400, json, error(-32001), true],
    [400, json, error(-32000), false],
    [400, json, error("-32001"), false],
    [400, json, JSON.stringify({ error: { code: -32001 } }), false],
    [400, "text/plain", `${"x".repeat(993)}session`, true],
    [400, "text/plain", `${"x".repeat(994)}session`, false],
    [401, "text/plain", "session", false],
    [429, "text/plain", "session", false],
    [502, "text/plain", "session", false],
    [503, "text/plain", "session", false],
  ])(
    "with the status %i and the type %s speaks of a lost session near its beginning: %.60s %s",
    (status, type, body, speaks) => {
      expect(speaksOfSession(read(status, type, [body]).reader)).toBe(speaks);
    },
  );

  it.each([
    [400, true, true],
    [400, false, true],
    [500, true, true],
    [500, false, false],
    [502, true, false],
    [403, true, false],
    [429, true, false],
  ])(
    "with the status %i of a server that has answered before, %s, keeps its JSON-RPC error: %s",
    (status, hasAnswered, keeps) => {
      const { reader } = read(status, json, [error(-32602)]);
      expect(hasOwnError(reader, hasAnswered)).toBe(keeps);
    },
  );
});

it.each([
  [new Error("a"), "https://x/ could not be reached: a"],
  [
    new Error("a", { cause: new Error("b") }),
    "https://x/ could not be reached: a: b",
  ],
  [new Error("a", { cause: "b" }), "https://x/ could not be reached: a"],
  ["a", "https://x/ could not be reached: a"],
  [undefined, "https://x/ could not be reached: No reason was given."],
  [new TransportError("own"), "own"],
])(
  "a request that was not sent because of %o is rejected with the reason",
  (reason, message) => {
    const error = unsentError("https://x/", reason);
    expect([error.name, error.message]).toEqual(["TransportError", message]);
  },
);
