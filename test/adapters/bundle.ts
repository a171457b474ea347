import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { examples } from "../examples/kit/pages.js";
import { root } from "../repository.js";
import { runtimeSources } from "../sources.js";

/**
 * Makes one file of a program of a guide, with `generated/` as `./gen`.
 * `change` may change the text of each of its files.
 */
export async function bundle(
  guide: string,
  file: string,
  outfile: string,
  change: (text: string) => string = (text) => text,
): Promise<void> {
  const own = join(examples, guide);
  await build({
    entryPoints: [join(own, file)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
    external: [
      "@hono/node-server",
      "hono",
      "hono/*",
      "express",
      "fastify",
      "zod",
      "zod/*",
      "ajv",
      "ajv/*",
      "redis",
    ],
    plugins: [
      {
        name: "programs of guides",
        setup(builder) {
          builder.onResolve({ filter: /^\.\/gen\// }, ({ path }) => ({
            path: join(
              root,
              path.replace("./gen/", "generated/").replace(/\.js$/, ".ts"),
            ),
          }));
          builder.onLoad({ filter: /\.ts$/ }, ({ path }) =>
            path.startsWith(own)
              ? { contents: change(readFileSync(path, "utf8")), loader: "ts" }
              : undefined,
          );
        },
      },
      runtimeSources,
    ],
  });
}
