import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { byName } from "../../.ci/release/pages.mjs";
import { begin, printed, shellIn, stepAfter } from "./kit.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "README.md"), "utf8");
const { version } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
/** The block of the page that begins with a line. */
const block = (first, all = page) => {
  const [, text] =
    new RegExp(`\`\`\`\\w+\\n(${first}[^]*?)\`\`\``).exec(all) ?? [];
  if (text === undefined) throw new Error(`README.md has no block ${first}.`);
  return text;
};
let all;
let shell;
const server = "npx tsx server.ts";
const add = `npx mcpgen add "${server}"`;
const compile = printed("README.md", "npx tsc --noEmit ");
beforeAll(async () => {
  all = await begin();
  shell = shellIn(join(all.folder, "caller"), all.tarballs);
  // As the page says when the packages are on npm: the shell has them by name.
  const install = block("npm init --yes", byName("README.md", page, version))
    .trim()
    .split("\n");
  await shell.pass(...install);
  writeFileSync(join(shell.folder, "server.ts"), block("// server.ts"));
  await shell.pass(printed("README.md", "npx mcpgen --version all "));
});
afterAll(() => all.end());

describe("the way from a server to a program that knows when it changes", () => {
  let watch = "";

  it("takes one command and one paste to a typed call", async () => {
    const { err } = await shell.pass(add);
    const [, program] = /\n\npaste[^\n]*:\n\n([^]*)$/.exec(err);
    watch = stepAfter("watch the server in CI", err);
    writeFileSync(join(shell.folder, "call.ts"), program);
    await shell.pass(compile);
    const { out } = await shell.pass("npx tsx call.ts");
    expect(out).toBe("[ { type: 'text', text: 'Hello, name!' } ]\n");
  });

  it("finds nothing while the server is as it was", async () => {
    expect(await shell.run(watch)).toMatchObject({ code: 0 });
    const { err } = await shell.pass(add);
    expect(err).toContain("greeter.mcp.json: unchanged");
  });

  it("finds what the page says of an argument with another name, updates the client as it says, and the compiler names the line of the program", async () => {
    const path = join(shell.folder, "server.ts");
    const text = readFileSync(path, "utf8");
    writeFileSync(
      path,
      text
        .replaceAll("name }", "person }")
        .replace("{ name: z", "{ person: z")
        .replaceAll("${name}", "${person}"),
    );
    const changed = await shell.run(watch);
    expect(changed.code).toBe(1);
    const expected = block("greeter\\.mcp\\.json: the server differs");
    const rows = expected
      .split("\n")
      .filter((line) => line.includes("! input"));
    expect(rows.length).toBe(2);
    for (const row of rows) expect(changed.err).toContain(row);
    const [, pull] = /^run (mcpgen pull) to update/m.exec(changed.err);
    const pulled = await shell.pass(`npx ${pull}`);
    await shell.pass(stepAfter("next, generate the files", pulled.err));
    const { code, out } = await shell.run(compile);
    expect(code).not.toBe(0);
    expect(out).toMatch(
      /^call\.ts\(\d+,\d+\): error TS2353: .*'name' does not exist/,
    );
    expect(await shell.run(watch)).toMatchObject({ code: 0 });
  });
});
