import { describe, expect, it } from "vitest";
import type { Protocol } from "../../src/generator/ir/model.js";
import { preamble, protocolOf } from "../ir/made.js";
import { revision } from "../read/typescript/reading.js";
import { validator, validators } from "../view/generated.js";

type Row = readonly [
  type: string,
  value: unknown,
  message: string,
  path: readonly PropertyKey[],
];

const call = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "echo" },
};
const text = { type: "text", text: "hi" };
const blocks = '"text", "image", "audio", "resource_link" or "resource"';

const messages: readonly Row[] = [
  ["CallToolRequest", null, "expected an object, got null", []],
  ["CallToolRequest", [call], "expected an object, got an array", []],
  [
    "CallToolRequest",
    "x".repeat(100),
    `expected an object, got "${"x".repeat(60)}…"`,
    [],
  ],
  ["CallToolRequest", undefined, "expected an object, got nothing", []],
  [
    "CallToolRequest",
    { ...call, jsonrpc: "1.0" },
    'jsonrpc: expected "2.0", got "1.0"',
    ["jsonrpc"],
  ],
  [
    "CallToolRequest",
    { ...call, id: null },
    "id: expected a string or an integer, got null",
    ["id"],
  ],
  [
    "CallToolRequest",
    { ...call, id: 1.5 },
    "id: expected a string or an integer, got 1.5",
    ["id"],
  ],
  [
    "CallToolRequest",
    { ...call, params: {} },
    "params.name: expected a string, got nothing",
    ["params", "name"],
  ],
  [
    "CallToolRequest",
    { ...call, params: { name: "echo", arguments: [] } },
    "params.arguments: expected an object, got an array",
    ["params", "arguments"],
  ],
  [
    "CallToolRequest",
    { ...call, params: { name: "echo", _meta: { progressToken: {} } } },
    "params._meta.progressToken: expected a string or an integer, got an object",
    ["params", "_meta", "progressToken"],
  ],
  [
    "CallToolResult",
    { content: {} },
    "content: expected an array, got an object",
    ["content"],
  ],
  [
    "CallToolResult",
    { content: [text, { type: "video" }] },
    `content[1].type: expected ${blocks}, got "video"`,
    ["content", 1, "type"],
  ],
  [
    "CallToolResult",
    { content: [{}] },
    `content[0].type: expected ${blocks}, got nothing`,
    ["content", 0, "type"],
  ],
  [
    "CallToolResult",
    { content: [7] },
    "content[0]: expected an object, got 7",
    ["content", 0],
  ],
  [
    "CallToolResult",
    { content: [[]] },
    "content[0]: expected an object, got an array",
    ["content", 0],
  ],
  [
    "CallToolResult",
    { content: [null] },
    "content[0]: expected an object, got null",
    ["content", 0],
  ],
  ["ContentBlock", undefined, "expected an object, got nothing", []],
  ["ContentBlock", "text", 'expected an object, got "text"', []],
  [
    "CallToolResult",
    {
      content: [
        text,
        text,
        { type: "resource", resource: { uri: "file:///a" } },
      ],
    },
    "content[2].resource: expected TextResourceContents or BlobResourceContents, got an object",
    ["content", 2, "resource"],
  ],
  [
    "CallToolResult",
    { content: [{ ...text, annotations: { priority: 2 } }] },
    "content[0].annotations.priority: expected a number from 0 to 1, got 2",
    ["content", 0, "annotations", "priority"],
  ],
  [
    "CallToolResult",
    { content: [{ ...text, annotations: { audience: ["user", "nobody"] } }] },
    'content[0].annotations.audience[1]: expected "user" or "assistant", got "nobody"',
    ["content", 0, "annotations", "audience", 1],
  ],
  [
    "ListToolsResult",
    {
      tools: [
        { name: "a", inputSchema: { type: "object" } },
        { name: "b", inputSchema: { type: "array" } },
      ],
    },
    'tools[1].inputSchema.type: expected "object", got "array"',
    ["tools", 1, "inputSchema", "type"],
  ],
  [
    "ListToolsResult",
    {
      tools: [
        {
          name: "a",
          inputSchema: { type: "object", properties: { "a b": 1 } },
        },
      ],
    },
    'tools[0].inputSchema.properties["a b"]: expected an object, got 1',
    ["tools", 0, "inputSchema", "properties", "a b"],
  ],
  [
    "ClientRequest",
    { ...call, method: "tools/cal" },
    'method: expected "ping", "initialize", "completion/complete", "logging/setLevel", "prompts/get", ' +
      '"prompts/list", "resources/list", "resources/templates/list", "resources/read", "resources/subscribe", ' +
      '"resources/unsubscribe", "tools/call", "tools/list", "tasks/get", "tasks/result", "tasks/list" or ' +
      '"tasks/cancel", ' +
      'got "tools/cal"',
    ["method"],
  ],
  [
    "ClientRequest",
    { ...call, params: 3 },
    "params: expected an object, got 3",
    ["params"],
  ],
  [
    "JSONRPCMessage",
    { jsonrpc: "2.0" },
    "expected JSONRPCRequest, JSONRPCNotification, JSONRPCResultResponse or JSONRPCErrorResponse, got an object",
    [],
  ],
  [
    "URLElicitationRequiredError",
    {
      jsonrpc: "2.0",
      error: {
        code: -32042,
        message: "",
        data: { elicitations: [{ mode: "form" }] },
      },
    },
    'error.data.elicitations[0].mode: expected "url", got "form"',
    ["error", "data", "elicitations", 0, "mode"],
  ],
];

