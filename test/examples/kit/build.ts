import { execFile } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import { freePort } from "../../free-port.js";
import { mcpgen } from "../../cli/support.js";
import { root } from "../../repository.js";
import { programForNode } from "../../sources.js";
import type { Job, Outcome } from "./main.js";
import {
  examples,
  extended,
  extendedFolders,
  foldersOf,
  type Guide,
} from "./pages.js";

const exec = promisify(execFile);
const kit = join(root, "test/examples/kit");

/**
 * Builds all programs of the guides into a folder, and runs them. The outcomes
 * are in the order of the jobs.
 */
export async function run(
  guides: readonly Guide[],
  jobs: readonly Job[],
  folder: string,
): Promise<Outcome[]> {
  const texts = new Map(
    guides.flatMap(({ name, programs }) =>
      programs.map(({ file, text }) => [`${name}/${file}`, text] as const),
    ),
  );
  const ports = new Map<string, number>();
  for (const { name } of guides) ports.set(name, await freePort());
  // What the pages on extensions generate besides `gen`.
  for (const [extension, out] of Object.entries(extended)) {
    const args = [
      "--version",
      "latest",
      "--extension",
      extension,
      "--out",
      join(folder, out),
      "--quiet",
    ];
    const { code, err } = await mcpgen(args, { directory: folder });
    if (code !== 0) throw new Error(err);
  }
  // What programs read from the disk.
  for (const { name } of guides)
    for (const path of foldersOf(name))
      cpSync(join(examples, name, path), join(folder, name, path), {
        recursive: true,
      });
  await build({
    ...programForNode,
    entryPoints: [
      { in: join(kit, "main.ts"), out: "main" },
      ...[...texts.keys()].map((path) => ({
        in: `guide:${path}`,
        out: path.replace(/\.ts$/, ""),
      })),
    ],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    splitting: true,
    external: ["ajv", "ajv/*", "ws", "yaml", "prom-client"],
    plugins: [
      programsOfGuides(texts, ports, folder),
      ...(programForNode.plugins ?? []),
    ],
  });
  await exec(process.execPath, [
    join(folder, "main.mjs"),
    folder,
    JSON.stringify(jobs),
  ]);
  return JSON.parse(
    readFileSync(join(folder, "outcomes.json"), "utf8"),
  ) as Outcome[];
}

/**
 * For esbuild: the programs as the pages have them, with a free port for each
 * page, `generated/` as `./gen`, and the shims.
 */
function programsOfGuides(
  texts: ReadonlyMap<string, string>,
  ports: ReadonlyMap<string, number>,
  folder: string,
): Plugin {
  return {
    name: "programs of guides",
    setup(builder) {
      builder.onResolve({ filter: /^guide:/ }, ({ path }) => ({
        path: path.slice("guide:".length),
        namespace: "guide",
      }));
      builder.onLoad({ filter: /./, namespace: "guide" }, ({ path }) => ({
        contents: (texts.get(path) ?? "").replaceAll(
          /\b300[01]\b/g,
          String(ports.get(path.split("/")[0] ?? "")),
        ),
        loader: "ts",
        resolveDir: root,
      }));
      builder.onResolve({ filter: /^\.\/gen\// }, ({ path }) => ({
        path: join(
          root,
          path.replace("./gen/", "generated/").replace(/\.js$/, ".ts"),
        ),
      }));
      builder.onResolve(
        { filter: /^\.\/[\w-]+\.js$/, namespace: "guide" },
        ({ path, importer }) => ({
          path: `${importer.split("/")[0]}/${path.slice("./".length).replace(/\.js$/, ".ts")}`,
          namespace: "guide",
        }),
      );
      builder.onResolve(
        {
          filter: new RegExp(`^\\./(${extendedFolders})/`),
          namespace: "guide",
        },
        ({ path }) => ({
          path: join(folder, path.replace(/\.js$/, ".ts")),
        }),
      );
      builder.onResolve(
        { filter: /^@mcpgen\/runtime\/(stdio|http|sse|websocket)$/ },
        ({ path, namespace }) =>
          namespace === "guide"
            ? {
                path: join(
                  kit,
                  "shims",
                  `${path.slice("@mcpgen/runtime/".length)}.ts`,
                ),
              }
            : undefined,
      );
    },
  };
}
