import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { here, revision, root } from "../shared.mjs";

/** typia, whose compiler makes guards of the generated types. */
export async function typia(types, scratch) {
  const folder = join(scratch, "typia");
  const source = join(folder, "source");
  mkdirSync(source, { recursive: true });
  const from = JSON.stringify(join(root, "generated", revision, "types.ts"));
  const guards = types.map(
    (type) => `export const is${type} = typia.createIs<t.${type}>();`,
  );
  writeFileSync(
    join(source, "guards.ts"),
    [
      `import typia from "typia";`,
      `import type * as t from ${from};`,
      ...guards,
    ].join("\n"),
  );
  const compilerOptions = {
    strict: true,
    module: "ESNext",
    moduleResolution: "bundler",
    target: "ES2022",
  };
  const project = join(folder, "tsconfig.json");
  const paths = { typia: [join(here, "node_modules/typia")] };
  const options = {
    ...compilerOptions,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    paths,
  };
  writeFileSync(
    project,
    JSON.stringify({ compilerOptions: options, files: ["source/guards.ts"] }),
  );
  const cli = join(here, "node_modules/typia/lib/executable/typia.js");
  const out = join(folder, "out");
  const args = [
    cli,
    "generate",
    "--input",
    source,
    "--output",
    out,
    "--project",
    project,
  ];
  const { status, stderr, stdout } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    cwd: here,
  });
  if (status !== 0) throw new Error(`typia: ${stderr || stdout}`);
  const outfile = join(folder, "guards.mjs");
  const nodePaths = [join(here, "node_modules")];
  const entry = join(out, "guards.ts");
  await build({
    entryPoints: [entry],
    outfile,
    nodePaths,
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "node",
  });
  const module = await import(pathToFileURL(outfile).href);
  return new Map(types.map((type) => [type, module[`is${type}`]]));
}
