import { createHash } from "node:crypto";
import {
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { build, type BuildOptions } from "esbuild";
import { describe, expect, it } from "vitest";
import { fixture } from "../stubs/project.js";
import { filesIn } from "../files.js";
import { root } from "../repository.js";
import { directory, mcpgen } from "./support.js";

const snapshot = { "weather.mcp.json": fixture("weather") };

async function stubs(
  place: string,
  ...more: string[]
): Promise<{ code: number | null; err: string; out: string }> {
  return await mcpgen(
    ["stubs", "weather.mcp.json", "--out", "gen", "--no-color", ...more],
    {
      directory: place,
    },
  );
}

/** Both sides, in a folder that has none yet. */
const both = ["--emit", "client,server"];

describe("the part of a server that mcpgen stubs generates", () => {
  it("is the same with --name, --include and --exclude as with the members of a configuration", async () => {
    const job = {
      snapshot: "weather.mcp.json",
      out: "configured",
      name: "sky",
      include: { tools: ["get_*", "warn"], resources: ["*"] },
      exclude: { prompts: ["*"], tools: ["warn"] },
    };
    const place = directory({
      ...snapshot,
      "mcpgen.config.json": JSON.stringify({ servers: [job] }),
    });
    const flags = [
      "--include",
      "get_*, warn",
      "--include",
      "resources:*",
      "--exclude",
      "prompts:*,tools:warn",
    ];
    expect(await stubs(place, "--name", "sky", ...flags)).toMatchObject({
      code: 0,
    });
    expect(await mcpgen(["--no-color"], { directory: place })).toMatchObject({
      code: 0,
    });
    const files = filesIn(join(place, "gen"));
    expect(files).toEqual(filesIn(join(place, "configured")));
    expect(files["client.ts"]).toContain("createSkyClient");
    expect([
      files["types.ts"]?.includes("warn"),
      files["client.ts"]?.includes("prompts:"),
    ]).toEqual([false, false]);
  });

  it("is checked: a pattern that matches nothing is a warning", async () => {
    const { code, err } = await stubs(
      directory(snapshot),
      "--include",
      "get_forcast",
    );
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/MG744 warning: .*"get_forcast"/),
    ]);
  });
});

