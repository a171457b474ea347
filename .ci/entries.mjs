// Builds the scripts of `@mcpgen/runtime` and of `@mcpgen/auth`.
import { dirname, join, posix, resolve } from "node:path";
import { build } from "esbuild";

const core = "index";
/** Entries that hold what only they need, a copy each, so that none loads another. HTTP+SSE is the exception: it builds on HTTP. */
const carriers = new Set(["stdio", "http", "sse", "websocket"]);
const sharing = new Set(["http", "sse"]);
/** Entries that build on another one, and import from it what only the two need. */
const bases = { skills: "features" };

/**
 * Builds one file per entry of the runtime. A source file that several entries need is in the core entry, and the other entries import it
 * from there: a program has one copy of it, however many entries it uses. All such imports of an entry are one statement, so that
 * every name keeps its spelling.
 */
export async function buildEntries(runtime, manifest, common) {
  const options = optionsOf(runtime, manifest, common);
  const { entryPoints } = options;
  const entries = Object.keys(entryPoints);
  const { metafile } = await build({ ...options, write: false });
  const graph = new Map(
    Object.entries(metafile.inputs).map(([path, { imports }]) => [
      resolve(options.absWorkingDir, path),
      imports.filter(({ external }) => !external).map((one) => resolve(options.absWorkingDir, one.path)),
    ]),
  );
  const reached = new Map(entries.map((entry) => [entry, reachable(graph, entryPoints[entry])]));
  /** The entry that holds a file which this entry shares with others; undefined where it has the file for itself. */
  const ownerOf = (path, entry) => {
    const users = entries.filter((user) => reached.get(user).has(path));
    if (users.length === 1) return undefined;
    const base = users.find((user) => users.every((other) => other === user || bases[other] === user));
    if (base !== undefined) return base;
    if (!users.every((user) => carriers.has(user))) return core;
    return sharing.has(entry) ? users.find((user) => sharing.has(user)) : undefined;
  };
  const exported = await exportsOf(options, [...graph.keys()]);
  /** The files whose exports an entry offers to the others, beside its own. */
  const shared = Object.fromEntries(entries.map((entry) => [entry, new Set()]));
  for (const entry of entries) {
    for (const path of reached.get(entry)) {
      if ((ownerOf(path, entry) ?? entry) !== entry) continue;
      for (const target of graph.get(path)) {
        const owner = ownerOf(target, entry);
        if (owner !== undefined && owner !== entry) shared[owner].add(target);
      }
    }
  }

  /** An entry as the others see it: its own exports, and those of the files that it shares. */
  const textOf = (entry) => {
    const own = new Set(exported.get(entryPoints[entry]));
    const lines = [...shared[entry]].map((path) => {
      const names = exported.get(path);
      for (const other of reached.get(entry)) {
        const twice = names.find((name) => exported.get(other).includes(name));
        if (twice && other !== path && other !== entryPoints[entry])
          throw new Error(`${path} and ${other} both export ${twice}, and entries share them: rename one.`);
      }
      return `export { ${names.filter((name) => !own.has(name)).join(", ")} } from ${JSON.stringify(path)};`;
    });
    return [`export * from ${JSON.stringify(entryPoints[entry])};`, ...lines].join("\n");
  };
  const namesOf = (entry) => [
    ...new Set([entryPoints[entry], ...shared[entry]].flatMap((path) => exported.get(path))),
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
              builder.onResolve({ filter: /^entry:/ }, ({ path }) => ({ path, namespace: "entry" }));
              builder.onLoad({ filter: /.*/, namespace: "entry" }, () => ({
                contents: textOf(entry),
                resolveDir: runtime,
              }));
              builder.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir, namespace }) => {
                if (namespace === "sibling") return { path, external: true };
                const owner = ownerOf(join(resolveDir, path.replace(/\.js$/, ".ts")), entry);
                if (owner === undefined || owner === entry) return undefined;
                return { path: owner, namespace: "sibling", sideEffects: false };
              });
              const up = posix.relative(dirname(entry), ".") || ".";
              builder.onLoad({ filter: /.*/, namespace: "sibling" }, ({ path }) => ({
                contents: `export { ${namesOf(path).join(", ")} } from "${up}/${path}.js";`,
              }));
            },
          },
        ],
      }),
    ),
  );
}

/**
 * Builds one file per entry, with a copy of all that it needs but for what is installed: no program loads the libraries of an entry that it
 * does not use.
 */
export async function buildEachEntry(folder, manifest, common) {
  await build(optionsOf(folder, manifest, common));
}

function optionsOf(folder, { exports, dependencies = {}, peerDependencies = {} }, common) {
  const entries = Object.values(exports)
    .filter((entry) => typeof entry === "object")
    .map((entry) => entry.default.replace("./dist/", "").replace(".js", ""));
  return {
    ...common,
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["node:*", ...Object.keys(dependencies), ...Object.keys(peerDependencies)],
    entryPoints: Object.fromEntries(entries.map((entry) => [entry, join(folder, `${entry}.ts`)])),
  };
}

/** The files that a file imports, directly or through others, and the file itself. */
function reachable(graph, start) {
  const paths = new Set([start]);
  for (const path of paths) for (const target of graph.get(path) ?? []) paths.add(target);
  return paths;
}

/** The names of the values that each file exports. */
async function exportsOf(options, paths) {
  const { metafile } = await build({ ...options, write: false, outdir: "/", entryPoints: paths });
  return new Map(
    Object.values(metafile.outputs)
      .filter(({ entryPoint }) => entryPoint !== undefined)
      .map(({ entryPoint, exports }) => [resolve(options.absWorkingDir, entryPoint), exports]),
  );
}
