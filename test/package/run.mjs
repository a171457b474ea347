// npm run test:package: the two packages as users get them. Packs both, checks them with publint and attw, installs the
// tarballs with npm into an empty project, and generates, compiles and runs a program there, and another one in a package of CommonJS. Needs the registry.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commonRequire, commonTalk, commonTsconfig, library, talk, tsconfig } from "./project.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const project = mkdtempSync(join(tmpdir(), "mcpgen-package-"));

try {
  if (!existsSync(join(here, "node_modules"))) call("npm", ["ci", "--no-audit", "--no-fund"], here);
  call("npm", ["run", "build"], root);
  const tarballs = [root, join(root, "src/runtime")].map(packInto);
  for (const tarball of tarballs) {
    call("publint", ["run", tarball, "--strict"]);
    // Both packages are modules for Node 20.19 and later, where require() loads a module too.
    call("attw", [tarball, "--profile", "esm-only"]);
  }
  writeFileSync(join(project, "package.json"), '{"type":"module","private":true}');
  call("npm", ["install", "--no-audit", "--no-fund", ...tarballs, "typescript@5.9"], project);
  call("npx", ["mcpgen", "--version", "2025-03-26", "--out", "gen"], project);
  writeFileSync(join(project, "tsconfig.json"), tsconfig);
  writeFileSync(join(project, "talk.ts"), talk);
  writeFileSync(join(project, "library.ts"), library);
  call("npx", ["tsc", "-p", "."], project);
  const said = execFileSync(process.execPath, ["built/talk.js"], { cwd: project, encoding: "utf8" });
  if (said !== "hello\n") throw new Error(`The packed client and server said ${JSON.stringify(said)}.`);
  const common = join(project, "common");
  mkdirSync(common);
  writeFileSync(join(common, "package.json"), '{"private":true}');
  writeFileSync(join(common, "tsconfig.json"), commonTsconfig);
  writeFileSync(join(common, "common.ts"), commonTalk);
  writeFileSync(join(common, "require.cjs"), commonRequire);
  call(process.execPath, ["require.cjs"], common);
  call("npx", ["mcpgen", "--version", "2025-03-26", "--out", "gen"], common);
  call("npx", ["tsc", "-p", "."], common);
  call(process.execPath, ["built/common.js"], common);
  console.log("both packages install, generate, compile and run");
} finally {
  rmSync(project, { recursive: true, force: true });
}

function packInto(folder) {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", project];
  const [{ filename }] = JSON.parse(execFileSync("npm", args, { cwd: folder, encoding: "utf8" }));
  return join(project, filename.replace("@", "").replace("/", "-"));
}

function call(command, args, folder = root) {
  const local = join(here, "node_modules/.bin", command);
  console.log(`$ ${command} ${args.join(" ")}`);
  execFileSync(existsSync(local) ? local : command, args, { cwd: folder, stdio: "inherit" });
}
