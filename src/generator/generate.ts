import { byText } from "../common/by-text.js";
import type { Diagnostics, Scope } from "./diagnostics.js";
import { compile, render, type Template } from "./emit/render.js";
import { extensionOf, supportFile, supportNames } from "./emit/support.js";
import { isSide, vendor } from "./emit/vendor.js";
import known from "./ir/known.json" with { type: "json" };
import { knownOf, mergeMessages } from "./ir/known.js";
import type { Protocol } from "./ir/model.js";
import { clientView } from "./view/client.js";
import { type Downgrades, downgradesOf } from "./view/plan/downgrades.js";
import type { Code } from "./view/typescript/code.js";
import { dispatchView } from "./view/dispatch.js";
import { header } from "./view/typescript/header.js";
import { type Modules, modulesOf } from "./view/typescript/modules.js";
import { folderNames } from "./view/typescript/names.js";
import { Naming, type Renaming, renamingText } from "./view/naming.js";
import { indexView } from "./view/index-file.js";
import { planParams } from "./view/plan/params.js";
import { defaultParts, type Part, withNeeds } from "./view/plan/parts.js";
import { revisionsView } from "./view/revisions/view.js";
import { type RevisionContext, revisionContext } from "./view/roles/index.js";
import { serverView } from "./view/server.js";
import { typesView } from "./view/types.js";
import { validatorsView } from "./view/validators.js";

export { type Part, allParts } from "./view/plan/parts.js";

export interface GenerateOptions {
  /**
   * One protocol gives a flat folder, several give a folder each, the newest
   * revision first.
   */
  readonly protocols: readonly Protocol[];
  /** The parts to emit; their imports are added. All but `stubs` by default. */
  readonly emit?: readonly Part[];
  readonly runtime?: "package" | "vendored";
  /** The file extension of relative imports. */
  readonly importExtension?: "js" | "ts" | "none";
  /** Templates by file name (`types.ts.hbs`). */
  readonly templates: ReadonlyMap<string, string>;
  /**
   * The runtime's source files by path (`index.ts`, `jsonrpc/connection.ts`);
   * required for a vendored copy.
   */
  readonly runtimeSource?: ReadonlyMap<string, string>;
}

