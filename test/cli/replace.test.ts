import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { replaceFile, replaceInside } from "../../src/cli/replace.js";

const folder = mkdtempSync(join(tmpdir(), "mcpgen-replace-"));
const path = join(folder, "out.json");
const isWindows = process.platform === "win32";

beforeEach(() => {
  for (const name of readdirSync(folder))
    rmSync(join(folder, name), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a path that a command writes to", () => {
  it.each([
    ["missing", () => undefined],
    ["a file", () => writeFileSync(path, "before")],
  ])(
    "has the content if it is %s, and no other file is beside it",
    async (_what, prepare) => {
      prepare();
      await replaceFile(path, "after");
      expect(readFileSync(path, "utf8")).toBe("after");
      expect(readdirSync(folder)).toEqual(["out.json"]);
    },
  );

  it("has the content although a process with the same id, as in a container, was killed while it wrote there", async () => {
    writeFileSync(`${path}.${process.pid}.tmp`, "half");
    await replaceFile(path, "after");
    expect(readFileSync(path, "utf8")).toBe("after");
  });

  // On Windows, a link needs a special permission, and a pipe is not a file.
  it.skipIf(isWindows)(
    "stays a link, and the file that it leads to has the content",
    async () => {
      writeFileSync(join(folder, "real.json"), "before");
      symlinkSync("real.json", path);
      await replaceFile(path, "after");
      expect(lstatSync(path).isSymbolicLink()).toBe(true);
      expect(readFileSync(join(folder, "real.json"), "utf8")).toBe("after");
      expect(readdirSync(folder)).toEqual(["out.json", "real.json"]);
    },
  );

  it.skipIf(isWindows)(
    "keeps the permissions of a file that only its owner may read",
    async () => {
      writeFileSync(path, "before");
      chmodSync(path, 0o600);
      await replaceFile(path, "after");
      expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
    },
  );

  it.skipIf(isWindows)(
    "stays a pipe, and its reader gets the content",
    async () => {
      execFileSync("mkfifo", [path]);
      const [content] = await Promise.all([
        readFile(path, "utf8"),
        replaceFile(path, "after"),
      ]);
      expect(content).toBe("after");
      expect(lstatSync(path).isFIFO()).toBe(true);
    },
  );

  it.skipIf(isWindows)(
    "makes no folder behind a link that leads out of the project",
    async () => {
      const [project, outside] = ["project", "outside"].map((name) => {
        mkdirSync(join(folder, name));
        return join(folder, name);
      });
      symlinkSync(outside ?? "", join(project ?? "", "snapshots"));
      const text = replaceInside(
        join(project ?? "", "snapshots/new/out.json"),
        project ?? "",
        "text",
      );
      await expect(text).rejects.toThrow("a link leads out of");
      expect(existsSync(join(outside ?? "", "new"))).toBe(false);
    },
  );
});
