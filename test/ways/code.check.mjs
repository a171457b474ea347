import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fencesOf, programsOf } from "../examples/kit/pages.ts";
import { root } from "../repository.ts";
import { begin, printed, shellIn } from "./kit.mjs";

const page = "test/examples/code/README.md";
const textOf = (path) => readFileSync(join(root, path), "utf8");
const programs = programsOf(textOf(page));
/** The commands in the blocks of a page. */
const commandsOf = (path) =>
  fencesOf(textOf(path))
    .filter(({ language }) => language === "sh")
    .map(({ text }) => text.trim().split("\n"));

let all;
let shell;
beforeAll(async () => {
  all = await begin();
  shell = shellIn(join(all.folder, "agent"), all.tarballs);
  const index = "test/examples/README.md";
  const [[, ...project]] = commandsOf(index);
  const types = printed(index, "npm install --save-dev typescript ");
  await shell.pass(...project, types);
  for (const { file, text } of programs)
    writeFileSync(join(shell.folder, file), text);
});
afterAll(() => all.end());

it("a program of a model calls two servers, as the guide on code mode says, and a host reaches both by one entry", async () => {
  await shell.pass(...commandsOf(page).flat());
  const compile = printed("test/examples/README.md", "npx tsc --noEmit ");
  const files = programs.map(({ file }) => file).join(" ");
  await shell.pass(compile.replace("server.ts client.ts", files));
  for (const { file, output } of programs.filter(({ output }) => output)) {
    const { out } = await shell.pass(`npx tsx ${file}`);
    expect([file, out]).toEqual([file, output]);
  }
  const call = await shell.pass(printed(page, "npx mcpgen call --stdio "));
  expect(call.out).toContain("mail.sendMail(");
});
