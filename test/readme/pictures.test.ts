import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../repository.js";

const read = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the picture of the figures", () => {
  it("and its text on the main page are what npm run pictures draws from the figures of the bench", () => {
    const args = [join(root, ".ci/pictures/run.mjs"), "--check", "figures"];
    const { status, stderr } = spawnSync(process.execPath, args, {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  it("names the day, and the command that prints the figures", () => {
    const { date, command } = JSON.parse(read("test/bench/figures.json")) as {
      date: string;
      command: string;
    };
    const svg = read(".github/pictures/figures.svg");
    expect(svg).toContain(date);
    expect(svg).toContain(`>${command}<`);
  });
});

describe("the picture of the loop", () => {
  it("has its text on the main page", () => {
    const [, description = ""] =
      /<desc id="description">(.+?)<\/desc>/.exec(
        read(".github/pictures/loop.svg"),
      ) ?? [];
    expect(read("README.md")).toContain(
      `![${description}](.github/pictures/loop.svg)`,
    );
  });
});
