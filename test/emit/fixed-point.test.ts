import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import type { GenerateOptions, Part } from "../../src/generate.js";
import { PARTS } from "../../src/generate.js";
import type { Protocol } from "../../src/ir/model.js";
import { hostile } from "../hostile/corpus.js";
import { sample } from "../hostile/protocol.js";
import { filled, slotsOf } from "../hostile/slots.js";
import { readPath } from "../../src/read/index.js";
import { Diagnostics } from "../../src/diagnostics.js";
import { revisions } from "../read/typescript/reading.js";
import { generated } from "../view/generated.js";

const runtime = fileURLToPath(new URL("../../src/runtime/", import.meta.url));

/** What prettier made of each text: most files come out alike whatever else is asked for. */
const formatted = new Map<string, string>();

async function differences(
  protocols: readonly Protocol[],
  options: Partial<GenerateOptions> = {},
): Promise<string[]> {
  const { files } = generated(protocols, options);
  const found: string[] = [];
  for (const [path, text] of files) {
    // The runtime's own sources are formatted as this project is, not as what it generates.
    if (path.startsWith("runtime/")) continue;
    const wanted = formatted.get(text) ?? (await format(text, { parser: "typescript" }));
    formatted.set(text, wanted);
    if (wanted !== text) found.push(`${path}\n${firstDifference(text, wanted)}`);
  }
  return found;
}

function firstDifference(found: string, wanted: string): string {
  const [ours, theirs] = [found.split("\n"), wanted.split("\n")];
  const at = ours.findIndex((line, i) => line !== theirs[i]);
  const around = (lines: readonly string[], sign: string): string =>
    lines
      .slice(Math.max(0, at - 2), at + 6)
      .map((line) => `${sign} ${line}`)
      .join("\n");
  return `${around(ours, "-")}\n${around(theirs, "+")}`;
}

const all = await revisions();
/** One revision of either era, or all of them at full size (`npm run test:vectors`): what depends on an option depends on no date. */
const eras =
  process.env["MCPGEN_VECTORS"] === undefined ? all.filter((_, i) => i === 0 || i === all.length - 1) : all;

describe("what is generated stays as it is when prettier formats it", () => {
  it.each(all.map((protocol) => ({ revision: protocol.revision, protocol })))(
    "for revision $revision",
    async ({ protocol }) => {
      expect(await differences([protocol])).toEqual([]);
    },
  );

  it("for all revisions together", async () => {
    expect(await differences(all)).toEqual([]);
  });

  it("for two of them, in either order", async () => {
    expect(await differences(all.slice(-2))).toEqual([]);
    expect(await differences(all.slice(0, 2).reverse())).toEqual([]);
  });

  it.each(["ts", "none"] as const)("with imports that end in: %s", async (importExtension) => {
    expect(await differences(eras, { importExtension })).toEqual([]);
    expect(await differences(all.slice(0, 1), { importExtension })).toEqual([]);
  });

  it("with the runtime beside it", async () => {
    const source = new Map(
      readdirSync(runtime, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts") && !/^(dist|node_modules)/.test(path))
        .map((path) => [path.replaceAll("\\", "/"), readFileSync(join(runtime, path), "utf8")]),
    );
    expect(await differences(eras, { runtime: "vendored", runtimeSource: source })).toEqual([]);
    expect(await differences(all.slice(0, 1), { runtime: "vendored", runtimeSource: source })).toEqual([]);
  });

  it.each(PARTS)("with %s alone", async (part: Part) => {
    expect(await differences(eras, { emit: [part] })).toEqual([]);
    expect(await differences(all.slice(-1), { emit: [part] })).toEqual([]);
  });

  it.each(["made-up", "2024-10-07-alike"])("for a schema that nobody has released: %s", async (name) => {
    const protocol = await readPath(`test/fixtures/${name}`, {}, new Diagnostics());
    if (protocol === null) throw new Error(`${name} was not read`);
    expect(await differences([protocol])).toEqual([]);
    expect(await differences([protocol, ...all.slice(-1)])).toEqual([]);
  });

  // Two things we leave to a user's own prettier: a single name that fills a line, and names outside ASCII, which stay
  // quoted with us so that no letter passes for another.
  const short = hostile.filter((text) => /^[\n\r\x20-\x7e]{0,24}$/.test(text));

  it("for text that was meant to do harm", async () => {
    const protocol = await sample();
    const slots = slotsOf(protocol);
    const found: string[] = [];
    for (let turn = 0; turn < short.length; turn += 3) {
      const texts = slots.map((slot, i) => [slot, short[(turn + i) % short.length] ?? ""] as const);
      found.push(...(await differences([filled(protocol, texts)])));
    }
    expect(found).toEqual([]);
  });
});
