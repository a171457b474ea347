// What a run of `mcpgen stubs` costs as a server grows: processor time of the whole process, user and system.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "json-schema-to-typescript";
import { above, inScratch, median, root, table } from "./shared.mjs";
import { snapshot, tool } from "./tools.mjs";

const sizes = [100, 1_000, 10_000];
/** Milliseconds for each tool, and between the sizes as a ratio; seconds for a whole run. */
const budgets = { tool: 3, apart: 1.5, two: 0.8, unchanged: 1, described: 2 };

/** Runs a process of its own that reports what it used, since a parent cannot ask for a single child. */
const meter = `
process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  require("node:fs").writeFileSync(process.env.METER, String((user + system) / 1e6));
});`;

/** Milliseconds for each of 1,000 tools of the library that makes their types, without any formatting. */
async function typesAlone() {
  const count = 1_000;
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) {
    const { inputSchema, outputSchema } = tool(i);
    for (const schema of [inputSchema, outputSchema])
      if (schema) await compile(structuredClone(schema), "Args", { format: false });
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3 / count;
}

/** Prints a row for each figure. */
export async function growth() {
  await inScratch(async (folder) => {
    writeFileSync(join(folder, "meter.cjs"), meter);
    const METER = join(folder, "used");
    /** Seconds of processor time. */
    const run = (name) => {
      const args = [
        "--require",
        join(folder, "meter.cjs"),
        join(root, "dist/cli.js"),
        "stubs",
        `${name}.json`,
      ];
      const more = ["--out", name, "--quiet"];
      const options = { cwd: folder, env: { ...process.env, METER }, encoding: "utf8" };
      const { status, stderr } = spawnSync(process.execPath, [...args, ...more], options);
      if (status !== 0) throw new Error(stderr);
      return Number(readFileSync(METER, "utf8"));
    };
    const fresh = (name, times) =>
      median(
        Array.from({ length: times }, () => {
          rmSync(join(folder, name), { recursive: true, force: true });
          return run(name);
        }),
      );
    const put = (name, text) => writeFileSync(join(folder, `${name}.json`), text);
    put("two", snapshot(2));
    put("described", snapshot(2, 10_000_000));
    for (const size of sizes) put(`n${size}`, snapshot(size));
    const two = fresh("two", 5);
    const marginal = sizes.map(
      (size) => ((fresh(`n${size}`, size > 1_000 ? 1 : 3) - two) / (size - 2)) * 1000,
    );
    const unchanged = median([run("n1000"), run("n1000"), run("n1000")]);
    const described = fresh("described", 3) - two;
    const apart = Math.max(...marginal) / Math.min(...marginal);
    console.log("\nProcessor time of `mcpgen stubs`, handler files included\n");
    table(
      ["what", "time", ""],
      [
        ["2 tools", `${two.toFixed(2)} s`, above(two, budgets.two, "s")],
        ...sizes.map((size, i) => [
          `each of ${size} tools, beyond 2`,
          `${marginal[i].toFixed(2)} ms`,
          above(marginal[i], budgets.tool, "ms"),
        ]),
        ["json-schema-to-typescript alone, each of 1000", `${(await typesAlone()).toFixed(2)} ms`, ""],
        ["the dearest of these, of the cheapest", `${apart.toFixed(2)} ×`, above(apart, budgets.apart)],
        [
          "1000 tools, nothing changed",
          `${unchanged.toFixed(2)} s`,
          above(unchanged, budgets.unchanged, "s"),
        ],
        [
          "a description of 10 MB",
          `${described.toFixed(2)} s more`,
          above(described, budgets.described, "s"),
        ],
      ],
    );
  });
}
