import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs in the process before its program: a process reports its own usage,
 * because a parent cannot measure a single child.
 */
const meter = `
process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  const { maxRSS } = process.resourceUsage();
  const used = { cpu: (user + system) / 1e6, memory: maxRSS / 1024 };
  require("node:fs").writeFileSync(process.env.METER, JSON.stringify(used));
});`;

/**
 * Runs a Node program to its end. Returns its time since the start of the
 * process and its processor time, user and system, in seconds, the most memory
 * that it had, in megabytes, and its standard output.
 */
export function metered(args, { cwd }) {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-meter-"));
  try {
    writeFileSync(join(folder, "meter.cjs"), meter);
    const METER = join(folder, "used");
    const start = process.hrtime.bigint();
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--require", join(folder, "meter.cjs"), ...args],
      {
        cwd,
        env: { ...process.env, METER },
        encoding: "utf8",
        maxBuffer: 2 ** 30,
      },
    );
    const time = Number(process.hrtime.bigint() - start) / 1e9;
    if (status !== 0)
      throw new Error(
        `${args.join(" ")}: exit ${status}\n${stdout.slice(0, 2000)}${stderr}`,
      );
    return { time, ...JSON.parse(readFileSync(METER, "utf8")), stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
