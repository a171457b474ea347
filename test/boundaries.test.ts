import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  coreEntries,
  type File,
  files,
  importsOf,
  reachable,
  source as root,
} from "./modules.js";
import { revisions } from "./repository.js";
import { airOf, tokensOf } from "./tokens.js";

/**
 * What a part of src/ may import beside itself: files by the start of their
 * path, some for their types alone; packages.
 */
interface Part {
  readonly imports: readonly string[];
  readonly types?: readonly string[];
  readonly packages?: readonly string[];
}

/** The longest name that a file's path starts with is its part. */
const parts: Readonly<Record<string, Part>> = {
  index: { imports: ["api", "config", "generator"] },
  api: { imports: ["generator"] },
  config: { imports: [], types: ["generator"] },
  // A schema becomes code.
  generator: { imports: [] },
  "generator/diagnostics": { imports: [] },
  "generator/generate": {
    imports: [
      "generator/diagnostics",
      "generator/emit",
      "common",
      "generator/ir",
      "generator/view",
    ],
  },
  "generator/stubs": {
    imports: [
      "generator/diagnostics",
      "generator/emit",
      "generator/generate",
      "common",
      "generator/ir",
      "generator/view",
    ],
  },
  "generator/inputs": {
    imports: [
      "generator/diagnostics",
      "generator/emit/precompiled",
      "generator/emit/support",
      "generator/emit/template-error",
      "generator/emit/write",
      "generator/ir",
      "generator/read",
      "common",
    ],
  },
  "generator/read": {
    imports: ["generator/diagnostics", "generator/ir", "common"],
    packages: ["ajv", "ts-morph"],
  },
  "generator/ir": { imports: ["generator/diagnostics", "common"] },
  "generator/view": {
    imports: [
      "generator/ir",
      "generator/view/plan",
      "generator/view/typescript",
    ],
  },
  // What is generated for which message and under which condition: facts, in
  // no language.
  "generator/view/plan": { imports: ["generator/ir"] },
  // How TypeScript is written: literals, names, comments, types and layout. It
  // knows no message and no file.
  "generator/view/typescript": { imports: ["generator/ir", "common"] },
  "generator/emit": {
    imports: ["generator/diagnostics"],
    types: ["generator/view"],
    packages: ["handlebars"],
  },
  "generator/emit/write": {
    imports: [
      "generator/diagnostics",
      "generator/emit/manifest",
      "generator/ir/json",
      "common",
    ],
  },
  "generator/emit/manifest": { imports: ["generator/ir/json", "common"] },
  // What is copied beside generated files: it may import only what is copied
  // with it.
  "generator/copied": { imports: [] },
  // The frame of the commands, and those that need no add-on.
  cli: {
    imports: ["cli/add-ons", "config", "generator", "common"],
    types: ["auth", "runtime"],
    packages: [
      "@clack/prompts",
      "diff",
      "jiti",
      "prettier",
      "proxy-from-env",
      "ts-morph",
      "undici",
      "yaml",
      "yargs",
      "yargs-parser",
    ],
  },
  // The only file of the frame that names commands which it does not need.
  "cli/add-ons": { imports: ["cli", "commands"] },
  // These commands: a folder each.
  // What a model or its provider will trip over in the tools of a server.
  "commands/lint": { imports: ["cli", "common", "config", "generator"] },
  // Rewrites the server of another library.
  "commands/migrate": { imports: ["cli", "generator"], packages: ["ts-morph"] },
  // The files that describe a server to the registry and to clients.
  "commands/card": { imports: ["cli", "common", "generator"] },
  // The tools of a server as a model provider takes them.
  "commands/convert": { imports: ["commands/lint", "generator"] },
  // Programs over the tools of several servers.
  "commands/code": { imports: ["cli", "common", "generator"] },
  "commands/completion": { imports: ["cli", "generator"] },
  "commands/docs": {
    imports: ["cli", "common", "generator"],
  },
  "commands/validate": {
    imports: ["cli", "generator"],
    packages: ["ts-morph"],
  },
  // What is fetched is read and stored, and never run.
  "commands/update": {
    imports: ["cli", "commands/update/impact", "common", "generator"],
    types: ["config"],
    packages: ["tar", "undici"],
  },
  // Which lines of a user's program a change of the protocol touches. It uses
  // the names that the views choose.
  "commands/update/impact": {
    imports: [
      "common",
      "cli/compile",
      "generator/diagnostics",
      "generator/ir",
      "generator/view/naming",
      "generator/view/plan",
      "generator/view/typescript",
    ],
    packages: ["ts-morph"],
  },
  // The entries that users import.
  runtime: { imports: ["runtime", "common"] },
  // What generated code, stdio and Streamable HTTP need. It imports no add-on.
  "runtime/core": { imports: ["common"] },
  // An add-on imports the core, and another add-on only where its row says so.
  "runtime/apps": { imports: ["runtime/core", "runtime/features", "common"] },
  "runtime/code": {
    imports: ["runtime/core", "runtime/features", "common"],
    packages: ["quickjs-emscripten", "quickjs-wasi"],
  },
  "runtime/cluster": { imports: ["runtime/core", "runtime/tasks", "common"] },
  "runtime/features": {
    imports: ["runtime/core", "common"],
    packages: ["ajv"],
  },
  "runtime/skills": {
    imports: ["runtime/core", "runtime/features", "common"],
    packages: ["yaml"],
  },
  "runtime/sse": { imports: ["runtime/core", "common"] },
  "runtime/tasks": { imports: ["runtime/core", "runtime/features", "common"] },
  "runtime/telemetry": {
    imports: ["runtime/core", "common"],
    packages: ["@opentelemetry/api"],
  },
  "runtime/websocket": {
    imports: ["runtime/core", "common"],
    packages: ["ws"],
  },
  // Functions without state, which the build copies into each package that uses
  // them.
  common: { imports: [] },
  // It is reached through two options of the runtime, whose types it
  // implements.
  auth: {
    imports: ["common"],
    types: ["runtime"],
    packages: ["jose", "oauth4webapi"],
  },
};

