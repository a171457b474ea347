import {
  cpSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { afterAll } from "vitest";
import {
  type Impact,
  impactOf,
} from "../../src/commands/update/impact/index.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { readSchema } from "../../src/api.js";
import { folderInCheckout, put } from "../files.js";
import { root } from "../repository.js";
import { generated } from "../view/generated.js";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders)
    rmSync(folder, { recursive: true, force: true });
});

/**
 * A new folder inside the checkout, so that the runtime and the compiler are
 * found as in a project that installed them.
 */
export function newFolder(): string {
  const folder = realpathSync(folderInCheckout("impact"));
  folders.push(folder);
  return folder;
}

/** A program with generated files in `src/mcp`. */
export interface Project {
  readonly folder: string;
  readonly tsconfig: string;
  readonly protocols: readonly Protocol[];
}

/**
 * The sources of the packages where a program has its dependencies, so that no
 * test waits for the declarations of a build. The link stays, because processes
 * and files that run in one process share it.
 */
const packages = join(root, "node_modules/.cache/mcpgen-sources");
mkdirSync(dirname(packages), { recursive: true });
try {
  symlinkSync("../../src", packages, "junction");
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
}
const paths = {
  "@mcpgen/runtime": [join(packages, "runtime/index.ts")],
  "@mcpgen/runtime/*": [join(packages, "runtime/*.ts")],
};

/** A copy of the gateway, generated from a protocol. */
export function gateway(protocol: Protocol): Project {
  return written({ ...gatewayCopy(), protocols: [protocol] });
}

/** A copy of the gateway without generated files. */
export function gatewayCopy(): Omit<Project, "protocols"> {
  const folder = newFolder();
  cpSync(join(root, "test/impact/gateway"), folder, { recursive: true });
  const tsconfig = join(folder, "tsconfig.json");
  const { compilerOptions, ...config } = JSON.parse(
    readFileSync(tsconfig, "utf8"),
  ) as {
    readonly compilerOptions: object;
  };
  put(
    tsconfig,
    JSON.stringify({
      ...config,
      compilerOptions: { ...compilerOptions, paths },
    }),
  );
  return { folder, tsconfig };
}

export const strict = {
  compilerOptions: {
    target: "ES2022",
    lib: ["ES2022", "DOM", "ESNext.Disposable"],
    module: "NodeNext",
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    paths,
  },
  include: ["src"],
};

/** A program of the given files, generated from one revision or several. */
export function project(
  protocol: Protocol | readonly Protocol[],
  files: Readonly<Record<string, string>>,
  config: object = strict,
  folder = newFolder(),
): Project {
  put(join(folder, "package.json"), '{ "type": "module" }');
  put(join(folder, "tsconfig.json"), JSON.stringify(config));
  for (const [path, text] of Object.entries(files))
    put(join(folder, path), text);
  return written({
    folder,
    tsconfig: join(folder, "tsconfig.json"),
    protocols: [protocol].flat(),
  });
}

function written(project: Project): Project {
  const out = join(project.folder, "src/mcp");
  rmSync(out, { recursive: true, force: true });
  for (const [path, text] of generated(project.protocols).files)
    put(join(out, path), text);
  return project;
}

/**
 * The report for other revisions, of which the first one takes the place of the
 * first. Nothing is written.
 */
export async function impact(
  { folder, tsconfig, protocols }: Project,
  ...afters: readonly [Protocol, ...Protocol[]]
): Promise<Impact> {
  const [after] = afters;
  const [before = after] = protocols;
  const removed = [...generated(protocols).files.keys()].map(
    (path) => [path, null] as const,
  );
  const files = new Map<string, string | null>([
    ...removed,
    ...generated(afters).files,
  ]);
  return await impactOf({
    tsconfig,
    folders: [{ out: join(folder, "src/mcp"), before, after, files }],
  });
}

/** The project with the files of another protocol. */
export function moved(project: Project, after: Protocol): Project {
  return written({ ...project, protocols: [after] });
}

/**
 * The errors that `tsc` reports outside of the generated files, as
 * "src/client.ts:12 TS2339".
 */
export function errorsOf({
  folder,
  tsconfig,
}: Omit<Project, "protocols">): string[] {
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (fault: ts.Diagnostic): never => {
      throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, " "));
    },
  };
  const parsed = ts.getParsedCommandLineOfConfigFile(
    tsconfig,
    { noEmit: true },
    host,
  );
  if (parsed === undefined) throw new Error(`no ${tsconfig}`);
  const { fileNames: rootNames, options } = parsed;
  const program = ts.createProgram({
    rootNames,
    options,
    host: sharing(options, folder),
  });
  const start = `${folder.replaceAll("\\", "/")}/`;
  const files = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(start));
  return files.flatMap((file) =>
    [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ].map((error) => {
      const { line } = file.getLineAndCharacterOfPosition(error.start ?? 0);
      return `${file.fileName.slice(start.length)}:${line + 1} TS${error.code}`;
    }),
  );
}

/**
 * The syntax trees of the standard library and of packages, which no test
 * changes, by all that decides about them.
 */
const trees = new Map<string, ts.SourceFile | undefined>();

/**
 * A host that parses what is outside of a folder once for all programs with the
 * same target.
 */
function sharing(options: ts.CompilerOptions, folder: string): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const own = `${folder.replaceAll("\\", "/")}/`;
  return {
    ...host,
    getSourceFile: (path, language, ...rest) => {
      if (path.startsWith(own))
        return host.getSourceFile(path, language, ...rest);
      const key = `${path} ${JSON.stringify(language)}`;
      if (!trees.has(key))
        trees.set(key, host.getSourceFile(path, language, ...rest));
      return trees.get(key);
    },
  };
}

/**
 * A revision that nobody has released: the schema of a bundled one with texts
 * replaced. Each text must be in it.
 */
export async function revised(
  revision: string,
  name: string,
  edits: readonly Edit[],
): Promise<Protocol> {
  const path = join(newFolder(), "schema.ts");
  put(path, revisedText(revision, name, edits));
  return await readSchema(path, { revision: name });
}

/** A text of a schema, and what replaces it. */
export type Edit = readonly [from: string, to: string];

/**
 * The text of the schema of a bundled revision, with another name and texts
 * replaced. Each text must be in it.
 */
export function revisedText(
  revision: string,
  name: string,
  edits: readonly Edit[] = [],
): string {
  let text = readFileSync(join(root, "schema", revision, "schema.ts"), "utf8");
  for (const [from, to] of [
    [`"${revision}"`, `"${name}"`] as const,
    ...edits,
  ]) {
    if (!text.includes(from))
      throw new Error(`the schema of ${revision} does not have: ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** A bundled revision. */
export const bundled = (revision: string): Promise<Protocol> =>
  readSchema(revision);
