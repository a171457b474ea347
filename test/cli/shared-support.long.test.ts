import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { filesIn, put } from "../files.js";
import { root } from "../repository.js";
import { busyWeather, snapshotOf } from "../stubs/project.js";
import { compile } from "../view/compile.js";
import { directory, type Ended, mcpgen } from "./support.js";

const notes = snapshotOf({
  server: { name: "notes", version: "1.0.0" },
  capabilities: { tools: {}, resources: {}, prompts: {} },
  tools: [
    {
      name: "find_notes",
      inputSchema: {
        type: "object",
        properties: {
          text: { type: "string" },
          tags: { type: "array", uniqueItems: true },
        },
        required: ["text"],
      },
    },
  ],
  prompts: [
    { name: "summary", arguments: [{ name: "topic", required: true }] },
  ],
  resourceTemplates: [{ name: "note", uriTemplate: "notes://{id}" }],
});
const snapshots = {
  "weather.mcp.json": busyWeather(),
  "notes.mcp.json": notes,
};
const support = ["calls.ts", "checks.ts", "uri.ts", "validate.ts"];
const all = ["--emit", "client,server,stubs"];

const run = async (place: string, ...words: string[]): Promise<Ended> =>
  await mcpgen([...words, "--no-color"], { directory: place });
const generate = async (place: string, ...more: string[]): Promise<Ended> =>
  await run(place, "--version", "2025-11-25", "--out", "mcp", ...more);
const project = async (
  place: string,
  name: string,
  ...more: string[]
): Promise<Ended> =>
  await run(
    place,
    "stubs",
    `${name}.mcp.json`,
    "--out",
    name,
    "--emit",
    "client,server,adapters",
    ...more,
  );

/**
 * Two projects that share the folder `mcp`; the flags are those of each
 * command.
 */
async function twoProjects(
  flags: {
    readonly generate?: readonly string[];
    readonly stubs?: readonly string[];
  } = {},
): Promise<string> {
  const place = directory(snapshots);
  await generate(place, ...(flags.generate ?? all));
  for (const name of ["weather", "notes"])
    expect(
      await project(place, name, "--protocol", "mcp", ...(flags.stubs ?? [])),
    ).toMatchObject({
      code: 0,
    });
  return place;
}

const textOf = (place: string, path: string): string =>
  filesIn(place)[path] ?? "";
/** The support files of a project that are copies. */
const copiesIn = (place: string, name: string): string[] =>
  Object.entries(filesIn(join(place, name)))
    .filter(([, text]) => text.startsWith("// Copied by mcpgen"))
    .map(([path]) => path)
    .filter((path) => !path.startsWith("protocol/runtime/"));

const program = `
import * as weather from "./weather/index";
import * as notes from "./notes/index";
import { fromSdkV1 } from "./weather/adapters";

const caller = { callTool: async () => ({ content: [] }), getPrompt: async () => ({ messages: [] }), readResource: async () => ({ contents: [] }) };
const catching = async (work: () => Promise<unknown>): Promise<unknown> => await work().catch((error: unknown) => error);
const caught = [
  await catching(() => weather.createWeatherClient(caller as never).tools.getWeather({} as never)),
  await catching(() => notes.createNotesClient(caller).tools.findNotes({} as never)),
];
export const messages = caught.map(String);
export const isOneClass = caught.map((error) => error instanceof weather.ValidationError && error instanceof notes.ValidationError);
export const isRecognized = caught.map((error) => weather.isValidationError(error) && notes.isValidationError(error));
export const functions = [fromSdkV1, notes.createNotesServer, weather.createWeatherServer].map((each) => typeof each);
`;

interface Ran {
  readonly messages: readonly string[];
  readonly isOneClass: readonly boolean[];
  readonly isRecognized: readonly boolean[];
}

/**
 * Bundles a program of both projects, which resolves each import, and runs it.
 */
async function bundled(
  place: string,
): Promise<Ran & { readonly bytes: number }> {
  put(join(place, "program.ts"), program);
  const outfile = join(place, "bundle.mjs");
  const result = await build({
    entryPoints: [join(place, "program.ts")],
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    metafile: true,
    logLevel: "silent",
    alias: { "@mcpgen/runtime": join(root, "src/runtime") },
    nodePaths: [join(root, "node_modules")],
  });
  const ran = (await import(pathToFileURL(outfile).href)) as Ran;
  return {
    ...ran,
    bytes: Object.values(result.metafile.outputs)[0]?.bytes ?? 0,
  };
}

