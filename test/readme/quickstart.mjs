// The commands and programs of the main page, as they are printed: some in a fresh clone, the others in an empty folder beside it.
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { serveRegistry } from "./registry.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "README.md"), "utf8");
const blocks = [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language, text]) => ({
  language,
  text,
}));
const programs = new Map(
  blocks.flatMap(({ text }) => {
    const [, name] = /^\/\/ (\S+\.ts)\n/.exec(text) ?? [];
    return name === undefined ? [] : [[name, text]];
  }),
);
/** What a program prints is in the first block of text after it. */
const outputOf = (name) =>
  blocks
    .slice(blocks.findIndex(({ text }) => text === programs.get(name)))
    .find(({ language }) => language === "text")?.text;
/** The block of the page with this beginning; nothing for a command whose output is not on the page. */
const blockOf = (start) =>
  start === undefined ? "" : blocks.find(({ text }) => text.startsWith(start)).text;
const sequencesOf = (inClone) =>
  blocks
    .filter(({ language, text }) => language === "sh" && text.startsWith("npm install &&") === inClone)
    .map(({ text }) => text.trim().split("\n"));
const sequences = sequencesOf(false);

/** The configuration behind the page's example of a server that has changed, and a call with a wrong argument. */
const more = new Map([
  [
    "mcpgen.config.ts",
    `import { defineConfig } from "mcpgen";
export default defineConfig({
  servers: [{ snapshot: "greeter.mcp.json", source: { stdio: "npx tsx server.ts" }, out: "greeter" }],
});
`,
  ],
  [
    "changed.ts",
    programs
      .get("server.ts")
      .replace("name: z.", "person: z.")
      .replace(/(?<=[{ ])name(?= ?})/g, "person"),
  ],
  ["wrong.ts", programs.get("call.ts").replace("a: 19", 'a: "19"')],
]);
const compiler = join(root, "node_modules/typescript/bin/tsc");
const options = `--noEmit --strict --skipLibCheck --module nodenext --types node --typeRoots "${join(root, "node_modules/@types")}"`;
/** Commands that fail, and how the block of the page begins that has what they print. */
const failing = new Map([
  [`node "${compiler}" ${options} wrong.ts`, "call.ts("],
  ["cp changed.ts server.ts && npx mcpgen check --live", "greeter.mcp.json: "],
]);

const cache = join(tmpdir(), "mcpgen-quickstart-cache");

/** The commands that a reader types in a new folder, and the programs of the main page. */
export const mainPage = { sequences, programs };

/**
 * Clones this repository and runs the page's commands in the clone, the last of which packs both packages. `.ci/run` runs the whole of
 * `npm test` in a clone, so here it runs one file.
 *
 * @returns the path of the clone
 */
export async function clone() {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-clone-"));
  execFileSync("git", ["clone", "--quiet", "--depth", "1", pathToFileURL(root).href, folder]);
  const commands = sequencesOf(true).flat();
  for (const part of ["mcpgen --version", "npm test", "npm run pack"])
    if (!commands.some((line) => line.includes(part)))
      throw new Error(`The page has no command with ${part} in a clone.`);
  for (const line of commands)
    await run(line.replace(/npm test$/, "npm test -- test/boundaries.test.ts"), folder, process.env);
  if (!existsSync(join(folder, "gen/index.ts")))
    throw new Error("The first command of the page writes no gen/.");
  return folder;
}

/**
 * Runs the sequences of the new folder with a version of Node, and throws unless each program prints what the page says.
 *
 * @param {string} node the path of the executable
 * @param {{ readonly registry: { readonly url: string }, readonly clone: string }} sources
 */
export async function quickstart(node, sources) {
  const counts = sequences.map((lines) => lines.flatMap((line) => line.split(" && ")).length);
  if (Math.max(...counts) > 4) throw new Error(`The sequences have ${counts.join(", ")} commands.`);
  const lines = [...failing.keys()].map((line) => `! (${line}) 2>&1`);
  const compile = `node "${compiler}" ${options} server.ts client.ts call.ts`;
  const commands = [...sequences.flat(), compile, "npx mcpgen pull && npx mcpgen", ...lines];
  const all = new Map([...programs, ...more]);
  await follow({ node, ...sources, cache, commands, programs: all }, (line, printed) => {
    const [, name] = /^npx tsx (\S+\.ts)$/.exec(line) ?? [];
    const expected =
      name === undefined ? blockOf(failing.get(/^! \((.*)\) 2>&1$/.exec(line)?.[1])) : outputOf(name);
    const isExpected =
      name === undefined ? printed.replace("wrong.ts", "call.ts").includes(expected) : printed === expected;
    if (!isExpected) throw new Error(`${line} printed:\n${printed}\nexpected:\n${expected}`);
  });
}

/**
 * Runs commands in an empty folder beside the clone with a version of Node, and saves the programs there before the first one that runs.
 *
 * @param {{ node: string, registry: { url: string }, clone: string, cache: string, commands: readonly string[], programs: Map<string, string> }} project
 * @param {(line: string, printed: string) => void} check called after each command with what it printed
 */
export async function follow({ node, registry, clone, cache, commands, programs }, check) {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-quickstart-"));
  try {
    // A folder with this version of Node as the first `node` of the path.
    const bin = join(folder, "bin");
    const project = join(folder, "project");
    mkdirSync(bin);
    mkdirSync(project);
    symlinkSync(node, join(bin, "node"));
    symlinkSync(clone, join(folder, "mcpgen"));
    // In a file, because a server that the program starts gets few variables.
    const settings = [
      `registry=${registry.url}`,
      `cache=${cache}`,
      "fund=false",
      "audit=false",
      "update-notifier=false",
    ];
    writeFileSync(join(project, ".npmrc"), settings.join("\n"));
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    for (const name of Object.keys(env)) if (/^npm_config_/i.test(name)) delete env[name];
    for (const line of commands) {
      if (line.startsWith("npx tsx "))
        for (const [file, text] of programs) writeFileSync(join(project, file), text);
      check(line, await run(line, project, env));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(line, cwd, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(line, { shell: true, cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const parts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) child[name].on("data", (data) => (parts[name] += data));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(parts.stdout);
      else reject(new Error(`$ ${line}\n${parts.stdout}${parts.stderr}exited with ${code}`));
    });
  });
}

/** Makes a clone, and serves a registry until `work` is done. */
export async function withSources(work) {
  const { dependencies } = JSON.parse(readFileSync(join(root, "test/examples/servers/package.json"), "utf8"));
  const registry = await serveRegistry(dependencies);
  let folder;
  try {
    folder = await clone();
    return await work({ registry, clone: folder });
  } finally {
    registry.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    rmSync(cache, { recursive: true, force: true });
  }
}
