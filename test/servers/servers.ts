import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A server that others wrote, as a client's configuration file would name it. */
export interface RealServer {
  readonly name: string;
  /** The package of this folder that brings it. */
  readonly package: string;
  /** What it needs to start: `<folder>` is one of its own, with a few files in it. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** None of them needs the network or a key to start. */
export const servers: readonly RealServer[] = [
  { name: "everything", package: "@modelcontextprotocol/server-everything", args: ["stdio"] },
  { name: "filesystem", package: "@modelcontextprotocol/server-filesystem", args: ["<folder>"] },
  {
    name: "memory",
    package: "@modelcontextprotocol/server-memory",
    env: { MEMORY_FILE_PATH: "<folder>/memory.jsonl" },
  },
  { name: "thinking", package: "@modelcontextprotocol/server-sequential-thinking" },
  { name: "budget", package: "@modelcontextprotocol/server-budget-allocator", args: ["--stdio"] },
  { name: "scenario", package: "@modelcontextprotocol/server-scenario-modeler", args: ["--stdio"] },
  // Draws its charts elsewhere; where it is told to ask, nobody answers.
  { name: "chart", package: "@antv/mcp-server-chart", env: { VIS_REQUEST_SERVER: "http://127.0.0.1:9" } },
  { name: "eslint", package: "@eslint/mcp" },
  { name: "thinking-tools", package: "mcp-sequentialthinking-tools" },
];

const packages = fileURLToPath(new URL("node_modules", import.meta.url));

/** The file that a package's program is. */
export function programOf(name: string): string {
  const folder = join(packages, name);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly bin: string | Readonly<Record<string, string>>;
  };
  return join(folder, typeof bin === "string" ? bin : (Object.values(bin)[0] ?? ""));
}

/** How it is started, with a folder of its own. */
export function launch(server: RealServer, folder: string): { args: string[]; env: Record<string, string> } {
  const put = (text: string): string => text.replace("<folder>", folder);
  return {
    args: [programOf(server.package), ...(server.args ?? []).map(put)],
    env: Object.fromEntries(Object.entries(server.env ?? {}).map(([name, value]) => [name, put(value)])),
  };
}

/** A folder as it was in the beginning. */
export function fresh(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "below"), { recursive: true });
  writeFileSync(join(folder, "story.txt"), "It was a dark and stormy night.\n");
  writeFileSync(join(folder, "eslint.config.js"), 'export default [{ rules: { "no-var": "error" } }];\n');
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
}
