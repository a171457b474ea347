import type { Diagnostics, Scope } from "./diagnostics.js";
import type { Protocol } from "./ir/model.js";
import type { Snapshot, Tool } from "./ir/snapshot/model.js";
import { extensionOf, supportFile } from "./emit/support.js";
import {
  contextFor,
  filler,
  type GeneratedFile,
  reportRenamings,
  revisionFolders,
} from "./generate.js";
import { sidesOf, type StubPart } from "./stubs/parts.js";
import { protocolFolder } from "./stubs/protocol.js";
import { serverFeatures } from "./view/plan/server-features.js";
import { code, identifier, importPath } from "./view/typescript/code.js";
import { projectHeader } from "./view/typescript/header.js";
import { modulesOf } from "./view/typescript/modules.js";
import { projectClientView } from "./view/project/client.js";
import { entriesOf } from "./view/project/entries.js";
import { handlerFiles, handlersView } from "./view/project/handler-files.js";
import { jsonSchemasView } from "./view/project/json-schemas.js";
import {
  modelToolsView,
  type ToolForModel,
} from "./view/project/model-tools.js";
import { mockView } from "./view/project/mock.js";
import {
  type GivenNames,
  type MemberNames,
  ProjectNaming,
} from "./view/project/naming.js";
import { projectIndexView } from "./view/project/index-file.js";
import { projectContext } from "./view/project/protocol.js";
import { projectServerView, type ToolScopes } from "./view/project/server.js";
import { snapshotView } from "./view/project/snapshot.js";
import {
  outputTypeForm,
  type OutputTypes,
} from "./view/project/output-types.js";
import { projectTypesView } from "./view/project/types.js";
import { projectValidatorsView } from "./view/validators.js";

export type { StubPart } from "./stubs/parts.js";
export type { GivenNames, MemberNames } from "./view/project/naming.js";

export interface StubsOptions {
  readonly snapshot: Snapshot;
  /**
   * The revision of the stubs, or several for a server, whose client has the
   * newest one.
   */
  readonly protocols: readonly Protocol[];
  /** Both sides by default. Sides that a part imports are added. */
  readonly emit?: readonly StubPart[];
  readonly runtime?: "package" | "vendored";
  /** Types of structured results of tools without an output schema. */
  readonly outputTypes?: OutputTypes;
  /** The file extension of relative imports. */
  readonly importExtension?: "js" | "ts" | "none";
  /**
   * The files of the whole revision that the project imports; without it, the
   * project contains the part that it needs.
   */
  readonly sharedProtocol?: SharedProtocol;
  /** Templates by file name. */
  readonly templates: ReadonlyMap<string, string>;
  readonly runtimeSource?: ReadonlyMap<string, string>;
  /**
   * Replacements for generated names of members of the client and of the
   * handlers, by wire name.
   */
  readonly names?: MemberNames;
  /** The names that the project has already, which stay. */
  readonly given?: Partial<GivenNames>;
  /** The scopes that callers need, by the wire names of tools. */
  readonly scopes?: ToolScopes;
  /**
   * Writes the tools for a model as its provider takes them; without it, they
   * have the names and schemas of the server.
   */
  readonly convert?: ToolConverter | undefined;
}

/** The tools as one provider takes them, in the same order. */
export type ToolConverter = (
  tools: readonly Tool[],
  diagnostics: Diagnostics,
) => readonly ToolForModel[];

/**
 * The output of a `generate` run, as import paths relative to the project's
 * folder.
 */
export interface SharedProtocol {
  /**
   * The folder of the revision's files: "../protocol"; of several, that of the
   * newest one.
   */
  readonly files: string;
  /**
   * The folder of the files that all revisions share; of a single one, the same
   * folder.
   */
  readonly all: string;
  /**
   * The support files in that folder, which the project exports again in place
   * of copies.
   */
  readonly support?: readonly string[];
  /** The folder of its copy of the runtime, if the project imports a copy. */
  readonly runtime: string;
}

