// The commands and programs of the main page, as they are printed: some in a
// fresh clone, the others in an empty folder beside it.
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { byName } from "../../.ci/release/pages.mjs";
import { serveRegistry } from "./registry.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "README.md"), "utf8");
const { version } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
const blocksOf = (text) =>
  [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(
    ([, language, block]) => ({ language, text: block }),
  );
const blocks = blocksOf(page);
/** The commands of the first screen stand again where they are explained. */
const explained = blocksOf(page.slice(page.indexOf("\n## How it works")));
const programs = new Map(
  blocks.flatMap(({ text }) => {
    const [, name] = /^\/\/ (\S+\.ts)\n/.exec(text) ?? [];
    return name === undefined ? [] : [[name, text]];
  }),
);
const sequencesOf = (inClone, all) =>
  all
    .filter(
      ({ language, text }) =>
        language === "sh" && text.startsWith("npm install &&") === inClone,
    )
    .map(({ text }) => text.trim().split("\n"));
/**
 * Packs the packages, from the new folder. All versions of Node use the same
 * packages, so it runs once.
 */
const packing = "npm run pack --prefix ../mcpgen";
const sequencesIn = (text) =>
  sequencesOf(
    false,
    blocksOf(text.slice(text.indexOf("\n## How it works"))),
  ).map((lines) => lines.filter((line) => line !== packing));
const sequences = sequencesIn(page);
/** How the page will install, and its last program. */
const byNames = sequencesIn(byName("README.md", page, version));
const short = [byNames[0], byNames.at(-1)].flat();

/**
 * What the last command of a block prints is in the block of text after it;
 * null if it is not on the page.
 */
function outputOf(line) {
  const i = explained.findIndex(
    ({ language, text }) =>
      language === "sh" && text.trim().split("\n").at(-1) === line,
  );
  return i >= 0 && explained[i + 1]?.language === "text"
    ? explained[i + 1].text
    : null;
}
/** The page's command for the type checker. */
const compile = sequences.flat().find((line) => line.startsWith("npx tsc"));
/** Beside the commands of the page: the programs that have no mistake. */
const compileRest = `rm call.ts && ${compile}`;
/** Commands that fail: the call of the page has a mistake. */
const isFailing = (line) => line === compile || line.endsWith(" call.ts");

const cache = join(tmpdir(), `mcpgen-quickstart-cache-${process.pid}`);

/**
 * The commands that a reader types in a new folder, and the programs of the
 * main page.
 */
export const mainPage = { sequences, programs };

/**
 * Clones this repository and runs the page's commands in the clone, and the one
 * that packs the packages in a folder beside it. `.ci/run` runs the whole of
 * `npm test` in a clone, so here it runs one file.
 *
 * @returns the path of the clone, which has the tarballs
 */
export async function clone() {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-clone-"));
  const [path, beside] = ["mcpgen", "project"].map((name) =>
    join(folder, name),
  );
  execFileSync("git", [
    "clone",
    "--quiet",
    "--depth",
    "1",
    pathToFileURL(root).href,
    path,
  ]);
  mkdirSync(beside);
  const commands = sequencesOf(true, blocks).flat();
  for (const part of ["mcpgen --version", "npm test"])
    if (!commands.some((line) => line.includes(part)))
      throw new Error(`The page has no command with ${part} in a clone.`);
  for (const line of commands)
    await run(
      line.replace(/npm test$/, "npm test -- test/boundaries.test.ts"),
      path,
      process.env,
    );
  await run(packing, beside, process.env);
  if (!existsSync(join(path, "gen/index.ts")))
    throw new Error("The first command of the page writes no gen/.");
  return path;
}

/**
 * Runs the sequences of the new folder with a version of Node, and throws
 * unless each program prints what the page says. Then it installs by name, too,
 * as the page will when the packages are on npm.
 *
 * @param {string} node the path of the executable
 * @param {{ readonly registry: { readonly url: string }, readonly clone: string
 *   }} sources
 */
export async function quickstart(node, sources) {
  if (compile === undefined)
    throw new Error("The page does not say how to check types.");
  const counts = sequences.map((lines) => lines.length);
  if (Math.max(...counts) > 4)
    throw new Error(`The sequences have ${counts.join(", ")} commands.`);
  await followPage(node, sources, [...sequences.flat(), compileRest]);
  if (byNames[0].join() !== sequences[0].join())
    await followPage(node, sources, short);
}

/** What the page says of a Node.js that does not run TypeScript by itself. */
const withTsx = (text) =>
  text
    .replace(/(?<=^|run it: |")node (?=\w+\.ts)/gm, "npx tsx ")
    .replace(
      'stdio("node", ["server.ts"])',
      'stdio("npx", ["tsx", "server.ts"])',
    );

/** What the page says for a version of Node, and what it installs there. */
export function wordsFor(node) {
  const asks = ["-p", "Boolean(process.features.typescript)"];
  const isAble = execFileSync(node, asks, { encoding: "utf8" }) === "true\n";
  return isAble
    ? { asSaid: (text) => text, more: [] }
    : { asSaid: withTsx, more: ["npm install -D tsx"] };
}

async function followPage(node, sources, [first, ...rest]) {
  const { asSaid, more: own } = wordsFor(node);
  const commands = [first, ...own, ...rest].map(asSaid).map((line) => {
    if (isFailing(line)) return `! (${line}) 2>&1`;
    return line.startsWith("npx mcpgen add") ? `(${line}) 2>&1` : line;
  });
  const all = new Map(
    [...programs].map(([name, text]) => [name, asSaid(text)]),
  );
  await follow(
    { node, ...sources, cache, commands, programs: all },
    (line, printed) => {
      const [, both] = /^(?:! )?\((.*)\) 2>&1$/.exec(line) ?? [];
      const typed = both ?? line;
      const shown =
        outputOf(typed.replace("npx tsx ", "node ")) ?? outputOf(typed);
      if (shown === null) return;
      const expected = asSaid(shown);
      const isExpected =
        both === undefined
          ? printed === expected
          : expected
              .split("\n")
              .every((part) => printed.includes(part.trimEnd()));
      if (!isExpected)
        throw new Error(`${line} printed:\n${printed}\nexpected:\n${expected}`);
    },
  );
}

/**
 * Runs commands in an empty folder beside the clone with a version of Node, and
 * saves the programs there before the first one that runs.
 *
 * @param {{ node: string, registry: { url: string }, clone: string, cache:
 *   string, commands: readonly string[], programs: Map<string, string> }}
 *   project
 * @param {(line: string, printed: string) => void} check called after each
 *   command with what it printed
 */
export async function follow(
  { node, registry, clone, cache, commands, programs },
  check,
) {
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
    const env = {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH}`,
    };
    for (const name of Object.keys(env))
      if (/^npm_config_/i.test(name)) delete env[name];
    for (const line of commands) {
      if (/^(! \()?(npx (tsx|tsc)|node)\b/.test(line))
        for (const [file, text] of programs)
          // Which the page shows once its generated code is there.
          if (!text.includes("./gen/") || existsSync(join(project, "gen")))
            writeFileSync(join(project, file), text);
      check(line, await run(line, project, env));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(line, cwd, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(line, {
      shell: true,
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const parts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"])
      child[name].on("data", (data) => (parts[name] += data));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(parts.stdout);
      else
        reject(
          new Error(
            `$ ${line}\n${parts.stdout}${parts.stderr}exited with ${code}`,
          ),
        );
    });
  });
}

/** Makes a clone, and serves a registry until `work` is done. */
export async function withSources(work) {
  const { dependencies } = JSON.parse(
    readFileSync(join(root, "test/installed/package.json"), "utf8"),
  );
  const servers = Object.entries(dependencies).filter(([name]) =>
    name.startsWith("@modelcontextprotocol/server-"),
  );
  const registry = await serveRegistry(Object.fromEntries(servers));
  let folder;
  try {
    folder = await clone();
    const tarballs = readdirSync(folder).filter((path) =>
      path.endsWith(".tgz"),
    );
    registry.offer(tarballs.map((path) => join(folder, path)));
    return await work({ registry, clone: folder });
  } finally {
    registry.close();
    if (folder !== undefined)
      rmSync(dirname(folder), { recursive: true, force: true });
    rmSync(cache, { recursive: true, force: true, maxRetries: 5 });
  }
}
