import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { commands } from "../../src/cli/commands.js";
import { parseArguments } from "../../src/cli/flags.js";
import { shortLived } from "../engine.js";
import { filesIn, folderInCheckout } from "../files.js";
import { program, root } from "../repository.js";
import { compile } from "../view/compile.js";

const example = join(root, "test/examples/weather");

/** The commands of the workflow, a line each, as a shell would split them. */
function workflow(): {
  readonly lines: readonly string[];
  readonly mcpgen: readonly string[][];
} {
  const text = readFileSync(join(example, ".github/workflows/mcp.yml"), "utf8");
  const { jobs } = parse(text) as {
    jobs: Record<string, { steps: { run?: string; uses?: string }[] }>;
  };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  if (
    !steps.every(
      ({ run, uses }) => (run === undefined) !== (uses === undefined),
    )
  )
    throw new Error(
      "a step of the workflow neither runs nor uses anything, or does both",
    );
  const lines = steps.flatMap(({ run = "" }) =>
    run.split("\n").filter((line) => line.trim() !== ""),
  );
  const words = (line: string): string[] =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, bare]) => quoted ?? bare ?? "",
    );
  const own = lines
    .map(words)
    .filter(([npx, name]) => npx === "npx" && name === "mcpgen");
  return { lines, mcpgen: own.map((all) => all.slice(2)) };
}

describe("the example of a weather server", () => {
  let place = "";
  const mcpgen = (...args: string[]): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, [...shortLived, program, ...args], {
      cwd: place,
      encoding: "utf8",
    });

  beforeAll(async () => {
    place = folderInCheckout("weather");
    cpSync(
      join(root, "test/fixtures/snapshots/weather.mcp.json"),
      join(place, "weather.mcp.json"),
    );
    for (const args of [
      [
        "stubs",
        "weather.mcp.json",
        "--out",
        "src/weather",
        "--emit",
        "client,server",
      ],
      ["docs", "weather.mcp.json", "--out", "docs"],
    ]) {
      execFileSync(
        process.execPath,
        [...shortLived, program, ...args, "--quiet"],
        { cwd: place },
      );
    }
    // What was made is filled in.
    cpSync(example, place, { recursive: true });
    for (const [entry, outfile] of [
      ["src/weather/main.ts", "server.mjs"],
      ["src/client.ts", "client.mjs"],
    ] as const) {
      await build({
        entryPoints: [join(place, entry)],
        outfile: join(place, outfile),
        bundle: true,
        external: ["@mcpgen/*"],
        format: "esm",
        platform: "node",
        logLevel: "silent",
      });
    }
  });

  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it("keeps the handlers that were filled in, and passes the strictest compiler with them", () => {
    const written = filesIn(join(example, "src"));
    const all = filesIn(join(place, "src"));
    for (const [path, text] of Object.entries(written))
      expect(all[path], path).toBe(text);
    const sources = Object.entries(all).filter(([path]) =>
      path.endsWith(".ts"),
    );
    expect(sources.length).toBeGreaterThan(20);
    expect(compile(new Map(sources))).toEqual([]);
  });

  it("serves its client, which prints what its page says", () => {
    const run = spawnSync(process.execPath, ["client.mjs"], {
      cwd: place,
      encoding: "utf8",
    });
    // The server reports what its tool throws; the client shares its standard
    // error.
    expect(run.stderr).toBe(
      "[mcpgen] tools/call get_weather: ToolError: No station reports from Atlantis.\n",
    );
    const readme = readFileSync(join(example, "README.md"), "utf8");
    for (const path of [
      "src/client.ts",
      "src/weather/handlers/tools/get-weather.ts",
    ]) {
      expect(readme).toContain(
        `\`\`\`ts\n${readFileSync(join(example, path), "utf8")}\`\`\`\n`,
      );
    }
    expect(readme).toContain(`\`\`\`text\n${run.stdout}\`\`\`\n`);
    expect(run.stdout).toContain("Lisbon - 21.5 [ 'sunny' ]");
  });

  it("has a workflow of commands and flags that mcpgen knows, each of which passes here", () => {
    const { lines, mcpgen: own } = workflow();
    expect(lines).toContain("npm ci");
    expect(own.map(([name]) => name)).toEqual(["docs", "check"]);
    for (const args of own) {
      expect(commands.map(({ name }) => name)).toContain(args[0]);
      expect(parseArguments(args)).toMatchObject({ kind: "run" });
      const run = mcpgen(...args);
      expect(run.status, String(run.stderr)).toBe(0);
    }
  });

  it("has a workflow that ends with 1 once the snapshot says something else", () => {
    const { mcpgen: own } = workflow();
    const snapshot = join(place, "weather.mcp.json");
    const before = readFileSync(snapshot, "utf8");
    try {
      writeFileSync(snapshot, before.replace("as it is now", "as it was"));
      expect(own.map((args) => mcpgen(...args).status)).toEqual(
        own.map(() => 1),
      );
    } finally {
      writeFileSync(snapshot, before);
    }
  });
});
