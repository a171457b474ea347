// Builds the three packages: `dist/` of mcpgen, of @mcpgen/runtime
// (`src/runtime`) and of @mcpgen/auth (`src/auth`). Runs on `npm install`, so
// it needs nothing but Node and the development dependencies. With --no-types
// the declaration files stay as an earlier build made them; with --if-stale a
// build that is newer than all sources is left alone. Everything is built aside
// and swapped in at the end: a program that is running never sees half a build.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, transform } from "esbuild";
import { keepDeclarations, writeDeclarations } from "./declarations.mjs";
import { buildEachEntry, buildEntries } from "./entries.mjs";
import { vendoredSources } from "./vendored.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const runtime = join(root, "src/runtime");
const auth = join(root, "src/auth");
const aside = join(root, "node_modules", `.mcpgen-build-${process.pid}`);
const dist = join(aside, "dist");
const runtimeDist = join(aside, "runtime");
const authDist = join(aside, "auth");
const { dependencies } = readJson(join(root, "package.json"));
/** What is installed with the package stays outside. */
const external = Object.keys(dependencies);
const runtimePackage = readJson(join(runtime, "package.json"));
const authPackage = readJson(join(auth, "package.json"));

const common = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  logLevel: "warning",
  metafile: true,
};

const wantsTypes = !process.argv.includes("--no-types");

if (process.argv.includes("--if-stale") && isFresh()) process.exit(0);
linkProgram();
try {
  mkdirSync(aside, { recursive: true });
  // The compiler is the slowest of all and waits for nothing else.
  const declarations = wantsTypes
    ? [
        writeDeclarations("tsconfig.build.json", dist),
        writeDeclarations("tsconfig.runtime.json", join(runtimeDist, "types")),
        writeDeclarations("tsconfig.auth.json", join(authDist, "types")),
      ]
    : [
        keepDeclarations(join(root, "dist"), dist),
        keepDeclarations(join(runtime, "dist"), runtimeDist),
        keepDeclarations(join(auth, "dist"), authDist),
      ];
  const bundled = new Set(await buildProgram());
  writeFileSync(
    join(dist, "vendored.json"),
    JSON.stringify(vendoredSources(join(root, "src"))),
  );
  await writeTemplates();
  await writeExtensions();
  await writeRevisions();
  for (const path of await writeLive()) bundled.add(path);
  for (const path of await writeModules()) bundled.add(path);
  writeLicences([...bundled]);
  await buildEntries(runtime, runtimePackage, {
    ...common,
    sourcemap: true,
    outdir: runtimeDist,
  });
  await buildEachEntry(auth, authPackage, {
    ...common,
    sourcemap: true,
    outdir: authDist,
  });
  await Promise.all(declarations);
  swapIn(dist, join(root, "dist"));
  swapIn(runtimeDist, join(runtime, "dist"));
  swapIn(authDist, join(auth, "dist"));
} finally {
  rmSync(aside, { recursive: true, force: true });
}

function isFresh() {
  const made = [
    "dist/cli.js",
    "src/runtime/dist/index.js",
    "src/auth/dist/index.js",
  ];
  if (wantsTypes)
    made.push(
      "dist/index.d.ts",
      "src/runtime/dist/types/runtime/index.d.ts",
      "src/auth/dist/types/auth/index.d.ts",
    );
  const sources = [".ci", "package.json", "schema", "src", "templates"];
  const latest = Math.max(...sources.map((path) => newest(join(root, path))));
  return made.every(
    (path) =>
      existsSync(join(root, path)) &&
      statSync(join(root, path)).mtimeMs > latest,
  );
}

function newest(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  const below = readdirSync(path).filter(
    (name) => name !== "dist" && name !== "node_modules",
  );
  // A directory's own time tells of removals, but also of the build itself.
  return Math.max(0, ...below.map((name) => newest(join(path, name))));
}

/**
 * `npx mcpgen` in a clone: npm links the programs of dependencies, but not the
 * package's own.
 */
function linkProgram() {
  const folder = join(root, "node_modules/.bin");
  mkdirSync(folder, { recursive: true });
  const link = join(folder, "mcpgen");
  rmSync(link, { force: true });
  if (process.platform === "win32") {
    writeFileSync(`${link}.cmd`, '@node "%~dp0\\..\\..\\dist\\cli.js" %*\r\n');
  } else {
    symlinkSync("../../dist/cli.js", link);
  }
}

function swapIn(made, place) {
  for (const path of readdirSync(made, { recursive: true }).filter((one) =>
    one.endsWith(".js.map"),
  ))
    pointFrom(place, made, path);
  if (existsSync(place)) renameSync(place, `${made}-old`);
  renameSync(made, place);
}

/**
 * Makes the sources of a map, which was written in another folder, relative to
 * the folder that it is moved to. The text of other packages' sources is left
 * out.
 */
