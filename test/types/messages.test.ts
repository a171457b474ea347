import { describe, expect, it } from "vitest";
import { fixture, project } from "../stubs/project.js";
import { openEditor } from "./editor.js";

const weather = await project(fixture("weather"));
const editor = openEditor("weather-in-memory", weather.all);

/** Returns a program with a statement for each way to write a handler. */
type Write = (...handlers: readonly string[]) => string;

const server =
  (of: string) =>
  (method: string): Write =>
  (...handlers) =>
    `import { createServer${of === "index" ? "s" : ""} as create } from "../generated/${of}.js";
const info = { name: "x", version: "1" };
${handlers.map((one) => `create({ info, handlers: { "${method}": ${one} } });`).join("\n")}`;
const oldest = server("2024-11-05/server");
const newest = server("2026-07-28/server");
const all = server("index");

const featured: Write = (
  ...handlers
) => `import { type StandardSchema, tools } from "@mcpgen/runtime/features";
declare const outputSchema: StandardSchema<unknown, { place: string; winds: { speed: number }[] }>;
tools([
  { name: "bare", handler: () => 7 },
  ${handlers.map((one, i) => `{ name: "wind${i}", outputSchema, handler: ${one} },`).join("\n  ")}
]);`;

const stub =
  (kind: string, name: string): Write =>
  (...handlers) =>
    `import { createWeatherServer, type WeatherHandlers } from "./server.js";
declare const rest: WeatherHandlers;
${handlers.map((one) => `createWeatherServer({ ...rest, ${kind}: { ...rest.${kind}, ${name}: ${one} } });`).join("\n")}`;

const text = '({ content: [{ type: "text", text: 7 }] })';
const noText = '({ content: [{ type: "text" }] })';
const messages = '({ messages: [{ role: "user", content: { type: "text", text: 7 } }] })';
const contents = '({ contents: [{ uri: "a:b", text: 7 }] })';
const number = "text: Type 'number' is not assignable to type 'string'.";
const missing = `Property 'text' is missing in type '{ type: "text"; }' but required in type 'TextContent'.`;

const rows: readonly [where: string, write: Write, result: string, fault: string][] = [
  ["tools/call of 2024-11-05", oldest("tools/call"), text, number],
  ["tools/call of 2026-07-28", newest("tools/call"), text, number],
  ["tools/call of 2026-07-28", newest("tools/call"), noText, missing],
  ["prompts/get of 2026-07-28", newest("prompts/get"), messages, number],
  ["resources/read of 2026-07-28", newest("resources/read"), contents, number],
  [
    "tools/list of 2026-07-28",
    newest("tools/list"),
    '({ tools: [{ name: "x" }] })',
    "Property 'inputSchema' is missing in type '{ name: string; }' but required in type 'Tool'.",
  ],
  ["tools/call of all revisions", all("tools/call"), text, number],
  ["prompts/get of all revisions", all("prompts/get"), messages, number],
  [
    "a tool of tools()",
    featured,
    '({ place: "x", winds: [{ speed: "9" }] })',
    "speed: Type 'string' is not assignable to type 'number'.",
  ],
  [
    "a tool of tools()",
    featured,
    '({ place: "x" })',
    "Property 'winds' is missing in type '{ place: string; }' but required in type '{ place: string; winds: { speed: number; }[]; }'.",
  ],
  [
    "a tool of tools()",
    featured,
    "({ structuredContent: { place: 7, winds: [] }, content: [] })",
    "place: Type 'number' is not assignable to type 'string'.",
  ],
  [
    "a tool of a project",
    stub("tools", "getWeather"),
    '({ conditions: [], temperature: "9" })',
    "temperature: Type 'string' is not assignable to type 'number'.",
  ],
  [
    "a tool of a project",
    stub("tools", "getWeather"),
    "({ conditions: [] })",
    "Property 'temperature' is missing in type '{ conditions: never[]; }' but required in type 'GetWeatherOutput'.",
  ],
  ["a tool of a project", stub("tools", "warn"), text, number],
  ["a prompt of a project", stub("prompts", "packingList"), messages, number],
  ["a resource of a project", stub("resources", "station"), contents, number],
];

const forms: readonly ((result: string) => string)[] = [
  (result) => `() => ${result}`,
  (result) => `async () => ${result}`,
  (result) => `() => { return ${result}; }`,
  (result) => `async () => { return ${result}; }`,
  (result) => `async (params, context) => { void [params, context]; return ${result}; }`,
];

describe("the compiler's message about a wrong result of a handler", () => {
  it.each(rows)("names the wrong member in each way to write the handler: %s", (_, write, result, fault) => {
    const handlers = forms.map((form) => form(result));
    expect(editor.faults(write(...handlers))).toEqual(handlers.map(() => fault));
  });
});

const features = (text: string): string =>
  `import { prompts, resources, type StandardSchema, tools } from "@mcpgen/runtime/features";
declare const inputSchema: StandardSchema<{ city: string; days: number }>;
${text}`;
const own = ["auth", "client", "log", "meta", "notify", "once", "progress", "release"];
const context = [...own, "request", "requestId", "revision", "sessionEnd", "signal"];
// The server of the project declares neither logging nor list changes, and its
// handlers have the short forms of questions.
const quiet = [...context, "elicit", "sample"].filter((name) => name !== "log" && name !== "notify").sort();

describe("an editor", () => {
  it.each([
    [
      "a list of tools",
      features('tools([{ name: "a", inputSchema, handler: (args, it) => it.| }]);'),
      context,
    ],
    [
      "a list of tools with a result",
      features('tools([{ name: "a", outputSchema: inputSchema, async handler(args, it) { it.| } }]);'),
      context,
    ],
    ["a function that returns tools", features("tools((it) => { it.| });"), context],
    [
      "a tool that a function returns",
      features('tools(() => [{ name: "a", inputSchema, handler: (args, it) => it.| }]);'),
      context,
    ],
    [
      "a tool that an asynchronous function returns",
      features('tools(async () => [{ name: "a", handler: (args, it) => it.| }]);'),
      context,
    ],
    ["a list of resources", features('resources([{ uri: "a:b", name: "b", read: (it) => it.| }]);'), context],
    [
      "a function that returns resources",
      features('resources(() => [{ uri: "a:b", name: "b", read: (it) => it.| }]);'),
      context,
    ],
    ["a list of prompts", features('prompts([{ name: "p", get: (args, it) => it.| }]);'), context],
    ["a handler of a revision", newest("tools/call")("(params, it) => it.|"), context],
    ["a handler of all revisions", all("tools/call")("(params, it) => it.|"), context],
    ["a tool of a project", stub("tools", "warn")("(args, it) => it.|"), quiet],
  ])("completes the members of the context in %s", (_, text, expected) => {
    expect(editor.offers(text)).toEqual(expected);
  });

  it("completes the arguments of a tool and the variables of a template", () => {
    const tool = features('tools([{ name: "a", inputSchema, handler: (args) => args.| }]);');
    expect(editor.offers(tool)).toEqual(["city", "days"]);
    const resource = features(
      'resources([{ uriTemplate: "a:{b}{?c}", name: "a", read: (variables) => variables.| }]);',
    );
    expect(editor.offers(resource)).toEqual(["b", "c"]);
  });
});
