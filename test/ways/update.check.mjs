import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { put } from "../files.ts";
import { revisions, root } from "../repository.ts";
import { begin, printed, shellIn, stepAfter } from "./kit.mjs";

const page = "src/commands/update/README.md";
const newest = revisions.at(-1);
const made = "2027-03-01";
const update = `npx ${printed(page, "mcpgen update --from \\.\\./")}`;

let all;
let shell;
let test;
beforeAll(async () => {
  all = await begin();
  shell = shellIn(join(all.folder, "greeter"), all.tarballs);
  await shell.run("npm install -D mcpgen");
  const { err } = await shell.pass(
    printed("README.md", "npx mcpgen init --server greeter"),
  );
  await shell.pass(...stepAfter("install what is missing", err).split(" && "));
  test = stepAfter("test it", err);
  // A clone of the protocol with a revision whose tools must have a title.
  const schema = `schema/${newest}/schema.ts`;
  const head = "export interface Tool extends BaseMetadata, Icons {";
  const text = readFileSync(join(root, schema), "utf8")
    .replaceAll(newest, made)
    .replace(head, `${head}\n  /** Shown to users. */\n  title: string;`);
  if (!text.includes("  title: string;"))
    throw new Error(`There is no ${head}`);
  const clone = join(all.folder, "modelcontextprotocol");
  put(join(clone, schema.replace(newest, made)), text);
});
afterAll(() => all.end());

describe("the way to a new revision", () => {
  it("tells the lines of the program that must change, and writes nothing with --check", async () => {
    const { code, err } = await shell.run(`${update} --check`);
    expect(code).toBe(1);
    expect(err).toContain("`Tool.title` is now required");
    const [, advice, file, line] =
      /to do: (.+)\n +(src\/server\.ts):(\d+):\d+\n/.exec(err);
    expect(advice).toBe("add `title: string`");
    const text = readFileSync(join(shell.folder, file), "utf8").split("\n");
    expect(text.slice(line - 1).join("\n")).toMatch(/^ +\{\n +name: "greet"/);
    expect(await shell.run("npx mcpgen check")).toMatchObject({ code: 0 });
  });

  it("pins the revision, after which the files are stale until they are generated again", async () => {
    const { out, err } = await shell.pass(update);
    expect(out + err).toContain("Tool.title");
    expect(await shell.run("npx mcpgen check")).toMatchObject({ code: 1 });
    const [clean, check] = printed(page, "mcpgen --clean").split(" && ");
    await shell.pass(`npx ${clean}`, `npx ${check}`);
    const again = await shell.pass(update);
    expect(again.out + again.err).toContain("nothing is newer");
  });

  it("fails at the line that was named, and passes the tests once it is changed as the advice says", async () => {
    const failed = await shell.run(test);
    expect(failed.code).not.toBe(0);
    expect(failed.out).toContain("tools[0].title: expected a string");
    const path = join(shell.folder, "src/server.ts");
    const text = readFileSync(path, "utf8");
    writeFileSync(
      path,
      text.replace('name: "greet",', 'name: "greet",\n        title: "Greet",'),
    );
    await shell.pass(test);
  });
});
