import { describe, expect, it } from "vitest";
import type { ComparedFolder } from "../../src/commands/update/impact/changes.js";
import { overlayOf } from "../../src/commands/update/impact/overlay.js";

/** A folder with generated files. */
const folder = (out: string, files: Record<string, string | null>) =>
  ({
    folder: { out, files: new Map(Object.entries(files)) },
  }) as unknown as ComparedFolder;

const outer = folder("/p/gen", {
  "a.ts": "outer",
  "in/a.ts": "outer in",
  "Case.ts": "case",
  "gone.ts": null,
});
const inner = folder("/p/gen/in", { "a.ts": "inner" });

describe.each([
  ["the outer one first", [outer, inner]],
  ["the inner one first", [inner, outer]],
])("the new files of folders inside each other, %s", (_, folders) => {
  it.each([
    ["/p/gen/a.ts", "outer", outer, "a.ts"],
    ["/p/gen/in/a.ts", "inner", inner, "a.ts"],
    ["/p/gen//in/a.ts", "inner", inner, "a.ts"],
    ["\\p\\gen\\in\\a.ts", "inner", inner, "a.ts"],
    ["/p/gen/gone.ts", null, outer, "gone.ts"],
  ])("are of the innermost folder: %s", (path, text, compared, inside) => {
    const { textOf, generated } = overlayOf(folders, true);
    expect(textOf(path)).toBe(text);
    expect(generated(path)).toMatchObject({ compared, path: inside });
  });

  it("are no other files", () => {
    const { textOf, generated } = overlayOf(folders, true);
    for (const path of ["/p/gen/b.ts", "/p/a.ts", "/P/gen/a.ts"])
      expect([textOf(path), generated(path)]).toEqual([undefined, null]);
  });

  it.each([
    [true, undefined],
    [false, "case"],
  ])(
    "follow the disk, which tells cases apart: %s",
    (isCaseSensitive, text) => {
      const { textOf } = overlayOf(folders, isCaseSensitive);
      expect([textOf("/p/gen/Case.ts"), textOf("/p/GEN/case.ts")]).toEqual([
        "case",
        text,
      ]);
    },
  );
});