/**
 * The layers of the core, the lowest first. Each may import from itself, from
 * those before it, and from files beside the folders.
 */
const layers: readonly string[] = ["transport", "jsonrpc", "session", "role"];

/**
 * The tokens of the core, which formatting does not change. What adds some takes
 * as many away elsewhere in the core, or says here what went.
 */
const coreTokens = 86_770;

/**
 * The tokens of each floor of src/. What adds some takes as many away on its
 * floor, or says in its commit what for.
 */
const floors: Readonly<Record<string, number>> = {
  "": 592_930,
  "generator/": 211_400,
  "cli/": 83_520,
  // 2,200 of these for the rules of what providers refuse, and their repairs.
  "commands/": 81_130,
  "runtime/": 174_160,
  "auth/": 35_340,
};

/**
 * The statements with more than 100 tokens, and why they are one. All are tables
 * at the top of a file, with a row a line. Nothing is added here but such a
 * table; what is no longer above the limit is removed.
 */
const longStatements: Readonly<Record<string, string>> = {
  "cli/commands.ts frame": "the commands of the frame in the order of the help",
  "commands/card/formats.ts forms": "the forms of the members of both formats",
  "commands/update/impact/sentences.ts phrases":
    "the sentence of each kind of change",
  "generator/copied/uri.ts OPERATORS": "the table of RFC 6570, as it has it",
  "generator/ir/facts.ts messageRows": "the role of each message",
  "generator/read/json-schema/schema.ts readers":
    "who reads which keywords, in the order of the checks",
  "generator/read/typescript/tags.ts rules": "what each tag of a comment says",
  "runtime/cluster/cases/logs.ts ownCases": "cases of stores, a sentence each",
  "runtime/cluster/cases/values.ts sequences":
    "cases of stores, a sentence and its steps each",
  "runtime/features/template.ts operators": "the text and the end of values",
};

