// npm run test:official -- <folder>: compares the bundled schemas with the
// official ones in that folder.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const folder = process.argv[2];
if (folder === undefined) {
  console.error(
    "Name the folder that holds <revision>/schema.ts for each revision and extensions/<name>/schema.ts for each extension: npm run test:official -- <folder>",
  );
  process.exit(2);
}
const vitest = join(
  dirname(createRequire(import.meta.url).resolve("vitest/package.json")),
  "vitest.mjs",
);
const { status } = spawnSync(
  process.execPath,
  [
    vitest,
    "run",
    "--config",
    "test/vitest.suites.config.ts",
    "--mode",
    "official",
    "--root",
    ".",
  ],
  {
    stdio: "inherit",
    env: { ...process.env, MCPGEN_OFFICIAL: resolve(folder) },
  },
);
process.exit(status ?? 1);
