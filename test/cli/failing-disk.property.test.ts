import { createHash } from "node:crypto";
import { join } from "node:path";
import { build } from "esbuild";
import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { withBrokenDisk } from "../emit/broken-disk.js";
import { filesIn, put } from "../files.js";
import { root } from "../repository.js";
import { changedSchema, firstSchemas, update } from "../update/project.js";
import { seed } from "../view/made.js";
import { runs } from "../whole.js";
import { directory, mcpgen, smallSchema } from "./support.js";

/** The package of a server with many tools, which a module exports. */
let server = "";
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [join(root, "test/cli/calling.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  });
  server = outputFiles[0]?.text ?? "";
});
afterEach(() => vi.unstubAllEnvs());

type Files = Readonly<Record<string, string>>;

/** A command whose disk fails in its folder. */
interface Work {
  /** The folder that the command runs in. */
  make(): string;
  readonly args: readonly string[];
  /** What is written apart from what was there before. */
  readonly written: RegExp;
}

const asked = { jsonrpc: "2.0", id: 1, method: "greet/ask" };
const messages = [{ ...asked, params: { name: "Ann" } }, asked]
  .map((message) => `${JSON.stringify(message)}\n`)
  .join("");

const moduleFiles = (): Files => ({
  "server.ts": 'export { servers as default } from "lib";\n',
  "node_modules/lib/package.json":
    '{ "name": "lib", "type": "module", "exports": "./index.mjs" }',
  "node_modules/lib/index.mjs": server,
});

const works: Readonly<Record<string, Work>> = {
  "validate messages with a schema of the user": {
    make: () =>
      directory({
        "schema.ts": smallSchema,
        "messages.ndjson": messages,
        "tmp/here": "",
      }),
    args: ["validate", "./schema.ts", "messages.ndjson"],
    written: /^$/,
  },
  "take a snapshot of a module": {
    make: () => directory(moduleFiles()),
    args: ["pull", "./server.ts", "--out", "server.mcp.json"],
    written: /^server\.mcp\.json$/,
  },
  "save what a tool returns": {
    make: () => directory({ ...moduleFiles(), "dot.png": "old" }),
    args: ["call", "./server.ts", "picture", "--output", "dot.png"],
    written: /^dot(?:-2)?\.png$/,
  },
};

/** A project with its source, whose schemas are newer than the pinned ones. */
async function pinned(): Promise<string> {
  const source = Object.fromEntries(
    Object.entries(firstSchemas).map(([path, text]) => [`new/${path}`, text]),
  );
  const project = directory({ ...source, "node_modules/a/index.js": "" });
  expect(await update(project, from)).toMatchObject({ code: 0 });
  put(join(project, "new/schema/2027-01-15/schema.ts"), changedSchema);
  return project;
}
const from = ["--from", "./new"];

/** A disk of which one call fails, or each from that one on. */
const faults = fc.record({
  at: fc.nat(12),
  stays: fc.boolean(),
  code: fc.constantFrom("EACCES", "EIO", "ENOSPC", "EMFILE", "EROFS"),
});

describe(`a command on a disk that fails at a random operation (seed ${seed})`, () => {
  it.each(Object.entries(works))(
    "cannot %s, says so in a sentence, leaves each file as it was or as it is to be, and can the next time",
    async (_, { make, args, written }) => {
      const run = async (folder: string) => {
        vi.stubEnv("TMPDIR", join(folder, "tmp"));
        const { code, out, err } = await mcpgen(args, {
          directory: folder,
        });
        vi.unstubAllEnvs();
        return { code, out, err };
      };
      const first = make();
      const before = filesIn(first);
      const expected = await run(first);
      const good = filesIn(first);
      let failures = 0;
      await fc.assert(
        fc.asyncProperty(faults, async ({ at, stays, code }) => {
          const folder = directory(before);
          let failed = false;
          const fault = (call: number): string | null => {
            if (call !== at && !(stays && call > at)) return null;
            failed = true;
            return code;
          };
          const ended = await withBrokenDisk(folder, fault, () => run(folder));
          if (failed) failures += 1;
          else expect(ended).toEqual(expected);
          expect(ended.err).not.toContain("This is a bug");
          if (ended.code !== expected.code)
            expect(ended.err).toMatch(/MG\d{3} .*(?:cannot|no such|exists)/);
          const after = filesIn(folder);
          for (const path of Object.keys({ ...before, ...after }))
            if (!path.startsWith("tmp/") && !(stays && path.endsWith(".tmp")))
              expect([before[path], good[path]], path).toContain(
                after[path] ?? null,
              );
          if (ended.code === expected.code) {
            expect(after).toMatchObject(good);
            return;
          }
          const next = await run(folder);
          // A file that could not be removed either is in the way.
          if (stays && next.err.startsWith("MG802")) return;
          expect(next.code, next.err).toBe(expected.code);
          expect(filesIn(folder)).toMatchObject(good);
        }),
        { numRuns: runs(40), seed, endOnFailure: true },
      );
      expect(failures).toBeGreaterThan(3);
      const added = Object.keys(good).filter(
        (path) => good[path] !== before[path],
      );
      for (const path of added) expect(path).toMatch(written);
    },
  );

  it("updates a project all the same if its cache of replaced schemas fails, which has whole files only", async () => {
    const project = await pinned();
    const before = filesIn(project);
    const expected = await update(project, from);
    const cached = Object.keys(filesIn(project)).filter(isCached);
    expect(cached).toHaveLength(1);
    const good = Object.entries(filesIn(project)).filter(
      ([path]) => !isCached(path),
    );
    let failures = 0;
    await fc.assert(
      fc.asyncProperty(faults, async ({ at, stays, code }) => {
        const folder = directory(before);
        const fault = (call: number): string | null => {
          if (call !== at % 5 && !(stays && call > at % 5)) return null;
          failures += 1;
          return code;
        };
        const cache = join(folder, "node_modules/.cache");
        const ended = await withBrokenDisk(cache, fault, () =>
          update(folder, from),
        );
        expect(ended).toEqual(expected);
        const after = filesIn(folder);
        expect(after).toMatchObject(Object.fromEntries(good));
        for (const path of Object.keys(after).filter(isCached)) {
          const text = after[path] ?? "";
          const digest = createHash("sha256").update(text).digest("hex");
          expect(path).toContain(digest);
        }
        expect(await update(folder, from)).toMatchObject({ code: 0 });
      }),
      { numRuns: runs(40), seed, endOnFailure: true },
    );
    expect(failures).toBeGreaterThan(3);
  });
});

const isCached = (path: string): boolean => path.includes("/.cache/mcpgen/");
