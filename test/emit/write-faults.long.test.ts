import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { withLock } from "../../src/generator/emit/write/lock.js";
import { put } from "../files.js";
import { changing, withBrokenDisk, type DiskCall } from "./broken-disk.js";
import { files, temporary, tree, write } from "./write-support.js";

const old = {
  "a.ts": "export const a = 1;\n",
  "b/c.ts": "export const c = 1;\n",
  "gone.ts": "export {};\n",
};
const next = {
  "a.ts": "export const a = 2;\n",
  "b/c.ts": "export const c = 2;\n",
  "new/d.ts": "export const d = 2;\n",
};

/** What a file may have: the text of one run or the other. */
function textsOf(path: string): readonly (string | undefined)[] {
  return path.endsWith("/")
    ? [""]
    : [old, next].map((texts: Readonly<Record<string, string>>) => texts[path]);
}

describe("writing to a disk that fails once", () => {
  it("leaves whole files that the next run completes without force, whichever call fails", async () => {
    const codes = ["ENOSPC", "EACCES", "EIO", "EROFS", "EPERM"];
    let failures = 0;
    let mixed = 0;
    for (let at = 0; ; at++) {
      const out = temporary();
      await write(out, old);
      let hasFailed = false;
      const fails = (call: number): string | null => {
        if (call !== at) return null;
        hasFailed = true;
        return codes[at % codes.length] ?? null;
      };
      const { outcome, messages } = await withBrokenDisk(out, fails, () =>
        write(out, next, { clean: true }),
      );
      if (!hasFailed) break;
      failures++;
      const state = files(out);
      for (const [path, text] of Object.entries(state))
        if (!path.startsWith(".mcpgen/"))
          expect(textsOf(path), `call ${at}`).toContain(text);
      if (state["a.ts"] === next["a.ts"] && state["b/c.ts"] === old["b/c.ts"])
        mixed++;
      if (outcome === null) {
        expect(messages, `call ${at}`).toHaveLength(1);
        expect(messages[0]).toMatch(/^MG8(10 cannot|04) [^\n]+\n {4}hint: /);
      }
      const repaired = await write(out, next, { clean: true });
      expect(
        repaired.outcome,
        `call ${at}, then: ${repaired.messages.join()}`,
      ).not.toBeNull();
      expect(files(out)).toEqual({ "b/": "", "new/": "", ...next });
    }
    expect(failures).toBeGreaterThan(40);
    expect(mixed).toBeGreaterThan(0);
  });
});

describe("writing to a disk that keeps failing", () => {
  it("keeps the old files if the disk becomes full, and reports that it is full", async () => {
    let full = 0;
    for (let at = 0; ; at++) {
      const out = temporary();
      await write(out, old);
      const before = tree(out);
      let count = 0;
      const fails = (_: number, name: DiskCall): string | null =>
        name === "writeFileSync" && count++ >= at ? "ENOSPC" : null;
      const { outcome, messages } = await withBrokenDisk(out, fails, () =>
        write(out, next),
      );
      if (outcome !== null) break;
      full++;
      expect(messages).toEqual([
        expect.stringMatching(
          /^MG810 cannot .*: the disk is full \(ENOSPC\)\n {4}hint: free some space/,
        ),
      ]);
      expect(tree(out)).toEqual(before);
    }
    expect(full).toBeGreaterThan(4);
  });

  it("leaves a state that the next run completes if the disk becomes read-only", async () => {
    for (let at = 0; ; at++) {
      const out = temporary();
      await write(out, old);
      let hasFailed = false;
      const fails = (call: number, name: DiskCall): string | null => {
        if (call < at || !changing.has(name)) return null;
        hasFailed = true;
        return "EROFS";
      };
      const { outcome, messages } = await withBrokenDisk(out, fails, () =>
        write(out, next, { clean: true }),
      );
      if (!hasFailed) break;
      if (outcome === null)
        expect(messages.join(), `call ${at}`).toContain(
          "the disk is read-only (EROFS)",
        );
      const repaired = await write(out, next, { clean: true });
      expect(
        repaired.outcome,
        `call ${at}, then: ${repaired.messages.join()}`,
      ).not.toBeNull();
      expect(files(out)).toEqual({ "b/": "", "new/": "", ...next });
    }
  });

  it("says that the next run completes the files, if some are new", async () => {
    const out = temporary();
    await write(out, old);
    let renamed = 0;
    const fails = (_: number, name: DiskCall): string | null =>
      name === "renameSync" && renamed++ === 2 ? "EIO" : null;
    const { messages } = await withBrokenDisk(out, fails, () =>
      write(out, next),
    );
    expect(messages).toEqual([
      "MG810 cannot write b/c.ts: i/o error (EIO); other files are already changed, and the next run completes them\n" +
        "    hint: repair that and run again",
    ]);
    expect(files(out)).toEqual({ "b/": "", ...old, "a.ts": next["a.ts"] });
  });

  it("leaves no empty directory behind", async () => {
    const parent = temporary();
    const fails = (_: number, name: DiskCall): string | null =>
      name === "writeFileSync" ? "ENOSPC" : null;
    const run = () => write(join(parent, "a", "b"), next);
    expect((await withBrokenDisk(parent, fails, run)).outcome).toBeNull();
    expect(tree(parent)).toEqual({});
  });

  it("leaves no parent of an output directory that cannot be created", async () => {
    const parent = temporary();
    const empty = temporary();
    const fails = (_: number, name: DiskCall): string | null => {
      if (name !== "mkdirSync") return null;
      renameSync(empty, join(parent, "a"));
      return "EACCES";
    };
    const { messages } = await withBrokenDisk(parent, fails, () =>
      write(join(parent, "a", "b", "c"), next),
    );
    expect(messages).toEqual([
      expect.stringMatching(/^MG810 cannot use .*: permission was denied/),
    ]);
    expect(tree(parent)).toEqual({});
  });

  it("rethrows an error that does not come from the disk", async () => {
    const fails = (_: number, name: DiskCall): string | null =>
      name === "renameSync" ? "not a code" : null;
    const out = temporary();
    await expect(
      withBrokenDisk(out, fails, () => write(out, next)),
    ).rejects.toThrow("made up");
  });
});

