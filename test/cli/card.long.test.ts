import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { directory, mcpgen } from "./support.js";

const tool = (name: string): object => ({
  name,
  description: "Finds.",
  inputSchema: { type: "object" },
});
const snapshotOf = (...names: string[]): string =>
  JSON.stringify({
    server: { name: "library", version: "1" },
    revision: "2025-11-25",
    tools: names.map(tool),
  });
const manifest = {
  name: "library",
  version: "1.0.0",
  mcpName: "io.github.example/library",
  description: "Finds books.",
  bin: "main.js",
  mcpRemotes: [{ type: "streamable-http", url: "https://example.com/mcp" }],
};
const files = {
  "library.mcp.json": snapshotOf("find_books"),
  "package.json": JSON.stringify(manifest),
  "mcpgen.config.json": JSON.stringify({
    servers: [{ snapshot: "library.mcp.json", card: "." }],
  }),
};

describe("mcpgen card", () => {
  it("writes nothing with --dry-run", async () => {
    const place = directory(files);
    const dry = await mcpgen(["card", "library.mcp.json", "--dry-run"], {
      directory: place,
    });
    expect(dry).toMatchObject({
      code: 0,
      err: expect.stringContaining("nothing was written"),
    });
    expect(existsSync(join(place, "server.json"))).toBe(false);
  });

  it("tells the state of each file, with --dry-run and without", async () => {
    const place = directory(files);
    const statesOf = async (...flags: string[]) => {
      const { code, out } = await mcpgen(
        ["card", "library.mcp.json", "--json", ...flags],
        { directory: place },
      );
      const report = JSON.parse(out) as {
        readonly out: string;
        readonly mode: string;
        readonly files: readonly { readonly state: string }[];
      };
      return [
        code,
        report.out,
        report.mode,
        ...report.files.map(({ state }) => state),
      ];
    };
    expect(await statesOf("--dry-run")).toEqual([
      0,
      ".",
      "dry-run",
      "new",
      "new",
    ]);
    expect(await statesOf()).toEqual([0, ".", "write", "written", "written"]);
    expect(await statesOf("--dry-run")).toEqual([
      0,
      ".",
      "dry-run",
      "unchanged",
      "unchanged",
    ]);
    expect(await statesOf()).toEqual([
      0,
      ".",
      "write",
      "unchanged",
      "unchanged",
    ]);
    writeFileSync(
      join(place, "package.json"),
      JSON.stringify({ ...manifest, description: "Finds other books." }),
    );
    expect(await statesOf("--dry-run")).toEqual([
      0,
      ".",
      "dry-run",
      "outdated",
      "outdated",
    ]);
    expect(await statesOf("--out", "other")).toEqual([
      0,
      "other",
      "write",
      "written",
      "written",
    ]);
  });

  const current = async () => {
    const place = directory(files);
    const written = await mcpgen(["card", "library.mcp.json", "--json"], {
      directory: place,
    });
    return { place, written };
  };

  it("writes both files, which the check of the configuration accepts", async () => {
    const { place, written } = await current();
    expect(JSON.parse(written.out)).toMatchObject({
      ok: true,
      out: ".",
      files: [
        { path: "server.json", state: "written" },
        { path: "server-card.json", state: "written" },
      ],
    });
    expect(
      JSON.parse(readFileSync(join(place, "server.json"), "utf8")),
    ).toMatchObject({ version: "1.0.0" });
    expect(await mcpgen(["check"], { directory: place })).toMatchObject({
      code: 0,
    });
    expect(
      (await mcpgen(["card", "library.mcp.json"], { directory: place })).err,
    ).toContain("is up to date");
  });

  const outdated = async () => {
    const { place } = await current();
    const mcpRemotes = [
      { type: "streamable-http", url: "https://example.org/mcp" },
    ];
    writeFileSync(
      join(place, "package.json"),
      JSON.stringify({ ...manifest, version: "1.1.0", mcpRemotes }),
    );
    writeFileSync(
      join(place, "library.mcp.json"),
      snapshotOf("find_books", "lend_book"),
    );
    return place;
  };

  it("is checked with the configuration, which says what is different in it later", async () => {
    const check = await mcpgen(["check", "--no-color"], {
      directory: await outdated(),
    });
    expect(check.code).toBe(1);
    expect(check.err).toContain(
      'MG963 warning: ./server.json: version is "1.0.0", and should be "1.1.0"\n    hint: run mcpgen card library.mcp.json --out .\n',
    );
    expect(check.err).toContain(
      'tools is ["find_books"], and should be ["find_books","lend_book"]',
    );
    expect(check.err).toContain("https://example.org/mcp");
  });

  it("is named by the check if it would no longer be written", async () => {
    const { place } = await current();
    const { mcpRemotes: _, ...rest } = manifest;
    writeFileSync(join(place, "package.json"), JSON.stringify(rest));
    const check = await mcpgen(["check", "--no-color"], { directory: place });
    expect(check.code).toBe(1);
    expect(check.err).toMatch(
      /MG963 warning: \.\/server-card\.json: the server has no URL/,
    );
    expect(check.err).toMatch(
      /MG963 warning: \.\/server\.json: remotes is .* and should be nothing/,
    );
    const run = await mcpgen(["card", "library.mcp.json"], {
      directory: place,
    });
    expect(run.err).toMatch(/leftover +server-card\.json/);
    expect(readFileSync(join(place, "server.json"), "utf8")).not.toContain(
      "example.com/mcp",
    );
  });

  it("is checked with the configuration as Markdown and JSON", async () => {
    const place = await outdated();
    const page = await mcpgen(["check", "--markdown"], { directory: place });
    expect(page.out).toContain(
      '- **warning MG963** ./server.json: version is "1.0.0", and should be "1.1.0"',
    );
    const json = await mcpgen(["check", "--json"], { directory: place });
    expect(JSON.parse(json.out)).toMatchObject({
      ok: false,
      diagnostics: expect.arrayContaining([
        expect.objectContaining({ code: "MG963" }),
      ]) as unknown,
    });
  });

  it.each(["server.json", "server-card.json", "manifest.json"])(
    "does not write %s through a link that leads out of the folder",
    async (name) => {
      const author = "Ann Lee";
      const place = directory({
        ...files,
        "package.json": JSON.stringify({ ...manifest, author }),
      });
      const outside = directory({ [name]: '{"manifest_version":"0.3"}' });
      symlinkSync(join(outside, name), join(place, name));
      const flags = name === "manifest.json" ? ["--mcpb"] : [];
      const { code, err } = await mcpgen(
        ["card", "library.mcp.json", "--no-color", ...flags],
        { directory: place },
      );
      expect([code, err]).toEqual([
        2,
        expect.stringContaining(
          `MG810 ${name} cannot be written: a link leads out of`,
        ),
      ]);
      expect(readFileSync(join(outside, name), "utf8")).toBe(
        '{"manifest_version":"0.3"}',
      );
    },
  );

  it("does not change the manifest of a web page with --mcpb", async () => {
    const page = '{"short_name":"Library","icons":[]}';
    const place = directory({ ...files, "manifest.json": page });
    const { code, err } = await mcpgen(
      ["card", "library.mcp.json", "--mcpb", "--no-color"],
      { directory: place },
    );
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        /^MG962 .*manifest\.json is not the manifest of a bundle: it has no manifest_version\n {4}hint: /,
      ),
    ]);
    expect(readFileSync(join(place, "manifest.json"), "utf8")).toBe(page);
    expect(
      (await mcpgen(["card", "library.mcp.json"], { directory: place })).code,
    ).toBe(0);
    expect((await mcpgen(["check"], { directory: place })).code).toBe(0);
  });

  it("checks only the manifest in a folder that has no file for the registry", async () => {
    const { mcpName: _, mcpRemotes: _1, ...rest } = manifest;
    const json = (version: string): string =>
      JSON.stringify({ ...rest, version, author: "Ann Lee" });
    const place = directory({ ...files, "package.json": json("1.0.0") });
    const run = (...words: string[]) => mcpgen(words, { directory: place });
    expect((await run("card", "library", "--mcpb")).code).toBe(0);
    expect((await run("check")).code).toBe(0);
    writeFileSync(join(place, "package.json"), json("1.1.0"));
    const { code, err } = await run("check", "--no-color");
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(
        'MG963 warning: ./manifest.json: version is "1.0.0", and should be "1.1.0"',
      ),
    ]);
  });

  it("checks the manifest and the files for the registry in a folder that has both", async () => {
    const json = (version: string): string =>
      JSON.stringify({ ...manifest, version, author: "Ann Lee" });
    const place = directory({ ...files, "package.json": json("1.0.0") });
    const run = (...words: string[]) => mcpgen(words, { directory: place });
    expect((await run("card", "library", "--mcpb")).code).toBe(0);
    expect((await run("card", "library")).code).toBe(0);
    expect((await run("check")).code).toBe(0);
    writeFileSync(join(place, "package.json"), json("1.1.0"));
    const { code, err } = await run("check", "--no-color");
    expect(code).toBe(1);
    for (const name of ["manifest.json", "server.json", "server-card.json"])
      expect(err).toContain(
        `MG963 warning: ./${name}: version is "1.0.0", and should be "1.1.0"`,
      );
  });

  it("names the member of package.json to add, and writes nothing then", async () => {
    const { mcpName: _, ...rest } = manifest;
    const place = directory({ ...files, "package.json": JSON.stringify(rest) });
    const { code, err } = await mcpgen(
      ["card", "library.mcp.json", "--no-color"],
      { directory: place },
    );
    expect(code).not.toBe(0);
    expect(err).toMatch(
      /^MG961 package\.json has no mcpName\n {4}hint: add mcpName to package\.json: /,
    );
    expect(existsSync(join(place, "server.json"))).toBe(false);
    expect(existsSync(join(place, "server-card.json"))).toBe(false);
    expect((await mcpgen(["check"], { directory: place })).err).toContain(
      "MG961",
    );
  });

  it("replaces no server.json that is not an object", async () => {
    const place = directory(files);
    writeFileSync(join(place, "server.json"), "[]");
    expect(
      (await mcpgen(["card", "library.mcp.json"], { directory: place })).err,
    ).toMatch(/^MG962 .*server\.json is not a JSON object/);
    expect(readFileSync(join(place, "server.json"), "utf8")).toBe("[]");
  });
});
