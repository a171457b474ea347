// Generates, compiles and runs the quickstarts of test/examples/generated-sdk:
// a weather server, its typed client, and a client of any server.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const example = join(root, "test/examples/generated-sdk");

/** The commands that generate, as a reader types them after `npx`. */
export const commands = [
  "mcpgen stubs weather.mcp.json --out src/weather",
  "mcpgen --version all --out src/gen",
];
/** How the compiler is called. */
const compiler =
  "tsc --strict --module nodenext --target es2022 --lib es2022,esnext.disposable --types node --rootDir src --outDir build";
const mains = [
  "src/weather/main.ts",
  "src/http.ts",
  "src/client.ts",
  "src/any-client.ts",
];

/**
 * Does it all in a new folder, which finds the packages of this checkout as if
 * it had installed them, and removes the folder.
 *
 * @template T
 * @param {(folder: string) => T} onGenerated is called with the folder when it
 *   has only what the commands wrote
 * @returns {Promise<{ runs: { client: string, transport: string, output: string
 *   }[], generated: T }>} what each client printed
 */
export async function runQuickstarts(onGenerated = () => undefined) {
  const folder = mkdtempSync(join(tmpdir(), "generated-sdk-"));
  const node = (...words) =>
    execFileSync(process.execPath, words, {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  let server;
  try {
    symlinkSync(
      join(root, "node_modules"),
      join(folder, "node_modules"),
      "junction",
    );
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    cpSync(join(example, "weather.mcp.json"), join(folder, "weather.mcp.json"));
    for (const command of commands)
      node(
        join(root, "dist/cli.js"),
        ...command.split(" ").slice(1),
        "--quiet",
      );
    const generated = onGenerated(folder);
    // A person writes these over what the commands wrote to be filled in.
    cpSync(join(example, "src"), join(folder, "src"), { recursive: true });
    node(
      join(root, "node_modules/typescript/bin/tsc"),
      ...compiler.split(" ").slice(1),
      ...mains,
    );
    server = spawn(process.execPath, ["build/http.js"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [url] = await once(createInterface(server.stdout), "line");
    const clients = ["client", "any-client"];
    const runs = clients.flatMap((client) => [
      { client, transport: "stdio", output: node(`build/${client}.js`) },
      { client, transport: "HTTP", output: node(`build/${client}.js`, url) },
    ]);
    return { runs, generated };
  } finally {
    server?.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
