import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { modern, revision } from "./servers/echo.mjs";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const here = fileURLToPath(new URL("./", import.meta.url));

export { modern, revision };

/** The bundled revisions, as the command line lists them. */
export function revisions() {
  const args = [join(root, "dist/cli.js"), "list", "--json"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout).map(({ revision: name }) => name);
}

/** The official JSON Schema without descriptions, as every peer gets it. */
export function schema() {
  return JSON.parse(readFileSync(schemaFile, "utf8"));
}
export const schemaFile = join(root, "test/oracle", `${revision}.schema.json`);

/** Runs a function with a fresh folder, which is removed afterwards. */
export async function inScratch(run) {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-bench-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export function geometricMean(numbers) {
  return Math.exp(
    numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length,
  );
}

/**
 * The text beside a figure that is above its budget; empty if it is within the
 * budget.
 */
export const above = (figure, most, unit = "×") =>
  figure > most ? `budget ${most} ${unit}` : "";

/** The same for a figure with a lower limit. */
export const below = (figure, least, unit = "×") =>
  figure < least ? `budget ${least} ${unit}` : "";

/**
 * The median of each peer over several rounds. Every peer runs in every round,
 * so that all have the same conditions.
 */
export async function compare(peers, rounds, measure) {
  const results = peers.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, peer] of peers.entries())
      results[i].push(await measure(peer));
  }
  return results.map(median);
}

/**
 * The cost of a call for each peer, and its ratio to that of its limit. All
 * peers are alive and take turns in short bursts: what else the machine does
 * then falls on all of them. `run` makes a number of calls and returns what one
 * of them cost; `limitOf` is the peer that another one is compared with. The
 * cost is the lower quartile of the rounds, the ratio the median of those in
 * the same round.
 */
export async function inTurns(
  peers,
  { rounds, burst, warm },
  limitOf = () => peers[0],
) {
  const costs = new Map(peers.map((peer) => [peer, []]));
  for (const peer of peers) await peer.run(warm);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? peers : [...peers].reverse();
    for (const peer of order) costs.get(peer).push(await peer.run(burst));
  }
  return peers.map((peer) => {
    const [own, limit] = [costs.get(peer), costs.get(limitOf(peer))];
    const sorted = [...own].sort((a, b) => a - b);
    return {
      cost: sorted[Math.floor(sorted.length / 4)],
      ratio: median(own.map((cost, i) => cost / limit[i])),
    };
  });
}

/**
 * Prints rows in columns, with numbers aligned to the right. `run.mjs --json`
 * collects them in the file that TABLES names.
 */
export function table(head, rows) {
  if (process.env.TABLES !== undefined)
    appendFileSync(process.env.TABLES, `${JSON.stringify({ head, rows })}\n`);
  const all = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, i) =>
    Math.max(...all.map((row) => row[i].length)),
  );
  const line = (row) =>
    row
      .map((cell, i) =>
        i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]),
      )
      .join("  ");
  console.log(
    [
      line(head),
      widths.map((width) => "-".repeat(width)).join("  "),
      ...all.slice(1).map(line),
    ].join("\n"),
  );
}