/** Where files may import each other in a circle, and why. */
const circles: Readonly<Record<string, string>> = {
  "generator/ir":
    "a type can be assigned to another one if their members can, and the members of an intersection are those that can be",
  "generator/read/json-schema":
    "a schema contains schemas, so the readers of each group of keywords call each other",
  "generator/read/typescript/types":
    "a type contains types, so the readers of each kind of type call each other",
  "runtime/features": "the call of a tool and the tool describe each other",
  "runtime/core/session":
    "a session makes the contexts of its handlers, which send through it, and the server runs its rounds of input",
  "generator/view/typescript/guards":
    "a schema contains schemas, so the statements of each kind of check call each other",
};

/**
 * Where the world outside may be touched: each word, and the files that may say
 * it.
 */
const touching: readonly {
  readonly names: readonly string[];
  readonly where: RegExp;
}[] = [
  // What nobody else is given goes to the standard error, from one file;
  // another lets the console of a program go there too.
  {
    names: ["console"],
    where: /^runtime\/core\/(report|transport\/console)\.ts$/,
  },
  // An entry of the runtime may know its platform as its transports do.
  {
    names: ["process"],
    where:
      /^(cli\/|commands\/\w+\/command|generator\/inputs\/|generator\/emit\/write|auth\/login\/|common\/(decoding|process-lock)\.ts$|runtime\/core\/(transport\/|(installed|platform)\.ts$)|runtime\/[a-z]+\.ts$|runtime\/core\/role\/(http-server\/(listen|serve-node)|serve-stdio)|runtime\/(code|websocket)\/)/,
  },
  // What a client carries from one process to another expires by the wall
  // clock, and a task says when it began; what held long enough counts as
  // mended.
  {
    names: ["Date", "performance"],
    where:
      /^(cli\/|commands\/\w+\/command|generator\/emit\/write|auth\/|common\/(process-lock|timing)\.ts$|runtime\/core\/transport\/|runtime\/(core\/(jsonrpc\/(calls|pace)|quota|report|session\/(cache|observer|state)|role\/http-server\/sessions)|cluster\/(clock|records|sessions?|store|valkey)|tasks\/(extension|record|restarts|running|store|task)|telemetry\/telemetry|websocket\/socket|code\/(calls|thread|worker))\.ts$)/,
  },
  { names: ["eval", "Function"], where: /^$/ },
];

const disk =
  /^(node:)?(fs|child_process|net|http|https|os|worker_threads|module|vm)(\/|$)/;
// `impact` finds the compiler of the user's program.
const mayUseDisk =
  /^(cli\/|commands\/(\w+\/command\.ts$|update\/|validate\/)|generator\/(inputs\/|emit\/write|read\/load\.ts$)|auth\/login\/|common\/process-lock\.ts$|runtime\/(core\/(transport\/|role\/http-server\/)|code\/|websocket\/|sse\/|skills\/node\.ts$))/;

function startsWith(path: string, start: string): boolean {
  return path === start || path.startsWith(`${start}/`);
}

function partOf(path: string): string {
  const bare = path.replace(/\.ts$/, "");
  const candidates = Object.keys(parts)
    .filter((part) => startsWith(bare, part))
    .sort((a, b) => b.length - a.length);
  return candidates[0] ?? `nothing that the table knows (${path})`;
}

/** A file's faults against the table. */
function strayImports({ path, imports }: File): string[] {
  const own = partOf(path);
  const allowed = parts[own];
  if (allowed === undefined) return [`${path} belongs to no part`];
  return imports.flatMap(({ from, isType }) => {
    if (from.startsWith("node:")) return [];
    if (!from.startsWith(".")) {
      const name = from
        .split("/")
        .slice(0, from.startsWith("@") ? 2 : 1)
        .join("/");
      return (allowed.packages ?? []).includes(name)
        ? []
        : [`${path} imports the package ${name}`];
    }
    const target = posix.join(dirname(path), from).replace(/\.js$/, "");
    const isAllowed =
      partOf(`${target}.ts`) === own ||
      allowed.imports.some((start) => startsWith(target, start));
    const isKnown =
      isType &&
      (allowed.types ?? []).some((start) => startsWith(target, start));
    return isAllowed || isKnown
      ? []
      : [`${path} imports ${from}, which ${own} may not import`];
  });
}

