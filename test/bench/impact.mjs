// `mcpgen update` with its report about a program of 200,000 lines, compared
// with `tsc --noEmit` on it: whole processes.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { writeProgram } from "./large.mjs";
import { metered } from "./metered.mjs";
import { above, inScratch, median, root, table } from "./shared.mjs";

const rounds = Number(process.env.ROUNDS ?? 3);

/** The budget of processor time as a ratio to `tsc`. */
const budget = 2;

const from = "2025-06-18";
/**
 * The bundled revisions that the program moves to, and the names under which
 * the update finds their schemas.
 */
const moves = { "2025-11-25": "2098-11-25", "2026-07-28": "2099-07-28" };
/** The modules that import the generated files, and whether these are all. */
const programs = { "one in nine modules": false, "every module": true };

function report(folder, name) {
  const args = [
    join(root, "dist/cli.js"),
    "update",
    "--dry-run",
    "--json",
    "--from",
    `../${name}`,
  ];
  const used = metered(args, { cwd: folder });
  const [first, second] = JSON.parse(used.stdout).impacts;
  if (first === undefined || second !== undefined)
    throw new Error("The report is not about one program.");
  return {
    ...used,
    lines: first.impact.lines.length,
    files: first.impact.files,
  };
}

await inScratch(async (scratch) => {
  for (const [revision, name] of Object.entries(moves)) {
    const text = readFileSync(
      join(root, "schema", revision, "schema.ts"),
      "utf8",
    );
    const file = join(scratch, name, "schema", name, "schema.ts");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.replaceAll(`"${revision}"`, `"${name}"`));
  }
  const rows = [];
  const sizes = [];
  for (const [title, isEverywhere] of Object.entries(programs)) {
    const folder = join(scratch, `program-${isEverywhere}`);
    const { lines, files } = writeProgram(folder, from, isEverywhere);
    sizes.push(`${title}: ${lines} lines in ${files} files`);
    const compile = [join(root, "node_modules/typescript/bin/tsc"), "--noEmit"];
    for (const [revision, name] of Object.entries(moves)) {
      const pairs = Array.from({ length: rounds }, () => {
        const tsc = metered(compile, { cwd: folder });
        const own = report(folder, name);
        return { tsc, own, cpu: own.cpu / tsc.cpu, time: own.time / tsc.time };
      });
      const middle = (of) => median(pairs.map(of));
      const ratio = middle(({ cpu }) => cpu);
      const seconds = (of) => `${middle(of).toFixed(1)} s`;
      const megabytes = (of) => `${middle(of).toFixed(0)} MB`;
      rows.push([
        `${title}, to ${revision}`,
        pairs[0].own.files,
        pairs[0].own.lines,
        seconds(({ tsc }) => tsc.cpu),
        seconds(({ own }) => own.cpu),
        `${ratio.toFixed(2)} ×`,
        `${middle(({ time }) => time).toFixed(2)} ×`,
        megabytes(({ tsc }) => tsc.memory),
        megabytes(({ own }) => own.memory),
        above(ratio, budget),
      ]);
    }
  }
  console.log(
    `The whole of mcpgen update --dry-run, from ${from}, TypeScript ${ts.version}: median of ${rounds} pairs\n`,
  );
  const head = [
    "affected",
    "files",
    "lines",
    "tsc, CPU",
    "report, CPU",
    "CPU",
    "time",
  ];
  table([...head, "tsc, memory", "report, memory", ""], rows);
  console.log(`\n${sizes.join("\n")}`);
});
