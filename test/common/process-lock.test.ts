import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  vi,
} from "vitest";
import {
  withProcessLock,
  type LockHolder,
} from "../../src/common/process-lock.js";
import { afterTest } from "../runtime/kit/closing.js";
import { windows } from "../runtime/kit/windows.js";

const isLinux = process.platform === "linux";
const root = mkdtempSync(join(tmpdir(), "mcpgen-lock-"));
const program = join(root, "holder.mjs");
let path = "";
let number = 0;
const children: ChildProcess[] = [];

/**
 * Takes the lock again and again. While it holds the lock, no other process may
 * be between the two lines that it writes.
 */
const script = `
import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { withProcessLock } from "./src/common/process-lock.js";
const [path, turns, time] = process.argv.slice(2);
for (let turn = 0; turn < Number(turns); turn++) {
  await withProcessLock(path, async () => {
    appendFileSync(path + ".log", "begin " + process.pid + "\\n");
    console.log("holds");
    await setTimeout(Number(time));
    appendFileSync(path + ".log", "end " + process.pid + "\\n");
  });
  await setTimeout(Math.random() * 15);
}
`;

beforeAll(async () => {
  await build({
    stdin: { contents: script, resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: program,
  });
});
beforeEach(() => void (path = join(root, String(number++), "lock")));
afterEach(() => {
  vi.useRealTimers();
  for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A process that takes the lock, and resolves once it holds it. */
async function startHolder(turns = 1, time = 1_000_000): Promise<ChildProcess> {
  const child = spawn(process.execPath, [
    program,
    path,
    String(turns),
    String(time),
  ]);
  children.push(child);
  await once(child.stdout, "data");
  return child;
}

class Busy extends Error {}
const refuse = ({ pid, host }: LockHolder): Error =>
  new Busy(`${pid} on ${host}`);

/**
 * Takes the lock with a patience in milliseconds. Time passes at once; each
 * quarter of a second, something may happen.
 */
async function attempt(
  patience: number,
  happen = (): void => {},
): Promise<unknown> {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  const outcome = withProcessLock(path, () => Promise.resolve("taken"), {
    patience,
    refuse,
  }).catch((error: unknown) => error);
  const ended = new AbortController();
  void outcome.then(() => ended.abort());
  while (!ended.signal.aborted) {
    happen();
    await vi.advanceTimersByTimeAsync(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
  vi.useRealTimers();
  return await outcome;
}

/** Writes a lock file as another process does. */
async function leaveLock(holder: object | string): Promise<void> {
  await withProcessLock(path, () => Promise.resolve());
  writeFileSync(
    path,
    typeof holder === "string" ? holder : JSON.stringify(holder),
  );
}

describe("the lock of processes", () => {
  it("is held by one caller at a time, and leaves no file", async () => {
    let holders = 0;
    const work = async (): Promise<void> => {
      expect(++holders).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 2));
      holders--;
    };
    await Promise.all(
      Array.from({ length: 8 }, () => withProcessLock(path, work)),
    );
    expect([existsSync(path), existsSync(`${path}.removal`)]).toEqual([
      false,
      false,
    ]);
  });

  it("is released after work that fails, and the caller gets the error", async () => {
    await expect(
      withProcessLock(path, () => Promise.reject(new Error("no"))),
    ).rejects.toThrow("no");
    expect(existsSync(path)).toBe(false);
  });

  it("is not awaited after the signal aborts", async () => {
    await leaveLock({ id: "another", pid: 1, host: `not-${hostname()}` });
    const abort = new AbortController();
    const waiting = withProcessLock(path, () => Promise.resolve(), {
      signal: abort.signal,
    });
    abort.abort(new Error("stop"));
    await expect(waiting).rejects.toThrow("stop");
  });

  it("of a killed process is taken at once", async () => {
    const child = await startHolder();
    expect(await attempt(500)).toEqual(
      new Busy(`${child.pid} on ${hostname()}`),
    );
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await attempt(500)).toBe("taken");
  });

  it.skipIf(!isLinux)(
    "of a suspended process is not taken, however long it takes",
    async () => {
      const child = await startHolder();
      child.kill("SIGSTOP");
      expect(await attempt(600_000)).toBeInstanceOf(Busy);
    },
  );

  it.skipIf(!isLinux)(
    "of a process that ended without notice of its parent is taken at once",
    async () => {
      // The shell becomes `sleep`, which never asks for the end of its child.
      const shell = spawn("sh", [
        "-c",
        '"$0" "$@" & exec sleep 1000',
        process.execPath,
        program,
        path,
        "1",
        "1000000",
      ]);
      children.push(shell);
      await once(shell.stdout, "data");
      const { pid } = JSON.parse(readFileSync(path, "utf8")) as LockHolder;
      process.kill(pid, "SIGKILL");
      while (!/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8")))
        await new Promise((resolve) => setImmediate(resolve));
      expect(await attempt(500)).toBe("taken");
    },
  );

  it.skipIf(!isLinux)(
    "of a process whose id another one has now is taken at once",
    async () => {
      await leaveLock({
        id: "another",
        pid: process.ppid,
        host: hostname(),
        start: "1",
      });
      expect(await attempt(500)).toBe("taken");
    },
  );

  const ended = { id: "another", pid: 2 ** 30 };
  const [here, elsewhere] = [hostname(), `not-${hostname()}`];
  const contained = { ...ended, host: here, space: "pid:[1]" };
  it.each<readonly [which: string, holder: LockHolder]>([
    ["of another machine", { ...ended, host: elsewhere }],
    [
      "of a process of which nobody knows when it began",
      { ...ended, pid: process.ppid, host: here },
    ],
    // Only Linux has containers.
    ...(isLinux ? ([["of another container", contained]] as const) : []),
  ])(
    "%s is taken after ten seconds without a renewal, whatever runs with its process id here",
    async (_, holder) => {
      await leaveLock(holder);
      expect(await attempt(9_000)).toEqual(
        new Busy(`${holder.pid} on ${holder.host}`),
      );
      expect(await attempt(11_000)).toBe("taken");
    },
  );

  it("is refused at once without patience", async () => {
    await leaveLock({ ...ended, host: `not-${hostname()}` });
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    const outcome = withProcessLock(path, () => Promise.resolve(), {
      patience: 0,
      refuse,
    }).catch((error: unknown) => error);
    const later = new Promise((resolve) => setImmediate(resolve, "waits"));
    expect(await Promise.race([outcome, later])).toBeInstanceOf(Busy);
  });

  it("of another machine is not taken while it is renewed, whatever its clock says", async () => {
    await leaveLock({ id: "another", pid: 1, host: `not-${hostname()}` });
    let time = 1;
    expect(
      await attempt(60_000, () => utimesSync(path, ++time, time)),
    ).toBeInstanceOf(Busy);
  });

  it("without a holder is taken after a second", async () => {
    await leaveLock("torn");
    expect(await attempt(2_000)).toBe("taken");
  });

  it("is renewed while the work takes", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    await withProcessLock(path, async () => {
      for (let turn = 0; turn < 3; turn++) {
        utimesSync(path, 1, 1);
        await vi.advanceTimersByTimeAsync(2_500);
        expect(statSync(path).mtimeMs).toBeGreaterThan(1_000);
      }
    });
  });

  it("is held by one process at a time, while some of them are killed at any moment", async () => {
    const holders = await Promise.all(
      [1e9, 1e9, 10, 10].map((turns) => startHolder(turns, 1)),
    );
    for (const child of holders.slice(0, 2)) {
      for (let turn = Math.random() * 8; turn > 0; turn--)
        if (child.stdout) await once(child.stdout, "data");
      child.kill("SIGKILL");
    }
    const ends = await Promise.all(
      holders.map(
        async (child) =>
          child.exitCode ??
          child.signalCode ??
          ((await once(child, "exit")) as [number])[0],
      ),
    );
    expect(ends.slice(2)).toEqual([0, 0]);
    const killed = new Set(
      holders.slice(0, 2).map(({ pid }) => `begin ${pid}`),
    );
    const lines = readFileSync(`${path}.log`, "utf8").trim().split("\n");
    // Every turn ends before the next one begins, except the last one of a
    // process that was killed.
    for (const [index, line] of lines.entries()) {
      if (!line.startsWith("begin ")) continue;
      const next = lines[index + 1];
      if (next === line.replace("begin", "end")) continue;
      expect([...killed]).toContain(line);
      killed.delete(line);
      if (next !== undefined) expect(next).toMatch(/^begin /);
    }
  });
});

describe.skipIf(process.platform === "win32")("a lock on Windows", () => {
  it("waits for a file that is being removed, for which Windows answers EPERM", async () => {
    windows({});
    const { openSync } = fs;
    const refused = vi.fn(() => {
      throw Object.assign(new Error("EPERM"), { code: "EPERM" });
    });
    const refusing = vi
      .spyOn(fs, "openSync")
      .mockImplementation((...args: Parameters<typeof openSync>) =>
        refused.mock.calls.length < 2 ? refused() : openSync(...args),
      );
    syncBuiltinESMExports();
    afterTest(() => {
      refusing.mockRestore();
      syncBuiltinESMExports();
    });
    expect(await withProcessLock(path, async () => "held")).toBe("held");
    expect(refused).toHaveBeenCalledTimes(2);
  });
});
