import { readFileSync, writeFileSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import { describe, expect, it } from "vitest";
import { entryParts } from "../../src/cli/live/entry.js";
import { moduleParts } from "../../src/cli/live/server.js";
import { splitCommand } from "../../src/cli/live/split.js";
import {
  pathFrom,
  schemaName,
  snapshotName,
} from "../../src/generator/inputs/paths.js";
import { fixture } from "../stubs/project.js";
import { filesIn } from "../files.js";
import { root } from "../repository.js";
import { directory, mcpgen, smallSchema } from "./support.js";

describe("mcpgen on Windows", () => {
  it.each([
    // A path relative to the working directory is printed as it is written.
    ["snapshots\\a.mcp.json", "C:\\work", "snapshots\\a.mcp.json"],
    ["D:\\b.mcp.json", "C:\\work", "D:\\b.mcp.json"],
    // A path of a configuration in another folder.
    ["snapshots\\a.mcp.json", "C:\\work\\app", "app/snapshots/a.mcp.json"],
    ["..\\a.mcp.json", "C:\\work\\app", "a.mcp.json"],
    // The working directory itself, as a source of schemas may be.
    ["..", "C:\\work\\app", "."],
    ["C:\\work\\", "C:\\work\\app", "."],
    ["C:\\x\\a.mcp.json", "C:\\work\\app", "../x/a.mcp.json"],
    ["D:\\b.mcp.json", "C:\\work\\app", "D:/b.mcp.json"],
    [
      "\\\\share\\folder\\c.mcp.json",
      "C:\\work\\app",
      "//share/folder/c.mcp.json",
    ],
  ])(
    "prints the path %s of a configuration in %s as %s",
    (written, folder, printed) => {
      expect(pathFrom(written, folder, "C:\\work", win32)).toBe(printed);
    },
  );

  it.each([
    ["snapshots\\a.mcp.json", "snapshots/a.mcp.json"],
    [".\\a.mcp.json", "a.mcp.json"],
    ["..\\a.mcp.json", "a.mcp.json"],
    ["C:\\x\\a.mcp.json", "a.mcp.json"],
    ["C:/x/a.mcp.json", "a.mcp.json"],
    ["C:a.mcp.json", "a.mcp.json"],
    ["\\\\share\\folder\\a.mcp.json", "a.mcp.json"],
  ])(
    "calls the snapshot %s in generated files %s, as on other systems",
    (written, name) => {
      expect(snapshotName(written, win32)).toBe(name);
      if (!written.startsWith("\\\\"))
        expect(snapshotName(written, posix)).toBe(name);
    },
  );

  it.each([
    ["own\\schema.ts", "own/schema.ts"],
    ["C:\\x\\draft\\schema.ts", "draft/schema.ts"],
    ["C:schema.ts", "schema.ts"],
    ["..\\draft\\schema.ts", "draft/schema.ts"],
  ])("calls the schema %s in generated files %s", (written, name) => {
    expect(schemaName(written, win32)).toBe(name);
  });

  it.each([
    [
      '"C:\\Program Files\\node.exe" C:\\x\\server.js',
      ["C:\\Program Files\\node.exe", "C:\\x\\server.js"],
    ],
    ["C:\\x\\ --root", ["C:\\x\\", "--root"]],
    ["\\\\share\\tools\\server.exe", ["\\\\share\\tools\\server.exe"]],
    ['server --say "a \\"b\\""', ["server", "--say", 'a "b"']],
    ['"C:\\x', null],
  ])("splits the command line %s and keeps its backslashes", (line, words) => {
    expect(splitCommand(line, true)).toEqual(words);
  });

  it.each([
    ["C:\\x\\server.js#weather", "C:\\x\\server.js", "weather"],
    ["C:\\c#\\server.js#weather", "C:\\c#\\server.js", "weather"],
    ["C:\\c#\\server.js", "C:\\c#\\server.js", "default"],
    ["./server.js", "./server.js", "default"],
  ])(
    "reads --module %s as the file %s and its export %s",
    (text, file, name) => {
      expect(moduleParts(text)).toEqual({ file, name });
    },
  );

  it.each([
    ["weather", null, "weather"],
    ["C:\\x\\.mcp.json#weather", "C:\\x\\.mcp.json", "weather"],
    ["C:\\c#\\mcp.json#weather", "C:\\c#\\mcp.json", "weather"],
    [".mcp.json#c#", ".mcp.json", "c#"],
    ["settings#weather", "settings", "weather"],
  ])(
    "reads --config %s as the file %s and its entry %s",
    (text, file, name) => {
      expect(entryParts(text)).toEqual({ file, name });
    },
  );
});

describe("input files with CRLF line ends", () => {
  const crlf = (text: string): string => text.replaceAll("\n", "\r\n");

  it("give the same output as files with line feeds, which is therefore not stale", async () => {
    const config = JSON.stringify(
      {
        generate: [{ out: "gen", schema: "./own/schema.ts" }],
        servers: [
          {
            snapshot: "weather.mcp.json",
            out: "stubs",
            emit: ["client", "server"],
          },
        ],
      },
      null,
      2,
    );
    const files = {
      "mcpgen.config.json": config,
      "own/schema.ts": smallSchema.replace(
        "/** The greeting. */",
        "/**\n * The greeting,\n * twice.\n */",
      ),
      "weather.mcp.json": fixture("weather"),
    };
    const place = directory(files);
    expect((await mcpgen([], { directory: place })).code).toBe(0);
    const output = filesIn(place);
    for (const name of Object.keys(files))
      writeFileSync(join(place, name), crlf(output[name] ?? ""));
    const checked = await mcpgen(["check", "--json"], { directory: place });
    expect([checked.code, checked.out], checked.err).toEqual([
      0,
      expect.stringContaining('"ok": true'),
    ]);
    expect((await mcpgen(["--force"], { directory: place })).code).toBe(0);
    const again = filesIn(place);
    for (const name of Object.keys(output))
      if (!(name in files)) expect(again[name], name).toBe(output[name]);
  });

  it("leave a checkout up to date in which every file has them, and no run writes it again", async () => {
    const place = directory({
      "mcpgen.config.json": JSON.stringify({
        generate: [
          { out: "gen", schema: "./own/schema.ts", templates: "templates" },
        ],
        servers: [
          {
            snapshot: "weather.mcp.json",
            out: "stubs",
            emit: ["client", "server"],
          },
        ],
      }),
      "own/schema.ts": smallSchema,
      "weather.mcp.json": fixture("weather"),
      "templates/index.ts.hbs": readFileSync(
        join(root, "templates/index.ts.hbs"),
        "utf8",
      ),
      ".prettierrc": "# Wide.\nprintWidth: 100\n",
      ".editorconfig": "root = true\n\n[*]\nindent_style = tab\n",
      ".gitignore": "node_modules\n",
    });
    expect((await mcpgen([], { directory: place })).code).toBe(0);
    for (const [name, text] of Object.entries(filesIn(place)))
      writeFileSync(join(place, name), crlf(text));
    const checkout = filesIn(place);
    const checked = await mcpgen(["check", "--json"], { directory: place });
    expect([checked.code, checked.out], checked.err).toEqual([
      0,
      expect.stringContaining('"ok": true'),
    ]);
    const ran = await mcpgen(["--clean"], { directory: place });
    expect([ran.code, ran.err]).toEqual([
      0,
      expect.not.stringContaining("written"),
    ]);
    expect(filesIn(place)).toEqual(checkout);
  });

  it("are no edit of a file that is no longer generated, so --clean removes it", async () => {
    const place = directory({ "own/schema.ts": smallSchema });
    const run = ["--schema", "own/schema.ts", "--out", "gen", "--emit"];
    await mcpgen([...run, "validators"], { directory: place });
    writeFileSync(
      join(place, "gen/validators.ts"),
      crlf(filesIn(place)["gen/validators.ts"] ?? ""),
    );
    const { code, err } = await mcpgen([...run, "types", "--clean"], {
      directory: place,
    });
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/removed +validators\.ts/),
    ]);
    expect(filesIn(place)).not.toHaveProperty(["gen/validators.ts"]);
  });

  it("are reported with the right line", async () => {
    const text =
      '{\n  "generate": [\n    { "out": 1, "version": "latest" }\n  ]\n}\n';
    const place = directory({ "mcpgen.config.json": crlf(text) });
    const { code, err } = await mcpgen(["--no-color"], { directory: place });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("mcpgen.config.json:3:14 MG743 found 1"),
    ]);
    expect(readFileSync(join(place, "mcpgen.config.json"), "utf8")).toBe(
      crlf(text),
    );
  });
});
