import { appendFileSync } from "node:fs";
import { McpError } from "@mcpgen/runtime";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers, serverQuestions } from "../../generated/index.js";

const object = (
  properties: object,
  required: readonly string[] = [],
  more: object = {},
): object => ({
  type: "object",
  properties,
  required,
  ...more,
});

/** The tools of the server; each tests one part of `mcpgen call`. */
const tools = [
  {
    name: "echo",
    description: "Returns its arguments.\nMore.",
    inputSchema: object(
      {
        city: { type: "string" },
        days: { type: "integer" },
        exact: { type: "boolean" },
        ratio: { type: "number" },
        tags: { type: "array", items: { type: "string" } },
        levels: { type: "array", items: { type: "integer" } },
        place: { $ref: "#/$defs/place" },
        unit: { enum: ["metric", "imperial"] },
        note: { type: ["string", "null"] },
        either: { anyOf: [{ type: "integer" }, { type: "string" }] },
        any: {},
      },
      ["city"],
      { $defs: { place: object({ lat: { type: "number" } }) } },
    ),
  },
  {
    name: "unions",
    inputSchema: object(
      {
        ids: {
          anyOf: [
            { type: "array", items: { type: "string" } },
            { type: "null" },
          ],
        },
        one: { oneOf: [{ type: "null" }, { $ref: "#/$defs/texts" }] },
        nested: {
          anyOf: [
            { anyOf: [{ $ref: "#/$defs/texts" }, { type: "null" }] },
            { type: "boolean" },
          ],
        },
        either: {
          anyOf: [
            { type: "array", items: { type: "integer" } },
            { type: "array", items: { enum: ["1"] } },
          ],
        },
        free: {
          anyOf: [
            { type: "array" },
            { $ref: "#/$defs/texts" },
            { type: "null" },
          ],
        },
        text: {
          anyOf: [
            { type: "array", items: { type: "integer" } },
            { type: "string" },
          ],
        },
        mixed: { enum: ["1", 2, "true", null, "x"] },
        both: { enum: ["1", 1] },
        constants: { anyOf: [{ const: "1" }, { const: 2 }] },
        mixes: { type: "array", items: { enum: ["1", 2] } },
      },
      [],
      { $defs: { texts: { type: "array", items: { type: "string" } } } },
    ),
  },
  {
    name: "names",
    inputSchema: object({
      "-depth": { type: "integer" },
      "--deep": { type: "boolean" },
      "-": {},
      "a b": { type: "string" },
      url: { type: "string" },
      version: { type: "string" },
      list: { type: "string" },
      out: { type: "string" },
      on: { type: "boolean" },
    }),
  },
  {
    name: "closed",
    inputSchema: object({ a: { type: "string" } }, [], {
      additionalProperties: false,
    }),
  },
  { name: "open", inputSchema: { type: "object" } },
  { name: "fail", inputSchema: { type: "object" } },
  { name: "reject", inputSchema: { type: "object" } },
  {
    name: "hostile",
    description: "a\u001b[2Jb\u202ec",
    inputSchema: object({ "x\u001b]0;y\u0007": {} }),
  },
  { name: "all", inputSchema: { type: "object" } },
  {
    name: "structured",
    inputSchema: { type: "object" },
    outputSchema: { type: "object" },
  },
  { name: "picture", inputSchema: { type: "object" } },
  { name: "report", inputSchema: { type: "object" } },
  { name: "slow", inputSchema: { type: "object" } },
  { name: "ask", inputSchema: { type: "object" } },
  {
    name: "region",
    inputSchema: object({
      region: { type: "string", "x-mcp-header": "Region" },
    }),
  },
] as const;

type Content = { readonly type: "text"; readonly text: string };
const text = (value: string): Content => ({ type: "text", text: value });

/**
 * The argument `of` of each call of `slow` that was cancelled, for a server in
 * this process.
 */
export const cancelled: string[] = [];

