import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  Diagnostics,
  formatDiagnostic,
} from "../../src/generator/diagnostics.js";
import type { Part } from "../../src/generator/generate.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { readPath } from "../../src/generator/read/index.js";
import { compile } from "../view/compile.js";
import { generated, load } from "../view/generated.js";

/*
 * Each case is a schema of some ten lines with one construct, and its generated files, to be reviewed like code. After an
 * intended change of the output, rewrite the files and read the difference:
 *
 *     npx vitest run --config test/vitest.config.ts --root . test/golden --update
 */
const folder = fileURLToPath(new URL(".", import.meta.url));

/** The expected files of each case; one of those with messages has all files, and stubs/ has those of a legacy revision. */
const partsByCase: Readonly<Record<string, readonly Part[]>> = {
  bounds: ["types", "validators"],
  documented: ["types", "validators"],
  "embedded-request": ["types", "validators", "dispatch", "client", "server"],
  "inline-params": ["types", "validators"],
  "open-enum": ["types", "validators"],
  "quoted-names": ["types", "validators"],
  recursive: ["types", "validators"],
  "repeated-object": ["types", "validators"],
  "tagged-union": ["types", "validators"],
};

const cases = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  existsSync(join(folder, entry.name, "schema.ts")) ? [entry.name] : [],
);

async function read(name: string): Promise<Protocol> {
  const diagnostics = new Diagnostics();
  const options = { name: "schema.ts", revision: "golden" };
  const protocol = await readPath(join(folder, name), options, diagnostics);
  if (protocol === null)
    throw new Error(diagnostics.list.map(formatDiagnostic).join("\n"));
  // A digest of the text would change with every comment.
  return {
    ...protocol,
    source: { ...protocol.source, sha256: "0".repeat(64) },
  };
}

it("each golden folder with a schema is listed as a case", () => {
  expect(cases).toEqual(Object.keys(partsByCase).sort());
});

describe.each(cases)("the golden case %s", async (name) => {
  const protocol = await read(name);
  const parts = partsByCase[name] ?? [];
  const { files } = generated([protocol], { emit: parts });
  const again = generated([JSON.parse(JSON.stringify(protocol)) as Protocol], {
    emit: parts,
  });

  it.each(parts)("generates exactly the expected %s.ts", async (part) => {
    await expect(files.get(`${part}.ts`) ?? "").toMatchFileSnapshot(
      join(folder, name, "out", `${part}.ts`),
    );
  });

  it("has no expected file that is not generated", () => {
    const out = join(folder, name, "out");
    const names = existsSync(out) ? readdirSync(out).sort() : [];
    expect(names).toEqual(parts.map((part) => `${part}.ts`).sort());
  });

  it("generates the same files from the protocol that is written as JSON and parsed", () => {
    expect([...again.files]).toEqual([...files]);
  });

  it("compiles with the strictest options", () => {
    expect(compile(files)).toEqual([]);
  });

  it("loads, and its guards reject undefined", async () => {
    const module = await load(files, "validators.ts");
    const guards = Object.entries(module).filter(([export_]) =>
      export_.startsWith("is"),
    );
    expect(guards.length).toBeGreaterThan(0);
    for (const [, guard] of guards)
      expect((guard as (value: unknown) => boolean)(undefined)).toBe(false);
  });
});
