// npm run test:tarballs: the packages as users get them. Packs them and prints
// their sizes, checks them with publint and attw, installs the tarballs with
// npm into an empty project, and generates, compiles and runs a program there,
// and another one in a package of CommonJS. Then every supported version of
// Node.js imports and requires each entry, and the programs of the guides run.
// Needs the registry. `MCPGEN_NODES=running` imports and requires them with
// this version only.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runGuides } from "./guides.mjs";
import {
  commonRequire,
  commonTalk,
  commonTsconfig,
  everyImport,
  library,
  talk,
  tsconfig,
} from "./project.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const shell = process.platform === "win32";
const project = mkdtempSync(join(tmpdir(), "mcpgen-package-"));

try {
  call("npm", ["ci", "--no-audit", "--no-fund"], here);
  const tarballs = pack();
  for (const tarball of tarballs) {
    call("publint", ["run", tarball, "--strict"]);
    // All packages are modules for Node 20.19 and later, where require() loads
    // a module too.
    call("attw", [tarball, "--profile", "esm-only"]);
  }
  writeFileSync(
    join(project, "package.json"),
    '{"type":"module","private":true}',
  );
  call(
    "npm",
    ["install", "--no-audit", "--no-fund", ...tarballs, "typescript@5.9"],
    project,
  );
  call("npx", ["mcpgen", "--version", "2025-03-26", "--out", "gen"], project);
  // Reads a page of the package.
  call("npx", ["mcpgen", "explain", "MG307"], project);
  writeFileSync(join(project, "tsconfig.json"), tsconfig);
  writeFileSync(join(project, "talk.ts"), talk);
  writeFileSync(join(project, "library.ts"), library);
  call("npx", ["tsc", "-p", "."], project);
  const printed = execFileSync(process.execPath, ["built/talk.js"], {
    cwd: project,
    encoding: "utf8",
  });
  if (printed !== "hello\n")
    throw new Error(
      `The packed client and server print ${JSON.stringify(printed)}.`,
    );
  const common = join(project, "common");
  mkdirSync(common);
  writeFileSync(join(common, "package.json"), '{"private":true}');
  writeFileSync(join(common, "tsconfig.json"), commonTsconfig);
  writeFileSync(join(common, "common.ts"), commonTalk);
  writeFileSync(join(common, "require.cjs"), commonRequire);
  writeFileSync(join(project, "import.mjs"), everyImport);
  call("npx", ["mcpgen", "--version", "2025-03-26", "--out", "gen"], common);
  call("npx", ["tsc", "-p", "."], common);
  call(process.execPath, ["built/common.js"], common);
  for (const node of nodes()) {
    call(node, ["--version"]);
    loadsAll(node, "import.mjs", project);
    loadsAll(node, "require.cjs", common);
  }
  console.log("the packages install, generate, compile and run");
  const [folder] = process.argv.slice(2);
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    for (const tarball of tarballs)
      copyFileSync(tarball, join(folder, basename(tarball)));
  }
  // The guides are run by a shell and in groups of processes, which Windows
  // does not have.
  if (!shell) {
    const guides = join(project, "guides");
    mkdirSync(guides);
    await runGuides(guides, tarballs);
  }
} finally {
  rmSync(project, { recursive: true, force: true });
}

/** The paths of the packed packages. */
function pack() {
  const args = [
    "run",
    "--silent",
    "pack",
    "--",
    "--json",
    "--pack-destination",
    project,
  ];
  const packages = JSON.parse(
    execFileSync("npm", args, { cwd: root, encoding: "utf8", shell }),
  );
  for (const { name, version, size, unpackedSize, entryCount } of packages) {
    const [packedKb, unpackedKb] = [size, unpackedSize].map(
      (bytes) => `${Math.round(bytes / 1024)} KB`,
    );
    console.log(
      `${name} ${version}: ${packedKb} packed, ${unpackedKb} in ${entryCount} files`,
    );
  }
  return packages.map(({ filename }) => join(project, filename));
}

/**
 * The programs of the versions of Node.js in test/node, which is installed if
 * it has others. With `MCPGEN_NODES=running`, the one that runs this script.
 */
function nodes() {
  if (process.env.MCPGEN_NODES === "running") return [process.execPath];
  const folder = join(root, "test/node");
  const places = Object.entries(
    readJson(join(folder, "package.json")).dependencies,
  ).map(([name, source]) => ({
    place: join(folder, "node_modules", name),
    version: source.replace(/^.*@/, ""),
  }));
  const isInstalled = ({ place, version }) =>
    existsSync(place) &&
    readJson(join(place, "package.json")).version === version;
  if (!places.every(isInstalled))
    call("npm", ["ci", "--no-audit", "--no-fund"], folder);
  return places.map(({ place }) =>
    join(place, "bin", shell ? "node.exe" : "node"),
  );
}

/**
 * Runs a script that prints a line for each entry, with "true" at the end if
 * the entry has exports.
 */
function loadsAll(node, script, folder) {
  const lines = execFileSync(node, [script], { cwd: folder, encoding: "utf8" })
    .trim()
    .split("\n");
  const empty = lines.filter((line) => !line.endsWith(" true"));
  if (lines.length < 10 || empty.length > 0)
    throw new Error(
      `${script} loads ${lines.length} entries; without exports: ${empty.join(", ")}`,
    );
  console.log(`${script} loads ${lines.length} entries`);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

function call(command, args, folder = root) {
  const local = join(here, "node_modules/.bin", command);
  console.log(`$ ${command} ${args.join(" ")}`);
  // Programs of packages are scripts on Windows, which only a shell can start.
  const inShell = shell && !isAbsolute(command);
  execFileSync(existsSync(local) ? local : command, args, {
    cwd: folder,
    stdio: "inherit",
    shell: inShell,
  });
}
