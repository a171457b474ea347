import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { diff } from "../../../src/generator/ir/diff/index.js";
import { messages } from "../../../src/generator/ir/facts.js";
import { bundled } from "../../../src/generator/read/index.js";
import { messageOf, read, revision } from "./reading.js";
import { sampled } from "../../whole.js";

const revisions = (await bundled()).map((entry) => entry.revision);

/**
 * A bundled revision in which each of these methods has another name, and what
 * the reader reports.
 */
async function renaming(name: string, methods: readonly string[]) {
  const text = readFileSync(`schema/${name}/schema.ts`, "utf8");
  const renamed = methods.reduce(
    (all, method) => all.replaceAll(`"${method}"`, `"${method}/anew"`),
    text,
  );
  const { protocol, reports } = await read(renamed, {
    file: `schema/${name}/schema.ts`,
  });
  if (protocol === null) throw new Error(JSON.stringify(reports));
  return { protocol, reports };
}

describe("a method that a schema has renamed", () => {
  const some = sampled(revisions, (name) => name === revisions.at(-1));
  it.each(some)(
    "keeps all that facts say of it, whichever it is, with a note: %s",
    async (name) => {
      const before = await revision(name);
      const known = new Set(messages.map(({ method }) => method));
      const methods = before.messages
        .map(({ method }) => method)
        .filter((method) => known.has(method));
      expect(methods.length).toBeGreaterThan(10);
      const { protocol, reports } = await renaming(name, methods);
      const newName = (method: string): string =>
        known.has(method) ? `${method}/anew` : method;
      for (const message of before.messages) {
        const { method, params: _, ...facts } = message;
        expect(messageOf(protocol, newName(method))).toMatchObject(facts);
      }
      expect(protocol.wellKnown).toEqual(
        Object.fromEntries(
          Object.entries(before.wellKnown).map(([role, method]) => [
            role,
            newName(method),
          ]),
        ),
      );
      expect(protocol.errors).toEqual(before.errors);
      expect(
        reports.map(({ code, severity }) => `${severity} ${code}`),
      ).toEqual(methods.map(() => "note MG410"));
      const { differences } = diff(before, protocol);
      const changes = differences
        .filter(({ effects }) => effects.length > 0)
        .map(({ change }) => change);
      expect(changes).toEqual(methods.map(() => "method-renamed"));
    },
  );

  it("is named with its position, its old name and what to do", async () => {
    const { reports } = await renaming("2026-07-28", ["resources/read"]);
    const line = readFileSync("schema/2026-07-28/schema.ts", "utf8")
      .split("\n")
      .findIndex((text) => text.includes('"resources/read"'));
    expect(reports).toMatchObject([
      {
        code: "MG410",
        location: { line: line + 1 },
        message:
          '"resources/read/anew" is taken for "resources/read", which has the type ReadResourceRequest in other revisions, with its header, capability and errors',
        hint: expect.stringContaining("check what the prose says") as string,
      },
    ]);
  });

  it("has no facts of a method that the schema still has, under another type", async () => {
    const { protocol, reports } = await read(`
      export interface Request { method: string }
      export interface Result { a?: 1 }
      export interface ReadResourceRequest extends Request { method: "other/read"; params: { uri: string } }
      export interface ReadRequest extends Request { method: "resources/read"; params: { uri: string } }
      export type ClientRequest = ReadResourceRequest | ReadRequest;
      export type EmptyResult = Result;
      export interface InitializeRequest extends Request { method: "initialize" }`);
    expect(protocol?.wellKnown.readResource).toBe("resources/read");
    expect(reports.map(({ code }) => code)).not.toContain("MG410");
  });
});