describe("mcpgen stubs", () => {
  it("writes a project, and nothing in a second run", async () => {
    const place = directory(snapshot);
    const first = await stubs(place, ...both);
    expect([first.code, first.err]).toEqual([
      0,
      expect.stringContaining("from 2025-11-25"),
    ]);
    const files = filesIn(join(place, "gen"));
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining([
        "client.ts",
        "handlers/tools/get-weather.ts",
        "main.ts",
        "protocol/server.ts",
        "server.ts",
      ]),
    );
    expect((await stubs(place)).err).toContain("gen is up to date");
    expect((await stubs(place, "--check")).code).toBe(0);
    expect(filesIn(join(place, "gen"))).toEqual(files);
  });

  it("keeps the configured name of a project if the server changes its own", async () => {
    const config = {
      servers: [
        {
          snapshot: "weather.mcp.json",
          out: "gen",
          name: "local forecast",
          emit: ["client"],
        },
      ],
    };
    const place = directory({
      ...snapshot,
      "mcpgen.config.json": JSON.stringify(config),
    });
    const jobs = async (): Promise<number | null> =>
      (await mcpgen([], { directory: place })).code;
    expect(await jobs()).toBe(0);
    const before = readFileSync(join(place, "gen/client.ts"), "utf8");
    expect(before).toContain("createLocalForecastClient");
    const renamed = JSON.parse(fixture("weather")) as {
      readonly server: object;
    };
    const server = { ...renamed.server, name: "something-else" };
    writeFileSync(
      join(place, "weather.mcp.json"),
      JSON.stringify({ ...renamed, server }),
    );
    expect(await jobs()).toBe(0);
    expect(readFileSync(join(place, "gen/client.ts"), "utf8")).toBe(before);
  });

  it("notices a missing handler, another option and an edited file after an unchanged run", async () => {
    const config = (name: string): string =>
      JSON.stringify({
        servers: [
          { snapshot: "weather.mcp.json", out: "gen", name, emit: ["server"] },
        ],
      });
    const place = directory({
      ...snapshot,
      "mcpgen.config.json": config("one"),
    });
    const jobs = async (
      ...more: string[]
    ): Promise<{ code: number | null; err: string }> =>
      await mcpgen([...more, "--no-color"], { directory: place });
    await jobs();
    expect((await jobs()).err).toContain("gen is up to date");
    rmSync(join(place, "gen/handlers/tools/warn.ts"));
    expect((await jobs()).err).toContain("handlers/tools/warn.ts");
    expect((await jobs()).err).toContain("gen is up to date");
    writeFileSync(join(place, "mcpgen.config.json"), config("two"));
    expect((await jobs("--check")).code).toBe(1);
    expect((await jobs()).err).toContain("server.ts");
    writeFileSync(join(place, "gen/types.ts"), "export type Mine = 1;\n");
    expect(await jobs()).toMatchObject({
      code: 2,
      err: expect.stringContaining("MG804 "),
    });
  });

  it("rewrites only the manifest and the files that contain a description if the description changes", async () => {
    const place = directory(snapshot);
    await stubs(place, ...both);
    const before = filesIn(join(place, "gen"));
    const changed = fixture("weather").replace(
      "Tells the weather of a place as it is now.",
      "The weather somewhere, now.",
    );
    expect(changed).not.toBe(fixture("weather"));
    writeFileSync(join(place, "weather.mcp.json"), changed);
    expect((await stubs(place)).code).toBe(0);
    const after = filesIn(join(place, "gen"));
    const rewritten = Object.keys(after).filter(
      (path) => after[path] !== before[path],
    );
    const holding = Object.keys(after).filter((path) =>
      after[path]?.includes("The weather somewhere, now"),
    );
    expect(rewritten).toEqual([".mcpgen.json", ...holding].sort());
    expect(rewritten.length).toBeLessThan(6);
  });

  it("writes its version and the digest of the snapshot only into the manifest", async () => {
    const place = directory(snapshot);
    await stubs(place, ...both, "--runtime", "vendored");
    const { ".mcpgen.json": manifest = "", ...files } = filesIn(
      join(place, "gen"),
    );
    // In one layout, so that a formatted snapshot has the same digest.
    const text = `${JSON.stringify(JSON.parse(fixture("weather")), null, 2)}\n`;
    const digest = createHash("sha256").update(text).digest("hex");
    expect(manifest).toContain(digest);
    expect(manifest).toMatch(/"generator": "mcpgen \d+\.\d+\.\d+[\w.-]*"/);
    for (const [path, text] of Object.entries(files)) {
      expect(text, path).not.toMatch(/mcpgen v?\d+\.\d/);
      expect(text, path).not.toContain(digest.slice(0, 8));
    }
    expect(files["types.ts"]?.split("\n", 2)).toEqual([
      "// Generated by mcpgen from weather.mcp.json. Do not edit.",
      "/* eslint-disable */",
    ]);
  });

  it("never overwrites a handler, and writes only missing handlers", async () => {
    const place = directory(snapshot);
    await stubs(place, ...both);
    const [mine, deleted] = [
      "gen/handlers/tools/warn.ts",
      "gen/handlers/tools/get-weather.ts",
    ];
    writeFileSync(join(place, mine), "// mine\n");
    rmSync(join(place, deleted));
    expect((await stubs(place, "--check")).code).toBe(1);
    expect((await stubs(place, "--force")).code).toBe(0);
    expect(readFileSync(join(place, mine), "utf8")).toBe("// mine\n");
    expect(readFileSync(join(place, deleted), "utf8")).toContain("getWeather");
  });

  const part = "partials/client/side.hbs";
  const partials = () => {
    const mine = readFileSync(join(root, "templates", part), "utf8").replace(
      "The messages",
      "All messages",
    );
    const place = directory({
      ...snapshot,
      [`mine/${part}`]: mine,
      "round/partials/client/side.hbs": "{{> client/side}}",
      "strange/partials/client/sides.hbs": "",
    });
    return place;
  };

  it("replaces single partials by the user's", async () => {
    const place = partials();
    expect((await stubs(place, ...both, "--templates", "mine")).code).toBe(0);
    const client = readFileSync(join(place, "gen/protocol/client.ts"), "utf8");
    expect(client).toContain("/** All messages that a client");
    expect(client).toContain("export class Client {");
  });

  it("reports a partial that includes itself, and one that replaces none", async () => {
    const place = partials();
    expect(await stubs(place, "--templates", "round")).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^round\/partials\/client\/side\.hbs:1:1 MG711 .*side\.hbs includes itself\n {4}in the built-in /,
      ),
    });
    expect(await stubs(place, "--templates", "strange")).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^MG711 .*\n {4}hint: did you mean partials\/client\/side\.hbs\?/,
      ),
    });
  });

  it("leaves out the server and the files that only it needs with --emit client", async () => {
    const place = directory(snapshot);
    expect((await stubs(place, "--emit", "client")).code).toBe(0);
    const paths = Object.keys(filesIn(join(place, "gen")));
    expect(paths).toContain("client.ts");
    expect(
      paths.filter((path) => /server|snapshot|handlers|main/.test(path)),
    ).toEqual([]);
  });

  describe("without --emit in a new folder", () => {
    const {
      format: _,
      revision: _1,
      ...design
    } = JSON.parse(fixture("weather")) as Record<string, unknown>;
    const job = { snapshot: "weather.mcp.json", out: "gen" };
    const files = {
      ...snapshot,
      "live.mjs": `
        import { createInterface } from "node:readline";
        const snapshot = ${fixture("weather")};
        createInterface({ input: process.stdin }).on("line", (line) => {
          const { id, method } = JSON.parse(line);
          if (id === undefined) return;
          const { server: serverInfo, capabilities, tools, prompts, resources, resourceTemplates } = snapshot;
          const result = method === "initialize"
            ? { protocolVersion: snapshot.revision, serverInfo, capabilities }
            : { tools, prompts, resources, resourceTemplates };
          console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
        });`,
    };
    const line =
      "MG318 note: the snapshot was pulled from a server, so only a client is written\n" +
      "    hint: --emit client,server writes the skeleton of a server, too\n";

    it.each([
      [
        "a snapshot of mcpgen pull",
        ["stubs", "weather.mcp.json", "--out", "gen"],
        {},
      ],
      [
        "a running server",
        ["stubs", "--stdio", "node live.mjs", "--out", "gen"],
        {},
      ],
      [
        "a job of a configuration",
        [],
        { "mcpgen.config.json": JSON.stringify({ servers: [job] }) },
      ],
    ])(
      "writes at most 15 files with the client of %s, and says once how to get a server",
      async (_, args, more) => {
        const place = directory({ ...files, ...more });
        const run = async () =>
          await mcpgen([...args, "--no-color"], { directory: place });
        const { code, err } = await run();
        expect([code, err]).toEqual([0, expect.stringContaining(line)]);
        const written = filesIn(join(place, "gen"));
        expect(Object.keys(written)).toEqual(
          expect.arrayContaining(["client.ts", "connect.ts"]),
        );
        expect(
          Object.keys(written).filter((path) =>
            /server|serving|handlers|main/.test(path),
          ),
        ).toEqual([]);
        expect(Object.keys(written).length).toBeLessThanOrEqual(15);
        expect(await run()).toMatchObject({
          code: 0,
          err: expect.not.stringContaining("MG318"),
        });
        expect(filesIn(join(place, "gen"))).toEqual(written);
      },
    );

    it("writes both sides of a server that a person designs", async () => {
      const place = directory({ "weather.mcp.json": JSON.stringify(design) });
      expect(await stubs(place)).toMatchObject({
        code: 0,
        err: expect.not.stringContaining("MG318"),
      });
      const paths = Object.keys(filesIn(join(place, "gen")));
      expect(paths).toEqual(
        expect.arrayContaining(["client.ts", "server.ts", "main.ts"]),
      );
    });
  });

  it.each([
    "client",
    "server",
    "client,server",
    "adapters",
    "client,server,mock,tools,json-schemas",
  ])(
    "keeps the parts %s of a project without --emit, for a snapshot and for a design",
    async (parts) => {
      const {
        format: _,
        revision: _1,
        ...design
      } = JSON.parse(fixture("weather")) as Record<string, unknown>;
      for (const text of [
        fixture("weather"),
        JSON.stringify({ ...design, revision: "2025-11-25" }),
      ]) {
        const place = directory({ "weather.mcp.json": text });
        const paths = (): string[] => Object.keys(filesIn(join(place, "gen")));
        expect((await stubs(place, "--emit", parts)).code).toBe(0);
        const before = paths();
        writeFileSync(
          join(place, "weather.mcp.json"),
          text.replace("1.2.0", "1.3.0"),
        );
        expect(await stubs(place)).toMatchObject({
          code: 0,
          err: expect.not.stringContaining("MG318"),
        });
        expect(paths()).toEqual(before);
      }
    },
  );

  const optional = ["adapters.ts", "json-schemas.ts", "mock.ts", "tools.ts"];
  it("writes a file that only some projects need when --emit names it, and keeps it until --emit leaves it out", async () => {
    const place = directory(snapshot);
    const paths = (): string[] => Object.keys(filesIn(join(place, "gen")));
    const those = (): string[] =>
      paths().filter((path) => optional.includes(path));
    expect((await stubs(place, ...both)).code).toBe(0);
    expect(those()).toEqual([]);
    expect(
      (
        await stubs(
          place,
          "--emit",
          "client,server,mock,adapters,tools,json-schemas",
        )
      ).code,
    ).toBe(0);
    expect(those()).toEqual(optional);
    expect((await stubs(place, "--clean")).code).toBe(0);
    expect(those()).toEqual(optional);
    expect(
      (await stubs(place, "--emit", "server,adapters", "--clean")).code,
    ).toBe(0);
    expect(those()).toEqual(["adapters.ts"]);
    expect(paths()).toContain("client.ts");
    expect(readFileSync(join(place, "gen/index.ts"), "utf8")).not.toContain(
      "json-schemas",
    );
  });

  it.each([
    [["stubs", "--out", "gen"], 2, "MG705 no server is given"],
    [["stubs", "weather.mcp.json"], 2, "MG705 no output directory is given"],
    [
      ["stubs", "weather.mcp.json", "--out", "gen", "--emit", "sever"],
      2,
      "did you mean server?",
    ],
    [["stubs", "wether.mcp.json", "--out", "gen"], 2, "MG001"],
    [["stubs", "weather.mcp.json", "--out", "gen", "--stdio", "x"], 2, "MG705"],
    [["pull", "-o", "x.mcp.json"], 2, "MG705 no server is given"],
    [
      ["pull", "--stdio", "no-such-program-at-all", "-o", "x.mcp.json"],
      3,
      "MG730 the server cannot be read",
    ],
    [["pull", "--module", "weather.mcp.json", "-o", "x.mcp.json"], 2, "MG706"],
  ])("%j exits with %i and a diagnostic", async (args, code, words) => {
    const place = directory(snapshot);
    const ended = await mcpgen([...args, "--no-color"], { directory: place });
    expect([ended.code, ended.err]).toEqual([
      code,
      expect.stringContaining(words),
    ]);
    expect(Object.keys(filesIn(place))).toEqual(["weather.mcp.json"]);
  });

  it("reports every fault of a snapshot in one run", async () => {
    const place = directory({
      "weather.mcp.json":
        '{"format":1,"revision":5,"tools":[{"name":5}],"surprise":{}}',
    });
    const ended = await stubs(place);
    expect(ended.code).toBe(2);
    for (const words of [
      '"revision"',
      '"server" is missing',
      "tool 0",
      'unknown member "surprise"',
    ]) {
      expect(ended.err).toContain(words);
    }
  });
});

