import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type {
  Classified,
  NotificationMethod,
  NotificationTypes,
  RequestMethod,
  RequestTypes,
} from "../../generator/copied/tables.js";
import type { Schema as SchemaOf } from "../../generator/copied/validate.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import type { Protocol } from "../../generator/ir/model.js";
import { builtInTemplates } from "../../generator/inputs/templates.js";
import { CommandError } from "../../cli/command-error.js";
import {
  type ExtensionSource,
  readExtended,
} from "../../generator/inputs/extensions.js";
import { packageRoot } from "../../generator/inputs/package.js";
import type { Source } from "../../generator/inputs/schemas.js";

/** A generated schema object of `validators.ts`. */
export type Schema = SchemaOf<unknown>;
export type RequestRow = RequestMethod<RequestTypes>;

/** The loaded code of one revision. */
export interface RevisionModule {
  readonly protocol: {
    readonly revision: string;
    readonly requests: Readonly<Record<string, RequestRow>>;
    readonly notifications: Readonly<
      Record<string, NotificationMethod<NotificationTypes>>
    >;
  };
  classify(message: unknown): Classified;
  /** All exports of `validators.ts`. */
  readonly validators: Readonly<Record<string, unknown>>;
}

/**
 * Loads the generated code of a revision: bundled revisions are part of the
 * package, others are generated now.
 */
export async function loadRevision(
  source: Source,
  extensions: readonly ExtensionSource[],
): Promise<RevisionModule> {
  const diagnostics = new Diagnostics();
  if (source.isBundled && extensions.length === 0) {
    const bundled = await bundledModule(source);
    if (bundled !== null) return bundled;
  }
  return await generateNow(
    await readExtended([source], extensions, diagnostics),
    diagnostics,
  );
}

async function bundledModule({
  loaded,
  revision,
}: Source): Promise<RevisionModule | null> {
  const file = join(packageRoot(), "dist", "revisions", `${revision}.js`);
  try {
    // The first line names the schema that the file was built from.
    const [first = ""] = (await readFile(file, "utf8")).split("\n", 1);
    if (!first.includes(loaded.sha256)) return null;
  } catch {
    return null;
  }
  return (await import(pathToFileURL(file).href)) as RevisionModule;
}

/**
 * Generates validators and tables into a private temporary folder and imports
 * them without their types.
 */
async function generateNow(
  protocols: readonly Protocol[],
  diagnostics: Diagnostics,
): Promise<RevisionModule> {
  const [{ generate }, { ts }] = await Promise.all([
    import("../../generator/generate.js"),
    import("ts-morph"),
  ]);
  const files = generate(
    {
      protocols,
      emit: ["types", "validators", "dispatch"],
      importExtension: "js",
      templates: await builtInTemplates(),
    },
    diagnostics,
  );
  if (diagnostics.hasErrors) throw new CommandError(diagnostics.list);
  const folder = await mkdtemp(join(tmpdir(), "mcpgen-run-"));
  try {
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    for (const { path, text } of files) {
      const { outputText } = ts.transpileModule(text, {
        compilerOptions: {
          module: ts.ModuleKind.ESNext,
          target: ts.ScriptTarget.ES2022,
        },
      });
      await writeFile(join(folder, path.replace(/\.ts$/, ".js")), outputText);
    }
    const load = async (name: string): Promise<unknown> =>
      await import(pathToFileURL(join(folder, name)).href);
    const dispatch = (await load("dispatch.js")) as Pick<
      RevisionModule,
      "protocol" | "classify"
    >;
    const validators = (await load(
      "validators.js",
    )) as RevisionModule["validators"];
    return {
      protocol: dispatch.protocol,
      classify: dispatch.classify,
      validators,
    };
  } finally {
    // What cannot be removed is a temporary file.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
