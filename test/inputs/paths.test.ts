import { describe, expect, it } from "vitest";
import { importFrom } from "../../src/generator/inputs/paths.js";

describe("the import of a path from a file in a folder", () => {
  it.each([
    ["/a", "/a/b", "./b"],
    ["/a", "/a/b/c.js", "./b/c.js"],
    ["/a/b", "/a/c", "../c"],
    ["/a/b", "/a", ".."],
    ["/a/b/c", "/a", "../.."],
    // A name may begin with dots.
    ["/a", "/a/.gen", "./.gen"],
    ["/a", "/a/.gen/c.js", "./.gen/c.js"],
    ["/a", "/a/..gen", "./..gen"],
    ["/a", "/a/...", "./..."],
    ["/a/b", "/a/.gen", "../.gen"],
  ])("is relative: from %s, %s is %s", (folder, path, written) => {
    expect(importFrom(folder, path)).toBe(written);
  });
});
