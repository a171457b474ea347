import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn } from "../files.js";
import { root, revisions } from "../repository.js";
import { fixture } from "../stubs/project.js";
import { sourceAndProject } from "../update/project.js";
import { directory, runHere, smallSchema } from "./support.js";

const [oldest = ""] = revisions;

/**
 * Runs Prettier's command line in a folder. Returns what it prints and its exit
 * code.
 */
function prettier(
  place: string,
  ...args: string[]
): { readonly code: number | null; readonly err: string } {
  const program = join(root, "node_modules/prettier/bin/prettier.cjs");
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: place,
    encoding: "utf8",
  });
  return { code: status, err: stderr };
}

/** What a server offers, with short lists. */
const offer = {
  ...(JSON.parse(fixture("weather")) as object),
  tools: [
    {
      name: "greet",
      inputSchema: {
        type: "object",
        required: ["name"],
        properties: { name: { enum: ["a", "b"] } },
      },
    },
  ],
};
const program = join(root, "test/drift/offer.mjs");
const stdio = `${JSON.stringify(process.execPath)} ${JSON.stringify(program)} now.json`;

describe("a project that is formatted with Prettier", () => {
  it("passes Prettier's check without a configuration, after each command", async () => {
    const place = directory({
      "now.json": JSON.stringify(offer),
      ".prettierignore": "now.json\nmcpgen.config.json\n",
      "mcpgen.config.json": JSON.stringify({
        generate: [{ version: oldest, out: "gen", emit: ["types"] }],
        servers: [
          {
            snapshot: "made.mcp.json",
            source: { stdio },
            out: "stubs",
            emit: ["client", "server"],
          },
        ],
      }),
    });
    for (const args of [["pull"], []]) {
      const { code, err } = await runHere(args, place);
      expect([code, err], args.join()).toEqual([0, expect.any(String)]);
    }
    expect(prettier(place, "--check", ".")).toEqual({ code: 0, err: "" });
  });

  it("stays up to date and as it is after it was formatted with other rules", async () => {
    const { source, project: place } = sourceAndProject();
    await runHere(["update", "--from", source, "--revision", "all"], place);
    const config = JSON.stringify({
      generate: [{ version: "draft", out: "gen" }],
      servers: [
        {
          snapshot: "made.mcp.json",
          source: { stdio },
          out: "stubs",
          emit: ["client", "server"],
        },
      ],
    });
    writeFileSync(join(place, "now.json"), JSON.stringify(offer));
    writeFileSync(join(place, "mcpgen.config.json"), config);
    for (const args of [["pull"], []])
      expect((await runHere(args, place)).code).toBe(0);
    const rules = [
      "--use-tabs",
      "--print-width=60",
      "--single-quote",
      "--no-semi",
      "--quote-props=preserve",
    ];
    prettier(place, "--write", ".", ...rules);
    const formatted = filesIn(place);
    for (const args of [
      ["check", "--live"],
      ["pull"],
      ["--clean"],
      ["update", "--from", source],
    ]) {
      const { code, err } = await runHere(args, place);
      expect([code, err], args.join()).toEqual([
        0,
        expect.not.stringMatching(/written|stale/),
      ]);
    }
    expect(filesIn(place)).toEqual(formatted);
  });

  it("loses a leftover with --clean that was only formatted, and keeps one that was edited", async () => {
    const place = directory({ "own/schema.ts": smallSchema });
    const run = ["--schema", "own/schema.ts", "--out", "gen", "--emit"];
    await runHere([...run, "validators"], place);
    prettier(place, "--write", "gen", "--use-tabs");
    const edited = `${readFileSync(join(place, "gen/validate.ts"), "utf8")}// Mine.\n`;
    writeFileSync(join(place, "gen/validate.ts"), edited);
    const { err } = await runHere([...run, "types", "--clean"], place);
    expect(err).toMatch(/removed +validators\.ts/);
    expect(err).toMatch(/leftover +validate\.ts/);
  });
});

describe("a pinned schema", () => {
  it.each([
    ["a word", "greet/ask", "greet/asks"],
    ["white space in a text", '"greet/ask"', '"greet/ ask"'],
    ["a type for a text", '"greet/ask"', "Result"],
    ["a comment", "Asks for a greeting", "Begs for a greeting"],
  ])("that was changed in %s is an error", async (_, before, after) => {
    const { source, project: place } = sourceAndProject();
    await runHere(["update", "--from", source, "--revision", "all"], place);
    const file = join(place, "schema/2027-01-15/schema.ts");
    writeFileSync(file, readFileSync(file, "utf8").replace(before, after));
    const { code, err } = await runHere(["ir", "2027-01-15"], place);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^MG754 the pinned schema .* was changed/),
    ]);
  });
});
