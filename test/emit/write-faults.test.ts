import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { nodeDisk, type Disk } from "../../src/emit/write.js";
import { files, temporary, tree, write } from "./write-support.js";

const old = { "a.ts": "export const a = 1;\n", "b/c.ts": "export const c = 1;\n", "gone.ts": "export {};\n" };
const next = {
  "a.ts": "export const a = 2;\n",
  "b/c.ts": "export const c = 2;\n",
  "new/d.ts": "export const d = 2;\n",
};

/** The real disk, but `fails` returns for every call, counted from 0, the code of its error or null. */
function faultyDisk(fails: (call: number, name: keyof Disk) => string | null): Disk {
  let calls = 0;
  const wrap = <A extends unknown[], R>(name: keyof Disk, work: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      const code = fails(calls++, name);
      if (code !== null) throw Object.assign(new Error(`${code}: made up`), { code });
      return await work(...args);
    };
  };
  return {
    kind: wrap("kind", nodeDisk.kind),
    read: wrap("read", nodeDisk.read),
    list: wrap("list", nodeDisk.list),
    create: wrap("create", nodeDisk.create),
    makeDirectory: wrap("makeDirectory", nodeDisk.makeDirectory),
    rename: wrap("rename", nodeDisk.rename),
    link: wrap("link", nodeDisk.link),
    remove: wrap("remove", nodeDisk.remove),
    removeDirectory: wrap("removeDirectory", nodeDisk.removeDirectory),
    sync: wrap("sync", nodeDisk.sync),
  };
}

const changing: ReadonlySet<keyof Disk> = new Set(["create", "makeDirectory", "rename", "link", "remove"]);

describe("writing to a disk that fails once", () => {
  it("leaves either all old files or all new files, whichever call fails", async () => {
    const codes = ["ENOSPC", "EACCES", "EIO", "EROFS", "EPERM"];
    let failures = 0;
    for (let at = 0; ; at++) {
      const out = temporary();
      await write(out, old);
      const before = tree(out);
      let hasFailed = false;
      const disk = faultyDisk((call) => {
        if (call !== at) return null;
        hasFailed = true;
        return codes[at % codes.length] ?? null;
      });
      const { outcome, messages } = await write(out, next, { clean: true, disk });
      if (!hasFailed) break;
      failures++;
      const state = tree(out);
      if (state[".mcpgen/forward.json"] === undefined) {
        const isOld = state["a.ts"] === old["a.ts"];
        expect(state, `call ${at}`).toMatchObject(isOld ? before : next);
      }
      if (outcome === null) {
        expect(messages, `call ${at}`).toHaveLength(1);
        expect(messages[0]).toMatch(/^MG810 cannot [^\n]+: [^\n]+ \(E[A-Z]+\)\n {4}hint: /);
      }
      const repaired = await write(out, next, { clean: true });
      expect(repaired.outcome, `call ${at}, then: ${repaired.messages.join()}`).not.toBeNull();
      expect(tree(out)).toMatchObject({ "b/": "", "new/": "", ...next });
      expect(Object.keys(tree(out))).toHaveLength(6);
    }
    expect(failures).toBeGreaterThan(40);
  });
});

describe("writing to a disk that keeps failing", () => {
  it("keeps the old files if the disk becomes full, and reports that it is full", async () => {
    let full = 0;
    for (let at = 0; ; at++) {
      const out = temporary();
      await write(out, old);
      const before = tree(out);
      const disk = faultyDisk((call, name) => (call >= at && name === "create" ? "ENOSPC" : null));
      const { outcome, messages } = await write(out, next, { disk });
      if (outcome !== null) break;
      full++;
      expect(messages).toEqual([
        expect.stringMatching(
          /^MG810 cannot write .*: the disk is full \(ENOSPC\)\n {4}hint: free some space/,
        ),
      ]);
      expect(tree(out)).toEqual(before);
    }
    expect(full).toBeGreaterThan(5);
  });

  it("leaves a state that the next run repairs if the disk becomes read-only", async () => {
    for (let at = 0; ; at++) {
      const out = temporary();
      await write(out, old);
      let hasFailed = false;
      const disk = faultyDisk((call, name) => {
        if (call < at || !changing.has(name)) return null;
        hasFailed = true;
        return "EROFS";
      });
      const { outcome, messages } = await write(out, next, { clean: true, disk });
      if (!hasFailed) break;
      if (outcome === null) expect(messages.join(), `call ${at}`).toContain("the disk is read-only (EROFS)");
      const repaired = await write(out, next, { clean: true });
      expect(repaired.outcome, `call ${at}, then: ${repaired.messages.join()}`).not.toBeNull();
      expect(files(out)).toEqual({ "b/": "", "new/": "", ...next });
    }
  });

  it("leaves no empty directory behind", async () => {
    const parent = temporary();
    const disk = faultyDisk((_, name) => (name === "create" ? "ENOSPC" : null));
    expect((await write(join(parent, "a", "b"), next, { disk })).outcome).toBeNull();
    expect(tree(parent)).toEqual({});
  });

  it("leaves no parent of an output directory that cannot be created", async () => {
    const parent = temporary();
    let made = 0;
    const disk = faultyDisk((_, name) => (name === "makeDirectory" && made++ === 1 ? "EACCES" : null));
    const { messages } = await write(join(parent, "a", "b", "c"), next, { disk });
    expect(messages).toEqual([expect.stringMatching(/^MG810 cannot create the output directory/)]);
    expect(tree(parent)).toEqual({});
  });

  it("rethrows an error that does not come from the disk", async () => {
    const disk = faultyDisk((_, name) => (name === "rename" ? "not a code" : null));
    await expect(write(temporary(), next, { disk })).rejects.toThrow("made up");
  });
});

