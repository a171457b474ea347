import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { directory, runHere } from "../cli/support.js";
import { filesIn } from "../files.js";
import {
  changedGreeter,
  configurationFor,
  type Files,
  writeProject,
} from "./project.js";
import { shapeOf } from "./write.js";

/**
 * What the commands of a release have written into a project, by the number of
 * its formats. With `MCPGEN_FORMATS=record`, this test writes a file that does
 * not exist.
 */
const path = join(import.meta.dirname, "project-1.json");
if (process.env["MCPGEN_FORMATS"] === "record" && !existsSync(path))
  writeFileSync(path, `${JSON.stringify(await writeProject(), null, 2)}\n`);
const written = JSON.parse(readFileSync(path, "utf8")) as Files;

/** The files with a number, and the command that reads each. */
const numbered = {
  "mcpgen.lock.json": "generate --version 2027-01-15 --out gen",
  "greeter.mcp.json": "generate",
  "greeter/.mcpgen.json": "generate",
  "mcpgen.accepted.json": "check --live",
} as const;

/** A project with what was written, for a server at an address. */
const projectFor = (url: string, more: Files = {}): string =>
  directory({
    ...written,
    "mcpgen.config.json": configurationFor(url),
    ...more,
  });

const contentsOf = (text: string): unknown => JSON.parse(text) as unknown;

describe("what another release has written into a project", () => {
  it.each(Object.keys(numbered))(
    "has a number in %s, and the members that this release writes under it",
    async (name) => {
      const now = await writeProject();
      expect(contentsOf(written[name] ?? "")).toMatchObject({ format: 1 });
      expect(shapeOf(contentsOf(now[name] ?? ""))).toEqual(
        shapeOf(contentsOf(written[name] ?? "")),
      );
    },
  );

  it("is read as a revision that is pinned, without its source", async () => {
    const project = projectFor("http://127.0.0.1:9/mcp");
    const words = ["generate", "--version", "2027-01-15", "--out", "gen"];
    const run = await runHere(words, project);
    expect([run.code, run.err]).toEqual([0, expect.anything()]);
    expect(filesIn(join(project, "gen"))["types.ts"]).toContain("2027-01-15");
  });

  it("is read as a snapshot and as a list of files, whose names stay although a new tool comes before", async () => {
    await using greeter = await changedGreeter();
    const project = projectFor(greeter.url);
    const before = filesIn(project)["greeter/.mcpgen.json"] ?? "";
    for (const line of [
      `pull --url ${greeter.url} -o greeter.mcp.json`,
      "generate",
    ])
      expect((await runHere(line.split(" "), project)).code).toBe(0);
    const after = filesIn(project)["greeter/.mcpgen.json"] ?? "";
    const tools = { greetMe: "greet_me" };
    expect(contentsOf(before)).toMatchObject({ names: { tools } });
    expect(contentsOf(after)).toMatchObject({
      names: { tools: { ...tools, greetMe_: "greet-me" } },
    });
  });

  it("is read as a list of files, of which an edited one is not replaced", async () => {
    const edited = `${written["greeter/index.ts"]}export const mine = 1;\n`;
    const project = projectFor("http://127.0.0.1:9/mcp", {
      "greeter/index.ts": edited,
    });
    const { code, err } = await runHere(["generate"], project);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("index.ts was edited"),
    ]);
    expect(filesIn(project)["greeter/index.ts"]).toBe(edited);
  });

  it("is read as differences that are accepted", async () => {
    await using greeter = await changedGreeter();
    const project = projectFor(greeter.url);
    await runHere(["generate"], project);
    const check = ["check", "--live"];
    expect((await runHere(check, project)).code).toBe(0);
    const none = JSON.stringify({ format: 1, servers: {} });
    const other = projectFor(greeter.url, { "mcpgen.accepted.json": none });
    await runHere(["generate"], other);
    expect((await runHere(check, other)).code).toBe(1);
  });
});

describe("what a later release has written into a project", () => {
  it.each(Object.entries(numbered))(
    "is not read from %s, and nothing is written",
    async (name, line) => {
      await using greeter = await changedGreeter();
      const later = (written[name] ?? "").replace(
        /"format": 1\b/,
        '"format": 2',
      );
      const project = projectFor(greeter.url, { [name]: later });
      const before = filesIn(project);
      const { code, err } = await runHere(line.split(" "), project);
      expect([code, err]).toEqual([2, expect.stringContaining(basename(name))]);
      expect(err).toMatch(/update mcpgen/i);
      expect(filesIn(project)).toEqual(before);
    },
  );
});
