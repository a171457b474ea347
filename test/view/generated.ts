import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import {
  Diagnostics,
  type Diagnostic,
} from "../../src/generator/diagnostics.js";
import {
  generate,
  type GeneratedFile,
  type GenerateOptions,
} from "../../src/generator/generate.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { builtInTemplates } from "../../src/generator/inputs/templates.js";
import { runtimeSources } from "../sources.js";

/** The built-in templates, by file name. */
export const templates: ReadonlyMap<string, string> = await builtInTemplates();

export interface Generated {
  /** Texts by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly reports: readonly Diagnostic[];
}

/** Generates the files of protocols without the command line. */
export function generated(
  protocols: readonly Protocol[],
  options: Partial<GenerateOptions> = {},
): Generated {
  const diagnostics = new Diagnostics();
  const files = generate({ protocols, templates, ...options }, diagnostics);
  return { files: textsOf(files), reports: diagnostics.list };
}

function textsOf(files: readonly GeneratedFile[]): Map<string, string> {
  return new Map(files.map(({ path, text }) => [path, text]));
}

/** The exports of a generated module, by name. */
export type Loaded = Readonly<Record<string, unknown>>;

/** Bundles one of the files with all its imports, and loads it. */
export async function load(
  files: ReadonlyMap<string, string>,
  entry: string,
): Promise<Loaded> {
  const scratch = mkdtempSync(join(tmpdir(), "mcpgen-load-"));
  try {
    const path = join(scratch, "module.mjs");
    writeFileSync(path, await bundle(files, entry));
    return (await import(
      /* @vite-ignore */ pathToFileURL(path).href
    )) as Loaded;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * One of the files with all its imports as JavaScript, with the sources of the
 * runtime.
 *
 * @param format `esm`, or a script that leaves the exports in the variable
 *   `loaded`
 */
export async function bundle(
  files: ReadonlyMap<string, string>,
  entry: string,
  format: "esm" | "iife" = "esm",
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "./${entry}";`, loader: "ts" },
    bundle: true,
    write: false,
    format,
    globalName: "loaded",
    target: "es2022",
    logLevel: "silent",
    plugins: [
      runtimeSources,
      {
        name: "generated files",
        setup(builder) {
          const inside = { namespace: "generated", filter: /^\.{1,2}\// };
          const fromStart = { namespace: "", filter: /^\.\// };
          const resolve = ({
            path,
            importer,
          }: {
            path: string;
            importer: string;
          }): { path: string; namespace: string } => {
            const base = new URL(
              importer === "<stdin>" ? "" : encodeURI(importer),
              "file:///",
            );
            const file = decodeURI(new URL(path, base).pathname).slice(1);
            return {
              path: /\.[jt]s$/.test(file)
                ? file.replace(/js$/, "ts")
                : `${file}.ts`,
              namespace: "generated",
            };
          };
          builder.onResolve(inside, resolve);
          builder.onResolve(fromStart, (args) =>
            args.importer === "<stdin>" ? resolve(args) : undefined,
          );
          builder.onLoad(
            { filter: /.*/, namespace: "generated" },
            ({ path }) => {
              const contents = files.get(path);
              return contents === undefined
                ? undefined
                : { contents, loader: "ts" };
            },
          );
        },
      },
    ],
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`${entry} gave no output`);
  return output.text;
}

/** The members of every `XSchema`, and its guard. */
export interface Validator {
  readonly guard: (value: unknown) => boolean;
  readonly schema: {
    is(value: unknown): boolean;
    parse(value: unknown): unknown;
    safeParse(
      value: unknown,
    ):
      | { readonly success: true; readonly data: unknown }
      | { readonly success: false; readonly error: ValidationFault };
    readonly "~standard": {
      validate(
        value: unknown,
      ): { readonly value: unknown } | { readonly issues: readonly Issue[] };
    };
  };
}

export interface Issue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

export interface ValidationFault extends Error {
  readonly issues: readonly Issue[];
}

/** The validators of one revision, by the names of the types. */
export async function validators(
  protocol: Protocol,
): Promise<ReadonlyMap<string, Validator>> {
  const { files } = generated([protocol], { emit: ["types", "validators"] });
  const module = await load(files, "validators.ts");
  const results = new Map<string, Validator>();
  for (const [name, schema] of Object.entries(module)) {
    const type = /^(.*)Schema$/.exec(name)?.[1];
    const guard = module[`is${type}`];
    if (type === undefined || typeof guard !== "function") continue;
    results.set(type, {
      guard: guard as Validator["guard"],
      schema: schema as Validator["schema"],
    });
  }
  return results;
}

export function validator(
  from: ReadonlyMap<string, Validator>,
  name: string,
): Validator {
  const match = from.get(name);
  if (match === undefined) throw new Error(`no validator for ${name}`);
  return match;
}
