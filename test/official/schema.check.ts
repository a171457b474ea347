import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { Diagnostics } from "../../src/generator/diagnostics.js";
import {
  declarationWithoutProse,
  withoutProse,
} from "../../src/generator/ir/copies.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { bundled, readPath } from "../../src/generator/read/index.js";
import { type Digests, digestsOf } from "./digests.js";
import { officialExtensions, ownDeclarations } from "./extension.js";

// `npm run test:official -- <folder>`: the folder holds the official
// `<revision>/schema.ts` of each bundled revision, and
// `extensions/<name>/schema.ts` of each bundled extension.
const official = inject("official");
const digests = JSON.parse(
  readFileSync("test/fixtures/official-digests.json", "utf8"),
) as Readonly<Record<string, object>>;
const expectedDigests = (name: string): Digests =>
  Object.entries(digests[name] ?? {});

async function read(path: string): Promise<Protocol> {
  const diagnostics = new Diagnostics();
  const protocol = await readPath(path, {}, diagnostics);
  expect(diagnostics.list).toEqual([]);
  if (protocol === null) throw new Error(`${path} was not read`);
  return protocol;
}

/** The representation of a schema without prose and without its file. */
function facts(protocol: Protocol): object {
  return { ...withoutProse(protocol), source: null };
}

describe.each(await bundled())(
  "the official schema.ts of $revision",
  ({ revision, folder }) => {
    it("has the same representation as the bundled one, without prose", async () => {
      expect(facts(await read(folder))).toEqual(
        facts(await read(join(official, revision))),
      );
    });

    it("has the digests that other tests use in its place", async () => {
      expect(expectedDigests(revision)).toEqual(
        digestsOf((await read(join(official, revision))).declarations),
      );
    });
  },
);

describe.each(await officialExtensions())(
  "the official schema.ts of the extension $name",
  ({ name, folder }) => {
    it("has the same declarations as the bundled one, without prose", async () => {
      const ours = await ownDeclarations(folder);
      // The official schema has its identifier only in a comment.
      const named = `\nexport const EXTENSION_IDENTIFIER = ${JSON.stringify(ours.id)};\n`;
      const theirs = await ownDeclarations(
        join(official, "extensions", name),
        named,
      );
      expect(ours.imports).toEqual(theirs.imports);
      expect(ours.own.map(declarationWithoutProse)).toEqual(
        theirs.own.map(declarationWithoutProse),
      );
      expect(expectedDigests(`extensions/${name}`)).toEqual(
        digestsOf(theirs.own),
      );
    });
  },
);
