import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A third-party server, as an entry of .mcp.json. */
export interface RealServer {
  readonly name: string;
  /** The package that contains it. */
  readonly package: string;
  /** Its arguments: `<folder>` is replaced by a folder with a few files. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The servers; none of them needs the network or a key to start. */
export const servers: readonly RealServer[] = [
  {
    name: "everything",
    package: "@modelcontextprotocol/server-everything",
    args: ["stdio"],
  },
  {
    name: "filesystem",
    package: "@modelcontextprotocol/server-filesystem",
    args: ["<folder>"],
  },
  {
    name: "memory",
    package: "@modelcontextprotocol/server-memory",
    env: { MEMORY_FILE_PATH: "<folder>/memory.jsonl" },
  },
  {
    name: "thinking",
    package: "@modelcontextprotocol/server-sequential-thinking",
  },
  {
    name: "budget",
    package: "@modelcontextprotocol/server-budget-allocator",
    args: ["--stdio"],
  },
  {
    name: "scenario",
    package: "@modelcontextprotocol/server-scenario-modeler",
    args: ["--stdio"],
  },
  // Requests its charts from a URL, where nothing listens.
  {
    name: "chart",
    package: "@antv/mcp-server-chart",
    env: { VIS_REQUEST_SERVER: "http://127.0.0.1:9" },
  },
  { name: "eslint", package: "@eslint/mcp" },
  { name: "thinking-tools", package: "mcp-sequentialthinking-tools" },
];

const packages = fileURLToPath(
  new URL("../installed/node_modules", import.meta.url),
);

/** The file of a package's program. */
export function programOf(name: string): string {
  const folder = join(packages, name);
  const { bin } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as {
    readonly bin: string | Readonly<Record<string, string>>;
  };
  return join(
    folder,
    typeof bin === "string" ? bin : (Object.values(bin)[0] ?? ""),
  );
}

/** The arguments and variables of the process, with the folder put in. */
export function launch(
  server: RealServer,
  folder: string,
): { args: string[]; env: Record<string, string> } {
  const put = (text: string): string => text.replace("<folder>", folder);
  return {
    args: [programOf(server.package), ...(server.args ?? []).map(put)],
    env: Object.fromEntries(
      Object.entries(server.env ?? {}).map(([name, value]) => [
        name,
        put(value),
      ]),
    ),
  };
}

/** Resets a folder to its initial files. */
export function fresh(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "below"), { recursive: true });
  writeFileSync(join(folder, "story.txt"), "It was a dark and stormy night.\n");
  writeFileSync(
    join(folder, "eslint.config.js"),
    'export default [{ rules: { "no-var": "error" } }];\n',
  );
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
}
