import { byText } from "../common/by-text.js";
import type { Diagnostics, Scope } from "./diagnostics.js";
import { distinct } from "./ir/groups.js";
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

interface Stubs {
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
  reportOutputTypes(
    options.outputTypes ?? {},
    options.snapshot,
    diagnostics.root,
  );
  const project = planProject(options);
  const { naming } = project;
  const files = [
    ...filesForAll(project),
    ...supportFiles(project),
    ...clientFiles(project, diagnostics),
    ...serverFiles(project),
    ...mockFile(project, diagnostics),
    ...(options.sharedProtocol === undefined
      ? ownProtocol(project, diagnostics)
      : []),
  ];
  // Of the server of another person, `pull` has said it.
  if (options.snapshot.revisions !== null)
    reportRenamings(naming.renamings, diagnostics.root);
  // The project and its revision may both need `checks.ts`.
  const once = distinct(files, ({ path }) => path);
  return {
    files: once.sort((a, b) => byText(a.path, b.path)),
    once: filesToEdit(project),
    given: naming.given,
  };
}

/** What the files of a project are made from. */
type Project = ReturnType<typeof planProject>;

function planProject(options: StubsOptions) {
  const { snapshot, emit = ["client", "server"] } = options;
  const revisions = revisionFolders(options.protocols).map(
    ({ protocol, folder }) => ({ context: contextFor(protocol), folder }),
  );
  const [newest, ...older] = revisions;
  if (newest === undefined) throw new Error("A project needs a revision.");
  const isSingle = older.length === 0;
  const places: SharedProtocol = options.sharedProtocol ?? {
    files: isSingle ? "./protocol" : `./protocol/${newest.folder}`,
    all: "./protocol",
    runtime: "./protocol/runtime",
  };
  const naming = new ProjectNaming(snapshot, options.names, options.given);
  const entries = entriesOf(snapshot, naming);
  const offers = serverFeatures(snapshot);
  const extension = extensionOf(options.importExtension);
  const fill = filler(options.templates);
  const common = {
    header: projectHeader(snapshot),
    ...modulesOf({
      support: ".",
      runtime: options.runtime === "vendored" ? places.runtime : undefined,
      extension,
    }),
    protocol: importPath(places.files),
    serverModule: importPath(
      isSingle ? `${places.files}/server` : `${places.all}/index`,
    ),
    stem: identifier(naming.stem),
    ...offers,
  };
  const context = projectContext(newest.context);
  const sides = sidesOf(emit);
  const inputs = { snapshot, naming, entries };
  const client = sides.includes("client")
    ? projectClientView({
        ...inputs,
        context,
        outputTypes: options.outputTypes ?? {},
      })
    : null;
  const server = sides.includes("server")
    ? projectServerView({
        ...inputs,
        contexts: [context, ...older.map((revision) => revision.context)],
        scopes: options.scopes ?? {},
      })
    : null;
  return {
    options,
    ...inputs,
    offers,
    revisions,
    places,
    extension,
    sides,
    has: (part: StubPart): boolean => emit.includes(part),
    hasModelTools: offers.hasTools && emit.includes("tools"),
    make: (path: string, template: string, view: object): GeneratedFile =>
      fill("", path, { ...common, ...view }, template),
    validators: projectValidatorsView(snapshot, naming),
    client,
    server,
  };
}

/** The files that each project has, and the schemas of its tools. */
function filesForAll(project: Project): GeneratedFile[] {
  const { snapshot, naming, validators, make } = project;
  const hasSchemas = project.has("json-schemas");
  const files = [
    make("types.ts", "types.ts", projectTypesView(snapshot, naming)),
    make("validators.ts", "validators.ts", validators),
    make(
      "index.ts",
      "index.ts",
      projectIndexView([
        ...(project.client === null ? [] : [code`./client`]),
        ...(hasSchemas ? [code`./json-schemas`] : []),
        ...(project.server === null ? [] : [code`./server`]),
        code`./types`,
        code`./validators`,
      ]),
    ),
  ];
  if (hasSchemas) {
    const view = jsonSchemasView(snapshot, naming);
    files.push(make("json-schemas.ts", "project/json-schemas.ts", view));
  }
  return files;
}

/**
 * The support files that this project imports. Where a shared protocol folder
 * has one, the project exports it again.
 */
function supportFiles(project: Project): GeneratedFile[] {
  const { options, places, offers, has } = project;
  const isNeeded = {
    "validate.ts": true,
    "checks.ts": project.validators.checks !== null,
    "uri.ts": offers.hasTemplates,
    "calls.ts": project.client !== null,
    "adapters.ts": offers.hasAny && has("adapters"),
    "from-model.ts": project.hasModelTools && options.convert !== undefined,
  };
  return Object.entries(isNeeded).flatMap(([name, needed]) => {
    if (!needed) return [];
    if (places.support?.includes(name) !== true)
      return [supportFile(options.templates, name, project.extension)];
    const file = importPath(`${places.all}/${name.replace(/\.ts$/, "")}`);
    const exports = [{ file, isType: false, names: code`*` }];
    return [project.make(name, "index.ts", { isIndex: false, exports })];
  });
}

function clientFiles(
  project: Project,
  diagnostics: Diagnostics,
): GeneratedFile[] {
  const { client, make, options, entries, naming } = project;
  if (client === null) return [];
  const files = [
    make("client.ts", "project/client.ts", client),
    make("connect.ts", "project/connect.ts", client),
  ];
  if (project.hasModelTools) {
    const { tools } = options.snapshot;
    const converted = options.convert?.(tools, diagnostics) ?? null;
    const view = modelToolsView(entries, naming, converted);
    files.push(make("tools.ts", "project/tools.ts", view));
  }
  return files;
}

function serverFiles(project: Project): GeneratedFile[] {
  const { server, make, snapshot } = project;
  if (server === null) return [];
  const handlers = handlersView(project.entries, project.naming);
  return [
    make("snapshot.ts", "project/snapshot.ts", snapshotView(snapshot)),
    make("server.ts", "project/server.ts", server),
    make("handlers/index.ts", "project/handlers.ts", handlers),
  ];
}

/** The handlers and the program of a server, which its author fills in. */
function filesToEdit(project: Project): GeneratedFile[] {
  const { server, make } = project;
  if (server === null) return [];
  return [
    ...handlerFiles(project.entries, project.naming).map(({ path, view }) =>
      make(path, "project/handler.ts", view),
    ),
    make("main.ts", "project/main.ts", { serve: server.serve }),
  ];
}

/** A server in memory that answers with examples, for tests of a client. */
function mockFile(project: Project, diagnostics: Diagnostics): GeneratedFile[] {
  const { server } = project;
  if (server === null || !project.has("mock")) return [];
  const mock = mockView(project.naming, project.entries, server);
  reportMissingExamples(mock.toolsWithoutExample, diagnostics);
  return [project.make("mock.ts", "project/mock.ts", mock.view)];
}

/** The part of each revision that the project needs, in its own folder. */
function ownProtocol(
  project: Project,
  diagnostics: Diagnostics,
): GeneratedFile[] {
  const { options, revisions, sides } = project;
  const files = protocolFolder({
    snapshot: project.snapshot,
    revisions,
    emit: sides,
    extension: project.extension,
    templates: options.templates,
    ...(options.runtime === "vendored" && {
      vendored: options.runtimeSource ?? new Map<string, string>(),
    }),
  });
  for (const { context } of revisions) {
    const scope = diagnostics.in(`revision ${context.protocol.revision}`);
    reportRenamings(context.naming.renamings, scope);
  }
  return files;
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
