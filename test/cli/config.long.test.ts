import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { fixture } from "../stubs/project.js";
import { filesIn, put } from "../files.js";
import { root } from "../repository.js";
import {
  directory,
  type Ended,
  mcpgen,
  runHere,
  smallSchema,
} from "./support.js";

const quick = `{ out: "gen", version: "2025-06-18", emit: ["types"] }`;

async function run(place: string, ...args: string[]): Promise<Ended> {
  return await mcpgen([...args, "--no-color"], { directory: place });
}

describe("a configuration that a module makes when it is read", () => {
  it.each([
    ["a promise", "Promise.resolve(config)"],
    ["a function", "() => config"],
    ["a function that returns a promise", "defineConfig(async () => config)"],
  ])("is read from %s", async (_, exported) => {
    const place = directory({
      "own/schema.ts": smallSchema,
      "mcpgen.config.ts": `import { defineConfig } from "mcpgen";
        const config = { generate: [{ schema: "own/schema.ts", out: "gen", emit: ["types" as const] }] };
        export default ${exported};\n`,
    });
    const { code, err } = await runHere([], place);
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("written    types.ts"),
    ]);
  });
});

/** Nine lists, each of nine times the one before. */
const bomb = Array.from({ length: 9 }, (_, i) => {
  const items = i === 0 ? "x" : `*a${i - 1}`;
  return `a${i}: &a${i} [${Array(9).fill(items).join(", ")}]\n`;
}).join("");

