import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import {
  generate,
  type GenerateOptions,
  type Part,
  readSchema,
} from "../../src/index.js";
import { revisions } from "../repository.js";

const [old = "", newest = ""] = [revisions[0], revisions.at(-1)];

/** The modules that a file imports or re-exports, sorted, each once. */
function importsOf(text: string): string[] {
  const source = ts.createSourceFile("x.ts", text, ts.ScriptTarget.Latest);
  const specifiers = source.statements.flatMap((statement) => {
    const isOne =
      ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
    const from = isOne ? statement.moduleSpecifier : undefined;
    return from !== undefined && ts.isStringLiteral(from) ? [from.text] : [];
  });
  const dynamic = [...text.matchAll(/\bimport\(|\brequire\(/g)].map(
    () => "at run time",
  );
  return [...new Set([...specifiers, ...dynamic])].sort();
}

type Imports = Record<string, string[]>;

async function generated(
  names: readonly string[],
  options: Omit<GenerateOptions, "protocols"> = {},
): Promise<Imports> {
  const protocols = await Promise.all(names.map((name) => readSchema(name)));
  const { files } = await generate({ protocols, ...options });
  return Object.fromEntries(
    files.map(({ path, text }) => [path, importsOf(text)]),
  );
}

const types = { "types.ts": [] };
const validators = {
  ...types,
  "validate.ts": [],
  "validators.ts": ["./types.js", "./validate.js"],
};
const dispatch = {
  ...validators,
  "tables.ts": ["./validate.js"],
  "dispatch.ts": ["./tables.js", "./types.js", "./validators.js"],
};
const page = (...parts: string[]): Imports => ({
  "index.ts": parts.map((part) => `./${part}.js`).sort(),
});
const three = ["types", "validate", "validators", "dispatch"];

const engines = { [old]: "legacy", [newest]: "modern" };
// The guards are in the rows of dispatch.ts, except those of errors with data
// and of results that ask for input.
const role = (revision: string): string[] =>
  [
    "./dispatch.js",
    "./types.js",
    "./validate.js",
    ...(revision === newest ? ["./validators.js"] : []),
    "@mcpgen/runtime",
    `@mcpgen/runtime/${engines[revision]}`,
  ].sort();

describe.each([old, newest])(
  "the generated files of revision %s",
  (revision) => {
    const rows: [Part[], Imports][] = [
      [["types"], { ...types, ...page("types") }],
      [
        ["validators"],
        { ...validators, ...page("types", "validate", "validators") },
      ],
      [["dispatch"], { ...dispatch, ...page(...three) }],
      [
        ["client"],
        {
          ...dispatch,
          "client.ts": role(revision),
          ...page(...three, "client"),
        },
      ],
      [
        ["server"],
        {
          ...dispatch,
          "server.ts": role(revision),
          ...page(...three, "server"),
        },
      ],
      [
        ["types", "client"],
        {
          ...dispatch,
          "client.ts": role(revision),
          ...page(...three, "client"),
        },
      ],
    ];

    it.each(rows)(
      "are, with --emit %j, only those parts and the files that they import",
      async (emit, expected) => {
        expect(await generated([revision], { emit })).toEqual(expected);
      },
    );

    it("import no package with a copied runtime, and types, validators and tables only import each other", async () => {
      const { "index.ts": _, ...importsOfFiles } = await generated([revision], {
        runtime: "vendored",
      });
      for (const [path, imports] of Object.entries(dispatch))
        expect(importsOfFiles[path], path).toEqual(imports);
      const outside = Object.values(importsOfFiles)
        .flat()
        .filter((from) => !from.startsWith("."));
      // The copied files for stdio import modules of Node.js. Ajv stays
      // optional, as in the package: only a plain JSON Schema of a tool needs
      // it.
      const { "runtime/features/schema.ts": schema = [] } = importsOfFiles;
      expect(schema).toContain("at run time");
      expect(
        outside.filter(
          (from) => !from.startsWith("node:") && from !== "at run time",
        ),
      ).toEqual([]);
      const late = Object.entries(importsOfFiles).filter(([, imports]) =>
        imports.includes("at run time"),
      );
      expect(late.map(([path]) => path)).toEqual([
        "runtime/features/schema.ts",
      ]);
      const own = (engine: string): string => `runtime/${engine}.ts`;
      expect(Object.keys(importsOfFiles)).toContain(
        own(engines[revision] ?? ""),
      );
      expect(Object.keys(importsOfFiles)).not.toContain(
        own(revision === old ? "modern" : "legacy"),
      );
    });

    const copies: readonly (readonly [
      "client" | "server",
      own: string,
      foreign: RegExp,
    ])[] = [
      [
        "client",
        "./core/transport/http-client/client.js",
        /(?<!ob)serv(e|er)\b/,
      ],
      [
        "server",
        "./core/role/http-server/endpoint.js",
        /\bclient|\/(negotiate|child|stdio)\.(js|ts)$/,
      ],
    ];
    it.each(copies)(
      "have a copy of the runtime for a %s with its transports and nothing else",
      async (side, own, foreign) => {
        const files = await generated([revision], {
          emit: [side],
          runtime: "vendored",
        });
        const entries = ["http", "index", "sse", "stdio"].map(
          (name) => `runtime/${name}.ts`,
        );
        const copied = Object.entries(files).filter(([path]) =>
          path.startsWith("runtime/"),
        );
        expect(Object.keys(files)).toEqual(expect.arrayContaining(entries));
        expect(files["runtime/http.ts"]).toContain(own);
        for (const [path, imports] of copied) {
          if (!entries.includes(path)) expect(path).not.toMatch(foreign);
          expect(imports.filter((from) => foreign.test(from))).toEqual([]);
        }
      },
    );

    it.each(["ts", "none"] as const)(
      "have only relative imports with the ending of --import-ext %s",
      async (extension) => {
        const imports = await generated([revision], {
          runtime: "vendored",
          importExtension: extension,
        });
        const relative = Object.values(imports)
          .flat()
          .filter((from) => from.startsWith("."));
        expect(relative.length).toBeGreaterThan(20);
        const ending = extension === "ts" ? /\/[\w-]+\.ts$/ : /\/[\w-]+$/;
        expect(relative.filter((from) => !ending.test(from))).toEqual([]);
      },
    );
  },
);

describe("the generated files of several revisions", () => {
  let importsByFile: Imports;
  beforeAll(async () => {
    importsByFile = await generated([old, newest], { emit: ["dispatch"] });
  });

  it("share one validate.ts", () => {
    expect(importsByFile["validate.ts"]).toEqual([]);
    expect(importsByFile[`${old}/validators.ts`]).toEqual([
      "../validate.js",
      "./types.js",
    ]);
  });

  it("share one tables.ts", () => {
    expect(importsByFile["tables.ts"]).toEqual(["./validate.js"]);
    expect(importsByFile[`${newest}/dispatch.ts`]).toEqual([
      "../tables.js",
      "./types.js",
      "./validators.js",
    ]);
  });

  it("have an index.ts that exports them by name", () => {
    expect(importsByFile["index.ts"]).toEqual([
      `./${old}/index.js`,
      `./${newest}/index.js`,
    ]);
  });

  it("import no package without client and server", () => {
    const outside = Object.values(importsByFile)
      .flat()
      .filter((from) => !from.startsWith("."));
    expect(outside).toEqual([]);
  });

  it("only import files of the output, besides packages", async () => {
    const all = await generated([old, newest], { runtime: "vendored" });
    const paths = new Set(Object.keys(all));
    for (const [path, imports] of Object.entries(all)) {
      for (const from of imports.filter((one) => one.startsWith("."))) {
        const target = new URL(
          from.replace(/\.js$/, ".ts"),
          `file:///out/${path}`,
        ).pathname;
        expect(paths, `${path} imports ${from}`).toContain(
          target.replace(/^\/out\//, ""),
        );
      }
    }
  });
});
