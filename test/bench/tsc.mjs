import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { here } from "./shared.mjs";

/**
 * The cost of checking these files of a folder: instantiations, types and
 * seconds.
 */
export function instantiations(folder, files) {
  const config = {
    compilerOptions: {
      target: "ES2022",
      lib: ["ES2022", "ESNext.Disposable"],
      module: "NodeNext",
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      types: ["node"],
    },
    files,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const { stdout, status } = spawnSync(
    process.execPath,
    [
      join(here, "node_modules/typescript/bin/tsc"),
      "-p",
      folder,
      "--extendedDiagnostics",
    ],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stdout.slice(0, 2000));
  const figure = (name) =>
    Number(new RegExp(`^${name}:\\s+([\\d.]+)`, "m").exec(stdout)?.[1]);
  return [figure("Instantiations"), figure("Types"), figure("Check time")];
}

/** A folder with these files, in which these packages are found. */
export function project(folder, files, modules) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ type: "module" }),
  );
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name), text);
  for (const [name, target] of Object.entries(modules)) {
    const link = join(folder, "node_modules", name);
    mkdirSync(join(link, ".."), { recursive: true });
    symlinkSync(target, link, "junction");
  }
}
