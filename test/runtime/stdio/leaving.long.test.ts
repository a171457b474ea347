import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { bundle } from "../kit/bundle.js";
import { until } from "../kit/watch.js";

const [program, scripted] = [bundle("leaving-client"), bundle("scripted")];
const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const;

const servers: number[] = [];
afterEach(() =>
  servers
    .splice(0)
    .filter(runs)
    .forEach((pid) => process.kill(pid, "SIGKILL")),
);

/**
 * True while the process runs. The system may still list one that has ended.
 */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/State:\s+Z/.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Starts a client and returns it with the number of its server. */
async function leaving(how: string, steps: readonly string[]) {
  const client = spawn(
    process.execPath,
    [await program, how, await scripted, ...steps],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const ended = once(client, "exit");
  const [line] = (await once(
    createInterface({ input: client.stdout }),
    "line",
  )) as [string];
  const { pid } = JSON.parse(line) as { pid: number };
  servers.push(pid);
  return { client, ended, pid };
}

describe.skipIf(process.platform !== "linux")(
  "a server that ignores the end of its input",
  () => {
    it("leaves no process once its client has closed, and does not keep the client from ending", async () => {
      const { ended, pid } = await leaving("close", ["stay", "pid"]);
      expect(await ended).toEqual([0, null]);
      // The arguments of all processes that know the number of the server.
      const related = (): string[] =>
        readdirSync("/proc")
          .filter((name) => /^\d+$/.test(name) && runs(Number(name)))
          .map((name) => readFileSync(`/proc/${name}/cmdline`, "utf8"))
          .filter((line) => line.split("\0").includes(String(pid)));
      expect(runs(pid)).toBe(false);
      await until(() => expect(related()).toEqual([]));
    });

    it.each(["exit", "throw", ...signals])(
      "ends after its client has ended by %s, although it ignores SIGTERM as well",
      async (how) => {
        const { client, ended, pid } = await leaving(how, [
          "stay",
          "stubborn",
          "pid",
        ]);
        if (how.startsWith("SIG")) client.kill(how as NodeJS.Signals);
        const [code, signal] = (await ended) as [number | null, string | null];
        expect(signal ?? code).toBe(
          how.startsWith("SIG") ? how : how === "throw" ? 1 : 0,
        );
        await until(() => expect(runs(pid)).toBe(false));
      },
    );
  },
);
