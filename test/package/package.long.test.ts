import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  commonRequire,
  commonTalk,
  commonTsconfig,
  copied,
  copiedTsconfig,
  library,
  talk,
  tsconfig,
} from "./project.mjs";
import { entriesOf, pack, unpack, type Entry } from "./tarball.js";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
/**
 * The compiler of this project; the packages in this folder install an older
 * one.
 */
const tsc = join(root, "node_modules/typescript/bin/tsc");
const packages = {
  mcpgen: root,
  "@mcpgen/runtime": join(root, "src/runtime"),
  "@mcpgen/auth": join(root, "src/auth"),
} as const;
type Name = keyof typeof packages;

interface Manifest extends Readonly<Record<string, unknown>> {
  readonly exports: Readonly<
    Record<string, { readonly types: string } | string>
  >;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly string[];
}

const files = new Map<Name, readonly Entry[]>();
let project = "";

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), "mcpgen-package-"));
  const tarballs = await pack(project);
  for (const [name, tarball] of tarballs)
    files.set(name as Name, entriesOf(tarball));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/**
 * The files of a package. Throws without any, so that no loop over them is
 * empty.
 */
function filesOf(name: Name) {
  const entries = files.get(name);
  if (!entries?.length) throw new Error(`${name} was not packed.`);
  return entries;
}

const pathsOf = (name: Name): string[] => filesOf(name).map(({ path }) => path);
const manifestOf = (name: Name): Manifest => {
  const text = filesOf(name)
    .find(({ path }) => path === "package.json")
    ?.bytes.toString("utf8");
  return JSON.parse(text ?? "{}") as Manifest;
};

describe("the packed package", () => {
  for (const name of Object.keys(packages) as Name[]) {
    it(`${name} contains every file that its manifest points to`, () => {
      const manifest = manifestOf(name);
      const targets: string[] = [];
      const collect = (value: unknown): void => {
        if (typeof value === "string") targets.push(posix.normalize(value));
        else if (typeof value === "object" && value !== null)
          Object.values(value).forEach(collect);
      };
      collect([manifest["exports"], manifest["bin"] ?? {}]);
      expect(targets.length).toBeGreaterThan(4);
      for (const target of targets) expect(pathsOf(name)).toContain(target);
    });

    it(`${name} contains a licence, no tests and no path of the machine that built it`, () => {
      const manifest = manifestOf(name);
      expect(manifest).toMatchObject({
        license: "MIT",
        type: "module",
        engines: { node: ">=20.19" },
        author: expect.any(String),
        keywords: expect.any(Array),
        repository: { type: "git", url: expect.stringMatching(/^git\+https:/) },
        homepage: expect.stringMatching(/^https:/),
        bugs: expect.stringMatching(/^https:/),
      });
      expect(pathsOf(name)).toContain("LICENSE");
      expect(
        pathsOf(name).filter((path) =>
          /(^|\/)(test|\.ci|node_modules)\//.test(path),
        ),
      ).toEqual([]);
      for (const { path, bytes } of filesOf(name)) {
        expect(
          bytes.includes(root.replace(/\/$/, "")),
          `${path} names ${root}`,
        ).toBe(false);
        expect(
          bytes.includes(".mcpgen-build"),
          `${path} names the folder of one build`,
        ).toBe(false);
      }
    });

    it(`${name} has a manifest without scripts and without what only its repository installs`, () => {
      const keys = Object.keys(manifestOf(name));
      const extra = ["scripts", "devDependencies", "workspaces"].filter((key) =>
        keys.includes(key),
      );
      expect(extra).toEqual([]);
    });

    it(`${name} has a source map for every script, with its sources or beside them`, () => {
      const entries = filesOf(name);
      const paths = new Set(pathsOf(name));
      const maps = entries.filter(({ path }) => path.endsWith(".map"));
      const mapped = new Set(
        maps.map(({ path }) => path.replace(/\.map$/, "")),
      );
      // These come from generated text, from the sources of the other packages,
      // or from a library.
      const unmapped = [...paths].filter(
        (path) =>
          /^dist\/.*\.js$/.test(path) &&
          !/^dist\/(auth|live|undici|templates|revisions\/.*)\.js$/.test(
            path,
          ) &&
          !mapped.has(path),
      );
      expect(unmapped).toEqual([]);
      for (const { path, bytes } of maps) {
        const { sources, sourcesContent = [] } = JSON.parse(
          bytes.toString("utf8"),
        ) as SourceMap;
        const missing = sources
          .filter((_, index) => typeof sourcesContent[index] !== "string")
          .map((source) => posix.join(posix.dirname(path), source))
          .filter(
            (place) => !place.includes("node_modules/") && !paths.has(place),
          );
        expect(missing, path).toEqual([]);
      }
    });
  }

  it("@mcpgen/runtime keeps the names of classes and imports of its sources, as stack traces show them", () => {
    for (const { path, bytes } of filesOf("@mcpgen/runtime")) {
      if (!path.endsWith(".js")) continue;
      const text = bytes.toString("utf8");
      expect(
        text.match(/\bclass _\w+|\bclass \w+\d\b|\w*Error\d+\b/g),
        path,
      ).toBeNull();
      for (const [statement] of text.matchAll(
        /^import \{[^}]*\} from "\.\/[^"]+";/gm,
      )) {
        expect(statement).not.toMatch(/ as /);
      }
    }
  });

  it("mcpgen is executable and contains the licences of the packages that are bundled in it", () => {
    const program = filesOf("mcpgen").find(
      ({ path }) => path === "dist/cli.js",
    );
    expect(program?.bytes.toString("utf8")).toMatch(
      /^#!\/usr\/bin\/env node\n/,
    );
    expect((program?.mode ?? 0) & 0o111).toBe(0o111);
    const licences = filesOf("mcpgen")
      .find(({ path }) => path === "dist/LICENSES.txt")
      ?.bytes.toString("utf8");
    expect(licences).toMatch(/^yargs \d/m);
  });
});