describe("two runs that write into one directory", () => {
  /** A run that stops after its lock is written, and the function that lets it go on. */
  async function pausedRun(out: string) {
    let release = (): void => undefined;
    const pause = new Promise<void>((resolve) => (release = resolve));
    let reached = (): void => undefined;
    const midway = new Promise<void>((resolve) => (reached = resolve));
    const slow: Disk = {
      ...nodeDisk,
      async rename(from, to) {
        reached();
        await pause;
        await nodeDisk.rename(from, to);
      },
    };
    const running = write(out, old, { disk: slow });
    await midway;
    return { running, release };
  }

  it("take turns: the second waits until the first has ended", async () => {
    const out = temporary();
    const { running, release } = await pausedRun(out);
    const second = write(out, next);
    const first = await Promise.race([second, new Promise((resolve) => setImmediate(resolve, "waiting"))]);
    expect(first).toBe("waiting");
    release();
    expect([(await running).messages, (await second).messages]).toEqual([[], []]);
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
    expect(files(out)).toMatchObject(old);
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
    expect((await running).messages).toEqual([]);
    expect(files(out)).toMatchObject(old);
  });

  it("leave the files of one run if they start at the same moment", async () => {
    for (let round = 0; round < 20; round++) {
      const out = temporary();
      const runs = await Promise.all(
        [old, next, old, next].map((texts) => write(out, texts, { force: true })),
      );
      expect(runs.some(({ outcome }) => outcome !== null)).toBe(true);
      for (const { outcome, messages } of runs) {
        if (outcome === null) expect(messages).toEqual([expect.stringMatching(/^MG807 /)]);
      }
      const { "a.ts": a, "b/c.ts": c } = files(out);
      expect([old, next].some((texts) => texts["a.ts"] === a && texts["b/c.ts"] === c)).toBe(true);
    }
  });

  it("take over the lock of a process that has ended, but not the lock of another machine", async () => {
    const out = temporary();
    mkdirSync(join(out, ".mcpgen"));
    const lock = join(out, ".mcpgen", "lock");
    // No process has this id, because it is larger than the maximum of any system.
    writeFileSync(lock, JSON.stringify({ pid: 2 ** 30, host: hostname() }));
    expect((await write(out, old)).messages).toEqual([]);
    mkdirSync(join(out, ".mcpgen"));
    writeFileSync(lock, JSON.stringify({ pid: 1, host: `not-${hostname()}` }));
    expect((await write(out, next)).messages).toEqual([
      expect.stringContaining(`(process 1 on not-${hostname()})`),
    ]);
    writeFileSync(lock, "torn");
    expect((await write(out, next)).messages).toEqual([]);
  });

  it("refuse a journal that leads outside the directory or cannot be read", async () => {
    const parent = temporary();
    const out = join(parent, "gen");
    await write(out, old);
    writeFileSync(join(parent, "victim"), "precious");
    for (const text of [
      JSON.stringify({ format: 1, changes: [{ path: "../victim", before: "0".repeat(64), after: null }] }),
      '{"format":1,"chan',
    ]) {
      mkdirSync(join(out, ".mcpgen"), { recursive: true });
      writeFileSync(join(out, ".mcpgen", "forward.json"), text);
      expect((await write(out, next)).messages).toEqual([
        expect.stringMatching(/^MG808 an earlier run was interrupted, and its record .* cannot be read/),
      ]);
    }
    expect(tree(parent)["victim"]).toBe("precious");
  });
});
