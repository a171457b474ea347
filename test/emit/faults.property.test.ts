import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replaceFile } from "../../src/cli/replace.js";
import { SchemaError } from "../../src/generator/diagnostics.js";
import {
  findManifest,
  planFiles,
  upToDate,
} from "../../src/generator/emit/write.js";
import { seed } from "../view/made.js";
import { runs } from "../whole.js";
import { withBrokenDisk } from "./broken-disk.js";
import { provenance, temporary, tree, write } from "./write-support.js";

const old = {
  "a.ts": "export const a = 1;\n",
  "b/c.ts": "export const c = 1;\n",
};
const next = {
  "a.ts": "export const a = 2;\n",
  "new/d.ts": "export const d = 2;\n",
};
const handler = { path: "handlers/x.ts", text: "export {};\n" };

/** A disk of which one call fails, or each from that one on. */
const faults = fc.record({
  at: fc.nat(40),
  stays: fc.boolean(),
  code: fc.constantFrom("EACCES", "EIO", "ENOENT", "ENOSPC", "EMFILE", "EROFS"),
});

/** Does work on such a disk; `failed` is false if the work ends before. */
async function broken<T>(
  out: string,
  { at, stays, code }: { at: number; stays: boolean; code: string },
  work: () => Promise<T> | T,
): Promise<{ readonly failed: boolean; readonly result: T | Error }> {
  let failed = false;
  const fails = (call: number): string | null => {
    if (call !== at && !(stays && call > at)) return null;
    failed = true;
    return code;
  };
  const result = await withBrokenDisk(out, fails, async () => {
    try {
      return await work();
    } catch (error) {
      return error as Error;
    }
  });
  return { failed, result };
}

/** An output of an earlier run. */
async function written(): Promise<string> {
  const out = temporary();
  await write(out, old, { once: [handler] });
  return out;
}

const property = (
  numRuns: number,
  check: (fault: Parameters<typeof broken>[1]) => Promise<void>,
): Promise<void> =>
  fc.assert(fc.asyncProperty(faults, check), { numRuns, seed });

/** A finished sentence, with what to do. */
const sentence = /cannot|another program|another run|not write/;

describe(`a disk that fails at a random operation (seed ${seed})`, () => {
  it("makes an output that is compared one that is not up to date, without an error", async () => {
    const out = await written();
    const before = tree(out);
    await property(1000, async (fault) => {
      const compared = await broken(out, fault, () =>
        upToDate(out, provenance),
      );
      expect(compared.result instanceof Error).toBe(false);
      expect(compared.result === null).toBe(compared.failed);
      const found = await broken(out, fault, () => findManifest(out));
      expect(found.result === null).toBe(found.failed);
      expect(tree(out)).toEqual(before);
    });
  });

  it("makes a plan fail with a finished sentence, and changes nothing", async () => {
    const out = await written();
    const before = tree(out);
    await property(1000, async (fault) => {
      const files = Object.entries(next).map(([path, text]) => ({
        path,
        text,
      }));
      const { failed, result } = await broken(out, fault, () =>
        planFiles({ out, files, provenance, once: [handler] }),
      );
      expect(result instanceof SchemaError).toBe(failed);
      if (result instanceof SchemaError)
        expect(result.message).toMatch(sentence);
      expect(tree(out)).toEqual(before);
    });
  });

  it("makes a run that writes fail with a finished sentence; the user's files stay, and the next run completes it", async () => {
    await property(runs(100), async (fault) => {
      const out = await written();
      const mine = "export const mine = 1;\n";
      writeFileSync(join(out, handler.path), mine);
      const request = { once: [handler], clean: true };
      const { result } = await broken(out, fault, () =>
        write(out, next, request),
      );
      if (result instanceof Error) throw result;
      for (const message of result.messages) expect(message).toMatch(sentence);
      expect(tree(out)[handler.path]).toBe(mine);
      expect((await write(out, next, request)).messages).toEqual([]);
      expect(tree(out)).toMatchObject({ ...next, [handler.path]: mine });
    });
  });

  it("leaves a file that is replaced whole: as it was, or as it is to be", async () => {
    await property(runs(100), async (fault) => {
      const out = await written();
      const path = join(out, "a.ts");
      const { result } = await broken(out, fault, () =>
        replaceFile(path, next["a.ts"]),
      );
      const isOld = tree(out)["a.ts"] === old["a.ts"];
      expect([old["a.ts"], next["a.ts"]]).toContain(tree(out)["a.ts"]);
      expect(result instanceof Error).toBe(isOld);
      if (result instanceof Error)
        expect(result.message).toMatch(/a\.ts cannot be written into/);
      if (!fault.stays)
        expect(Object.keys(tree(out)).join()).not.toContain("tmp");
    });
  });
});
