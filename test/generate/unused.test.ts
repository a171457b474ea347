import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";
import authPackage from "../../src/auth/package.json" with { type: "json" };
import runtimePackage from "../../src/runtime/package.json" with { type: "json" };

const src = fileURLToPath(new URL("../../src", import.meta.url));
const entries = Object.entries({ auth: authPackage, runtime: runtimePackage })
  .flatMap(([folder, { exports }]) =>
    Object.values(exports).flatMap((entry) =>
      typeof entry === "string"
        ? []
        : [entry.default.replace("dist", folder).replace(/\.js$/, ".ts")],
    ),
  )
  // The first reads the platform and the name of the machine when it is loaded;
  // the second is for tests, which no program bundles.
  .filter(
    (file) =>
      ![
        "./auth/login.ts",
        "./runtime/cluster/test.ts",
        // A program of its own, in a thread.
        "./runtime/code/worker.ts",
      ].includes(file),
  );

/**
 * What stays of an entry in a bundle that uses nothing of it, and drops only
 * what has no side effect.
 */
async function restOf(entry: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `import "${entry}";`, resolveDir: src },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    minifyWhitespace: true,
    write: false,
    plugins: [
      {
        name: "sources with side effects",
        setup(builder) {
          builder.onResolve(
            { filter: /^\.{1,2}\// },
            ({ path, importer, resolveDir }) => ({
              path: join(
                importer === "<stdin>" ? resolveDir : dirname(importer),
                path.replace(/\.js$/, ".ts"),
              ),
              sideEffects: true,
            }),
          );
        },
      },
    ],
  });
  // Imports of other packages stay; these packages have no side effects.
  return (outputFiles[0]?.text ?? "")
    .replaceAll(/import[^;]*from"[^"]*";/g, "")
    .trim();
}

it.each(entries)(
  "%s leaves no code in a program that uses nothing of it",
  async (entry) => {
    expect(await restOf(entry)).toBe("");
  },
);
