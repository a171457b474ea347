import type { Diagnostics, Scope } from "./diagnostics.js";
import type { Protocol } from "./ir/model.js";
import type { Snapshot, Tool } from "./ir/snapshot/model.js";
import { contextFor, filler, type GeneratedFile, reportRenamings as reportTypeNames } from "./generate.js";
import { protocolFolder } from "./stubs/protocol.js";
import { type Code, code, importPath } from "./view/typescript/code.js";
import { projectHeader } from "./view/typescript/header.js";
import { modulesOf } from "./view/typescript/modules.js";
import { adaptersView } from "./view/project/adapters.js";
import { projectClientView } from "./view/project/client.js";
import { handlerFiles, handlersView } from "./view/project/handlers.js";
import { jsonSchemasView } from "./view/project/json-schemas.js";
import { mockView } from "./view/project/mock.js";
import { type MemberNames, ProjectNaming } from "./view/project/naming.js";
import { projectPageView } from "./view/project/page.js";
import { projectContext } from "./view/project/protocol.js";
import { projectServerView } from "./view/project/server.js";
import { snapshotView } from "./view/project/snapshot.js";
import { statedForm, type StatedTypes } from "./view/project/stated.js";
import { projectTypesView } from "./view/project/types.js";
import { projectValidatorsView } from "./view/validators.js";

export type { MemberNames } from "./view/project/naming.js";

/** What of a project can be asked for: all of it, or without the side that is not needed. */
export type StubPart = "client" | "server";

export interface StubsOptions {
  readonly snapshot: Snapshot;
  /** The revision that the stubs speak. */
  readonly protocol: Protocol;
  /** Both by default. */
  readonly emit?: readonly StubPart[];
  readonly runtime?: "package" | "vendored";
  /** Types of structured results of tools that promise none. */
  readonly outputTypes?: StatedTypes;
  /** What relative imports end in. */
  readonly importExtension?: "js" | "ts" | "none";
  /** Where the files of the whole revision are that the project imports; without it, the project has a part of its own. */
  readonly sharedProtocol?: SharedProtocol;
  /** Templates by file name, as they are to be used. */
  readonly templates: ReadonlyMap<string, string>;
  readonly runtimeSource?: ReadonlyMap<string, string>;
  /** Members of the client and of the handlers, by names on the wire, where another one is wanted. */
  readonly names?: MemberNames;
}

/** Files of a revision that `generate` has made, as paths to import from the project's folder. */
export interface SharedProtocol {
  /** The folder of the revision's files: "../protocol". */
  readonly files: string;
  /** The folder of its copy of the runtime, for a project that imports a copy. */
  readonly runtime: string;
}

export interface Stubs {
  readonly files: readonly GeneratedFile[];
  /** Files to be written where there are none yet, and never again: they are the user's to fill in. */
  readonly once: readonly GeneratedFile[];
}

