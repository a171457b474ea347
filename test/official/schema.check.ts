import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { Diagnostics } from "../../src/diagnostics.js";
import { withoutProse } from "../../src/ir/prose.js";
import type { Protocol } from "../../src/ir/model.js";
import { bundled, readPath } from "../../src/read/index.js";
import { digestsOf } from "./digests.js";

// `npm run test:official -- <folder>`: the folder holds the official `<revision>/schema.ts` of each bundled revision.
const official = inject("official");

async function read(path: string): Promise<Protocol> {
  const diagnostics = new Diagnostics();
  const protocol = await readPath(path, {}, diagnostics);
  expect(diagnostics.list).toEqual([]);
  if (protocol === null) throw new Error(`${path} was not read`);
  return protocol;
}

/** All that a schema says, prose and its file aside. */
function facts(protocol: Protocol): object {
  return { ...withoutProse(protocol), source: null };
}

describe.each(await bundled())("the official schema.ts of $revision", ({ revision, folder }) => {
  it("says what the bundled one says, prose aside", async () => {
    expect(facts(await read(folder))).toEqual(facts(await read(join(official, revision))));
  });

  it("has the digests that are kept for when it is not at hand", async () => {
    const kept = JSON.parse(readFileSync("test/fixtures/official-digests.json", "utf8")) as Record<
      string,
      object
    >;
    expect(Object.entries(kept[revision] ?? {})).toEqual(digestsOf(await read(join(official, revision))));
  });
});
