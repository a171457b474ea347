// The programs of the guide on code mode, generated and built as its page says.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// The bench, which Node runs as it is, imports this file.
const root = fileURLToPath(new URL("../..", import.meta.url));
/** The folder of the guide. */
export const guide = join(root, "test/examples/code");

/**
 * Builds the programs in a folder of the checkout, where they find the built
 * packages, and returns it. The page starts them with tsx.
 */
export async function buildGuide() {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "code-"));
  const mcpgen = (...args) =>
    execFileSync(
      process.execPath,
      [join(root, "dist/cli.js"), ...args, "--quiet"],
      {
        cwd: folder,
      },
    );
  const files = readdirSync(guide).filter((name) => name.endsWith(".ts"));
  const isServer = (name) => name.endsWith("-server.ts");
  await bundle(files.filter(isServer), folder);
  const servers = files.filter(isServer).map((name) => name.split("-")[0]);
  for (const name of servers) {
    const command = `${process.execPath} ${name}-server.mjs`;
    mcpgen("pull", "--stdio", command, "-o", `${name}.mcp.json`);
    mcpgen("stubs", `${name}.mcp.json`, "--out", name);
  }
  // In the order of the page.
  const snapshots = servers.sort().reverse();
  mcpgen(
    "code",
    ...snapshots.map((name) => `${name}.mcp.json`),
    "--out",
    "agent",
  );
  await bundle(
    files.filter((name) => !isServer(name)),
    folder,
    { "agent/code": join(folder, "agent/code.ts") },
  );
  return folder;
}

function bundle(names, folder, others = {}) {
  const programs = names.map((name) => [
    name.replace(/\.ts$/, ""),
    join(guide, name),
  ]);
  return build({
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
    entryPoints: { ...Object.fromEntries(programs), ...others },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    // The thread of a run is a file of the built package.
    external: ["@mcpgen/*"],
    tsconfigRaw: {},
    plugins: [placesOf(folder)],
  });
}

/** What the programs import and start, where this folder has it. */
const placesOf = (folder) => ({
  name: "places",
  setup(builder) {
    builder.onResolve({ filter: /^\.\/gen\// }, () => ({
      path: join(root, "generated/index.ts"),
    }));
    builder.onResolve({ filter: /^\.\/\w+\/\w+\.js$/ }, ({ path, importer }) =>
      importer.startsWith(guide)
        ? { path: join(folder, path.replace(/\.js$/, ".ts")) }
        : undefined,
    );
    builder.onLoad({ filter: /examples.code.[\w-]+\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8")
        .replaceAll('"node", ["--import", "tsx", ', "process.execPath, [")
        .replaceAll(/(?<=")([\w-]+)\.ts(?=")/g, "$1.mjs"),
    }));
  },
});