const expected = {
  messages: [
    "ValidationError: get_weather: arguments: location: expected a string, got nothing",
    "ValidationError: find_notes: arguments: text: expected a string, got nothing",
  ],
  isOneClass: [true, true],
  isRecognized: [true, true],
};

describe("the files that the projects of several servers share through a protocol folder", () => {
  it("are written by generate if --emit names stubs, and by a project as one line each", async () => {
    const place = await twoProjects();
    expect(Object.keys(filesIn(join(place, "mcp")))).toEqual(
      expect.arrayContaining(support),
    );
    for (const name of ["weather", "notes"]) {
      expect(copiesIn(place, name)).toEqual([]);
      expect(textOf(place, `${name}/calls.ts`)).toBe(
        `// Generated by mcpgen from ${name}.mcp.json. Do not edit.\n/* eslint-disable */\nexport * from "../mcp/calls.js";\n`,
      );
    }
    const again = await project(place, "notes", "--protocol", "mcp");
    expect(again.err).toContain("notes is up to date");
  });

  it("compile with the strictest options, and a program of two servers is smaller than with copies", async () => {
    const [shared, copied] = [
      await twoProjects(),
      await twoProjects({ generate: ["--emit", "client,server"] }),
    ];
    const files = new Map(
      Object.entries(filesIn(shared)).filter(([path]) => path.endsWith(".ts")),
    );
    expect(compile(files)).toEqual([]);
    const [small, large] = [await bundled(shared), await bundled(copied)];
    expect(small).toMatchObject(expected);
    expect(small.bytes).toBeLessThan(large.bytes - 2000);
  });

  it.each([
    [
      "imports of .ts files",
      {
        generate: [...all, "--import-ext", "ts"],
        stubs: ["--import-ext", "ts"],
      },
    ],
    [
      "imports of .ts files in the folder only",
      { generate: [...all, "--import-ext", "ts"] },
    ],
    [
      "imports without extension in projects only",
      { stubs: ["--import-ext", "none"] },
    ],
    ["a copied runtime", { generate: [...all, "--runtime", "vendored"] }],
    [
      "a folder of several revisions",
      { generate: [...all, "--version", "2025-11-25,2026-07-28"] },
    ],
  ])("are found with %s", async (_title, flags) => {
    const place = await twoProjects(flags);
    expect([
      ...copiesIn(place, "weather"),
      ...copiesIn(place, "notes"),
    ]).toEqual([]);
    expect(await bundled(place)).toMatchObject(expected);
  });

  it.each(["my mcp", "../outside mcp", "a/../mcp", "it's (mcp)", "linked"])(
    "are found in the folder %s",
    async (folder) => {
      const base = directory();
      const place = join(base, "repository");
      for (const [name, text] of Object.entries(snapshots))
        put(join(place, name), text);
      const out = folder === "linked" ? "mcp" : folder;
      if (folder === "linked") symlinkSync("mcp", join(place, folder));
      await run(place, "--version", "2025-11-25", "--out", out, ...all);
      for (const name of ["weather", "notes"])
        await project(place, name, "--protocol", folder);
      expect([
        ...copiesIn(place, "weather"),
        ...copiesIn(place, "notes"),
      ]).toEqual([]);
      expect(await bundled(place)).toMatchObject(expected);
    },
  );
});

describe("a protocol folder without the part stubs", () => {
  it("shares the files that it has, so that there is one ValidationError, and a project has copies of the others", async () => {
    const place = await twoProjects({ generate: [] });
    for (const name of ["weather", "notes"]) {
      expect(copiesIn(place, name)).toEqual(
        expect.arrayContaining(["adapters.ts", "calls.ts", "uri.ts"]),
      );
      expect(copiesIn(place, name)).not.toContain("validate.ts");
    }
    expect(await bundled(place)).toMatchObject(expected);
  });

  it("shares no file of that name that generate did not write", async () => {
    const place = directory(snapshots);
    await generate(place);
    put(
      join(place, "mcp/uri.ts"),
      readFileSync(join(root, "src/generator/copied/uri.ts"), "utf8"),
    );
    const { err } = await project(place, "notes", "--protocol", "mcp");
    expect(err).not.toContain("MG764");
    expect(copiesIn(place, "notes")).toContain("uri.ts");
  });

  it("gives a project its copies back, and check finds that it lacks them", async () => {
    const place = await twoProjects();
    await generate(place, "--emit", "client,server", "--clean");
    const check = await project(place, "notes", "--protocol", "mcp", "--check");
    expect([check.code, check.err]).toEqual([
      1,
      expect.stringContaining("the output is stale"),
    ]);
    expect((await project(place, "notes", "--protocol", "mcp")).code).toBe(0);
    expect(copiesIn(place, "notes")).toContain("calls.ts");
    expect(
      (await project(place, "notes", "--protocol", "mcp", "--check")).code,
    ).toBe(0);
  });
});