/** A server's snapshot in, the files of a project out. Writes nothing; what had to be renamed is a diagnostic. */
export function generateStubs(options: StubsOptions, diagnostics: Diagnostics): Stubs {
  const { snapshot, protocol, emit = ["client", "server"], templates } = options;
  const extension = options.importExtension === "none" ? "" : `.${options.importExtension ?? "js"}`;
  const modules = modulesOf({ single: true, vendored: false, extension });
  const isVendored = options.runtime === "vendored";
  const shared = options.sharedProtocol;
  const place = importPath(shared?.files ?? "./protocol");
  const entry = (name: Code, published: Code): Code =>
    isVendored
      ? code`${importPath(shared?.runtime ?? "./protocol/runtime")}/${name}${modules.ext}`
      : published;
  const stdio = entry(code`stdio`, code`@mcpgen/runtime/stdio`);
  const runtime = entry(code`index`, modules.runtime);
  const features = entry(code`features`, code`@mcpgen/runtime/features`);
  const stated = options.outputTypes ?? {};
  reportStated(stated, snapshot, diagnostics.root);
  const fill = filler(templates);
  const naming = new ProjectNaming(snapshot, options.names);
  const whole = contextFor(protocol);
  const context = projectContext(whole);
  const common = { header: projectHeader(snapshot), ...modules, runtime, features, protocol: place };
  const make = (path: string, template: string, view: object): GeneratedFile =>
    fill("", path, { ...common, ...view }, template);

  const validators = projectValidatorsView(snapshot, naming);
  const client = emit.includes("client") ? projectClientView(snapshot, naming, context, stated) : null;
  const server = emit.includes("server") ? projectServerView(snapshot, naming, context) : null;
  const files = [
    make("types.ts", "project/types.ts", projectTypesView(snapshot, naming)),
    make("validate.ts", "validate.ts", { nearest: validators.nearest }),
    make("validators.ts", "validators.ts", { ...validators, core: code`./validate${modules.ext}` }),
    make("index.ts", "index.ts", projectPageView(naming, client, server)),
  ];
  if (validators.checks !== null) files.push(make("checks.ts", "project/checks.ts", {}));
  if (snapshot.templates.some(({ parts }) => parts !== null))
    files.push(make("uri.ts", "project/uri.ts", {}));
  files.push(make("json-schemas.ts", "project/json-schemas.ts", jsonSchemasView(snapshot, naming)));
  const adapters = client === null ? null : adaptersView(client);
  if (client !== null) {
    files.push(make("client.ts", "project/client.ts", client));
    files.push(make("connect.ts", "project/connect.ts", client));
  }
  if (adapters !== null) files.push(make("adapters.ts", "project/adapters.ts", adapters));
  const once: GeneratedFile[] = [];
  if (server !== null) {
    files.push(make("snapshot.ts", "project/snapshot.ts", snapshotView(snapshot, naming)));
    files.push(make("server.ts", "project/server.ts", server));
    files.push(make("handlers/index.ts", "project/handlers.ts", handlersView(snapshot, naming)));
    for (const { path, view } of handlerFiles(snapshot, naming))
      once.push(make(path, "project/handler.ts", view));
    once.push(make("main.ts", "project/main.ts", { create: server.create, serve: server.serve, stdio }));
  }
  if (client !== null && server !== null) {
    const mock = mockView(snapshot, naming, client, server);
    files.push(make("mock.ts", "project/mock.ts", mock.view));
    reportUnmade(mock.unmade, diagnostics);
  }
  if (shared === undefined) {
    const vendored = isVendored ? (options.runtimeSource ?? new Map<string, string>()) : undefined;
    const made = { snapshot, whole, emit, extension, templates, ...(vendored && { vendored }) };
    for (const each of protocolFolder(made)) files.push(each);
    reportTypeNames(whole, diagnostics);
  }
  reportRenamings(naming, diagnostics);
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), once };
}

function reportRenamings(naming: ProjectNaming, diagnostics: Diagnostics): void {
  for (const { what, wanted, given } of naming.renamings) {
    diagnostics.root.warn(
      "MG452",
      null,
      `the ${what} "${wanted.slice(0, 80)}" is spelt ${given} in TypeScript: the name is reserved, taken or not an identifier`,
    );
  }
}

function reportUnmade(tools: readonly Tool[], diagnostics: Diagnostics): void {
  for (const { name } of tools) {
    const message =
      "no result that fits the schema of its results was found; the mock answers with a failure";
    diagnostics.root
      .in(`tool ${JSON.stringify(name.slice(0, 80))}`)
      .note("MG313", null, message, "give the mock an answer of your own");
  }
}

/** Reports what is stated of no tool, of one that speaks for itself, or in another form. */
function reportStated(stated: StatedTypes, { tools }: Snapshot, scope: Scope): void {
  for (const [name, text] of Object.entries(stated)) {
    const tool = tools.find((entry) => entry.name === name);
    const shown = JSON.stringify(name.slice(0, 80));
    if (tool === undefined) {
      scope.warn(
        "MG312",
        null,
        `an output type is stated for the tool ${shown}, which the server does not have`,
      );
    } else if (tool.output !== null) {
      const message = `an output type is stated for the tool ${shown}, which has a schema of its own; that one counts`;
      scope.warn("MG312", null, message);
    } else if (!statedForm.test(text)) {
      const message = `the output type of the tool ${shown} is ${JSON.stringify(text.slice(0, 80))}, expected a module and a name`;
      scope.error("MG312", null, message, 'write it as "./forecast.js#Forecast"');
    }
  }
}
