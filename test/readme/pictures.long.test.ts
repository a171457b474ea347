import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../repository.js";

it("the picture of the loop shows what the commands print today", () => {
  const args = [join(root, ".ci/pictures/run.mjs"), "--check", "loop"];
  const { status, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
