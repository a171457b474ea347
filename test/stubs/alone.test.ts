import { describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { project, revision, snapshotOf } from "./project.js";

const offers: readonly (readonly [what: string, members: Readonly<Record<string, unknown>>])[] = [
  ["nothing", {}],
  ["a tool", { tools: [{ name: "x", inputSchema: { type: "object" } }] }],
  ["a prompt", { prompts: [{ name: "x" }] }],
  ["a resource", { resources: [{ name: "x", uri: "a://b" }] }],
  ["a template", { resourceTemplates: [{ name: "x", uriTemplate: "a://{b}" }] }],
];
// The first revision, one whose results the engine completes, and what is between them.
const revisions = ["2024-11-05", "2025-11-25", "2026-07-28"];

describe.each(revisions)("the stubs of a server of revision %s that offers nothing else", (name) => {
  it.each(offers)("than %s pass the strictest compiler", async (_, members) => {
    const { all } = await project(snapshotOf(members), { protocol: await revision(name) });
    expect(compile(all)).toEqual([]);
  });
});
