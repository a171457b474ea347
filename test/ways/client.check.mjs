import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
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
const server = "node server.ts";
const add = `npx mcpgen add "${server}"`;
const compile = printed("README.md", "npx tsc");
const here = join(root, "test/ways/node_modules");

beforeAll(async () => {
  all = await begin();
  const first = shellIn(join(all.folder, "caller"), all.tarballs);
  // As the page says when the packages are on npm: the shell has them by name.
  const install = block("npm init --yes", byName("README.md", page, version))
    .trim()
    .split("\n");
  await first.pass(...install);
  // Runs TypeScript by itself.
  const node = join(here, "node/bin/node");
  shell = shellIn(first.folder, all.tarballs, node);
  writeFileSync(join(shell.folder, "server.ts"), block("// server.ts"));
  await shell.pass(printed("README.md", "npx mcpgen --version all "));
});
afterAll(() => all.end());

/** The program that `add` prints, its file and the line that runs it. */
const pasteOf = (printed) =>
  /\nsave as (\S+), [^\n]*:\n\n([^]*)\nrun it: (.*)\n$/.exec(printed).slice(1);

describe("the way from a server to a program that knows when it changes", () => {
  let watch = "";

  it("takes one command and one paste to a typed call", async () => {
    const { err } = await shell.pass(add);
    const [file, program, line] = pasteOf(err);
    watch = stepAfter("watch the server in CI", err);
    writeFileSync(join(shell.folder, file), program);
    await shell.pass(compile);
    const { out } = await shell.pass(line);
    expect([line, out]).toEqual([
      printed("README.md", "node call.ts"),
      "[ { type: 'text', text: 'Hello, name!' } ]\n",
    ]);
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
    for (const line of expected.trim().split("\n"))
      expect(changed.err).toContain(line.trimEnd());
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

/** How the Node.js of this process runs TypeScript. */
const own = process.features.typescript ? "node" : "npx tsx";
it.each([
  ["Node.js", "node", `${own} call.ts`],
  ["Bun", join(here, ".bin/bun"), "bun call.ts"],
  ["Deno", `${join(here, ".bin/deno")} run -A`, "deno run -A call.ts"],
])(
  "the program that add prints on %s runs there as it says",
  async (name, words, line) => {
    const other = shellIn(join(all.folder, name), all.tarballs);
    for (const path of ["node_modules", "package.json", "gen"])
      cpSync(join(shell.folder, path), join(other.folder, path), {
        recursive: true,
      });
    writeFileSync(join(other.folder, "server.ts"), block("// server.ts"));
    const { err } = await other.pass(
      "npm install -D tsx",
      `${words} node_modules/mcpgen/dist/cli.js add "npx tsx server.ts"`,
    );
    const [file, program, run] = pasteOf(err);
    expect(run).toBe(line);
    writeFileSync(join(other.folder, file), program);
    const path = [join(here, ".bin"), dirname(process.execPath)];
    const { out } = await other.run(run, {
      PATH: [...path.reverse(), process.env.PATH].join(delimiter),
    });
    // Each runtime prints an object in its own notation.
    expect(out).toContain("Hello, name!");
  },
);
