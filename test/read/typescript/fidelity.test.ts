import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { bundled } from "../../../src/generator/read/index.js";
import { type Digests, digestsOf } from "../../official/digests.js";
import {
  officialExtensions,
  ownDeclarations,
} from "../../official/extension.js";
import { revision } from "./reading.js";

// The digests come from the official files, which are not in this repository. A
// declaration with another digest differs from its original;
// `npm run test:official -- <folder>` shows the difference.
describe.each(await bundled())(
  "the bundled schema of $revision",
  ({ revision: name }) => {
    it("has the same declarations as the official one, in the same order, without prose", async () => {
      expect(digestsOf((await revision(name)).declarations)).toEqual(
        await expectedDigests(name),
      );
    });
  },
);

describe.each(await officialExtensions())(
  "the bundled schema of the extension $name",
  ({ name, folder }) => {
    it("has the same declarations as the official one, in the same order, without prose", async () => {
      const { own } = await ownDeclarations(folder);
      expect(digestsOf(own)).toEqual(
        await expectedDigests(`extensions/${name}`),
      );
    });
  },
);

async function expectedDigests(name: string): Promise<Digests> {
  const text = await readFile("test/fixtures/official-digests.json", "utf8");
  const all = JSON.parse(text) as Record<string, Record<string, string>>;
  return Object.entries(all[name] ?? {});
}