function pointFrom(place, made, path) {
  const map = readJson(join(made, path));
  const folder = dirname(path);
  // What the build itself wrote has no name of its folder, which is another one
  // each time.
  const sources = map.sources.map((source) => {
    const path = resolve(made, folder, source).replace(made, place);
    return relative(join(place, folder), path).replaceAll("\\", "/");
  });
  const sourcesContent = map.sourcesContent?.map((text, i) =>
    sources[i].includes("node_modules/") ? null : text,
  );
  writeFileSync(
    join(made, path),
    JSON.stringify({ ...map, sources, sourcesContent }),
  );
}

/**
 * The command line and the two library entries; what they share, and what is
 * loaded on demand, becomes a chunk. Returns the files that went in.
 */
async function buildProgram() {
  const { metafile } = await build({
    ...common,
    entryPoints: {
      cli: "src/cli/main.ts",
      index: "src/index.ts",
      "ir/index": "src/generator/ir/index.ts",
    },
    // The build for browsers is of ES modules, which can be bundled in one.
    alias: { yaml: "./node_modules/yaml/browser/index.js" },
    outdir: dist,
    sourcemap: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    external,
  });
  chmodSync(join(dist, "cli.js"), 0o755);
  copyFileSync(
    join(root, "src/generator/ir/schema.json"),
    join(dist, "ir/schema.json"),
  );
  copyFileSync(
    join(root, "src/generator/ir/facts.schema.json"),
    join(dist, "facts.schema.json"),
  );
  copyFileSync(
    join(root, "src/generator/ir/snapshot/snapshot.schema.json"),
    join(dist, "snapshot.schema.json"),
  );
  const config = JSON.parse(
    readFileSync(join(root, "src/cli/config/schema.json"), "utf8"),
  );
  // What flags say is for this program only.
  const published = JSON.stringify(
    config,
    (name, value) => (name === "flag" ? undefined : value),
    2,
  );
  writeFileSync(join(dist, "config.schema.json"), `${published}\n`);
  copyFileSync(
    join(root, "src/cli/config/accepted.json"),
    join(dist, "accepted.schema.json"),
  );
  return Object.keys(metafile.inputs);
}

/**
 * Each bundled revision, read: its representation for `generate`, and its
 * validators and tables as one module for `validate`. Both say which schema
 * they were made from, and are passed over when that has changed.
 */
async function writeRevisions() {
  const { generate, readSchema } = await import(
    pathToFileURL(join(dist, "index.js")).href
  );
  mkdirSync(join(dist, "revisions"), { recursive: true });
  for (const revision of revisionNames()) {
    const name = `schema/${revision}/schema.ts`;
    const protocol = await readSchema(join(root, name), { revision, name });
    writeFileSync(
      join(dist, "ir", `${revision}.json`),
      JSON.stringify(protocol),
    );
    const { files } = await generate({
      protocols: [protocol],
      emit: ["types", "validators", "dispatch"],
    });
    await bundleRevision(revision, protocol.source.sha256, files);
  }
}

/**
 * What Handlebars makes of each template, by its text: a template that was
 * changed since is compiled by the program.
 */
async function writeTemplates() {
  const compiler = join(aside, "compiler.mjs");
  const contents =
    'export { precompile } from "./src/generator/emit/render.ts";';
  await build({
    ...common,
    stdin: { contents, resolveDir: root },
    outfile: compiler,
  });
  const { precompile } = await import(pathToFileURL(compiler).href);
  const folder = join(root, "templates");
  const rows = readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith(".hbs"))
    .sort()
    .map((path) => readFileSync(join(folder, path), "utf8"))
    .map((text) => `[${JSON.stringify(text)}, ${precompile(text)}],\n`);
  const module = `export const precompiled = new Map([\n${rows.join("")}]);\n`;
  const { code } = await transform(module, { minify: true });
  writeFileSync(join(dist, "templates.js"), code);
}

/**
 * Each bundled extension, read, to be merged into whatever revision it is asked
 * for with.
 */
async function writeExtensions() {
  const reader = join(aside, "reader.js");
  const contents = `export { Diagnostics } from "./src/generator/diagnostics.ts";
    export { bundledExtensions, load, readExtension } from "./src/generator/read/index.ts";`;
  const stdin = { contents, resolveDir: root };
  await build({ ...common, stdin, outfile: reader, external });
  const { bundledExtensions, Diagnostics, load, readExtension } = await import(
    pathToFileURL(reader).href
  );
  mkdirSync(join(dist, "ir/extensions"), { recursive: true });
  for (const extension of await bundledExtensions()) {
    const diagnostics = new Diagnostics();
    const loaded = await load(extension.folder, diagnostics.root);
    const name = `schema/extensions/${extension.name}/schema.ts`;
    const schema =
      loaded &&
      (await readExtension(
        loaded.text,
        { file: loaded.file, name },
        diagnostics,
      ));
    if (!schema) throw new Error(JSON.stringify(diagnostics.list));
    const file = join(dist, "ir/extensions", `${extension.name}.json`);
    writeFileSync(file, JSON.stringify(schema));
  }
}

