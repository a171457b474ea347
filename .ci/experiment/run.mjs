// npm run experiment: generates, compiles and runs the quickstarts, runs the
// conformance suite, and writes the report about it. After it, `quickstarts` or
// `conformance` runs that part alone, and `report` none: the results of the
// other parts are those of the last run.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createJiti } from "jiti";
import { commands, runQuickstarts } from "./quickstarts.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const resultsPath = join(root, "test/examples/generated-sdk/results.json");
/** What the suite itself prints, for whoever checks the results without us. */
const logPath = join(root, "test/examples/generated-sdk/conformance.log");
const jiti = createJiti(import.meta.url);
const { measure } = await jiti.import("./measure.ts");
const { page, report } = await jiti.import("./report.ts");
const { codeLines } = await jiti.import("../../test/modules.ts");

// A part that is named runs alone; the results of the others stay.
const [part = "all"] = process.argv.slice(2);
const results = existsSync(resultsPath)
  ? JSON.parse(readFileSync(resultsPath, "utf8"))
  : {};
for (const [name, run] of Object.entries({ quickstarts, conformance }))
  if (part === "all" || part === name) Object.assign(results, await run());
writeFileSync(resultsPath, `${JSON.stringify(results, null, 2)}\n`);
writeFileSync(join(root, page), await report(await measure(), results));
console.log(`${page}: written`);

async function quickstarts() {
  console.log("generating, compiling and running the quickstarts");
  const { generated, runs } = await runQuickstarts((folder) =>
    ["src/weather", "src/gen"].map((out) => sizeOf(join(folder, out))),
  );
  return {
    generated: commands.map((command, i) => ({ command, ...generated[i] })),
    runs,
  };
}

async function conformance() {
  const output = await suite();
  const { packages } = JSON.parse(
    readFileSync(join(root, "test/installed/package-lock.json"), "utf8"),
  );
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    suite: packages["node_modules/@modelcontextprotocol/conformance"].version,
    commands: readFileSync(logPath, "utf8").match(
      /^\$ .*--(?:suite|requirements) .*$/gm,
    ),
    scenarios: [
      ...output.matchAll(/^(\w+) at (\S+): (\d+) of (\d+) scenarios$/gm),
    ].map(([, side, revision, passed, total]) => ({
      side,
      revision,
      passed: Number(passed),
      total: Number(total),
    })),
    extensions: [
      ...output.matchAll(/^\w+ at \S+: (\S+) (passes|does not pass)$/gm),
    ].map(([, name, result]) => ({ name, passes: result === "passes" })),
  };
}

/** The TypeScript files in a folder that the commands wrote. */
function sizeOf(folder) {
  const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => readFileSync(join(folder, path), "utf8"));
  return {
    files: texts.length,
    lines: texts.reduce((sum, text) => sum + codeLines(text), 0),
  };
}

/**
 * What the conformance suite prints; throws if it fails, which it also does on
 * a machine that is too busy.
 */
async function suite() {
  const args = ["run", "test:conformance", "--", "--log", logPath];
  const child = spawn("npm", args, {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  const [status] = await once(child, "close");
  if (status !== 0)
    throw new Error(
      "The conformance suite fails. Run npm run test:conformance alone, on a machine that does nothing else.",
    );
  return output;
}