const schema = `${preamble}
export interface Deep { a: { b: { c: { d: { e: { f: { g: string }[] }[] } } } } }
export interface Odd { "": number; "__proto__": string; constructor: boolean; "with space": null; "ünïcödé": "x" }
/** @minimum 1 */
export interface Bounds {
  /** @minimum 1
   * @TJS-type number */
  least: number;
  /** @maximum 9 */
  most?: number;
  /** @maxItems 2 */
  few?: string[];
}
export type Mode = "on" | "off" | null | 3 | true;
export interface Open { state: "a" | "b" | string }
export type ClientRequest = InitializeRequest;
`;

const f = { g: 1 };
const odd = JSON.parse(
  '{"":0,"__proto__":"","constructor":true,"with space":null,"ünïcödé":"x"}',
) as Record<string, unknown>;
const bounds = { least: 1 };

const madeMessages: readonly Row[] = [
  [
    "Deep",
    { a: { b: { c: { d: { e: [{ f: [] }, { f: [{ g: "" }, f] }] } } } } },
    "a.b.c.d.e[1].f[1].g: expected a string, got 1",
    ["a", "b", "c", "d", "e", 1, "f", 1, "g"],
  ],
  ["Odd", { ...odd, "": "no" }, '[""]: expected a number, got "no"', [""]],
  ["Odd", {}, '[""]: expected a number, got nothing', [""]],
  [
    "Odd",
    JSON.parse('{"":0,"constructor":true,"with space":null,"ünïcödé":"x"}'),
    "__proto__: expected a string, got nothing",
    ["__proto__"],
  ],
  [
    "Odd",
    JSON.parse('{"":0,"__proto__":"","with space":null,"ünïcödé":"x"}'),
    "constructor: expected a boolean, got nothing",
    ["constructor"],
  ],
  [
    "Odd",
    Object.defineProperty({ ...odd, "with space": 0 }, "__proto__", {
      value: "",
      enumerable: true,
    }),
    '["with space"]: expected null, got 0',
    ["with space"],
  ],
  [
    "Bounds",
    { least: 0.5 },
    "least: expected a number of at least 1, got 0.5",
    ["least"],
  ],
  [
    "Bounds",
    { ...bounds, most: 10 },
    "most: expected a number of at most 9, got 10",
    ["most"],
  ],
  [
    "Bounds",
    { ...bounds, few: ["", "", ""] },
    "few: expected at most 2 items, got an array",
    ["few"],
  ],
  [
    "Bounds",
    { ...bounds, least: Infinity },
    "least: expected a number of at least 1, got Infinity",
    ["least"],
  ],
  ["Mode", "over", 'expected "on", "off", null, 3 or true, got "over"', []],
  ["Mode", false, 'expected "on", "off", null, 3 or true, got false', []],
  ["Open", { state: 1 }, "state: expected a string, got 1", ["state"]],
];

describe("the issue of an invalid value", async () => {
  const issuesOf = async (
    protocol: Protocol,
  ): Promise<(type: string, value: unknown) => unknown> => {
    const ours = await validators(protocol);
    return (type, value) => {
      const result = validator(ours, type).schema.safeParse(value);
      return result.success ? "accepted" : result.error.issues;
    };
  };
  const official = await issuesOf(await revision("2025-11-25"));
  const own = await issuesOf(await protocolOf(schema));

  it.each(messages)(
    "of the type %s has the path, the expected and the actual value: row %#",
    (type, value, message, path) => {
      expect(official(type, value)).toEqual([{ message, path }]);
    },
  );

  it.each(madeMessages)(
    "of the made-up type %s has the path, even with unusual names: row %#",
    (type, value, message, path) => {
      expect(own(type, value)).toEqual([{ message, path }]);
    },
  );
});
