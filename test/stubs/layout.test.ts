import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { fixture, project, snapshotOf } from "./project.js";

const tool = (name: string): object => ({
  name,
  inputSchema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
  outputSchema: { type: "object", properties: { b: { type: "string" } } },
});
const prompt = (name: string): object => ({ name, arguments: [{ name: "a", required: true }] });
const long = "stations-of-the-coast";
/** A server all of whose names are of so many letters. */
const named = (letters: number): string => {
  const name = "observationsOfTheStationsAlongTheNorthernCoast".slice(0, letters);
  return snapshotOf({
    server: { name, version: "1.0.0" },
    capabilities: { completions: {}, prompts: {}, resources: { subscribe: true }, tools: {} },
    tools: [tool(name), { name: `${name}B`, inputSchema: { type: "object" } }],
    prompts: [{ name, arguments: [{ name, required: true }] }, { name: `${name}B` }],
    resources: [{ name, uri: "a://b" }],
    resourceTemplates: [{ name: `${name}C`, uriTemplate: `a://{${name}}/{c}` }],
  });
};
const whole = {
  server: { name: "coastal-weather-server", version: "1.0.0" },
  capabilities: { completions: {}, prompts: {}, resources: { subscribe: true }, tools: {} },
  tools: [tool(long), tool("add_observations"), tool("x")],
  prompts: [prompt(long), { name: "plain" }],
  resources: [{ name: long, uri: "a://b" }],
  resourceTemplates: [{ name: "station", uriTemplate: "a://{b}/{c}" }],
};

const snapshots: readonly (readonly [what: string, snapshot: string])[] = [
  ["one that offers nothing", snapshotOf({})],
  ["one with tools alone", snapshotOf({ tools: [tool("x")] })],
  ["one with prompts alone", snapshotOf({ prompts: [prompt("x")] })],
  [
    "one with prompts alone, in a revision without a handshake",
    snapshotOf({ prompts: [prompt("x")], revision: "2026-07-28" }),
  ],
  ["one with a resource alone", snapshotOf({ resources: [{ name: "x", uri: "a://b" }] })],
  ["one with a template alone", snapshotOf({ resourceTemplates: [{ name: "x", uriTemplate: "a://{b}" }] })],
  ["one that offers all there is", snapshotOf(whole)],
  [
    "one that offers all there is, in a revision without a handshake",
    snapshotOf({ ...whole, revision: "2026-07-28" }),
  ],
  ...[20, 25, 28].map((letters) => [`one whose names have ${letters} letters`, named(letters)] as const),
  ["one of the first revision", fixture("weather").replace("2025-11-25", "2024-11-05")],
];

describe("the stubs of a server are laid out as prettier would", () => {
  it.each(snapshots)("%s", async (_, text) => {
    const { all } = await project(text);
    for (const [path, found] of all) {
      if (!path.startsWith("protocol/"))
        expect(found, path).toBe(await format(found, { parser: "typescript" }));
    }
  });
});
