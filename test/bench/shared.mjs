import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const here = fileURLToPath(new URL("./", import.meta.url));

/** The revision that everything is measured on. */
export const revision = "2025-11-25";

/** The official JSON Schema without its sentences, as every peer gets it. */
export function schema() {
  return JSON.parse(readFileSync(schemaFile, "utf8"));
}
export const schemaFile = join(root, "test/oracle", `${revision}.schema.json`);

/** Runs with a fresh folder that is gone afterwards. */
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
  return Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);
}

/** Prints rows in columns; numbers stand to the right. */
export function table(head, rows) {
  const all = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, i) => Math.max(...all.map((row) => row[i].length)));
  const line = (row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  ");
  console.log(
    [line(head), widths.map((width) => "-".repeat(width)).join("  "), ...all.slice(1).map(line)].join("\n"),
  );
}
