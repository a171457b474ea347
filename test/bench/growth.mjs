// The processor time of `mcpgen stubs` by the number of tools: of the whole
// process, user and system.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "json-schema-to-typescript";
import { metered } from "./metered.mjs";
import { above, inScratch, median, root, table } from "./shared.mjs";
import { snapshot, tool } from "./tools.mjs";

const sizes = [100, 1_000, 10_000];
/**
 * Budgets: milliseconds per tool, the ratio between the sizes, and seconds for
 * a whole run.
 */
const budgets = { tool: 3, apart: 1.5, two: 0.8, unchanged: 1, described: 2 };

/**
 * Milliseconds per tool of the library that makes the types of 1,000 tools,
 * without formatting.
 */
async function typesAlone() {
  const count = 1_000;
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) {
    const { inputSchema, outputSchema } = tool(i);
    for (const schema of [inputSchema, outputSchema])
      if (schema)
        await compile(structuredClone(schema), "Args", { format: false });
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3 / count;
}

/** Prints a row for each figure. */
export async function growth() {
  await inScratch(async (folder) => {
    /** Seconds of processor time. */
    const run = (name) => {
      const args = [
        join(root, "dist/cli.js"),
        "stubs",
        `${name}.json`,
        "--out",
        name,
        "--emit",
        "client,server",
        "--quiet",
      ];
      return metered(args, { cwd: folder }).cpu;
    };
    const fresh = (name, times) =>
      median(
        Array.from({ length: times }, () => {
          rmSync(join(folder, name), { recursive: true, force: true });
          return run(name);
        }),
      );
    const put = (name, text) =>
      writeFileSync(join(folder, `${name}.json`), text);
    put("two", snapshot(2));
    put("described", snapshot(2, 10_000_000));
    for (const size of sizes) put(`n${size}`, snapshot(size));
    const two = fresh("two", 5);
    const marginal = sizes.map(
      (size) =>
        ((fresh(`n${size}`, size > 1_000 ? 1 : 3) - two) / (size - 2)) * 1000,
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
        [
          "json-schema-to-typescript alone, each of 1000",
          `${(await typesAlone()).toFixed(2)} ms`,
          "",
        ],
        [
          "the dearest of these, of the cheapest",
          `${apart.toFixed(2)} ×`,
          above(apart, budgets.apart),
        ],
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
