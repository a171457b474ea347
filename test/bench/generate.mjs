// How long a whole run takes, process and all, beside json-schema-to-typescript's command, which makes types only.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { here, inScratch, median, revision, root, schemaFile, table } from "./shared.mjs";

const rounds = Number(process.env.ROUNDS ?? 7);

function run(args) {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0) throw new Error(`${args.join(" ")}: exit ${status}\n${stderr}`);
  return milliseconds;
}

await inScratch(async (scratch) => {
  const out = join(scratch, "gen");
  const cli = [join(root, "dist/cli.js"), "--quiet", "--version", revision];
  const json2ts = [join(here, "node_modules/json-schema-to-typescript/dist/src/cli.js")];
  const runs = [
    [
      "json2ts (types only)",
      () => run([...json2ts, "--unreachableDefinitions", "-i", schemaFile, "-o", join(scratch, "t.ts")]),
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
        return run([...cli, "--out", own, "--schema", join(scratch, "schema.ts")]);
      },
    ],
    ["Node starting", () => run(["-e", "0"])],
  ];
  await writeOwnSchema(join(scratch, "schema.ts"));
  const found = new Map(runs.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, once] of runs) found.get(name).push(once());
  }
  const base = median(found.get(runs[0][0]));
  console.log(
    `Generation of ${revision}, Node ${process.versions.node}: whole processes, median of ${rounds}\n`,
  );
  table(
    ["run", "ms", "fastest", "of json2ts"],
    runs.map(([name]) => {
      const times = found.get(name);
      const middle = median(times);
      return [name, middle.toFixed(0), Math.min(...times).toFixed(0), `${(middle / base).toFixed(2)} ×`];
    }),
  );
});

/** The bundled schema with a comment more, so that nothing that was read beforehand is of use. */
async function writeOwnSchema(file) {
  const { readFileSync, writeFileSync } = await import("node:fs");
  const text = readFileSync(join(root, "schema", revision, "schema.ts"), "utf8");
  writeFileSync(file, `${text}\n// One's own.\n`);
}