/** The ports of the core: types that an add-on implements. */
const isPort = (path: string): boolean =>
  path.startsWith("runtime/core/ports/");

describe("src/", () => {
  it("imports only what the table of its parts allows", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap(strayImports)).toEqual([]);
  });

  it("imports files of the runtime and of auth, within these packages, from the file that declares the export, and not from an entry", () => {
    const entries = ["auth", "runtime"].flatMap((folder) => {
      const { exports } = JSON.parse(
        readFileSync(join(root, folder, "package.json"), "utf8"),
      ) as {
        exports: Readonly<
          Record<string, { readonly default: string } | string>
        >;
      };
      return Object.values(exports)
        .filter((entry) => typeof entry === "object")
        .map((entry) => entry.default.replace("./dist", folder));
    });
    expect(entries).toContain("runtime/index.js");
    const violations = files
      .filter(({ path }) => /^(auth|runtime)\//.test(path))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ from }) =>
            entries.includes(posix.join(dirname(path), from)),
          )
          .map(({ from }) => `${path} imports ${from}`),
      );
    expect(violations).toEqual([]);
  });

  it("imports within the runtime only from the same layer or a lower one", () => {
    const layerOf = (path: string): number =>
      layers.indexOf(path.split("/")[2] ?? "");
    const violations = [
      ...importsOf(
        files.filter(({ path }) => path.startsWith("runtime/core/")),
      ),
    ].flatMap(([path, targets]) =>
      targets
        .filter(
          (target) => layerOf(path) !== -1 && layerOf(target) > layerOf(path),
        )
        .map((target) => `${path} imports ${target}`),
    );
    expect(violations).toEqual([]);
    expect(
      files.filter(({ path }) => layerOf(path) !== -1).length,
    ).toBeGreaterThan(50);
  });

  it("has a core of the runtime that imports no add-on, of the size that is written here", () => {
    const imports = importsOf(files, ({ isType }) => !isType);
    const core = reachable(imports, coreEntries);
    const inCore = (path: string): boolean =>
      /^(runtime\/(core\/|[a-z]+\.ts$)|common\/)/.test(path);
    expect([...core].filter((path) => !inCore(path))).toEqual([]);
    const unused = files
      .map(({ path }) => path)
      .filter((path) => path.startsWith("runtime/core/"));
    const entries = files
      .map(({ path }) => path)
      .filter((path) => /^runtime\/[a-z]+(\/[a-z]+)?\.ts$/.test(path));
    const all = reachable(importsOf(files), entries);
    expect(unused.filter((path) => !all.has(path))).toEqual([]);
    const addOns = Object.keys(parts).flatMap(
      (part) => part.match(/^runtime\/(?!core$)(.*)/)?.[1] ?? [],
    );
    const added = addOns.map((name): [string, number] => [
      name,
      tokensOf(
        files
          .map(({ path }) => path)
          .filter((path) => path.startsWith(`runtime/${name}/`)),
      ),
    ]);
    const developers = readFileSync(join(root, "README.md"), "utf8");
    for (const [name, tokens] of added) {
      const page = readFileSync(
        join(root, `runtime/${name}/README.md`),
        "utf8",
      );
      // Code mode has a port of its own, for engines.
      expect(page).toMatch(/\]\((?:\.\.\/core\/ports\/|engine\.ts\))/);
      expect(developers).toContain(`](runtime/${name}/README.md)`);
      const said = Number(
        /about ([\d,]+) tokens/.exec(page)?.[1]?.replace(",", ""),
      );
      expect(
        Math.abs(said - tokens),
        `the tokens in runtime/${name}/README.md: ${tokens}`,
      ).toBeLessThan(tokens / 10);
    }
    console.log(
      `core: ${tokensOf(core)} tokens; add-ons:`,
      Object.fromEntries(added),
    );
    expect(tokensOf(core)).toBeLessThanOrEqual(coreTokens);
  });

  it.each(Object.entries(floors))(
    "has no more tokens than are written here: src/%s",
    (floor, limit) => {
      const paths = files.map(({ path }) => path);
      const tokens = tokensOf(paths.filter((path) => path.startsWith(floor)));
      expect(tokens).toBeLessThanOrEqual(limit);
      // A limit that is far away holds nothing.
      expect(tokens).toBeGreaterThan(limit * 0.97);
    },
  );

  it("is written with air: at most 9 tokens a line, 600 in a function and 100 in a statement, but for the tables that are listed", () => {
    const measured = files.map(({ path }) => ({ path, ...airOf(path) }));
    const found = {
      dense: measured
        .filter(({ tokensPerLine }) => tokensPerLine > 9)
        .map(({ path }) => path),
      longFunctions: measured.flatMap(({ path, longFunctions: names }) =>
        names.map((name) => `${path} ${name}`),
      ),
      longStatements: measured
        .flatMap(({ path, longStatements: names }) =>
          names.map((name) => `${path} ${name}`),
        )
        .sort(),
    };
    expect(found).toEqual({
      dense: [],
      longFunctions: [],
      longStatements: Object.keys(longStatements).sort(),
    });
  });

  it("has ports of the core that are only types", () => {
    const values = files
      .filter(({ path }) => isPort(path))
      .filter(
        ({ path, imports }) =>
          imports.some(({ isType }) => !isType) ||
          /^export (?!interface |type |declare )/m.test(
            readFileSync(join(root, path), "utf8"),
          ),
      );
    expect(values.map(({ path }) => path)).toEqual([]);
    expect(files.filter(({ path }) => isPort(path)).length).toBeGreaterThan(5);
  });

  it("has ports of the core that nothing which they import imports, not even for a type", () => {
    const imports = importsOf(files);
    const inCircles = files
      .map(({ path }) => path)
      .filter(
        (path) =>
          isPort(path) && reachable(imports, imports.get(path) ?? []).has(path),
      );
    expect(inCircles).toEqual([]);
  });

  it("lets a cluster know at most four modules of the sessions, the roles and the JSON-RPC of the core", () => {
    const known = files
      .filter(({ path }) => path.startsWith("runtime/cluster/"))
      .flatMap(({ path }) => importsOf(files).get(path) ?? [])
      .filter((path) => /^runtime\/core\/(session|role|jsonrpc)\//.test(path));
    expect(new Set(known).size).toBeLessThanOrEqual(4);
  });

  it("has circles of imports only inside folders that are listed with a reason", () => {
    const imports = importsOf(files);
    const foldersOf = new Set<string>();
    for (const path of imports.keys()) {
      const reached = reachable(imports, imports.get(path) ?? []);
      if (!reached.has(path)) continue;
      for (const other of reached)
        if (reachable(imports, imports.get(other) ?? []).has(path))
          foldersOf.add([path, other].map((one) => dirname(one)).join(" and "));
    }
    const listed = Object.keys(circles).map(
      (folder) => `${folder} and ${folder}`,
    );
    expect([...foldersOf].sort()).toEqual(listed.sort());
  });

  it("ends each switch over the kinds of a check or a type so that the compiler finds a new kind", () => {
    const switches = files.flatMap(({ path }) =>
      [
        ...readFileSync(join(root, path), "utf8").matchAll(
          /^( *)switch \((?:check|type)\.kind\) \{\n([\s\S]*?)^\1\}/gm,
        ),
      ].map((match) => ({
        path,
        isClosed: /\bsatisfies (?:never|(?:Check|Type)Of<)/.test(
          match[2] ?? "",
        ),
      })),
    );
    expect(switches.length).toBeGreaterThan(5);
    expect(
      switches.filter(({ isClosed }) => !isClosed).map(({ path }) => path),
    ).toEqual([]);
  });

  it.each([
    ["numbers", /"multiple"|\bmultiple:|\bmultipleOf\b/],
    ["arrays", /"unique"|\bunique:|\buniqueItems\b/],
  ])(
    "names a check of %s and its keyword in at most six files outside of the runtime",
    (_, name) => {
      const naming = files.filter(({ path }) =>
        name.test(readFileSync(join(root, path), "utf8")),
      );
      const paths = naming
        .map(({ path }) => path)
        .filter((path) => !path.startsWith("runtime/"));
      expect(paths).toContain("generator/ir/constraint/kinds.ts");
      expect(paths.length).toBeLessThanOrEqual(6);
    },
  );

  it("uses the process, the console and the clock only in the listed files", () => {
    const violations = files.flatMap(({ path, names }) =>
      touching
        .filter(({ where }) => !where.test(path))
        .flatMap((rule) => rule.names.filter((name) => names.has(name)))
        .map((name) => `${path} says ${name}`),
    );
    expect(violations).toEqual([]);
  });

  it("uses the disk and the network only in the listed files", () => {
    const violations = files
      .filter(({ path }) => !mayUseDisk.test(path))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ from }) => disk.test(from))
          .map(({ from }) => `${path}: ${from}`),
      );
    expect(violations).toEqual([]);
  });

  it("loads no module of Node in what the playground of the site runs in a browser, but the one that the site replaces", () => {
    const folder = join(root, "../.ci/docs/playground");
    const entries = readdirSync(folder).flatMap((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      return [...text.matchAll(/from "(?:\.\.\/)+src\/(.+?)"/g)].map(
        ([, path = ""]) => path,
      );
    });
    expect(entries).toContain("generator/stubs.ts");
    const bundled = reachable(
      importsOf(files, ({ isType }) => !isType),
      entries,
    );
    const modules = files
      .filter(({ path }) => bundled.has(path))
      .flatMap(({ imports }) =>
        imports
          .map(({ from }) => from)
          .filter((from) => from.startsWith("node:")),
      );
    expect([...new Set(modules)]).toEqual(["node:crypto"]);
  });

  // V8 puts such a function among the old objects at once, where all that it
  // sees stays until the next great collection: written first and assigned
  // then, it goes with its request. A server over HTTP held half as much again.
  it("assigns no inline function to a member in the code that handles requests", () => {
    const violations = files
      .filter(({ path }) => path.startsWith("runtime/"))
      .flatMap(({ path, closures }) =>
        closures.map((member) => `${path}: ${member}`),
      );
    expect(violations).toEqual([]);
  });

  it("has no name of a method, a revision or an extension outside the facts", () => {
    const schemas = fileURLToPath(new URL("../schema", import.meta.url));
    const extensions = readdirSync(join(schemas, "extensions")).map(
      (name) => `extensions/${name}`,
    );
    const words = new Set(revisions);
    for (const schema of [...revisions, ...extensions]) {
      const text = ["schema.ts", "additions.ts"]
        .map((name) => join(schemas, schema, name))
        .filter((path) => existsSync(path))
        .map((path) => readFileSync(path, "utf8"))
        .join("\n");
      for (const match of text.matchAll(/\bEXTENSION_IDENTIFIER = "([^"]+)"/g))
        words.add(match[1] ?? "");
      // The kind of answer that every revision of its era has is the engine's.
      for (const match of text.matchAll(
        /\bresultType: "(?!complete")([^"]+)"/g,
      ))
        words.add(match[1] ?? "");
      for (const match of text.matchAll(/\bmethod: "([^"]+\/[^"]+)"/g))
        words.add(match[1] ?? "");
    }
    expect(words.size).toBeGreaterThan(35);
    const violations = files
      .filter(({ path }) => !/^generator\/ir\/facts[^/]*(\.ts$|\/)/.test(path))
      .flatMap(({ path, literals }) =>
        literals
          .filter((text) => words.has(text))
          .map((text) => `${path}: "${text}"`),
      );
    expect(violations).toEqual([]);
  });
});
