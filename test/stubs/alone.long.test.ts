import { describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { project, revision, snapshotOf } from "./project.js";

const offers: readonly (readonly [
  what: string,
  members: Readonly<Record<string, unknown>>,
])[] = [
  ["nothing", {}],
  ["only a tool", { tools: [{ name: "x", inputSchema: { type: "object" } }] }],
  ["only a prompt", { prompts: [{ name: "x" }] }],
  ["only a resource", { resources: [{ name: "x", uri: "a://b" }] }],
  [
    "only a template",
    { resourceTemplates: [{ name: "x", uriTemplate: "a://{b}" }] },
  ],
  ["a version that is a number", { server: { name: "x", version: 1 } }],
  ["neither a name nor a version", { server: {} }],
];
// The oldest revision, a legacy one with many features, and a modern one.
const revisions = ["2024-11-05", "2025-11-25", "2026-07-28"];

describe.each(revisions)("the stubs of a server of revision %s", (name) => {
  it.each(offers)(
    "compile with the strictest options if the server offers %s",
    async (_, members) => {
      const { all } = await project(snapshotOf(members), {
        protocol: await revision(name),
      });
      expect(compile(all)).toEqual([]);
    },
  );
});
