import { relative, sep } from "node:path";
import { expect, it } from "vitest";
import { root } from "../repository.js";
import { fixture } from "../stubs/project.js";
import { directory, runHere } from "./support.js";

const config = (content: object): Record<string, string> => ({
  "mcpgen.config.json": JSON.stringify(content),
});
const weather = { "weather.mcp.json": fixture("weather") };
const generate = ["--version", "2025-11-25", "--out", "gen"];
const card = ["card", "weather.mcp.json", "--out", "."];
const revision = "schema/2027-01-15/schema.ts";

/** The exit code of a command, and its words with places from the folder. */
async function saidOf(
  args: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<[code: number, said: string]> {
  const place = directory(files);
  const { code, err } = await runHere(args, place);
  const shown = relative("", place).replaceAll(sep, "/");
  return [
    code,
    err
      .replaceAll(sep, "/")
      .replaceAll(shown, ".")
      .replaceAll(place.replaceAll(sep, "/"), ".")
      .replaceAll(root.replaceAll(sep, "/"), ""),
  ];
}

it.each<
  [words: string, args: string[], files: Readonly<Record<string, string>>]
>([
  [
    "MG743 ./mcpgen.config.json: update.folder cannot be used: it is absolute, or has an empty, '.' or '..' part\n    hint: use a folder below the configuration\n",
    ["update"],
    config({ update: { from: "spec", folder: "../up" } }),
  ],
  [
    `MG756 ./${revision} exists already and was not written by mcpgen update\n    hint: move it away, or choose another folder with update.folder in the configuration\n`,
    ["update", "--from", "spec"],
    {
      [`spec/${revision}`]: "export interface A {}\n",
      [revision]: "export interface B {}\n",
    },
  ],
  [
    'MG745 ./mcpgen.config.json has no member "code"\n    hint: add code: { servers: ["a name"], out: "src/agent" }, or name the servers: mcpgen code <source…> --out <dir>\n',
    ["code"],
    config({ servers: [] }),
  ],
  [
    "MG952 none.ts cannot be read: no such file or directory (ENOENT)\n    hint: name a file of TypeScript or JavaScript\n",
    ["migrate", "none.ts"],
    {},
  ],
  [
    "MG951 no server of the official SDK or of FastMCP is in a.ts\n    hint: name the files that make a server or register its tools\n",
    ["migrate", "a.ts"],
    { "a.ts": "export const a = 1;\n" },
  ],
  [
    "a.ts:2:7 MG952 syntax error: Variable declaration expected.\n    hint: correct it, and run again\n",
    ["migrate", "a.ts"],
    {
      "a.ts":
        'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nconst = ;\n',
    },
  ],
  [
    "MG952 a.ts: an expression is nested too deeply to be read\n    hint: write it with fewer brackets inside each other, and run again\n",
    ["migrate", "a.ts"],
    {
      "a.ts": `export const a = ${"[".repeat(40_000)}${"]".repeat(40_000)};\n`,
    },
  ],
  [
    "MG961 no package.json is in . or above it\n    hint: name a folder of the package with --out\n",
    card,
    weather,
  ],
  [
    "MG962 ./manifest.json is not the manifest of a bundle: it has no manifest_version\n    hint: name another folder with --out\n",
    [...card, "--mcpb"],
    { ...weather, "package.json": "{}", "manifest.json": "{}" },
  ],
  [
    "MG711 the templates in ./none cannot be read: no such file or directory (ENOENT)\n    hint: name a folder of .hbs files\n",
    [...generate, "--templates", "none"],
    {},
  ],
  [
    "MG711 ./empty contains no .hbs file\n    hint: name a folder of .hbs files\n",
    [...generate, "--templates", "empty"],
    { "empty/a.txt": "" },
  ],
  [
    'schema/extensions/tasks/schema.ts:1:1 MG120 the extension "io.modelcontextprotocol/tasks" imports types that revision 2025-11-25 does not have\n    hint: use a revision that it supports\n',
    [...generate, "--extension", "tasks"],
    {},
  ],
])(
  "what a command refuses in the files of a project, it says completely: %s",
  async (words, args, files) => {
    expect(await saidOf(args, files)).toEqual([2, words]);
  },
);

it("a check of the pinned schemas ends with what to run if the source has a newer one", async () => {
  const [code, said] = await saidOf(["update", "--from", "spec", "--check"], {
    [`spec/${revision}`]: "export interface A {}\n",
  });
  expect([code, ...said.split("\n").slice(-3)]).toEqual([
    1,
    "spec: 1 new",
    "run mcpgen update to pin what is newer",
    "",
  ]);
});

it("mcpgen card takes the older manifest of a bundle, which says dxt_version", async () => {
  const [code, said] = await saidOf([...card, "--mcpb"], {
    ...weather,
    "package.json": "{}",
    "manifest.json": '{ "dxt_version": "0.1" }',
  });
  expect([code, said.includes("is not the manifest of a bundle")]).toEqual([
    2,
    false,
  ]);
});