export interface Stubs {
  readonly files: readonly GeneratedFile[];
  /** Files that are written only if they are missing, for the user to edit. */
  readonly once: readonly GeneratedFile[];
  /** All names that the project has given, for its next run. */
  readonly given: GivenNames;
}

/**
 * Generates a project from a server's snapshot. Writes nothing; renamed
 * identifiers are reported as diagnostics.
 */
export function generateStubs(
  options: StubsOptions,
  diagnostics: Diagnostics,
): Stubs {
  const {
    snapshot,
    protocols,
    emit = ["client", "server"],
    templates,
  } = options;
  const sides = sidesOf(emit);
  const extension = extensionOf(options.importExtension);
  const isVendored = options.runtime === "vendored";
  const shared = options.sharedProtocol;
  const revisions = revisionFolders(protocols).map(({ protocol, folder }) => ({
    context: contextFor(protocol),
    folder,
  }));
  const [newest, ...older] = revisions;
  if (newest === undefined) throw new Error("A project needs a revision.");
  const isSingle = older.length === 0;
  const places: SharedProtocol = shared ?? {
    files: isSingle ? "./protocol" : `./protocol/${newest.folder}`,
    all: "./protocol",
    runtime: "./protocol/runtime",
  };
  const runtime = isVendored ? places.runtime : undefined;
  const modules = modulesOf({ support: ".", runtime, extension });
  const outputTypes = options.outputTypes ?? {};
  reportOutputTypes(outputTypes, snapshot, diagnostics.root);
  const fill = filler(templates);
  const naming = new ProjectNaming(snapshot, options.names, options.given);
  const entries = entriesOf(snapshot, naming);
  const context = projectContext(newest.context);
  const serverModule = importPath(
    isSingle ? `${places.files}/server` : `${places.all}/index`,
  );
  const offers = serverFeatures(snapshot);
  const common = {
    header: projectHeader(snapshot),
    ...modules,
    protocol: importPath(places.files),
    serverModule,
    stem: identifier(naming.stem),
    ...offers,
  };
  const make = (path: string, template: string, view: object): GeneratedFile =>
    fill("", path, { ...common, ...view }, template);

  const validators = projectValidatorsView(snapshot, naming);
  const client = sides.includes("client")
    ? projectClientView({ snapshot, naming, entries, context, outputTypes })
    : null;
  const server = sides.includes("server")
    ? projectServerView({
        snapshot,
        naming,
        entries,
        contexts: [context, ...older.map((revision) => revision.context)],
        scopes: options.scopes ?? {},
      })
    : null;
  const files = [
    make("types.ts", "types.ts", projectTypesView(snapshot, naming)),
    make("validators.ts", "validators.ts", validators),
    make(
      "index.ts",
      "index.ts",
      projectIndexView([
        ...(client === null ? [] : [code`./client`]),
        ...(emit.includes("json-schemas") ? [code`./json-schemas`] : []),
        ...(server === null ? [] : [code`./server`]),
        code`./types`,
        code`./validators`,
      ]),
    ),
  ];
  const support = [
    "validate.ts",
    ...(validators.checks === null ? [] : ["checks.ts"]),
    ...(snapshot.templates.some(({ parts }) => parts !== null)
      ? ["uri.ts"]
      : []),
    ...(client === null ? [] : ["calls.ts"]),
    ...(client !== null && offers.hasAny && emit.includes("adapters")
      ? ["adapters.ts"]
      : []),
    ...(client !== null &&
    offers.hasTools &&
    emit.includes("tools") &&
    options.convert
      ? ["from-model.ts"]
      : []),
  ];
  for (const name of support) {
    const file = importPath(`${places.all}/${name.replace(/\.ts$/, "")}`);
    const again = { exports: [{ file, isType: false, names: code`*` }] };
    const isShared = places.support?.includes(name) === true;
    files.push(
      isShared
        ? make(name, "index.ts", again)
        : supportFile(templates, name, extension),
    );
  }
  if (emit.includes("json-schemas"))
    files.push(
      make(
        "json-schemas.ts",
        "project/json-schemas.ts",
        jsonSchemasView(snapshot, naming),
      ),
    );
  if (client !== null) {
    files.push(make("client.ts", "project/client.ts", client));
    files.push(make("connect.ts", "project/connect.ts", client));
  }
  if (client !== null && offers.hasTools && emit.includes("tools")) {
    const converted = options.convert?.(snapshot.tools, diagnostics) ?? null;
    const view = modelToolsView(entries, naming, converted);
    files.push(make("tools.ts", "project/tools.ts", view));
  }
  const once: GeneratedFile[] = [];
  if (server !== null) {
    files.push(
      make("snapshot.ts", "project/snapshot.ts", snapshotView(snapshot)),
    );
    files.push(make("server.ts", "project/server.ts", server));
    files.push(
      make(
        "handlers/index.ts",
        "project/handlers.ts",
        handlersView(entries, naming),
      ),
    );
    for (const { path, view } of handlerFiles(entries, naming))
      once.push(make(path, "project/handler.ts", view));
    once.push(make("main.ts", "project/main.ts", { serve: server.serve }));
  }
  if (client !== null && server !== null && emit.includes("mock")) {
    const mock = mockView(naming, entries, server);
    files.push(make("mock.ts", "project/mock.ts", mock.view));
    reportMissingExamples(mock.toolsWithoutExample, diagnostics);
  }
  if (shared === undefined) {
    const vendored = isVendored
      ? (options.runtimeSource ?? new Map<string, string>())
      : undefined;
    const input = {
      snapshot,
      revisions,
      emit: sides,
      extension,
      templates,
      ...(vendored && { vendored }),
    };
    for (const each of protocolFolder(input)) files.push(each);
    for (const { protocol, naming: names } of revisions.map(
      (revision) => revision.context,
    ))
      reportRenamings(
        names.renamings,
        diagnostics.in(`revision ${protocol.revision}`),
      );
  }
  reportRenamings(naming.renamings, diagnostics.root);
  // The project and its revision may both need `checks.ts`.
  const distinct = [
    ...new Map(files.map((file) => [file.path, file])).values(),
  ];
  return {
    files: distinct.sort((a, b) => (a.path < b.path ? -1 : 1)),
    once,
    given: naming.given,
  };
}

