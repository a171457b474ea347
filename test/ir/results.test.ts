import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contextFor } from "../../src/generator/generate.js";
import { variantsOf } from "../../src/generator/view/roles/index.js";
import { read } from "../read/typescript/reading.js";
import { root } from "../repository.js";

const schema = readFileSync(join(root, "schema/2026-07-28/schema.ts"), "utf8");

/** The results of a call and its variants, with another type of its result. */
async function resultsOf(type: string): Promise<unknown> {
  const text = `${schema.replace("result: CallToolResult | InputRequiredResult;", `result: ${type};`)}
    export type WaitKind = "wait";
    export interface WaitResult extends Result { resultType: WaitKind; days: number }
    export interface DoneResult extends Result { resultType: "complete" }
    export type MixedResult = WaitResult | { resultType: "complete" };
    export type AnyResult = WaitResult | Rest;
    export type Rest = CallToolResult | InputRequiredResult;`;
  const { protocol, reports } = await read(text, { file: "next/schema.ts" });
  expect(reports.filter(({ severity }) => severity === "error")).toEqual([]);
  const call = protocol?.messages.find(({ method }) => method === "tools/call");
  if (!protocol || call?.kind !== "request") throw new Error("not read");
  const variants = variantsOf(contextFor(protocol), call);
  return [call.results, variants.map(({ kind }) => kind)];
}

describe("a result of a request in the schema of a revision", () => {
  it.each([
    "CallToolResult | InputRequiredResult | WaitResult",
    "WaitResult | InputRequiredResult | CallToolResult",
    "AnyResult",
  ])("is another kind if its own resultType says so: %s", async (type) => {
    expect(await resultsOf(type)).toEqual([
      ["CallToolResult", "WaitResult", "InputRequiredResult"],
      ["wait"],
    ]);
  });

  it("is a union as a whole if the union also has an object without a name", async () => {
    expect(await resultsOf("CallToolResult | MixedResult")).toEqual([
      ["CallToolResult", "MixedResult"],
      [],
    ]);
  });

  it("is no other kind if its resultType is that of the ordinary result", async () => {
    expect(await resultsOf("CallToolResult | DoneResult")).toEqual([
      ["CallToolResult", "DoneResult"],
      [],
    ]);
  });
});