export interface GeneratedFile {
  /** Relative to the output directory, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/**
 * Generates the files of protocols. Writes nothing; renamed identifiers are
 * reported as diagnostics.
 */
export function generate(
  options: GenerateOptions,
  diagnostics: Diagnostics,
): GeneratedFile[] {
  const { protocols, emit = defaultParts } = options;
  const parts = withNeeds(emit);
  const vendored = options.runtime === "vendored";
  const extension = extensionOf(options.importExtension);
  const fill = filler(options.templates);
  const single = protocols.length === 1;
  const modulesAt = (support: string): Modules =>
    modulesOf({
      support,
      runtime: vendored ? `${support}/runtime` : undefined,
      extension,
    });
  const modules = modulesAt(single ? "." : "..");
  const revisions = revisionFolders(protocols);
  const newestFirst = revisions.map(({ protocol }) => protocol);
  const folders = revisions.map(({ folder }) => folder);
  reportDuplicates(newestFirst, diagnostics);

  const files: GeneratedFile[] = [];
  const support = new Set(
    parts.has("stubs") ? supportNames(options.templates) : [],
  );
  const messages = newestFirst.map(knownOf);
  const all = mergeMessages([known, ...messages]);
  const contexts = newestFirst.map((protocol, i) => {
    const context = contextFor(protocol);
    const folder = folders[i] ?? "";
    const common = { header: header([protocol]), ...modules };
    files.push(
      ...revisionFiles(
        context,
        downgradesOf(messages[i] ?? all, all),
        parts,
        modules,
        support,
        (name, view) => fill(folder, name, { ...common, ...view }),
      ),
    );
    reportRenamings(
      context.naming.renamings,
      diagnostics.in(`revision ${protocol.revision}`),
    );
    return context;
  });
  for (const name of support)
    files.push(supportFile(options.templates, name, extension));
  if (!single) {
    const exports = revisionsView(contexts, folders, parts, extension);
    // This file is at the same path as the index file of a single revision, one
    // folder above the revisions' own files.
    const view = { header: header(newestFirst), ...modulesAt("."), ...exports };
    files.push(fill("", "index.ts", view, "revisions.ts"));
  }
  if (vendored && (parts.has("client") || parts.has("server"))) {
    const sides = [...parts].filter(isSide);
    const entries = runtimeEntries(newestFirst, parts);
    files.push(
      ...vendor(options.runtimeSource ?? new Map(), entries, sides, extension),
    );
  }
  return files.sort((a, b) => byText(a.path, b.path));
}

/**
 * The folder of each revision inside the output, the newest first; the folder
 * of a single one is "".
 */
export function revisionFolders(
  protocols: readonly Protocol[],
): readonly { readonly protocol: Protocol; readonly folder: string }[] {
  const newestFirst = [...protocols].sort((a, b) =>
    byText(b.revision, a.revision),
  );
  const names =
    protocols.length === 1
      ? [""]
      : folderNames(newestFirst.map(({ revision }) => revision));
  return newestFirst.map((protocol, i) => ({
    protocol,
    folder: names[i] ?? "",
  }));
}

/** A revision and the names that its files use. */
export function contextFor(protocol: Protocol): RevisionContext {
  const plan = planParams(protocol);
  return revisionContext(protocol, plan, new Naming(protocol, plan));
}

type Fill = (name: string, view: object) => GeneratedFile;

/**
 * The files of a revision. Adds the files that they share with those of other
 * revisions to `support`.
 */
function revisionFiles(
  context: RevisionContext,
  downgrades: Downgrades,
  parts: ReadonlySet<Part>,
  modules: Modules,
  support: Set<string>,
  fill: Fill,
): GeneratedFile[] {
  const { protocol, plan, naming } = context;
  const files: GeneratedFile[] = [];
  if (parts.has("types"))
    files.push(
      fill(
        "types.ts",
        typesView(
          protocol,
          [...plan.synthesized, ...plan.roleTypes.types],
          naming,
        ),
      ),
    );
  if (parts.has("validators")) {
    const view = validatorsView(protocol, plan.synthesized, naming);
    files.push(fill("validators.ts", view));
    support.add("validate.ts");
    if (view.checks !== null) support.add("checks.ts");
  }
  if (parts.has("dispatch")) {
    files.push(fill("dispatch.ts", dispatchView(context)));
    support.add("tables.ts");
  }
  if (parts.has("client")) files.push(fill("client.ts", clientView(context)));
  if (parts.has("server"))
    files.push(fill("server.ts", serverView(context, downgrades)));
  files.push(fill("index.ts", indexView(naming, parts, modules.coreBare)));
  return files;
}

/**
 * The entries of the runtime that clients and servers need, without WebSockets
 * and authorization, which need packages.
 */
export function runtimeEntries(
  protocols: readonly Protocol[],
  parts: ReadonlySet<Part>,
): string[] {
  const engines = protocols.map(({ opening }) =>
    opening === "initialize" ? "legacy.ts" : "modern.ts",
  );
  const transports = ["stdio.ts", "http.ts", "sse.ts"];
  return [
    "index.ts",
    ...new Set(engines),
    ...transports,
    ...(parts.has("server") ? ["features.ts"] : []),
  ];
}

/** Renders templates; compiles each one once for all revisions. */
export function filler(
  templates: ReadonlyMap<string, string>,
): (
  folder: string,
  name: string,
  view: object,
  templateName?: string,
) => GeneratedFile {
  const compiled = new Map<string, Template>();
  return (folder, name, view, templateName = name) => {
    const file = `${templateName}.hbs`;
    const template = compiled.get(file) ?? compile(file, templates);
    compiled.set(file, template);
    return {
      path: folder === "" ? name : `${folder}/${name}`,
      text: render(template, view as Record<string, Code>),
    };
  };
}

/** Reports two schemas of one revision, because both need the same folder. */
function reportDuplicates(
  protocols: readonly Protocol[],
  diagnostics: Diagnostics,
): void {
  for (const [i, { revision, source }] of protocols.entries()) {
    const duplicate = protocols
      .slice(0, i)
      .find((other) => other.revision === revision);
    if (duplicate === undefined) continue;
    diagnostics.root.error(
      "MG451",
      null,
      `${source.name} and ${duplicate.source.name} are both revision "${revision}"`,
      "generate them into separate folders",
    );
  }
}

/** Warns about each name that is changed in TypeScript. */
export function reportRenamings(
  renamings: readonly Renaming[],
  scope: Scope,
): void {
  for (const renaming of renamings)
    scope.warn("MG452", null, renamingText(renaming));
}