async function bundleRevision(revision, sha256, files) {
  const texts = new Map(
    files.map(({ path, text }) => [path.replace(/\.ts$/, ".js"), text]),
  );
  await build({
    ...common,
    minify: true,
    banner: { js: `// ${revision}, made from a schema with sha256 ${sha256}` },
    stdin: {
      contents:
        'export { classify, protocol } from "./dispatch.js"; export * as validators from "./validators.js";',
      resolveDir: root,
    },
    outfile: join(dist, "revisions", `${revision}.js`),
    plugins: [
      {
        name: "generated files",
        setup(builder) {
          builder.onResolve({ filter: /^\.\// }, ({ path }) => ({
            path: path.slice(2),
            namespace: "generated",
          }));
          builder.onLoad(
            { filter: /.*/, namespace: "generated" },
            ({ path }) => {
              return { contents: texts.get(path), loader: "ts" };
            },
          );
        },
      },
    ],
  });
}

/**
 * Clients of every revision with the runtime below them: what `mcpgen pull`
 * speaks to a server with. Returns the files that went in.
 */
async function writeLive() {
  const { generate, readSchema } = await import(
    pathToFileURL(join(dist, "index.js")).href
  );
  const protocols = [];
  for (const revision of revisionNames()) {
    const name = `schema/${revision}/schema.ts`;
    // By its path: by its name, what an earlier build had read would be taken.
    protocols.push(await readSchema(join(root, name), { revision, name }));
  }
  const { files } = await generate({ protocols, emit: ["client"] });
  const texts = new Map(
    files.map(({ path, text }) => [path.replace(/\.ts$/, ".js"), text]),
  );
  const { metafile } = await build({
    ...common,
    minifySyntax: true,
    minifyWhitespace: true,
    external: ["node:*"],
    stdin: {
      contents:
        'export { clientQuestions, connect } from "./index.js"; export { McpError, memoryPair, serve } from "@mcpgen/runtime"; export { stdio } from "@mcpgen/runtime/stdio"; export { http, sse } from "@mcpgen/runtime/http";',
      resolveDir: root,
    },
    outfile: join(dist, "live.js"),
    alias: {
      "@mcpgen/runtime": join(runtime, "index.ts"),
      ...Object.fromEntries(
        ["http", "legacy", "modern", "stdio"].map((entry) => [
          `@mcpgen/runtime/${entry}`,
          join(runtime, `${entry}.ts`),
        ]),
      ),
    },
    plugins: [
      {
        name: "generated files",
        setup(builder) {
          const resolve = ({ path, importer, namespace }) => {
            if (namespace !== "generated" && importer !== "<stdin>")
              return undefined;
            const folder =
              namespace === "generated" && importer.includes("/")
                ? importer.split("/")[0]
                : "";
            const found = path.startsWith("../")
              ? path.slice(3)
              : join(folder, path);
            return {
              path: found.replaceAll("\\", "/"),
              namespace: "generated",
            };
          };
          builder.onResolve({ filter: /^\.{1,2}\// }, resolve);
          builder.onLoad(
            { filter: /.*/, namespace: "generated" },
            ({ path }) => {
              return {
                contents: texts.get(path),
                loader: "ts",
                resolveDir: root,
              };
            },
          );
        },
      },
    ],
  });
  return Object.keys(metafile.inputs);
}

/**
 * Modules that few commands load: the client of `@mcpgen/auth` for
 * `mcpgen login`, and the HTTP client of `mcpgen update` and of proxies, which
 * is CommonJS and loads the modules of Node with `require`. Returns the files
 * that went in.
 */
async function writeModules() {
  const options = { ...common, minifySyntax: true, minifyWhitespace: true };
  const login = await build({
    ...options,
    stdin: {
      contents: 'export * from "./index.ts"; export * from "./login.ts";',
      resolveDir: auth,
    },
    outfile: join(dist, "auth.js"),
  });
  const js =
    'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);';
  const http = await build({
    ...common,
    minify: true,
    banner: { js },
    stdin: {
      contents:
        'export { Agent, buildConnector, fetch, Pool, ProxyAgent } from "undici";',
      resolveDir: root,
    },
    outfile: join(dist, "undici.js"),
  });
  return [login, http].flatMap(({ metafile }) => Object.keys(metafile.inputs));
}

/** What is bundled brings its licence along. */
function writeLicences(inputs) {
  const folders = inputs.flatMap(
    (path) => /^node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = readJson(
      join(root, folder, "package.json"),
    );
    const file = readdirSync(join(root, folder)).find((entry) =>
      /^licen[cs]e/i.test(entry),
    );
    if (file === undefined)
      throw new Error(`${name} is bundled, but its licence was not found.`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(root, folder, file), "utf8").trim()}\n`;
  });
  const head = "These packages are part of the files in this folder.\n";
  writeFileSync(
    join(dist, "LICENSES.txt"),
    [head, ...texts].join(`\n${"-".repeat(80)}\n\n`),
  );
}

/** The bundled revisions; the extensions stand beside them. */
function revisionNames() {
  return readdirSync(join(root, "schema"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "extensions")
    .map(({ name }) => name)
    .sort();
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}
