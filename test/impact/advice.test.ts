import { describe, expect, it } from "vitest";
import { diff } from "../../src/generator/ir/diff/index.js";
import { adviceOf } from "../../src/commands/update/impact/sentences.js";
import { bundled, type Edit, revised } from "./kit.js";

const revision = "2026-07-28";

/**
 * What the report says to do about each change of these edits, without the
 * changes of which it says nothing.
 */
async function adviceFor(
  ...edits: readonly Edit[]
): Promise<readonly (string | null)[]> {
  const before = await bundled(revision);
  const after = await revised(revision, revision, edits);
  const { differences } = diff(before, after);
  expect(differences).not.toEqual([]);
  return [
    ...new Set(
      differences.map((difference) => adviceOf(before, after, difference)),
    ),
  ];
}

describe("what to do about a change", () => {
  it("is the text of the deprecation if a deprecated member or type is removed", async () => {
    expect(await adviceFor(["  roots?: {};\n", ""])).toContain(
      "the schema says: `Since 2026-07-28; pass directories as tool arguments instead.`",
    );
  });

  it.each<readonly [what: string, edit: Edit]>([
    [
      "a value of a deprecated type",
      ['  "debug" | "info" | "notice"', '  "debug" | "notice"'],
    ],
    [
      "a value of a deprecated member",
      ['?: "none" | "thisServer" | "allServers";', '?: "none" | "thisServer";'],
    ],
    ["a member of a deprecated type", ["  hints?: ModelHint[];\n", ""]],
  ])(
    "is not the text of another deprecation if %s is removed",
    async (_, edit) => {
      expect(JSON.stringify(await adviceFor(edit))).not.toContain(
        "the schema says",
      );
    },
  );
});
