// Builds `@mcpgen/runtime`.
import { basename, join } from "node:path";
import { build } from "esbuild";

/**
 * Builds one file per entry of the runtime. An entry imports what a sibling entry exports from the sibling's file, so that both share one copy,
 * and by one import statement, so that every name keeps its spelling.
 */
export async function buildEntries(runtime, manifest, common) {
  const { exports, dependencies = {}, peerDependencies = {} } = manifest;
  const entries = Object.values(exports)
    .filter((entry) => typeof entry === "object")
    .map((entry) => entry.default.replace("./dist/", "").replace(".js", ""));
  const files = new Map(entries.map((entry) => [join(runtime, `${entry}.ts`), entry]));
  const siblingOf = (path, resolveDir) => files.get(join(resolveDir, path.replace(/\.js$/, ".ts")));
  const options = {
    ...common,
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["node:*", ...Object.keys(dependencies), ...Object.keys(peerDependencies)],
    entryPoints: Object.fromEntries(entries.map((entry) => [entry, join(runtime, `${entry}.ts`)])),
  };
  const relative = { filter: /^\.{1,2}\// };
  const outside = {
    name: "siblings stay outside",
    setup(builder) {
      builder.onResolve(relative, ({ path, resolveDir, kind }) => {
        const entry = kind === "entry-point" ? undefined : siblingOf(path, resolveDir);
        return entry === undefined ? undefined : { path: `./${entry}.js`, external: true };
      });
    },
  };
  const { metafile } = await build({ ...options, write: false, plugins: [outside] });
  const namesOf = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(path, ".js"), output.exports]),
  );
  const imported = {
    name: "siblings are imported once",
    setup(builder) {
      builder.onResolve(relative, ({ path, resolveDir, kind, namespace }) => {
        if (namespace === "sibling") return { path, external: true };
        const entry = kind === "entry-point" ? undefined : siblingOf(path, resolveDir);
        return entry === undefined ? undefined : { path: entry, namespace: "sibling", sideEffects: false };
      });
      builder.onLoad({ filter: /.*/, namespace: "sibling" }, ({ path }) => ({
        contents: `export { ${namesOf.get(path).join(", ")} } from "./${path}.js";`,
      }));
    },
  };
  await build({ ...options, plugins: [imported] });
}