/** Notes each tool for which the mock has no example result. */
function reportMissingExamples(
  tools: readonly Tool[],
  diagnostics: Diagnostics,
): void {
  for (const { name } of tools) {
    const message =
      "found no example that its output schema accepts, so the mock returns an error";
    diagnostics.root
      .in(`tool ${JSON.stringify(name.slice(0, 80))}`)
      .note("MG313", null, message, "give the mock a result of your own");
  }
}

/**
 * Reports output types for unknown tools, for tools with an output schema, and
 * in a wrong format.
 */
function reportOutputTypes(
  outputTypes: OutputTypes,
  { tools }: Snapshot,
  scope: Scope,
): void {
  for (const [name, text] of Object.entries(outputTypes)) {
    const tool = tools.find((entry) => entry.name === name);
    const label = JSON.stringify(name.slice(0, 80));
    if (tool === undefined) {
      scope.warn(
        "MG312",
        null,
        `the configuration has an output type for the tool ${label}, but the server has no such tool`,
        "correct the name, or remove the entry of outputTypes",
      );
    } else if (tool.output !== null) {
      const message = `the configuration has an output type for the tool ${label}, but the tool has an output schema, which is used instead`;
      scope.warn("MG312", null, message, "remove the entry of outputTypes");
    } else if (!outputTypeForm.test(text)) {
      const message = `the output type of the tool ${label} is ${JSON.stringify(text.slice(0, 80))}; expected a module and a name`;
      scope.error(
        "MG312",
        null,
        message,
        'write it as "./forecast.js#Forecast"',
      );
    }
  }
}