describe("a shared file that this version of mcpgen would write otherwise", () => {
  it.each([
    [
      "of another version",
      (text: string) =>
        text.replace("export class", "const extra = 1;\nexport class"),
    ],
    ["that is missing", () => null],
  ])(
    "leads to a warning and to copies in the project: one %s",
    async (_title, change) => {
      const place = await twoProjects();
      const path = join(place, "mcp/validate.ts");
      const text = change(textOf(place, "mcp/validate.ts"));
      if (text === null) rmSync(path);
      else put(path, text);
      expect(
        (await project(place, "notes", "--protocol", "mcp", "--check")).code,
      ).toBe(1);
      const { code, err } = await project(place, "notes", "--protocol", "mcp");
      expect(code).toBe(0);
      expect(err).toContain(
        "MG764 warning: mcp has another text of validate.ts than this version of mcpgen writes",
      );
      expect(err).toContain(
        "hint: generate mcp again, then run this command again",
      );
      expect(copiesIn(place, "notes")).toEqual(["adapters.ts", ...support]);
      await generate(place, ...all, "--force");
      expect((await project(place, "notes", "--protocol", "mcp")).code).toBe(0);
      expect(copiesIn(place, "notes")).toEqual([]);
    },
  );

  it("is still shared if only its layout differs", async () => {
    const place = await twoProjects();
    put(
      join(place, "mcp/calls.ts"),
      textOf(place, "mcp/calls.ts")
        .replaceAll("\n", "\r\n")
        .replaceAll('"', "'"),
    );
    const { err } = await project(place, "notes", "--protocol", "mcp");
    expect(err).toContain("notes is up to date");
  });
});

describe("a project with copies of an earlier run", () => {
  const earlier = async (): Promise<string> => {
    const place = directory(snapshots);
    await generate(place, ...all);
    await project(place, "notes");
    return place;
  };

  it("gets a line in place of each one that is unedited, which --dry-run says before", async () => {
    const place = await earlier();
    const dry = await project(
      place,
      "notes",
      "--protocol",
      "mcp",
      "--dry-run",
      "--json",
    );
    const { files } = JSON.parse(dry.out) as {
      files: { path: string; state: string }[];
    };
    expect(
      files
        .filter(({ path }) => support.includes(path))
        .map(({ state }) => state),
    ).toEqual(support.map(() => "outdated"));
    expect((await project(place, "notes", "--protocol", "mcp")).err).toMatch(
      /written +calls\.ts/,
    );
    expect(
      copiesIn(place, "notes").filter((path) => !path.startsWith("protocol/")),
    ).toEqual([]);
  });

  it("keeps an edited one, names it and writes nothing until --force", async () => {
    const place = await earlier();
    put(
      join(place, "notes/calls.ts"),
      `${textOf(place, "notes/calls.ts")}export const mine = 1;\n`,
    );
    const before = filesIn(join(place, "notes"));
    const { code, err } = await project(place, "notes", "--protocol", "mcp");
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        "MG804 calls.ts was edited after it was generated",
      ),
    ]);
    expect(filesIn(join(place, "notes"))).toEqual(before);
    expect(
      (await project(place, "notes", "--protocol", "mcp", "--force")).code,
    ).toBe(0);
    expect(copiesIn(place, "notes")).toEqual([]);
  });

  it("exports the same names as before", async () => {
    const place = await earlier();
    const before = textOf(place, "notes/index.ts");
    await project(place, "notes", "--protocol", "mcp");
    expect(textOf(place, "notes/index.ts")).toBe(before);
  });
});

describe("the part stubs in a configuration", () => {
  it("lets the projects of its servers share the files, and check passes", async () => {
    const config = {
      generate: [
        {
          version: "2025-11-25",
          out: "mcp",
          emit: ["client", "server", "stubs"],
        },
      ],
      servers: ["weather", "notes"].map((name) => ({
        snapshot: `${name}.mcp.json`,
        out: name,
        protocol: "mcp",
        emit: ["client", "server"],
      })),
    };
    const place = directory({
      ...snapshots,
      "mcpgen.config.json": JSON.stringify(config),
    });
    expect(await run(place)).toMatchObject({ code: 0 });
    expect([
      ...copiesIn(place, "weather"),
      ...copiesIn(place, "notes"),
    ]).toEqual([]);
    expect(await run(place, "check")).toMatchObject({ code: 0 });
  });
});