describe("a project with a copied runtime and @mcpgen/auth alone", () => {
  it("compiles a client with `auth` and a server with `protect`", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mcpgen-copied-"));
    try {
      unpack(
        filesOf("@mcpgen/auth"),
        join(folder, "node_modules/@mcpgen/auth"),
      );
      for (const name of ["jose", "oauth4webapi", "@types", "undici-types"])
        symlinkSync(
          join(root, "node_modules", name),
          join(folder, "node_modules", name),
        );
      writeFileSync(
        join(folder, "package.json"),
        '{"type":"module","private":true}',
      );
      writeFileSync(join(folder, "tsconfig.json"), copiedTsconfig);
      writeFileSync(join(folder, "copied.ts"), copied);
      const args = [
        "--version",
        "2025-11-25",
        "--out",
        "gen",
        "--runtime",
        "vendored",
        "--quiet",
      ];
      await run(process.execPath, [join(root, "dist/cli.js"), ...args], {
        cwd: folder,
      });
      const failure = await run(process.execPath, [tsc, "-p", "."], {
        cwd: folder,
      }).catch((error: { readonly stdout?: unknown }) => error);
      expect(failure.stdout).toBe("");
      const { stdout } = await run(process.execPath, ["built/copied.js"], {
        cwd: folder,
      });
      expect(stdout).toBe("login-required true 401\n");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("an empty project with the packages", () => {
  beforeAll(() => {
    for (const name of Object.keys(packages) as Name[]) {
      unpack(filesOf(name), join(project, "node_modules", name));
    }
    writeFileSync(
      join(project, "package.json"),
      '{"type":"module","private":true}',
    );
    writeFileSync(join(project, "tsconfig.json"), tsconfig);
    writeFileSync(join(project, "talk.ts"), talk);
    writeFileSync(join(project, "library.ts"), library);
    for (const name of ["jose", "oauth4webapi"])
      symlinkSync(
        join(root, "node_modules", name),
        join(project, "node_modules", name),
      );
  });

  /** The packages that the scripts of a package load, by script. */
  const loadedBy = async (
    name: Name,
  ): Promise<Map<string, readonly string[]>> => {
    const folder = join(project, "node_modules", name);
    const scripts = pathsOf(name).filter((path) => /^dist\/.*\.js$/.test(path));
    const { metafile } = await build({
      absWorkingDir: folder,
      entryPoints: scripts,
      bundle: true,
      packages: "external",
      format: "esm",
      platform: "node",
      outdir: "unused",
      write: false,
      metafile: true,
      logLevel: "silent",
    });
    return new Map(
      scripts.map((path) => {
        // esbuild calls its own helpers `<runtime>`.
        const imports =
          metafile.inputs[path]?.imports.filter(({ external }) => external) ??
          [];
        const names = imports
          .map((one) => one.path)
          .filter((other) => other !== "<runtime>" && !isBuiltin(other));
        return [
          path,
          [
            ...new Set(
              names.map((other) => /^(@[^/]+\/)?[^/]+/.exec(other)?.[0] ?? ""),
            ),
          ].sort(),
        ];
      }),
    );
  };

  it.each(Object.keys(packages) as Name[])(
    "%s depends on exactly the packages that it loads",
    async (name) => {
      const { dependencies = {}, peerDependencies = {} } = manifestOf(name);
      const loaded = [...(await loadedBy(name)).values()].flat();
      expect(
        new Set(loaded.filter((other) => !(other in peerDependencies))),
      ).toEqual(new Set(Object.keys(dependencies)));
      // The compiler is a program that is started: nothing imports it.
      expect(
        Object.keys(peerDependencies).filter(
          (other) => !loaded.includes(other) && other !== "typescript",
        ),
      ).toEqual([]);
    },
  );

  it("@mcpgen/auth loads the libraries of OAuth only in the entries that use them", async () => {
    expect(Object.fromEntries(await loadedBy("@mcpgen/auth"))).toEqual({
      "dist/index.js": ["jose", "oauth4webapi"],
      "dist/login.js": [],
      "dist/protect.js": ["jose"],
    });
  });

  const node = async (...args: readonly string[]) =>
    await run(process.execPath, [...args], { cwd: project });
  const program = "node_modules/mcpgen/dist/cli.js";

  it("can generate a bundled revision without any other package", async () => {
    const { stderr } = await node(
      program,
      "--version",
      "2025-03-26",
      "--out",
      "gen",
    );
    expect(stderr).toContain("gen: 9 written from 2025-03-26");
  });

  it("compiles the generated files, and their client calls their server", async () => {
    await node(tsc, "-p", ".").catch((error: unknown) => {
      throw new Error(
        typeof error === "object" && error !== null && "stdout" in error
          ? String(error.stdout)
          : "tsc",
      );
    });
    expect((await node("built/talk.js")).stdout).toBe("hello\n");
  });

  it.each(["@mcpgen/runtime", "@mcpgen/auth"] as const)(
    "shows the declarations of each entry of %s, and no sources, to a compiler that knows no exports",
    async (name) => {
      const { exports } = manifestOf(name);
      const entries = Object.entries(exports).filter(
        ([, entry]) => typeof entry === "object",
      );
      const text = entries
        .map(([entry]) => `import "${name}${entry.slice(1)}";\n`)
        .join("");
      writeFileSync(join(project, "entries.ts"), text);
      const options = [
        "--module",
        "commonjs",
        "--moduleResolution",
        "node10",
        "--listFilesOnly",
      ];
      const { stdout } = await node(tsc, "entries.ts", ...options);
      const files = stdout
        .split(/\r?\n/)
        .filter((path) => path.includes(`${name}/`));
      expect(files.filter((path) => !path.endsWith(".d.ts"))).toEqual([]);
      for (const [, entry] of entries)
        if (typeof entry === "object")
          expect(stdout).toContain(entry.types.replace("./", `/${name}/`));
    },
  );

  /** The entries whose purpose needs processes or files. */
  const onlyForNode = new Set([
    "@mcpgen/runtime/stdio",
    "@mcpgen/runtime/skills/node",
    "@mcpgen/runtime/code",
    "@mcpgen/runtime/code/worker",
    "@mcpgen/auth/login",
  ]);

  it.each([
    ["browsers", { platform: "browser", conditions: [] }],
    [
      "workers",
      { platform: "neutral", conditions: ["workerd", "worker", "browser"] },
    ],
  ] as const)(
    "can bundle a client and every entry that needs no processes for %s",
    async (_, target) => {
      const entries = (["@mcpgen/runtime", "@mcpgen/auth"] as const).flatMap(
        (name) =>
          Object.entries(manifestOf(name).exports).flatMap(([entry, target]) =>
            typeof target === "object" ? [name + entry.slice(1)] : [],
          ),
      );
      const usable = entries.filter((entry) => !onlyForNode.has(entry));
      expect(usable.length).toBe(entries.length - onlyForNode.size);
      const client = `import { Client } from "./gen/index.js"; import { http } from "@mcpgen/runtime/http";
      console.log(await Client.connect(http("https://example.com"), { info: { name: "a", version: "1" } }));`;
      const programs = [
        client,
        ...usable.map((entry) => `export * from "${entry}";`),
      ];
      for (const contents of programs) {
        const { outputFiles } = await build({
          stdin: { contents, resolveDir: project },
          bundle: true,
          format: "esm",
          write: false,
          logLevel: "silent",
          platform: target.platform,
          conditions: [...target.conditions],
        });
        expect(outputFiles[0]?.text, contents).not.toMatch(
          /\b(from|import\(|require\() ?"node:/,
        );
      }
    },
  );

  it("can read, compare and generate with the library, with the same files as the program", async () => {
    const script = `
      import { diff, generate, readSchema, renderText } from "mcpgen";
      import { index } from "mcpgen/ir";
      import { readFileSync } from "node:fs";
      const [a, b] = [await readSchema("2025-03-26"), await readSchema("2025-06-18")];
      const { files, diagnostics } = await generate({ protocols: [a] });
      const same = files.every(({ path, text }) => readFileSync("gen/" + path, "utf8") === text);
      console.log(index(a.declarations).size > 80, renderText(diff(a, a)) === "", diff(a, b).differences.length > 0);
      console.log(same, diagnostics.length);
    `;
    // Reading a schema.ts needs the compiler, which is a dependency of the
    // package.
    for (const name of ["ts-morph", "@ts-morph", "code-block-writer"]) {
      const place = join(project, "node_modules", name);
      mkdirSync(join(place, ".."), { recursive: true });
      symlinkSync(join(root, "node_modules", name), place);
    }
    writeFileSync(join(project, "library.mjs"), script);
    expect((await node("library.mjs")).stdout).toBe("true true true\ntrue 0\n");
  });

  describe("with a CommonJS package", () => {
    let common = "";
    beforeAll(() => {
      common = join(project, "common");
      mkdirSync(common);
      writeFileSync(join(common, "package.json"), '{"private":true}');
      writeFileSync(join(common, "tsconfig.json"), commonTsconfig);
      writeFileSync(join(common, "common.ts"), commonTalk);
      writeFileSync(join(common, "require.cjs"), commonRequire);
    });
    const here = async (...args: readonly string[]) =>
      await run(process.execPath, [...args], { cwd: common });

    it("can require every entry of the packages", async () => {
      const { stdout } = await here("require.cjs");
      const lines = stdout.trim().split("\n");
      expect(lines.length).toBeGreaterThan(8);
      expect(lines.filter((line) => !line.endsWith(" true"))).toEqual([]);
    });

    it("gets a note that the package is CommonJS, and the generated files compile with nodenext and run", async () => {
      const { stderr } = await here(
        `../${program}`,
        "--version",
        "2025-03-26",
        "--out",
        "gen",
      );
      expect(stderr).toMatch(
        /^MG713 note: package\.json makes this a CommonJS package/,
      );
      const again = await here(
        `../${program}`,
        "--version",
        "2025-03-26",
        "--out",
        "gen",
      );
      expect(again.stderr).not.toContain("MG713");
      await here(tsc, "-p", ".").catch((error: unknown) => {
        throw new Error(
          typeof error === "object" && error !== null && "stdout" in error
            ? String(error.stdout)
            : "tsc",
        );
      });
      expect(readFileSync(join(common, "built/common.js"), "utf8")).toContain(
        'require("mcpgen")',
      );
      expect((await here("built/common.js")).stdout).toBe(
        "hello\n2 true true\n",
      );
    });
  });

  it("has the JSON Schema of the representation", async () => {
    const path = join(project, "node_modules/mcpgen/dist/ir/schema.json");
    expect(JSON.parse(readFileSync(path, "utf8"))).toHaveProperty("$schema");
  });
});