/** A server of all revisions. */
export const servers = createServers({
  info: { name: "calling", version: "1.0.0" },
  questions: serverQuestions,
  handlers: {
    "prompts/list": () => ({ prompts: [{ name: "review" }] }),
    "prompts/get": ({ name, arguments: args = {} }) => {
      if (name !== "review")
        throw new McpError(-32602, "There is no such prompt.");
      return {
        messages: [
          {
            role: "user",
            content: text(`Review ${JSON.stringify(args)}\u001b[2J`),
          },
          {
            role: "assistant",
            content: { type: "image", data: "AAAA", mimeType: "image/png" },
          },
        ],
      };
    },
    "resources/list": () => ({ resources: [] }),
    "resources/read": ({ uri }) => ({
      contents: [
        { uri, text: "one\n\u001b[2Jtwo" },
        { uri, blob: "AAAA", mimeType: "image/png" },
      ],
    }),
    "tools/list": () => ({ tools: tools as never }),
    "tools/call": async ({ name, arguments: args = {} }, context) => {
      if (name === "fail")
        return {
          content: [text("no such city: \u001b[31mParis")],
          isError: true,
        };
      if (name === "reject")
        throw new McpError(-32602, "The city is \u001b[31mclosed.");
      if (name === "hostile")
        return { content: [text("a\tb\r\nc\u001b[2Jd\u202e\u0007")] };
      if (name === "structured") {
        const value = { city: "Paris", mark: "\u009b2J" };
        return {
          content: [text("It rains."), text(JSON.stringify(value))],
          structuredContent: value,
        };
      }
      if (name === "all") {
        // Not every revision has links.
        return {
          content: [
            { type: "image", data: "AAAA", mimeType: "image/png" },
            { type: "audio", data: "AAAAAA==", mimeType: "audio/wav" },
            { type: "resource_link", uri: "file:///a", name: "a\u001b" },
            {
              type: "resource",
              resource: {
                uri: "file:///b",
                mimeType: "text/plain",
                text: "hello",
              },
            },
            { type: "resource", resource: { uri: "file:///c", blob: "AAAA" } },
          ],
        } as never;
      }
      if (name === "picture")
        return {
          content: [
            text("A dot."),
            { type: "image", data: "iVBORw==", mimeType: "image/png" },
            { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
          ],
        } as never;
      if (name === "report") return { content: [text("a\u001b[2J\tb\r\n")] };
      if (name === "ask") {
        const properties = {
          who: { type: "string", title: "Your name\u001b[2J" },
          age: { type: "integer" },
          unit: { type: "string", enum: ["metric", "imperial"] },
          sure: { type: "boolean" },
        };
        const form = {
          message: "Who?",
          requestedSchema: {
            type: "object",
            properties,
            required: ["who", "unit"],
          },
        };
        const page = {
          mode: "url",
          message: "Sign in.",
          // A host of Cyrillic letters.
          url: "https://аррӏе.test/a",
          elicitationId: "1",
        };
        const kind = Object.keys(args as object)[0];
        const both = { ...form, url: "javascript:alert(1)" };
        const params = kind === "page" ? page : kind === "both" ? both : form;
        const answer = await context.request(
          "elicitation/create",
          params as never,
        );
        return { content: [text(JSON.stringify(answer))] };
      }
      if (name === "slow") {
        context.progress(1, 4, "reading \u001b[2J");
        await new Promise<void>((resolve) => {
          context.signal.addEventListener("abort", () => {
            cancelled.push(String((args as { of?: unknown }).of));
            if (process.env["CANCELLED"] !== undefined)
              appendFileSync(process.env["CANCELLED"], name);
            resolve();
          });
        });
      }
      return { content: [text(JSON.stringify(args))] };
    },
  },
});

// The tests also bundle this file as a program.
if (process.argv[1]?.endsWith("server.mjs") === true) await serveStdio(servers);
