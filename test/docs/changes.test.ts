import { describe, expect, it } from "vitest";
import { revisions } from "../read/typescript/reading.js";
import { fixture, snapshotOf } from "../stubs/project.js";
import { changesOf, drifted, entriesIn, pageOf } from "./making.js";
import { runs } from "../whole.js";

describe("a page of two snapshots", () => {
  it("shows each drift with its class for callers and implementers, the most severe first, and the text before and after", async () => {
    const page = await changesOf(fixture("weather"), drifted());
    for (const words of [
      "# Weather\n\nChanges of an MCP server.",
      "For callers: 2 breaking, 1 safety, 1 compatible. For implementers: 1 breaking, 1 safety, 2 compatible.",
      '```diff\n- breaking: input.units: value removed: "imperial" (breaks callers)\n```\n\n- **safety** `annotations.readOnlyHint`: less safe',
      "(to be reviewed)",
      "```diff\n- breaking: removed (breaks callers)\n```",
      "- **compatible** added (breaks implementers)",
      '-- `units`: `"metric" | "imperial"`\n+- `units`: `"metric"`',
      "```diff\n Current weather\n-**read-only**, _open-world_\n+_modifies data, open-world_\n Tells the weather of",
    ])
      expect(page.markdown).toContain(words);
  });

  it("says that there are no differences between a server and itself", async () => {
    const same = await changesOf(fixture("weather"), fixture("weather"));
    expect(same.markdown).toContain("There are no differences");
    expect(entriesIn(same)).toBe(0);
  });

  it("shows a resource with a new URI as one change, and the changed instructions of the server", async () => {
    const resource = { name: "log", uri: "file:///a.log" };
    const before = snapshotOf({
      resources: [resource],
      instructions: "Ask twice.",
    });
    const after = snapshotOf({
      resources: [{ ...resource, uri: "file:///b.log" }],
      instructions: "Ask once.",
    });
    const { markdown } = await changesOf(before, after);
    expect(markdown).toContain(
      "moved: file:///a.log became file:///b.log (breaks callers and implementers)",
    );
    expect(markdown).toContain("-Ask twice.\n+Ask once.");
    expect(markdown).not.toContain("removed");
  });

  it("shows a tool of which every member is another one", async () => {
    const size = runs(3000);
    const toolWith = (mark: string): string => {
      const names = Array.from(
        { length: size },
        (_, i) => [`${mark}${i}`, { type: "string" }] as const,
      );
      return snapshotOf({
        tools: [
          { name: "t", inputSchema: { properties: Object.fromEntries(names) } },
        ],
      });
    };
    const { markdown } = await changesOf(toolWith("a"), toolWith("b"));
    expect(markdown.match(/^-- `a\d+`/gm)?.length).toBe(size);
    expect(markdown.match(/^\+- `b\d+`/gm)?.length).toBe(size);
  });
});

describe("what breaks", () => {
  it("is in red on the page for a browser, and a line of a text cannot look like a line of the difference", async () => {
    const schema = (words: string): object => ({
      type: "object",
      properties: { a: { enum: [words, "x"] } },
    });
    const [before, after] = ["a\n+ compatible\n```\n<b>", "b"].map((words) =>
      snapshotOf({ tools: [{ name: "t", inputSchema: schema(words) }] }),
    );
    const { markdown, html } = await changesOf(before ?? "", after ?? "");
    const [, lines = ""] =
      /^`{3,}diff\n(- breaking: [^]*?)^`{3,}$/m.exec(markdown) ?? [];
    expect(
      lines
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("- breaking: ")),
    ).toEqual([]);
    expect(html).toMatch(
      /<del>- breaking: input\.a: value removed: [^\n]*&#60;b&#62;[^\n]*<\/del>/,
    );
    expect(html).not.toContain("<ins>+ compatible");
  });
});

describe("a page of two revisions", () => {
  const lastTwo = async () => {
    const [from, to] = (await revisions()).slice(-2);
    if (from === undefined || to === undefined)
      throw new Error("there are not two revisions");
    return { from, to };
  };

  it("shows which side breaks, and the lines of both revisions", async () => {
    const { markdown } = pageOf({ kind: "comparison", ...(await lastTwo()) });
    expect(markdown).toContain("breaks an old client that");
    expect(markdown).toContain(
      "-- Sessions begin: with an initialize handshake",
    );
    expect(markdown).toContain(
      "+- Sessions begin: with metadata on every request",
    );
    expect(markdown).toMatch(/^-- `_meta`: `object`$/m);
  });

  it("says that there are no differences between a revision and itself", async () => {
    const { from } = await lastTwo();
    const same = pageOf({ kind: "comparison", from, to: from });
    expect(same.markdown).toContain("There are no differences");
    expect(entriesIn(same)).toBe(0);
  });
});
