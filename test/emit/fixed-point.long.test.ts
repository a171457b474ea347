import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import type { GenerateOptions, Part } from "../../src/generator/generate.js";
import { allParts } from "../../src/generator/generate.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { hostile } from "../hostile/corpus.js";
import { sample } from "../hostile/protocol.js";
import { filled, slotsOf } from "../hostile/slots.js";
import { readPath } from "../../src/generator/read/index.js";
import { Diagnostics } from "../../src/generator/diagnostics.js";
import { revisions } from "../read/typescript/reading.js";
import { root } from "../repository.js";
import { generated } from "../view/generated.js";

/**
 * The result of Prettier for each text, because most files are the same for
 * many options.
 */
const formatted = new Map<string, string>();

async function differences(
  protocols: readonly Protocol[],
  options: Partial<GenerateOptions> = {},
): Promise<string[]> {
  const { files } = generated(protocols, options);
  const differences: string[] = [];
  for (const [path, text] of files) {
    // The sources of the runtime have the formatting of this project.
    if (path.startsWith("runtime/")) continue;
    const expected =
      formatted.get(text) ?? (await format(text, { parser: "typescript" }));
    formatted.set(text, expected);
    if (expected !== text)
      differences.push(`${path}\n${firstDifference(text, expected)}`);
  }
  return differences;
}

function firstDifference(actual: string, expected: string): string {
  const [ours, theirs] = [actual.split("\n"), expected.split("\n")];
  const at = ours.findIndex((line, i) => line !== theirs[i]);
  const around = (lines: readonly string[], sign: string): string =>
    lines
      .slice(Math.max(0, at - 2), at + 6)
      .map((line) => `${sign} ${line}`)
      .join("\n");
  return `${around(ours, "-")}\n${around(theirs, "+")}`;
}

const all = await revisions();
/**
 * The oldest and the newest revision, or all revisions at full size
 * (`npm run test:vectors`).
 */
const eras =
  process.env["MCPGEN_VECTORS"] === undefined
    ? all.filter((_, i) => i === 0 || i === all.length - 1)
    : all;

describe("generated files are formatted as Prettier formats them", () => {
  it.each(all.map((protocol) => ({ revision: protocol.revision, protocol })))(
    "for revision $revision",
    async ({ protocol }) => {
      expect(await differences([protocol])).toEqual([]);
    },
  );

  it("for all revisions together", async () => {
    expect(await differences(all)).toEqual([]);
  });

  it("for two revisions, in either order", async () => {
    expect(await differences(all.slice(-2))).toEqual([]);
    expect(await differences(all.slice(0, 2).reverse())).toEqual([]);
  });

  it.each(["ts", "none"] as const)(
    "with --import-ext %s",
    async (importExtension) => {
      expect(await differences(eras, { importExtension })).toEqual([]);
      expect(await differences(all.slice(0, 1), { importExtension })).toEqual(
        [],
      );
    },
  );

  it("with a copied runtime", async () => {
    const texts = JSON.parse(
      readFileSync(join(root, "dist/vendored.json"), "utf8"),
    ) as Record<string, string>;
    const source = new Map(Object.entries(texts));
    expect(
      await differences(eras, { runtime: "vendored", runtimeSource: source }),
    ).toEqual([]);
    expect(
      await differences(all.slice(0, 1), {
        runtime: "vendored",
        runtimeSource: source,
      }),
    ).toEqual([]);
  });

  it.each(allParts)("with only the part %s", async (part: Part) => {
    expect(await differences(eras, { emit: [part] })).toEqual([]);
    expect(await differences(all.slice(-1), { emit: [part] })).toEqual([]);
  });

  it.each(["made-up", "2024-10-07-alike"])(
    "for an unknown schema: %s",
    async (name) => {
      const protocol = await readPath(
        `test/fixtures/${name}`,
        {},
        new Diagnostics(),
      );
      if (protocol === null) throw new Error(`${name} was not read`);
      expect(await differences([protocol])).toEqual([]);
      expect(await differences([protocol, ...all.slice(-1)])).toEqual([]);
    },
  );

  // The output differs from Prettier in two cases: a single name that fills a
  // line, and names outside ASCII, which stay quoted so that no letter can be
  // mistaken for another.
  const short = hostile.filter((text) => /^[\n\r\x20-\x7e]{0,24}$/.test(text));

  it("for hostile text in every slot", async () => {
    const protocol = await sample();
    const slots = slotsOf(protocol);
    const results: string[] = [];
    for (let turn = 0; turn < short.length; turn += 3) {
      const texts = slots.map(
        (slot, i) => [slot, short[(turn + i) % short.length] ?? ""] as const,
      );
      results.push(...(await differences([filled(protocol, texts)])));
    }
    expect(results).toEqual([]);
  });
});
