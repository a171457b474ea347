// The time of a complete process, compared with the command of
// json-schema-to-typescript, which only makes types, and others.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  above,
  here,
  inScratch,
  median,
  revision,
  root,
  schema,
  schemaFile,
  table,
} from "./shared.mjs";

const rounds = Number(process.env.ROUNDS ?? 7);

/** Budgets as ratios to the time of json-schema-to-typescript. */
const budgets = {
  "mcpgen, everything, cold": 0.5,
  "mcpgen, nothing changed": 0.2,
};

function run(args) {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0)
    throw new Error(`${args.join(" ")}: exit ${status}\n${stderr}`);
  return milliseconds;
}

await inScratch(async (scratch) => {
  const out = join(scratch, "gen");
  const cli = [join(root, "dist/cli.js"), "--quiet", "--version", revision];
  const json2ts = [
    join(here, "node_modules/json-schema-to-typescript/dist/src/cli.js"),
  ];
  const packages = join(here, "node_modules");
  const openapi = join(scratch, "openapi.json");
  const quicktype = [
    join(packages, "quicktype/dist/index.js"),
    "--lang",
    "ts",
    "--just-types",
  ];
  quicktype.push("--src-lang", "schema", "--src", `${schemaFile}#/$defs/`);
  const openapiTypescript = [
    join(packages, "openapi-typescript/bin/cli.js"),
    openapi,
  ];
  const heyApi = [
    join(packages, "@hey-api/openapi-ts/bin/run.js"),
    "-i",
    openapi,
    "--silent",
    "--no-log-file",
  ];
  heyApi.push("-p", "@hey-api/typescript", "zod");
  const runs = [
    [
      "json2ts (types only)",
      () =>
        run([
          ...json2ts,
          "--unreachableDefinitions",
          "-i",
          schemaFile,
          "-o",
          join(scratch, "t.ts"),
        ]),
    ],
    [
      "mcpgen, everything, cold",
      () => {
        rmSync(out, { recursive: true, force: true });
        return run([...cli, "--out", out]);
      },
    ],
    ["mcpgen, nothing changed", () => run([...cli, "--out", out])],
    [
      "mcpgen, types only, cold",
      () => {
        const types = join(scratch, "types");
        rmSync(types, { recursive: true, force: true });
        return run([...cli, "--out", types, "--emit", "types"]);
      },
    ],
    [
      "mcpgen, a schema.ts of one's own, cold",
      () => {
        const own = join(scratch, "own");
        rmSync(own, { recursive: true, force: true });
        return run([
          ...cli,
          "--out",
          own,
          "--schema",
          join(scratch, "schema.ts"),
        ]);
      },
    ],
    [
      "quicktype (types only)",
      () => run([...quicktype, "-o", join(scratch, "q.ts")]),
    ],
    [
      "openapi-typescript (types only)",
      () => run([...openapiTypescript, "-o", join(scratch, "o.ts")]),
    ],
    [
      "hey-api, types and zod",
      () => run([...heyApi, "-o", join(scratch, "hey")]),
    ],
    ["Node starting", () => run(["-e", "0"])],
  ];
  writeFileSync(openapi, asOpenApi(schema()));
  writeOwnSchema(join(scratch, "schema.ts"));
  const results = new Map(runs.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, once] of runs) results.get(name).push(once());
  }
  const base = median(results.get(runs[0][0]));
  console.log(
    `Generation of ${revision}, Node ${process.versions.node}: whole processes, median of ${rounds}\n`,
  );
  table(
    ["run", "ms", "fastest", "of json2ts", ""],
    runs.map(([name]) => {
      const times = results.get(name);
      const middle = median(times);
      const ratio = middle / base;
      const budget = above(ratio, budgets[name] ?? Infinity);
      return [
        name,
        middle.toFixed(0),
        Math.min(...times).toFixed(0),
        `${ratio.toFixed(2)} ×`,
        budget,
      ];
    }),
  );
});

/**
 * The definitions as components of an OpenAPI document, for generators that
 * only read OpenAPI.
 */
function asOpenApi({ $defs: schemas }) {
  const document = {
    openapi: "3.1.0",
    info: { title: "MCP", version: "1" },
    paths: {},
    components: { schemas },
  };
  return JSON.stringify(document).replaceAll(
    "#/$defs/",
    "#/components/schemas/",
  );
}

/**
 * The bundled schema with another comment, so that the parsed schema of the
 * build is not used.
 */
function writeOwnSchema(file) {
  const text = readFileSync(
    join(root, "schema", revision, "schema.ts"),
    "utf8",
  );
  writeFileSync(file, `${text}\n// One's own.\n`);
}
