// npm run pack -- [options of npm pack]: packs the packages. What is published
// is installed and never built: its manifest has no scripts, of which npm
// warns, no development dependencies and no workspaces.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifestIn = (folder) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const folders = [
  root,
  ...manifestIn(root).workspaces.map((folder) => join(root, folder)),
];
const aside = mkdtempSync(join(tmpdir(), "mcpgen-pack-"));
try {
  const listed = npm(
    ["pack", "--dry-run", "--json", "--workspaces", "--include-workspace-root"],
    "pipe",
  );
  const copies = JSON.parse(listed).map(({ name, files }, i) => {
    const folder = folders.find((one) => manifestIn(one).name === name);
    const copy = join(aside, String(i));
    for (const { path } of files) cpSync(join(folder, path), join(copy, path));
    const manifest = {
      ...manifestIn(folder),
      scripts: undefined,
      devDependencies: undefined,
      workspaces: undefined,
    };
    writeFileSync(
      join(copy, "package.json"),
      `${JSON.stringify(manifest, null, 2)}\n`,
    );
    return copy;
  });
  npm(["pack", ...process.argv.slice(2), ...copies], "inherit");
} finally {
  rmSync(aside, { recursive: true, force: true });
}

function npm(args, stdout) {
  // npm is a script on Windows, which only a shell can start.
  const shell = process.platform === "win32";
  const stdio = ["ignore", stdout, "inherit"];
  // The list of files is in `--json`, and npm would print it twice.
  const all = [...args, "--ignore-scripts", "--loglevel=warn"];
  return execFileSync("npm", all, {
    cwd: root,
    encoding: "utf8",
    stdio,
    shell,
  });
}
