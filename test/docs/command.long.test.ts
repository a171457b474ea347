import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixture } from "../stubs/project.js";
import { filesIn } from "../files.js";
import { revisions } from "../repository.js";
import { directory, mcpgen, smallSchema } from "../cli/support.js";

const snapshot = { "weather.mcp.json": fixture("weather") };
const newer = revisions.at(-1) ?? "";

describe("mcpgen docs", () => {
  it.each([
    ["a snapshot", ["weather.mcp.json"], "# Weather\n\nAn MCP server."],
    ["a revision", [newer], `# ${newer}\n\nA revision of`],
    ["a schema file", ["./schema.ts"], "greet/ask"],
  ])(
    "writes a page from %s as Markdown, and nothing in a second run",
    async (_, words, text) => {
      const place = directory({
        ...snapshot,
        "schema.ts": smallSchema,
      });
      const args = ["docs", ...words, "--out", "site", "--no-color"];
      const first = await mcpgen(args, { directory: place });
      expect([first.code, first.out], first.err).toEqual([0, ""]);
      const files = filesIn(join(place, "site"));
      expect(Object.keys(files)).toEqual([".mcpgen.json", "README.md"]);
      expect(files["README.md"]).toContain(text);
      expect(Object.values(files).join("")).not.toContain(place);
      expect((await mcpgen(args, { directory: place })).err).toContain(
        "site is up to date",
      );
      expect(
        (await mcpgen([...args, "--check"], { directory: place })).code,
      ).toBe(0);
    },
  );

  const docsIn =
    (place: string) =>
    (...more: string[]): ReturnType<typeof mcpgen> =>
      mcpgen(
        ["docs", "weather.mcp.json", "--out", "site", "--no-color", ...more],
        { directory: place },
      );

  it("writes nothing with --dry-run", async () => {
    const place = directory(snapshot);
    const docs = docsIn(place);
    expect((await docs("--dry-run")).err).toContain("nothing was written");
    expect(Object.keys(filesIn(place))).toEqual(["weather.mcp.json"]);
  });

  it("reports a stale page with --check", async () => {
    const place = directory(snapshot);
    const docs = docsIn(place);
    await docs();
    writeFileSync(
      join(place, "weather.mcp.json"),
      fixture("weather").replace("as it is now", "as it was"),
    );
    const stale = await docs("--check", "--json");
    expect(stale.code).toBe(1);
    expect(JSON.parse(stale.out)).toMatchObject({
      ok: false,
      mode: "check",
      revisions: ["2025-11-25"],
    });
    expect(stale.err).toContain("+Tells the weather of a place as it was.");
    expect((await docs()).code).toBe(0);
  });

  it("keeps an edited page without --force", async () => {
    const place = directory(snapshot);
    const docs = docsIn(place);
    await docs();
    const page = join(place, "site", "README.md");
    writeFileSync(page, `${readFileSync(page, "utf8")}mine\n`);
    writeFileSync(
      join(place, "weather.mcp.json"),
      fixture("weather").replace("as it is now", "as it was"),
    );
    const refused = await docs();
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining("MG804 README.md was edited"),
    ]);
    expect((await docs("--force")).code).toBe(0);
  });

  it.each([
    [
      ["docs", "--out", "site"],
      "MG703 mcpgen docs needs <snapshot|revision|schema>",
    ],
    [["docs", newer], "MG705 no output directory is given"],
    [
      ["docs", "weather.mcp.json", newer, "--out", "site"],
      `MG703 mcpgen docs does not accept "${newer}"\n    hint: mcpgen diff <a> <b> --markdown prints the changes`,
    ],
    [
      ["docs", newer, "--out", "site", "--templates", "own"],
      "MG701 mcpgen docs has no flag --templates\n    hint: mcpgen docs writes Markdown only; a site generator makes HTML of it",
    ],
    [["docs", "wether.mcp.json", "--out", "site"], "MG001"],
    [["docs", `${newer}0`, "--out", "site"], "MG704"],
    [["docs", "broken.mcp.json", "--out", "site"], '"server" is missing'],
    [
      ["docs", newer, "--out", "site", "--emit", "types"],
      "MG701 mcpgen docs has no flag --emit",
    ],
  ])("exits with 2 and a diagnostic: %j", async (args, words) => {
    const place = directory({ ...snapshot, "broken.mcp.json": '{"format":1}' });
    const ended = await mcpgen([...args, "--no-color"], { directory: place });
    expect([ended.code, ended.err]).toEqual([
      2,
      expect.stringContaining(words),
    ]);
    expect(Object.keys(filesIn(place))).toEqual([
      "broken.mcp.json",
      "weather.mcp.json",
    ]);
  });
});