describe("a configuration", () => {
  const written: Readonly<Record<string, string>> = {
    "mcpgen.config.ts": `import { defineConfig, type Config } from "mcpgen";
const jobs: Config["generate"] = [${quick}];
export default defineConfig({ generate: jobs });`,
    "mcpgen.config.mts": `export default { generate: [${quick} satisfies object] };`,
    "mcpgen.config.js": `export default { generate: [${quick}] };`,
    "mcpgen.config.mjs": `const jobs = await Promise.resolve([${quick}]); export default { generate: jobs };`,
    "mcpgen.config.json": `{ "generate": [{ "out": "gen", "version": "2025-06-18", "emit": ["types"] }] }`,
    "mcpgen.config.yaml": `generate:\n  - out: gen\n    version: "2025-06-18" # of June\n    emit: [types]\n`,
    "mcpgen.config.yml": `generate: [{ out: gen, version: '2025-06-18', emit: [types] }]`,
    "package.json": `{ "mcpgen": { "generate": [{ "out": "gen", "version": "2025-06-18", "emit": ["types"] }] } }`,
  };

  it.each(Object.keys(written))("may be written as %s", async (name) => {
    const place = directory({ [name]: written[name] ?? "" });
    const { code, err } = await run(place);
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("from 2025-06-18"),
    ]);
    expect(Object.keys(filesIn(place)).sort()).toEqual(
      [name, "gen/.mcpgen.json", "gen/index.ts", "gen/types.ts"].sort(),
    );
  });

  it("is found from a subfolder, and its paths are relative to its own folder", async () => {
    const place = directory({
      "mcpgen.config.json": `{ "generate": [{ "out": "gen", "schema": "./own/schema.ts", "emit": ["types"] }] }`,
      "own/schema.ts": smallSchema,
    });
    mkdirSync(join(place, "a/b"), { recursive: true });
    expect((await run(join(place, "a/b"))).code).toBe(0);
    const first = filesIn(join(place, "gen"));
    expect(first["types.ts"]).toContain("from own/schema.ts");
    rmSync(join(place, "gen"), { recursive: true });
    expect((await run(place)).code).toBe(0);
    expect(filesIn(join(place, "gen"))).toEqual(first);
  });

  it("merges bundled extensions by name, and others by their path relative to the configuration", async () => {
    const own = readFileSync(
      join(root, "schema/extensions/tasks/schema.ts"),
      "utf8",
    );
    const place = directory({
      "mcpgen.config.json": JSON.stringify({
        generate: ["tasks", ["./own/schema.ts"]].map((extension, i) => {
          return {
            out: `gen${i}`,
            version: "latest",
            extension,
            emit: ["types"],
          };
        }),
      }),
      "own/schema.ts": own,
    });
    mkdirSync(join(place, "a"));
    expect((await run(join(place, "a"))).code).toBe(0);
    const files = filesIn(place);
    expect(files["gen0/types.ts"]).toContain(
      "and schema/extensions/tasks/schema.ts",
    );
    expect(files["gen1/types.ts"]).toContain("and own/schema.ts");
  });

  it("runs every job, even if another one fails", async () => {
    const place = directory({
      "mcpgen.config.json": JSON.stringify({
        generate: [
          { out: "one", schema: "gone.ts" },
          { out: "two", version: "2025-06-18", emit: ["types"] },
          { out: "three", version: "2025-06-19" },
        ],
      }),
    });
    const { code, err, out } = await run(place, "--json");
    expect(code).toBe(2);
    expect(err).toMatch(
      /MG001 .*gone\.ts[\s\S]*in job one[\s\S]*two: 3 written[\s\S]*MG704[\s\S]*in job three/,
    );
    const report = JSON.parse(out) as {
      readonly ok: boolean;
      readonly jobs: readonly { readonly ok: boolean }[];
    };
    expect([report.ok, ...report.jobs.map(({ ok }) => ok)]).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(
      Object.keys(filesIn(place)).filter((name) => name.startsWith("two/")),
    ).toHaveLength(3);
  });

  it("selects tools by include and exclude, and renames them by names", async () => {
    const place = directory({
      "weather.mcp.json": fixture("weather"),
      "mcpgen.config.json": JSON.stringify({
        servers: [
          {
            snapshot: "weather.mcp.json",
            out: "gen",
            emit: ["client"],
            include: { tools: ["get_*", "warn"], resources: ["weather://*"] },
            exclude: { tools: ["warn"], prompts: ["*"] },
            names: {
              tools: { get_weather: "now" },
              resources: { station: "at" },
            },
          },
        ],
      }),
    });
    expect((await run(place)).code).toBe(0);
    const client = readFileSync(join(place, "gen/client.ts"), "utf8");
    expect(client).toMatch(/\bnow\(\s*args: t\.NowInput/);
    expect(client).toMatch(/\bat\(\s*variables: t\.AtVariables/);
    expect(client).not.toMatch(/getWeather|warn|packingList/);
    expect(readFileSync(join(place, "gen/types.ts"), "utf8")).not.toContain(
      "Region",
    );
  });

  it("is refused with every unknown key and wrong value, each with its location and a suggestion", async () => {
    const place = directory({
      "mcpgen.config.json": `{
  "generates": [],
  "servers": [
    { "snapshot": 7, "emit": ["clients"], "include": { "toolz": [] } },
    { "out": "x", "names": { "tools": { "a": "not an identifier" } }, "scopes": { "a": ["b c"] } }
  ]
}`,
    });
    const { code, err } = await run(place);
    expect(code).toBe(2);
    expect(err.match(/MG74[23].*(\n {4}.*)*/g)).toEqual([
      'MG742 unknown key "generates"\n    hint: did you mean generate?',
      "MG743 found 7, expected string\n    in servers[0].snapshot",
      'MG743 found "clients", expected client, server, tools, adapters, mock, json-schemas\n    in servers[0].emit[0]\n    hint: did you mean client?',
      'MG742 unknown key "toolz"\n    in servers[0].include\n    hint: did you mean tools?',
      'MG743 the key "snapshot" is missing\n    in servers[1]\n    hint: every entry here needs this key',
      'MG743 found "not an identifier", expected an identifier of at most 60 characters\n    in servers[1].names.tools.a',
      'MG743 found "b c", expected a scope, without spaces and quotes\n    in servers[1].scopes.a[0]',
    ]);
    expect(err).toContain("mcpgen.config.json:2:3 MG742");
    expect(err).toContain("mcpgen.config.json:4:31 MG743");
  });

  it("is refused in TypeScript too, with the path of each member", async () => {
    const place = directory({
      "mcpgen.config.ts": `import { defineConfig, type Config } from "mcpgen";

const emit = ["clients"];
const shared = { runtime: "bundled", "emit": emit } as const;
const servers = [
  { snapshot: 7, ...shared },
  { snapshot: "b.mcp.json", include: { toolz: [] } },
] as unknown as Config["servers"];

export default defineConfig({
  servers,
  accepted: String(1).length,
  generate: [...[], { out: 1 }],
} as Config);
`,
    });
    const { code, err } = await run(place);
    expect(code).toBe(2);
    expect(
      err.match(/^MG74[23] (found .*?,|unknown key .*)|^ {4}in .*$/gm),
    ).toEqual([
      "MG743 found 1,",
      "    in generate[0].out, in mcpgen.config.ts",
      "MG743 found 7,",
      "    in servers[0].snapshot, in mcpgen.config.ts",
      'MG743 found "clients",',
      "    in servers[0].emit[0], in mcpgen.config.ts",
      'MG743 found "bundled",',
      "    in servers[0].runtime, in mcpgen.config.ts",
      'MG742 unknown key "toolz"',
      "    in servers[1].include, in mcpgen.config.ts",
      "MG743 found 1,",
      "    in accepted, in mcpgen.config.ts",
    ]);
  });

  it("writes the scopes of tools into the server, and is refused with scopes of an unknown tool", async () => {
    const config = (scopes: object): string =>
      JSON.stringify({
        servers: [
          {
            snapshot: "weather.mcp.json",
            out: "weather",
            emit: ["server"],
            scopes,
          },
        ],
      });
    const place = directory({
      "mcpgen.config.json": config({ warn: ["weather:write"] }),
      "weather.mcp.json": fixture("weather"),
    });
    expect((await run(place)).code).toBe(0);
    expect(filesIn(place)["weather/server.ts"]).toContain('["weather:write"]');
    put(join(place, "mcpgen.config.json"), config({ warm: ["weather:write"] }));
    const { code, err } = await run(place);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        /^MG744 the configuration has scopes for the tool "warm".*\n {4}in job weather\n {4}hint: did you mean warn\?/m,
      ),
    ]);
  });

  it.each([
    [{ tools: { warm: "heat" } }, "warm", "tools", "did you mean warn?"],
    [{ prompts: { none: "x" } }, "none", "prompts", "correct the name"],
    [{ resources: { none: "x" } }, "none", "resources", "correct the name"],
  ])(
    "warns of a name for what the server does not have: %j",
    async (names, name, group, hint) => {
      const place = directory({
        "mcpgen.config.json": JSON.stringify({
          servers: [{ snapshot: "weather.mcp.json", out: "weather", names }],
        }),
        "weather.mcp.json": fixture("weather"),
      });
      const { code, err } = await run(place);
      expect(code).toBe(0);
      expect(err).toContain(
        `MG744 warning: the configuration has a name for "${name}", which is none of the ${group}`,
      );
      expect(err).toContain(hint);
    },
  );

  const faults: readonly (readonly [
    what: string,
    files: Readonly<Record<string, string>>,
    args: readonly string[],
    message: RegExp,
  ])[] = [
    [
      "a module that throws",
      { "mcpgen.config.mjs": "throw new Error('no');" },
      [],
      /^MG741 mcpgen\.config\.mjs cannot be run: no/,
    ],
    [
      "a module with a syntax error",
      { "mcpgen.config.ts": "export default {\n  generate: [}\n};" },
      [],
      /^mcpgen\.config\.ts:2:14 MG741 mcpgen\.config\.ts cannot be run: Unexpected token\n {4}hint: fix the syntax/,
    ],
    [
      "a module that throws what ends like a place",
      { "mcpgen.config.mjs": "throw new Error('no\\n of a.ts:3:4');" },
      [],
      /^MG741 mcpgen\.config\.mjs cannot be run: no\n +of a\.ts:3:4\n {4}hint: check that/,
    ],
    [
      "a module that throws what begins like a syntax error",
      { "mcpgen.config.mjs": "throw new Error('ParseError: no');" },
      [],
      /^MG741 mcpgen\.config\.mjs cannot be run: ParseError: no\n {4}hint: check that/,
    ],
    [
      "a module without a default export",
      { "mcpgen.config.mjs": "export const a = 1;" },
      [],
      /^MG741 .* has no default export/,
    ],
    [
      "two configurations in one folder",
      { "mcpgen.config.ts": "", "mcpgen.config.json": "{}" },
      [],
      /^MG740 .* contains two configurations/,
    ],
    [
      "YAML with a syntax error",
      { "mcpgen.config.yaml": "servers:\n  - name: [a\n" },
      [],
      /^mcpgen\.config\.yaml:3:1 MG741 the file is not valid YAML: .*\n {4}hint: fix the syntax/,
    ],
    [
      "YAML with an alias of nothing",
      { "mcpgen.config.yml": "servers: *none\n" },
      [],
      /^mcpgen\.config\.yml:1:1 MG741 the file is not valid YAML: .*none/,
    ],
    [
      "YAML with aliases of aliases",
      { "mcpgen.config.yaml": bomb },
      [],
      /^mcpgen\.config\.yaml:1:1 MG741 the file is not valid YAML: .*alias/i,
    ],
    [
      "YAML with an unknown key",
      {
        "mcpgen.config.yaml":
          "# mine\nservers:\n  - snapshot: a.json\n    mit: [client]\n",
      },
      [],
      /^mcpgen\.config\.yaml:4:5 MG742 unknown key "mit"\n {4}in servers\[0\]\n/,
    ],
    [
      "YAML with an invalid value",
      {
        "mcpgen.config.yaml":
          "servers:\n  - snapshot: a.json\n    emit: [klient]\n",
      },
      [],
      /^mcpgen\.config\.yaml:3:12 MG743 /,
    ],
    ["empty YAML", { "mcpgen.config.yaml": "# later\n" }, [], /MG743 /],
    [
      "YAML beside JSON",
      { "mcpgen.config.yaml": "", "mcpgen.config.json": "{}" },
      [],
      /^MG740 .* contains two configurations/,
    ],
    [
      "a configuration that does not exist",
      { "mcpgen.config.json": "{}" },
      ["--config", "mcpgen.conf.json"],
      /^MG740 .*\n {4}hint: did you mean mcpgen\.config\.json\?/,
    ],
    [
      "a configuration without a job",
      { "mcpgen.config.json": "{}" },
      [],
      /^MG745 /,
    ],
    [
      "two jobs with one folder",
      {
        "mcpgen.config.json": `{ "generate": [{ "out": "gen", "version": "latest" }],\n  "servers": [{ "snapshot": "a.json", "out": "./Gen/" }] }`,
      },
      [],
      /^mcpgen\.config\.json:2:46 MG743 "\.\/Gen\/" is the folder of generate\[0\] too, .*\n {4}in servers\[0\]\.out\n {4}hint: give each job a folder of its own/,
    ],
    [
      "code mode in the folder of a server",
      {
        "mcpgen.config.json": `{ "servers": [{ "snapshot": "a.json", "out": "gen" }],\n  "code": { "servers": ["a"], "out": "./GEN" } }`,
      },
      ["code"],
      /^mcpgen\.config\.json:2:38 MG743 "\.\/GEN" is the folder of servers\[0\] too, .*\n {4}in code\.out\n {4}hint: give each job a folder of its own/,
    ],
    [
      "two jobs of a module with one folder",
      {
        "mcpgen.config.mjs": `const job = { out: "gen", version: "latest" };\nexport default () => ({ generate: [job, job] });`,
      },
      ["check"],
      /^MG743 "gen" is the folder of generate\[0\] too, .*\n {4}in generate\[1\]\.out, in mcpgen\.config\.mjs/,
    ],
    [
      "a function that throws",
      {
        "mcpgen.config.mjs": "export default () => { throw new Error('no'); };",
      },
      [],
      /^MG741 mcpgen\.config\.mjs cannot be run: no/,
    ],
    [
      "a job that emits nothing",
      {
        "mcpgen.config.json": `{ "generate": [{ "out": "gen", "version": "latest", "emit": [] }] }`,
      },
      [],
      /^mcpgen\.config\.json:1:61 MG743 the list is empty; expected at least one entry\n {4}in generate\[0\]\.emit/,
    ],
    [
      "a file that is not JSON",
      { "mcpgen.config.json": "{ a }" },
      [],
      /^mcpgen\.config\.json:1:3 MG201/,
    ],
    [
      "flags that a job sets",
      { "mcpgen.config.json": "{}" },
      ["--emit", "types"],
      /^MG705 --emit is set for each job/,
    ],
    [
      "the flag for extensions, which a job sets",
      {
        "mcpgen.config.json": `{ "generate": [{ "out": "gen", "version": "latest" }] }`,
      },
      ["--extension", "tasks"],
      /^MG705 --extension is set for each job/,
    ],
    [
      "flags of one server in a pull of all servers",
      {
        "mcpgen.config.json": `{ "servers": [{ "snapshot": "a.mcp.json", "source": { "stdio": "x" } }] }`,
      },
      ["pull", "--header", "A: b"],
      /^MG705 --header is set for each server in mcpgen\.config\.json\n {4}hint: set "header" in the source/,
    ],
    [
      "a package.json without a configuration",
      { "package.json": `{ "name": "a" }` },
      ["--config", "package.json"],
      /^package\.json:1:1 MG743 the file has no member "mcpgen"/,
    ],
    [
      "flags that exclude --config",
      { "mcpgen.config.json": "{}" },
      ["--config", "mcpgen.config.json", "--out", "x"],
      /^MG705 --config and/,
    ],
  ];

  it.each(faults)(
    "is refused with one diagnostic and without a stack: %s",
    async (_, files, args, message) => {
      const { code, err } = await run(directory(files), ...args);
      expect([code, err]).toEqual([2, expect.stringMatching(message)]);
      expect(err).not.toContain("    at ");
    },
  );

  it("works as the page of the command line shows it", async () => {
    const readme = readFileSync(join(root, "src/cli/README.md"), "utf8");
    const [, example = ""] =
      /```ts\n(\/\/ mcpgen\.config\.ts at [\s\S]*?)```/.exec(readme) ?? [];
    const place = directory({
      "mcpgen.config.ts": example,
      "weather.mcp.json": fixture("weather"),
    });
    const { code, err } = await run(place);
    expect([code, err]).toEqual([0, expect.stringContaining("src/weather: ")]);
    expect(
      readFileSync(join(place, "src/weather/client.ts"), "utf8"),
    ).toContain("now(");
  });

  it.each([
    ["header", "header"],
    ["auth", "auth"],
    ["issuer", "issuer"],
    ["issuer-alias", "issuerAlias"],
    ["env", "env"],
    ["not-secret", "notSecret"],
  ])(
    "names the member for a flag of one server in a pull of all servers: --%s",
    async (flag, member) => {
      const config = {
        servers: [{ snapshot: "a.mcp.json", source: { stdio: "x" } }],
      };
      const at = directory({ "mcpgen.config.json": JSON.stringify(config) });
      const { code, err } = await mcpgen(["pull", `--${flag}`, "a"], {
        directory: at,
      });
      expect(code).toBe(2);
      expect(err).toContain(
        `--${flag} is set for each server in mcpgen.config.json`,
      );
      expect(err).toContain(
        `hint: set "${member}" in the source of a server there`,
      );
    },
  );

  it("has a published schema that accepts what the program accepts", () => {
    const read = (name: string): object =>
      JSON.parse(readFileSync(join(root, "dist", name), "utf8")) as object;
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    const config = ajv.compile(read("config.schema.json"));
    const source = {
      url: "https://example.com",
      header: ["Region: eu-west-1"],
      notSecret: ["Region"],
    };
    expect(config({ servers: [{ snapshot: "a.mcp.json", source }] })).toBe(
      true,
    );
    expect(config({ server: [] })).toBe(false);
    const accepted = ajv.compile(read("accepted.schema.json"));
    expect(accepted({ format: 1, servers: {} })).toBe(true);
    const { exports } = JSON.parse(
      readFileSync(join(root, "package.json"), "utf8"),
    ) as {
      readonly exports: object;
    };
    expect(Object.keys(exports)).toEqual(
      expect.arrayContaining([
        "./config.schema.json",
        "./accepted.schema.json",
      ]),
    );
  });
});
