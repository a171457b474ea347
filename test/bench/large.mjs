// A program of 200,000 lines that uses generated files: copies of the sources
// of mcpgen and of the gateway of test/impact.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { generate } from "./bundle.mjs";
import { root } from "./shared.mjs";

const lines = 200_000;

const compilerOptions = {
  target: "ES2022",
  lib: ["ES2022", "ESNext.Disposable"],
  module: "NodeNext",
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  resolveJsonModule: true,
  noEmit: true,
};

/**
 * Writes the program into a folder, with generated files of a revision in
 * `src/mcp`. The copies of the gateway import them directly or through a
 * barrel; with `isEverywhere` each module of the copied sources imports the
 * barrel too. Returns the size of what is copied.
 */
export function writeProgram(folder, revision, isEverywhere) {
  const src = join(folder, "src");
  mkdirSync(src, { recursive: true });
  symlinkSync(
    join(root, "node_modules"),
    join(folder, "node_modules"),
    "junction",
  );
  put(folder, "package.json", JSON.stringify({ type: "module" }));
  put(
    folder,
    "tsconfig.json",
    JSON.stringify({ compilerOptions, include: ["src"] }),
  );
  const generated = { version: revision, out: "src/mcp" };
  put(folder, "mcpgen.config.json", JSON.stringify({ generate: [generated] }));
  generate(revision, join(src, "mcp"));
  put(src, "protocol.ts", 'export * from "./mcp/index.js";\n');

  const written = { lines: 0, files: 0 };
  const copy = (from, to, change) => {
    for (const [path, text] of from) {
      const file = join(src, to, path);
      mkdirSync(dirname(file), { recursive: true });
      const changed = change(text, file);
      writeFileSync(file, changed);
      written.lines += linesIn(changed, file);
      written.files += 1;
    }
  };
  const barrel = (file) => {
    const path = relative(dirname(file), join(src, "protocol.js")).replaceAll(
      "\\",
      "/",
    );
    return path.startsWith(".") ? path : `./${path}`;
  };
  const sources = modulesIn(join(root, "src"));
  const gateway = modulesIn(join(root, "test/impact/gateway/src"));
  const linesOf = (modules) =>
    modules.reduce((sum, [path, text]) => sum + linesIn(text, path), 0);
  const copies = Math.floor(lines / linesOf(sources));
  for (let i = 0; i < copies; i++) {
    const importing = (text, file) =>
      text.replace(/^(#!.*\n)?/, `$&import type {} from "${barrel(file)}";\n`);
    copy(sources, `sources${i}`, (text, file) =>
      isEverywhere && file.endsWith(".ts") ? importing(text, file) : text,
    );
  }
  for (let i = 0; written.lines < lines; i++) {
    copy(gateway, `gateway${i}`, (text, file) =>
      text.replaceAll(
        "./mcp/index.js",
        i % 2 === 0 ? "../mcp/index.js" : barrel(file),
      ),
    );
  }
  return written;
}

/** The lines of TypeScript in a file. */
function linesIn(text, path) {
  return path.endsWith(".ts") ? text.split("\n").length - 1 : 0;
}

function put(folder, name, text) {
  writeFileSync(join(folder, name), text);
}

/** The TypeScript and JSON modules below a folder, by their paths. */
function modulesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter(
      (path) =>
        /\.(ts|json)$/.test(path) &&
        !/(^|[\\/])(dist|node_modules)[\\/]/.test(path),
    )
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort()
    .map((path) => [path, readFileSync(join(folder, path), "utf8")]);
}
