import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { bundled } from "../../../src/read/index.js";
import { digestsOf } from "../../official/digests.js";
import { revision } from "./reading.js";

// The digests were made from the official files, which are no part of this repository; a declaration whose digest
// differs says something else than its original. `npm run test:official -- <folder>` shows what.
describe.each(await bundled())("the bundled schema of $revision", ({ revision: name }) => {
  it("declares what the official one declares, in its order, prose aside", async () => {
    const text = await readFile("test/fixtures/official-digests.json", "utf8");
    const kept = JSON.parse(text) as Record<string, Record<string, string>>;
    expect(digestsOf(await revision(name))).toEqual(Object.entries(kept[name] ?? {}));
  });
});
