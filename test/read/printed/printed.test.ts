import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { root } from "../../repository.js";
import { isWhole, runs } from "../../whole.js";
import { disagreement, losses } from "./agreement.js";
import { declarations } from "./declarations.js";
import { isInstalled, printed } from "./generator.js";

// Declarations made at random, and what the generator of the protocol's
// schema.json (typescript-json-schema) prints of them. `npm test` reads what it
// has printed once; with the generator, which `node test/install.mjs bench`
// installs, `npm run test:long` makes others.
const path = join(root, "test/read/printed/printed.json");
const recorded = JSON.parse(readFileSync(path, "utf8")) as readonly {
  readonly text: string;
  readonly json: object | null;
}[];

describe("a schema.ts of any declarations and the schema.json that is printed of it", () => {
  it("say the same, but for what the generator loses by name", async () => {
    const found = new Set<string>();
    for (const { text, json } of recorded)
      expect(await disagreement(text, json, found), text).toEqual([]);
    expect([...found].sort()).toEqual(Object.keys(losses).sort());
  });

  it("differ if one has another member, value or type", async () => {
    const [{ text, json } = { text: "", json: null }] = recorded.filter(
      (row) => row.json !== null,
    );
    for (const [from, to] of [
      ["id: string", "id: number"],
      ['"k" | "l"', '"k" | "m"'],
      ["at: number", "at?: number"],
      ['Red = "red"', 'Red = "pink"'],
    ] as const)
      expect(
        await disagreement(text.replace(from, to), json),
        from,
      ).not.toEqual([]);
  });

  it.skipIf(!isWhole || !isInstalled)(
    "say so too where the generator has just printed it",
    async () => {
      await fc.assert(
        fc.asyncProperty(declarations, async (text) => {
          expect(await disagreement(text, printed(text))).toEqual([]);
        }),
        { numRuns: runs(60) },
      );
    },
    600_000,
  );

  it.skipIf(!isWhole || !isInstalled)(
    "are recorded as the generator prints them",
    async () => {
      const texts = fc.sample(declarations, { seed: 51, numRuns: 14 });
      const rows = texts.map((text) =>
        JSON.stringify({ text, json: printed(text) }),
      );
      await expect(`[\n${rows.join(",\n")}\n]\n`).toMatchFileSnapshot(path);
    },
    600_000,
  );
});
