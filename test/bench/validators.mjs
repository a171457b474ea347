// The validators that `mcpgen stubs` makes for the tools of nine real servers,
// beside compiled Ajv: × as fast, on valid and invalid arguments. With DETAIL=1
// it prints each value.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { build } from "esbuild";
import {
  below,
  geometricMean,
  inScratch,
  median,
  root,
  table,
} from "./shared.mjs";
import { entryOf, measure } from "./timing.mjs";

/** × as fast as Ajv: over all tools, and with each tool. */
const budgets = { mean: 5, tool: 1 };
const rounds = Number(process.env.ROUNDS ?? 7);
const window_ = Number(process.env.WINDOW ?? 3_000);

/** Bundles a program of TypeScript and loads it. */
async function load(contents, resolveDir, outfile) {
  await build({
    stdin: { contents, resolveDir, loader: "ts" },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    packages: "external",
    define: {
      "import.meta.url": JSON.stringify(
        pathToFileURL(join(root, "test/servers/servers.ts")).href,
      ),
    },
  });
  return import(pathToFileURL(outfile).href);
}

function mcpgen(args, cwd) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, "dist/cli.js"), ...args, "--quiet"],
    {
      cwd,
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(stderr);
}

/**
 * Ajv 8, as it is used for the arguments of tools; formats are annotations for
 * both.
 */
function ajvFor(schema) {
  const options = { strict: false, validateFormats: false };
  const isOld = String(schema.$schema ?? "").includes("draft-07");
  return (isOld ? new Ajv(options) : new Ajv2020(options)).compile(schema);
}

/**
 * Arguments that Ajv rejects: none at all, one required argument missing, one
 * of a wrong type.
 */
function invalid(validate, schema, all) {
  const [missing] = schema.required ?? [];
  const last = Object.keys(all).at(-1);
  const { [missing]: _, ...fewer } = all;
  const wrong = [null, 5, "x", [], {}].map((value) => ({
    ...all,
    [last]: value,
  }));
  const candidates = [
    [[]],
    missing === undefined ? [] : [fewer],
    last === undefined ? [] : wrong,
  ];
  return candidates.flatMap((each) =>
    each.filter((value) => !validate(value)).slice(0, 1),
  );
}

await inScratch(async (scratch) => {
  const { argumentsFor, fresh, launch, servers } = await load(
    'export * from "./servers.ts"; export * from "./arguments.ts";',
    join(root, "test/servers"),
    join(scratch, "servers.mjs"),
  );
  const entries = [];
  for (const server of servers) {
    const folder = join(scratch, server.name);
    mkdirSync(folder);
    fresh(folder);
    const { args, env } = launch(server, folder);
    const config = {
      mcpServers: { it: { command: process.execPath, args, env, cwd: folder } },
    };
    writeFileSync(join(folder, ".mcp.json"), JSON.stringify(config));
    mcpgen(["pull", "--config", "it", "-o", "it.mcp.json"], folder);
    mcpgen(["stubs", "it.mcp.json", "--out", "stubs"], folder);
    const guards = await load(
      'export * from "./validators.ts";',
      join(folder, "stubs"),
      join(folder, "validators.mjs"),
    );
    const { tools } = JSON.parse(
      readFileSync(join(folder, "it.mcp.json"), "utf8"),
    );
    const names = new Map(
      Object.keys(guards).map((name) => [name.toLowerCase(), name]),
    );
    for (const { name, inputSchema } of tools) {
      const ours =
        guards[
          names.get(
            `is${name.replaceAll(/[^a-zA-Z0-9]/g, "").toLowerCase()}input`,
          )
        ];
      const theirs = ajvFor(inputSchema);
      const [few, all] = argumentsFor(inputSchema, folder);
      const values = [few, all, ...invalid(theirs, inputSchema, all)].map(
        (value) => JSON.parse(JSON.stringify(value)),
      );
      // Both see every value of the tool again and again before any is
      // measured, as a program's would.
      for (let i = 0; i < 2_000; i++) {
        for (const value of values) {
          if (ours(value) !== theirs(value))
            throw new Error(
              `${server.name}, ${name}: ${JSON.stringify(value)}`,
            );
        }
      }
      for (const value of values) {
        const pair = [
          await entryOf(theirs, value, window_),
          await entryOf(ours, value, window_),
        ];
        entries.push({
          server: server.name,
          tool: name,
          value,
          isValid: theirs(value),
          pair,
        });
      }
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const { pair } of entries)
      for (const entry of pair) entry.measurements.push(measure(entry));
  }
  const ratio = ({ pair: [theirs, ours] }) =>
    median(theirs.measurements) / median(ours.measurements);
  const mean = (some) => geometricMean(some.map(ratio));
  const show = (figure) => `${figure.toFixed(2)} ×`;
  console.log(
    `Validators of tools' arguments, Node ${process.versions.node}: × as fast as compiled Ajv\n`,
  );
  table(
    ["server", "tools", "mean", "valid", "invalid", "slowest tool", ""],
    servers.map(({ name }) => {
      const own = entries.filter(({ server }) => server === name);
      const tools = [...new Set(own.map(({ tool }) => tool))];
      const slowest = tools
        .map((tool) => [mean(own.filter((entry) => entry.tool === tool)), tool])
        .reduce((a, b) => (b[0] < a[0] ? b : a));
      return [
        name,
        tools.length,
        show(mean(own)),
        show(mean(own.filter(({ isValid }) => isValid))),
        show(mean(own.filter(({ isValid }) => !isValid))),
        `${slowest[1]} ${show(slowest[0])}`,
        below(slowest[0], budgets.tool),
      ];
    }),
  );
  const tools = [
    ...new Set(entries.map(({ server, tool }) => `${server} ${tool}`)),
  ];
  const means = tools.map((id) =>
    mean(entries.filter(({ server, tool }) => `${server} ${tool}` === id)),
  );
  const all = geometricMean(means);
  console.log(
    `\ngeometric mean over ${tools.length} tools: ${show(all)} ${below(all, budgets.mean)}`,
  );
  if (process.env.DETAIL) {
    console.log("");
    table(
      ["value", "ajv ns", "ours ns"],
      [...entries]
        .sort((a, b) => ratio(a) - ratio(b))
        .map(({ server, tool, value, pair }) => [
          `${server} ${tool} ${JSON.stringify(value).slice(0, 60)}`,
          ...pair.map(({ measurements }) => median(measurements).toFixed(1)),
        ]),
    );
  }
});
