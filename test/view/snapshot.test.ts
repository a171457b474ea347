import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../src/generator/ir/snapshot/model.js";
import { snapshotView } from "../../src/generator/view/project/snapshot.js";
import { readText, snapshotOf } from "../stubs/project.js";

/** The code of a server's identity in `snapshot.ts` of its project. */
async function identityIn(server: object): Promise<string> {
  const { snapshot } = await readText(
    snapshotOf({ server: { name: "own-name", version: "2", ...server } }),
  );
  const { server: code } = snapshotView({
    ...(snapshot as Snapshot),
    name: "name-of-the-file",
  });
  return JSON.stringify(code.layout);
}

describe("the module with what a server lists", () => {
  it("has the server's own name and title, not those of the snapshot", async () => {
    const text = await identityIn({ title: "Own title" });
    for (const value of ["own-name", "Own title"])
      expect(text).toContain(value);
    expect(text).not.toContain("name-of-the-file");
  });
});
