// What a project has in production that uses the packages, by what npm says.
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pack } from "./tarball.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcpgen-installed-")));
const npm = (...args) =>
  execFileSync("npm", args, { cwd: folder, encoding: "utf8" });

beforeAll(async () => {
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const tarballs = await pack(folder);
  const quiet = ["--no-audit", "--no-fund"];
  npm("install", ...quiet, tarballs.get("@mcpgen/runtime"));
  npm("install", ...quiet, "--save-dev", tarballs.get("mcpgen"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("a project whose clients and servers import the runtime has this one package in production, and no engine of code mode in development", () => {
  const inProduction = npm("ls", "--omit=dev", "--all", "--parseable");
  expect(
    inProduction
      .trim()
      .split("\n")
      .slice(1)
      .map((path) => path.slice(folder.length).replaceAll("\\", "/")),
  ).toEqual(["/node_modules/@mcpgen/runtime"]);
  expect(npm("ls", "--all", "--parseable")).not.toContain("quickjs");
});
