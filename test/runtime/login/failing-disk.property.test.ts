import { mkdtempSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Grant } from "@mcpgen/auth";
import { type FileStore, fileStore } from "@mcpgen/auth/login";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withBrokenDisk } from "../../emit/broken-disk.js";
import { seed } from "../../view/made.js";
import { runs } from "../../whole.js";
import { grant } from "./grant.js";

let root = "";
beforeAll(() => void (root = mkdtempSync(join(tmpdir(), "mcpgen-disk-"))));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const url = "https://mcp.example.com/mcp";
const key = JSON.stringify(["grant", url, ""]);

/** What a program does with the store, and which entry is there after it. */
const works: Readonly<
  Record<
    string,
    {
      run: (store: FileStore) => unknown;
      after: string | undefined;
    }
  >
> = {
  get: { run: (store) => store.get(key), after: "old-secret" },
  find: { run: (store) => store.find(url), after: "old-secret" },
  list: { run: (store) => store.list(), after: "old-secret" },
  set: {
    run: (store) => store.set(key, grant("new-secret")),
    after: "new-secret",
  },
  remove: { run: (store) => store.set(key, undefined), after: undefined },
  "set under a lock": {
    run: (store) =>
      store.lock(key, async () => store.set(key, grant("new-secret"))),
    after: "new-secret",
  },
};

const faults = fc.record({
  at: fc.nat(12),
  stays: fc.boolean(),
  code: fc.constantFrom("EACCES", "EIO", "ENOSPC", "EMFILE", "EROFS"),
});

describe(`a file store on a disk that fails at a random operation (seed ${seed})`, () => {
  it.each(Object.entries(works))(
    "fails to %s with the error of the disk and without a token, keeps one whole entry, and works again afterwards",
    async (_, { run, after }) => {
      let [count, failures] = [0, 0];
      await fc.assert(
        fc.asyncProperty(faults, async ({ at, stays, code }) => {
          const folder = join(root, `${code}${at}${stays}${count++}`);
          const store = fileStore({ folder });
          await store.set(key, grant("old-secret"));
          let failed = false;
          const fails = (call: number): string | null => {
            if (call !== at && !(stays && call > at)) return null;
            failed = true;
            failures++;
            return code;
          };
          const error = await withBrokenDisk(folder, fails, async () => {
            try {
              await run(store);
              return undefined;
            } catch (reason) {
              return reason as Error & { code?: string };
            }
          });
          const entry = (await store.get(key)) as Grant | undefined;
          if (error) {
            expect([failed, error.code]).toEqual([true, code]);
            expect(error.message).not.toContain("secret");
            expect(["old-secret", after]).toContain(entry?.accessToken);
          } else expect(entry?.accessToken).toBe(after);
          const left = async () =>
            (await readdir(folder)).filter((name) => !name.endsWith(".json"));
          // A lock that could not be removed is removed a moment later. What stays
          // is a temporary file, or a lock that ends with its process.
          if (!stays) await expect.poll(left).toEqual([]);
          await run(store);
          expect(
            ((await store.get(key)) as Grant | undefined)?.accessToken,
          ).toBe(after);
        }),
        { numRuns: runs(60), seed },
      );
      expect(failures).toBeGreaterThan(0);
    },
  );
});
