import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { freePort } from "../../free-port.js";
import { root } from "../../repository.js";
import { programForNode } from "../../sources.js";
import type { Issuer } from "./issuer.js";
import { until } from "../kit/watch.js";

/** The page on `protect`. */
const readme = readFileSync(join(root, "src/auth/protect/README.md"), "utf8");

/**
 * The programs of the page by the heading above each, and those of frameworks
 * by their first line.
 */
const programs = new Map(
  readme.split(/^## /m).flatMap((section) => {
    const [title = ""] = section.split("\n", 1);
    const texts = [...section.matchAll(/^```ts\n([^]*?)^```$/gm)].map(
      ([, text = ""]) => text,
    );
    return texts.map(
      (text) => [/^\/\/ (.+)/.exec(text)?.[1] ?? title, text] as const,
    );
  }),
);
export const titles: readonly string[] = [...programs.keys()];

/**
 * The whole program of a section: the first one of the page, with the
 * declarations that the section changes.
 */
export function programOf(title: string): string {
  const text = programs.get(title);
  const whole = programs.get("A protected server");
  if (text === undefined || whole === undefined)
    throw new Error(`The page has no program "${title}".`);
  if (text === whole) return whole;
  const names = [...text.matchAll(/^const (\w+)/gm)].map(
    ([, name = ""]) => name,
  );
  const rest = names.reduce(
    (before, name) =>
      before.replace(
        new RegExp(`^const ${name} = (?:.*;\n|[^]*?^[^ \n].*;\n)`, "m"),
        "",
      ),
    whole,
  );
  // A framework listens in place of `serveHttp`.
  if (text.startsWith("// "))
    return rest.replace(/^await serveHttp.*\n/m, "") + text;
  const end = rest.search(/^(const handler|await serveHttp)/m);
  return rest.slice(0, end) + text + rest.slice(end);
}

/** A program of the page that runs, and how to stop it. */
export interface Running {
  readonly port: number;
  /** The URL of the server, for which its tokens are. */
  readonly resource: string;
  /** The port of the WebSocket, if the program has one. */
  readonly socketPort: number;
  /** Its standard error. */
  errors(): string;
  stop(): void;
}

/** Starts a program with this issuer, and waits until it answers. */
export async function start(
  title: string,
  { issuer }: Issuer,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const [port, socketPort] = [await freePort(), await freePort()];
  const resource = `http://127.0.0.1:${port}/mcp`;
  const contents = programOf(title)
    .replaceAll("https://mcp.example.com/mcp", resource)
    .replaceAll("https://auth.example.com", issuer)
    .replaceAll("./gen/", `${root}/generated/`)
    .replaceAll(/\b3000\b/g, String(port))
    .replaceAll(/\b3001\b/g, String(socketPort));
  const outfile = join(folder, `${title.replaceAll(/\W/g, "-")}.mjs`);
  await build({
    stdin: { contents, loader: "ts", resolveDir: folder },
    outfile,
    ...programForNode,
    external: ["ws", "express", "hono", "@hono/node-server"],
    nodePaths: [join(root, "node_modules")],
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  const child: ChildProcess = spawn(process.execPath, [outfile], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"], ...env },
  });
  let errors = "";
  child.stderr?.on("data", (text) => (errors += String(text)));
  await until(() =>
    fetch(resource).catch((error) =>
      Promise.reject(new Error(errors, { cause: error })),
    ),
  );
  return {
    port,
    socketPort,
    resource,
    errors: () => errors,
    stop: () => void child.kill(),
  };
}
