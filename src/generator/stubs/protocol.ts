import type { GeneratedFile } from "../generate.js";
import { filler, runtimeEntries } from "../generate.js";
import { supportFile } from "../emit/support.js";
import { vendor } from "../emit/vendor.js";
import known from "../ir/known.json" with { type: "json" };
import { knownOf, mergeMessages } from "../ir/known.js";
import type { Declaration, Side } from "../ir/model.js";
import type { Snapshot } from "../ir/snapshot/model.js";
import { clientView } from "../view/client.js";
import { indexView } from "../view/index-file.js";
import { downgradesOf } from "../view/plan/downgrades.js";
import { type Code, code } from "../view/typescript/code.js";
import { header } from "../view/typescript/header.js";
import { modulesOf } from "../view/typescript/modules.js";
import { type RevisionContext, partOf } from "../view/roles/index.js";
import { revisionsView } from "../view/revisions/view.js";
import { serverView } from "../view/server.js";
import { isUsed, projectDispatchView } from "../view/project/protocol.js";
import { typesView } from "../view/types.js";
import { validatorsView } from "../view/validators.js";

interface ProtocolFolderOptions {
  readonly snapshot: Snapshot;
  /**
   * The whole revisions, the newest first, each with its folder. Several are
   * for a server; its client has the first one.
   */
  readonly revisions: readonly {
    readonly context: RevisionContext;
    readonly folder: string;
  }[];
  readonly emit: readonly Side[];
  /** The file extension of relative imports. */
  readonly extension: string;
  readonly templates: ReadonlyMap<string, string>;
  /** The runtime's source files by path, if a copy is requested. */
  readonly vendored?: ReadonlyMap<string, string>;
}

/**
 * The folder `protocol/` of a project: the messages that the server and its
 * clients use, with their types and guards, under the names of the whole
 * revision. Several revisions have a folder each, and an `index.ts` with one
 * server for all. The guards use the project's own `validate.ts` and
 * `checks.ts`.
 */
export function protocolFolder(
  options: ProtocolFolderOptions,
): GeneratedFile[] {
  const { revisions, emit, extension, templates, vendored } = options;
  const protocols = revisions.map(({ context }) => context.protocol);
  const single = revisions.length === 1;
  const files: GeneratedFile[] = [];
  const contexts = revisions.map(({ context, folder }, i) => {
    const parts = i === 0 ? emit : emit.filter((part) => part === "server");
    const made = revisionFiles(context, parts, folder, options);
    files.push(...made.files);
    return made.context;
  });
  if (!single) {
    const view = {
      header: header(protocols),
      ...modulesOf({
        support: "..",
        runtime: vendored && "./runtime",
        extension,
      }),
      ...revisionsView(
        contexts,
        revisions.map(({ folder }) => folder),
        new Set(["server"]),
        extension,
      ),
    };
    files.push(filler(templates)("protocol", "index.ts", view, "revisions.ts"));
  }
  for (const { path, text } of vendored === undefined
    ? []
    : vendor(
        vendored,
        runtimeEntries(protocols, new Set(emit)),
        emit,
        extension,
      ))
    files.push({ path: `protocol/${path}`, text });
  return files;
}

/**
 * The files of one revision, in a folder of `protocol/`, and the part of the
 * revision that they have.
 */
function revisionFiles(
  revision: RevisionContext,
  emit: readonly Side[],
  folder: string,
  { snapshot, extension, templates, vendored }: ProtocolFolderOptions,
): {
  readonly files: readonly GeneratedFile[];
  readonly context: RevisionContext;
} {
  const { protocol } = revision;
  const { context, addedTypes, synthesized, guards } = partOf(
    revision,
    (message) => isUsed(snapshot, protocol, message),
  );
  const [support, runtime] =
    folder === "" ? ["..", "./runtime"] : ["../..", "../runtime"];
  const common = {
    header: header([protocol]),
    ...modulesOf({ support, runtime: vendored && runtime, extension }),
  };
  const fill = filler(templates);
  const make = (name: string, view: object, template = name): GeneratedFile =>
    fill(
      folder === "" ? "protocol" : `protocol/${folder}`,
      name,
      { ...common, ...view },
      template,
    );

  const namesOf = (declarations: readonly Declaration[]): Code[] =>
    declarations.map(({ name }) => context.naming.type(name));
  const { declarations } = context.protocol;
  const constants = namesOf(
    declarations.filter(({ kind }) => kind === "constant"),
  );
  const types = namesOf([
    ...declarations.filter(({ kind }) => kind !== "constant"),
    ...addedTypes,
  ]);
  const files = [
    make("types.ts", typesView(context.protocol, addedTypes, context.naming)),
    make(
      "index.ts",
      indexView(
        context.naming,
        new Set(["types", ...emit]),
        code``,
        types,
        constants,
      ),
    ),
  ];
  if (emit.length === 0) return { files, context };
  const validators = validatorsView(
    context.protocol,
    synthesized,
    context.naming,
    guards,
  );
  if (validators.checks !== null)
    files.push(supportFile(templates, "checks.ts", extension));
  files.push(
    make("validators.ts", validators),
    make("dispatch.ts", projectDispatchView(context), "project/dispatch.ts"),
  );
  if (emit.includes("client"))
    files.push(make("client.ts", clientView(context)));
  if (emit.includes("server")) {
    const messages = knownOf(context.protocol);
    files.push(
      make(
        "server.ts",
        serverView(
          context,
          downgradesOf(messages, mergeMessages([known, messages])),
        ),
      ),
    );
  }
  return { files, context };
}