describe("mcpgen pull", () => {
  /**
   * The generated server with unchanged handlers, as a program and as a module.
   */
  async function serving(): Promise<string> {
    const place = directory(snapshot);
    await stubs(place, ...both);
    mkdirSync(join(place, "node_modules", "@mcpgen"), { recursive: true });
    symlinkSync(
      join(root, "src/runtime"),
      join(place, "node_modules/@mcpgen/runtime"),
      "junction",
    );
    const common: BuildOptions = {
      bundle: true,
      format: "esm",
      platform: "node",
      external: ["@mcpgen/*"],
    };
    await build({
      ...common,
      entryPoints: [join(place, "gen/main.ts")],
      outfile: join(place, "main.mjs"),
    });
    const contents = `
      import { createWeatherServer } from "./gen/server.js";
      import { handlers } from "./gen/handlers/index.js";
      export const server = createWeatherServer(handlers);
      export const other = 5;`;
    const stdin = { contents, resolveDir: place, loader: "ts" as const };
    await build({ ...common, stdin, outfile: join(place, "module.mjs") });
    writeFileSync(
      join(place, "typed.ts"),
      `${contents}\nexport enum Kind { A }\n`,
    );
    return place;
  }

  it.each([
    ["--stdio", "node main.mjs"],
    ["--module", "./module.mjs#server"],
  ])(
    "%s: reads from a generated server the snapshot that it was generated from, byte for byte",
    async (flag, value) => {
      const place = await serving();
      const pull = ["pull", flag, value, "-o", "again.mcp.json", "--no-color"];
      const ended = await mcpgen(pull, { directory: place });
      expect(ended.code, ended.err).toBe(0);
      expect(readFileSync(join(place, "again.mcp.json"), "utf8")).toBe(
        fixture("weather"),
      );
      expect(ended.err.includes('starting "node" "main.mjs"')).toBe(
        flag === "--stdio",
      );
      expect(
        (await mcpgen([...pull, "--check"], { directory: place })).code,
      ).toBe(0);
      writeFileSync(
        join(place, "again.mcp.json"),
        fixture("weather").replace("1.2.0", "1.1.0"),
      );
      const stale = await mcpgen([...pull, "--check", "--json"], {
        directory: place,
      });
      expect([
        stale.code,
        (JSON.parse(stale.out) as { state: string }).state,
      ]).toEqual([1, "stale"]);
    },
  );

  it("--module: reads a server from a TypeScript module", async () => {
    const place = await serving();
    const { code, err } = await mcpgen(
      ["pull", "--module", "./typed.ts#server", "-o", "typed.mcp.json"],
      {
        directory: place,
      },
    );
    expect(code, err).toBe(0);
    expect(readFileSync(join(place, "typed.mcp.json"), "utf8")).toBe(
      fixture("weather"),
    );
  });

  it("overwrites no file but a snapshot, and lists the exports of a module", async () => {
    const place = await serving();
    writeFileSync(join(place, "mine.json"), "{}");
    const refused = await mcpgen(
      ["pull", "--module", "./module.mjs#server", "-o", "mine.json"],
      {
        directory: place,
      },
    );
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining("MG802"),
    ]);
    expect(readFileSync(join(place, "mine.json"), "utf8")).toBe("{}");
    const wrong = await mcpgen(
      ["pull", "--module", "./module.mjs#other", "-o", "x.json"],
      {
        directory: place,
      },
    );
    expect(wrong.err).toContain("it exports other, server");
  });
});
