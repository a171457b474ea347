import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  loadPinned,
  pinnedExtensions,
  pinnedRevisions,
} from "../../src/generator/inputs/pins.js";
import { digestOf } from "../../src/generator/read/digest.js";
import { put } from "../files.js";
import { lockName } from "./project.js";

const repository = mkdtempSync(join(tmpdir(), "mcpgen-pins-"));
const text = "export interface Note { text: string }\n";

/** A lock file with one revision and one extension of this name. */
function lock(folder: string, name: string): void {
  const pin = {
    file: `schema/${name}.ts`,
    source: "../source",
    sha256: digestOf(text),
  };
  const pins = { [name]: pin };
  put(
    join(repository, folder, lockName),
    JSON.stringify({
      format: 1,
      sources: {},
      revisions: pins,
      extensions: pins,
    }),
  );
  put(join(repository, folder, pin.file), text);
}

beforeAll(() => {
  lock("", "root");
  lock("packages/own", "own");
  put(join(repository, ".git/HEAD"), "");
  put(join(repository, "packages/other/src/main.ts"), "");
  put(join(repository, "packages/own/src/deep/main.ts"), "");
  put(join(repository, "packages/apart/.git/HEAD"), "");
});
afterAll(() => rmSync(repository, { recursive: true, force: true }));

describe("the schemas that are pinned for a folder", () => {
  it.each([
    ["with a lock file", "packages/own", "own"],
    ["below it", "packages/own/src", "own"],
    ["two folders below it", "packages/own/src/deep", "own"],
    ["beside it", "packages/other/src", "root"],
    ["of the repository", "", "root"],
    ["of a repository inside the repository", "packages/apart", null],
  ])(
    "are those of the nearest lock file for the folder %s",
    async (_what, inside, name) => {
      for (const folder of [
        join(repository, inside),
        relative(process.cwd(), join(repository, inside)),
      ]) {
        const revisions = await pinnedRevisions(folder);
        const names = name === null ? [] : [name];
        expect([...revisions.keys()]).toEqual(names);
        expect([...(await pinnedExtensions(folder)).keys()]).toEqual(names);
        for (const pin of revisions.values())
          expect(await loadPinned(pin, folder)).toMatchObject({ text });
      }
    },
  );
});