describe("two runs that write into one directory", () => {
  /**
   * A run that stops while it holds the lock, and the function that lets it go
   * on.
   */
  async function pausedRun(out: string) {
    let release = (): void => undefined;
    const pause = new Promise<void>((resolve) => (release = resolve));
    let reached = (): void => undefined;
    const midway = new Promise<void>((resolve) => (reached = resolve));
    const running = withLock(out, async () => {
      reached();
      await pause;
    });
    await midway;
    return { running, release };
  }

  it("take turns: the second waits until the first has ended", async () => {
    const out = temporary();
    const { running, release } = await pausedRun(out);
    const second = write(out, next);
    const first = await Promise.race([
      second,
      new Promise((resolve) => setImmediate(resolve, "waiting")),
    ]);
    expect(first).toBe("waiting");
    release();
    await running;
    expect((await second).messages).toEqual([]);
    expect(files(out)).toMatchObject(next);
  });

  it("are interrupted while they wait", async () => {
    const out = temporary();
    const { running, release } = await pausedRun(out);
    const abort = new AbortController();
    const second = write(out, next, { signal: abort.signal });
    abort.abort();
    expect((await second).outcome).toEqual({ files: [], interrupted: true });
    release();
    await running;
    expect(files(out)).toEqual({});
  });

  it("exclude each other, and the second names the process that writes after some seconds", async () => {
    const out = temporary();
    const { running, release } = await pausedRun(out);
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    const over = new AbortController();
    const waiting = write(out, next).finally(() => over.abort());
    while (!over.signal.aborted) {
      await vi.advanceTimersByTimeAsync(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    vi.useRealTimers();
    const second = await waiting;
    expect(second.messages).toEqual([
      `MG807 another run of mcpgen (process ${process.pid}) is writing to this directory\n` +
        "    hint: wait for it to end; if it no longer runs, delete .mcpgen/lock there",
    ]);
    release();
    await running;
    expect(files(out)).toEqual({});
  });

  it("leave the files of one run if they start at the same moment", async () => {
    for (let round = 0; round < 20; round++) {
      const out = temporary();
      const runs = await Promise.all(
        [old, next, old, next].map((texts) =>
          write(out, texts, { force: true }),
        ),
      );
      expect(runs.some(({ outcome }) => outcome !== null)).toBe(true);
      for (const { outcome, messages } of runs) {
        if (outcome === null)
          expect(messages).toEqual([expect.stringMatching(/^MG807 /)]);
      }
      const { "a.ts": a, "b/c.ts": c } = files(out);
      expect(
        [old, next].some(
          (texts) => texts["a.ts"] === a && texts["b/c.ts"] === c,
        ),
      ).toBe(true);
    }
  });

  it("take over an incomplete lock", async () => {
    const out = temporary();
    put(join(out, ".mcpgen", "lock"), "torn");
    expect((await write(out, old)).messages).toEqual([]);
    expect(files(out)).toMatchObject(old);
  });
});
