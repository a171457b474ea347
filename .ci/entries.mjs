// Builds the scripts of `@mcpgen/runtime` and of `@mcpgen/auth`.
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import { build } from "esbuild";

/** The entry that holds what no row of this table and no add-on has. */
const core = "index";
/** The folders and files of the core that an entry besides `index` holds. */
const folders = {
  "core/role/http-server": "http",
  "core/role/serve-stdio.ts": "stdio",
  "core/transport/console.ts": "stdio",
  "core/transport/http-client": "http",
  "core/transport/lines.ts": "stdio",
  "core/transport/stdio-server.ts": "stdio",
};

/**
 * Builds one file per entry of the runtime. A source file that several entries
 * need is in the entry of its folder, and the others import it from there: a
 * program has one copy of it, however many entries it uses. All such imports of
 * an entry are one statement, so that every name keeps its spelling.
 */
export async function buildEntries(runtime, manifest, common) {
  const options = optionsOf(runtime, manifest, common);
  const { entryPoints } = options;
  const entries = Object.keys(entryPoints);
  const { metafile } = await build({ ...options, write: false });
  const graph = new Map(
    Object.entries(metafile.inputs).map(([path, { imports }]) => [
      resolve(options.absWorkingDir, path),
      imports
        .filter(({ external }) => !external)
        .map((one) => resolve(options.absWorkingDir, one.path)),
    ]),
  );
  const reached = new Map(
    entries.map((entry) => [entry, reachable(graph, entryPoints[entry])]),
  );
  /**
   * The entry that holds a file: the only one that needs it, or that of its
   * folder.
   */
  const holderOf = (path) => {
    const users = entries.filter((entry) => reached.get(entry).has(path));
    if (users.length === 1) return users[0];
    const at = relative(runtime, path).split(sep);
    const [name = at[0]] = Object.keys(folders).filter((folder) =>
      `${at.join("/")}/`.startsWith(`${folder}/`),
    );
    return folders[name] ?? (entries.includes(name) ? name : core);
  };
  const exported = await exportsOf(options, [...graph.keys()]);
  /** The files whose exports an entry offers to the others, beside its own. */
  const shared = Object.fromEntries(entries.map((entry) => [entry, new Set()]));
  for (const entry of entries) {
    for (const path of reached.get(entry)) {
      if (holderOf(path) !== entry) continue;
      for (const target of graph.get(path))
        if (holderOf(target) !== entry) shared[holderOf(target)].add(target);
    }
  }

  /**
   * An entry as the others see it: its own exports, and those of the files that
   * it shares.
   */
  const textOf = (entry) => {
    const own = new Set(exported.get(entryPoints[entry]));
    const lines = [...shared[entry]].map((path) => {
      const names = exported.get(path);
      for (const other of reached.get(entry)) {
        const twice = names.find((name) => exported.get(other).includes(name));
        if (twice && other !== path && other !== entryPoints[entry])
          throw new Error(
            `${path} and ${other} both export ${twice}, and entries share them: rename one.`,
          );
      }
      return `export { ${names.filter((name) => !own.has(name)).join(", ")} } from ${JSON.stringify(path)};`;
    });
    return [
      `export * from ${JSON.stringify(entryPoints[entry])};`,
      ...lines,
    ].join("\n");
  };
  const namesOf = (entry) => [
    ...new Set(
      [entryPoints[entry], ...shared[entry]].flatMap((path) =>
        exported.get(path),
      ),
    ),
  ];

  await Promise.all(
    entries.map((entry) =>
      build({
        ...options,
        entryPoints: { [entry]: `entry:${entry}` },
        plugins: [
          {
            name: "shared files are imported from the entry that holds them",
            setup(builder) {
              builder.onResolve({ filter: /^entry:/ }, ({ path }) => ({
                path,
                namespace: "entry",
              }));
              builder.onLoad({ filter: /.*/, namespace: "entry" }, () => ({
                contents: textOf(entry),
                resolveDir: runtime,
              }));
              builder.onResolve(
                { filter: /^\.{1,2}\// },
                ({ path, resolveDir, namespace }) => {
                  if (namespace === "sibling") return { path, external: true };
                  const holder = holderOf(
                    join(resolveDir, path.replace(/\.js$/, ".ts")),
                  );
                  return holder === entry
                    ? undefined
                    : {
                        path: holder,
                        namespace: "sibling",
                        sideEffects: false,
                      };
                },
              );
              const up = posix.relative(dirname(entry), ".") || ".";
              builder.onLoad(
                { filter: /.*/, namespace: "sibling" },
                ({ path }) => ({
                  contents: `export { ${namesOf(path).join(", ")} } from "${up}/${path}.js";`,
                }),
              );
            },
          },
        ],
      }),
    ),
  );
}

/**
 * Builds one file per entry, with a copy of all that it needs but for what is
 * installed: no program loads the libraries of an entry that it does not use.
 */
export async function buildEachEntry(folder, manifest, common) {
  await build(optionsOf(folder, manifest, common));
}

function optionsOf(
  folder,
  { exports, dependencies = {}, peerDependencies = {} },
  common,
) {
  const entries = Object.values(exports)
    .filter((entry) => typeof entry === "object")
    .map((entry) => entry.default.replace("./dist/", "").replace(".js", ""));
  return {
    ...common,
    platform: "neutral",
    mainFields: ["module", "main"],
    external: [
      "node:*",
      ...Object.keys(dependencies),
      ...Object.keys(peerDependencies),
    ],
    entryPoints: Object.fromEntries(
      entries.map((entry) => [entry, join(folder, `${entry}.ts`)]),
    ),
  };
}

/**
 * The files that a file imports, directly or through others, and the file
 * itself.
 */
function reachable(graph, start) {
  const paths = new Set([start]);
  for (const path of paths)
    for (const target of graph.get(path) ?? []) paths.add(target);
  return paths;
}

/** The names of the values that each file exports. */
async function exportsOf(options, paths) {
  const { metafile } = await build({
    ...options,
    write: false,
    outdir: "/",
    entryPoints: paths,
  });
  return new Map(
    Object.values(metafile.outputs)
      .filter(({ entryPoint }) => entryPoint !== undefined)
      .map(({ entryPoint, exports }) => [
        resolve(options.absWorkingDir, entryPoint),
        exports,
      ]),
  );
}
