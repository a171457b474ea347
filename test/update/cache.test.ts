import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  keepReplaced,
  replacedSchemas,
} from "../../src/commands/update/cache.js";
import type { Candidate } from "../../src/commands/update/pins.js";
import { digestOf } from "../../src/generator/read/digest.js";
import { put } from "../files.js";

const before = { text: "export interface Note { text: string }\n" };
const after = { text: "export interface Note { title: string }\n" };
const kept = `${digestOf(before.text)}.ts`;

let project: string;
let cache: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "mcpgen-cache-"));
  cache = join(project, "node_modules/.cache/mcpgen");
  mkdirSync(join(project, "node_modules"));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

/** Replaces the schema that the project has pinned. */
async function replace(): Promise<void> {
  put(join(project, "schema/note.ts"), before.text);
  const pin = { file: "schema/note.ts", sha256: digestOf(before.text) };
  const loaded = { ...after, file: "note.ts", sha256: digestOf(after.text) };
  await keepReplaced([{ pin, loaded } as unknown as Candidate], project);
}

/** Files that were written one second after the other, long ago. */
function fill(names: readonly string[]): void {
  names.forEach((name, i) => {
    put(join(cache, name), "");
    utimesSync(join(cache, name), 1000 + i, 1000 + i);
  });
}

describe("the schemas that an update has replaced", () => {
  it("are kept for later runs", async () => {
    await replace();
    expect(await replacedSchemas(project)).toMatchObject([before]);
  });

  it("are read in the order of their names, without what has another name, another text or no text", async () => {
    const texts = [..."abcdefgh"].map((one) => `export type A = "${one}";\n`);
    const digests = texts.map(digestOf);
    texts.forEach((text, i) => put(join(cache, `${digests[i]}.ts`), text));
    const [first = "", second = ""] = texts;
    put(join(cache, `${digestOf("x")}.ts`), first);
    put(join(cache, `${digests[1]}.txt`), second);
    put(join(cache, "schema.ts"), second);
    mkdirSync(join(cache, `${"0".repeat(64)}.ts`));
    const found = await replacedSchemas(project);
    expect(found.map(({ sha256 }) => sha256)).toEqual(digests.sort());
  });

  it("are the newest fifty", async () => {
    const names = Array.from({ length: 52 }, (_, i) => `${i}.ts`);
    fill(names);
    await replace();
    expect(new Set(readdirSync(cache))).toEqual(
      new Set([...names.slice(3), kept]),
    );
  });

  it("are kept although the oldest one cannot be removed", async () => {
    const names = Array.from({ length: 50 }, (_, i) => `${i}.ts`);
    mkdirSync(join(cache, "folder"), { recursive: true });
    utimesSync(join(cache, "folder"), 1, 1);
    fill(names);
    await replace();
    expect(readdirSync(cache)).toContain(kept);
  });
});
