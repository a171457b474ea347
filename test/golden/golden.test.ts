import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Diagnostics, formatDiagnostic } from "../../src/diagnostics.js";
import type { Part } from "../../src/generate.js";
import type { Protocol } from "../../src/ir/model.js";
import { readTypeScript } from "../../src/read/typescript/index.js";
import { compile } from "../view/compile.js";
import { generated, load } from "../view/generated.js";

/*
 * A schema of some ten lines and what is made of it, one construct a case, kept to be read like code. After a change of
 * the output that is meant, write it anew and read the difference:
 *
 *     npx vitest run --config test/vitest.config.ts --root . test/golden --update
 */
const folder = fileURLToPath(new URL(".", import.meta.url));

/** The files that are kept; those with messages keep their table too. */
const kept: Readonly<Record<string, readonly Part[]>> = {
  bounds: ["types", "validators"],
  documented: ["types", "validators"],
  "embedded-request": ["types", "validators", "dispatch", "client", "server"],
  inheritance: ["types", "validators"],
  "inline-params": ["types", "validators", "dispatch", "client", "server"],
  intersection: ["types", "validators"],
  omit: ["types", "validators"],
  "open-enum": ["types", "validators"],
  "quoted-names": ["types", "validators"],
  "record-and-rest": ["types", "validators"],
  recursive: ["types", "validators"],
  "repeated-object": ["types", "validators"],
  "tagged-union": ["types", "validators"],
  "untagged-union": ["types", "validators"],
};

const cases = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  existsSync(join(folder, entry.name, "schema.ts")) ? [entry.name] : [],
);

async function read(name: string): Promise<Protocol> {
  const text = readFileSync(join(folder, name, "schema.ts"), "utf8");
  const diagnostics = new Diagnostics();
  const options = { file: `${name}/schema.ts`, name: "schema.ts", revision: "golden" };
  const protocol = await readTypeScript(text, options, diagnostics);
  if (protocol === null) throw new Error(diagnostics.list.map(formatDiagnostic).join("\n"));
  // A digest of the text would change with every comment.
  return { ...protocol, source: { ...protocol.source, sha256: "0".repeat(64) } };
}

it("has a case for each folder", () => {
  expect(cases).toEqual(Object.keys(kept).sort());
});

describe.each(cases)("the golden case %s", async (name) => {
  const protocol = await read(name);
  const parts = kept[name] ?? [];
  const { files } = generated([protocol], { emit: parts });
  const again = generated([JSON.parse(JSON.stringify(protocol)) as Protocol], { emit: parts });

  it.each(parts)("has this %s.ts, byte for byte", async (part) => {
    await expect(files.get(`${part}.ts`) ?? "").toMatchFileSnapshot(join(folder, name, "out", `${part}.ts`));
  });

  it("keeps nothing besides", () => {
    const out = join(folder, name, "out");
    const found = existsSync(out) ? readdirSync(out).sort() : [];
    expect(found).toEqual(parts.map((part) => `${part}.ts`).sort());
  });

  it("comes out the same a second time, and from its representation as JSON", () => {
    expect([...again.files]).toEqual([...files]);
  });

  it("passes the strictest compiler", () => {
    expect(compile(files)).toEqual([]);
  });

  it("loads, and its guards refuse what is no value at all", async () => {
    const module = await load(files, "validators.ts");
    const guards = Object.entries(module).filter(([export_]) => export_.startsWith("is"));
    expect(guards.length).toBeGreaterThan(0);
    for (const [, guard] of guards) expect((guard as (value: unknown) => boolean)(undefined)).toBe(false);
  });
});
