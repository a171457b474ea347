import {
  alias,
  type Code,
  code,
  identifier,
  importList,
  literal,
  memberLines,
  objectCode,
  propertyKey,
} from "../typescript/code.js";
import { prose } from "../typescript/doc.js";
import { Names } from "../typescript/names.js";
import type { Part } from "../plan/parts.js";
import type { RevisionContext } from "../roles/messages.js";
import { type ClientsView, clientsView } from "./clients.js";
import { type ServersView, serversView } from "./servers.js";
import type { Entry, RevisionView } from "./shared.js";

/**
 * `index.ts` over several revisions: all of them by name, with one `connect`
 * and one set of handlers.
 */
interface RevisionsView {
  readonly imports: Code | null;
  readonly revisions: readonly RevisionView[];
  readonly hasClient: boolean;
  readonly hasServer: boolean;
  readonly hasRoles: boolean;
  /**
   * The type and the value of `protocols`; null without the types of the
   * revisions.
   */
  readonly protocolTypes: Code;
  readonly protocols: Code | null;
  /** `Revision = keyof typeof protocols;` */
  readonly revision: Code;
  /** The members of `Clients`. */
  readonly clientTypes: Code;
  readonly clients: ClientsView;
  readonly servers: ServersView;
}

/**
 * @param contexts the revisions, the preferred one first
 * @param folders the folder of each revision, in the same order
 * @param extension the extension of import paths: ".js", ".ts" or nothing
 */
export function revisionsView(
  contexts: readonly RevisionContext[],
  folders: readonly string[],
  parts: ReadonlySet<Part>,
  extension: string,
): RevisionsView {
  const names = new Names();
  const entries = contexts.map((context, i): Entry => {
    const suffix = names.claim(
      context.protocol.revision
        .replace(/[^A-Za-z0-9]+/g, "_")
        .replace(/^_|_$/g, ""),
    );
    const nameSuffix = suffix.replace(/^_/, "");
    const types = identifier(`t${nameSuffix}`);
    const module = (file: string): Code =>
      literal(`./${folders[i] ?? ""}/${file}${extension}`);
    const view = {
      key: propertyKey(context.protocol.revision),
      text: prose(context.protocol.revision),
      modules: {
        index: module("index"),
        client: module("client"),
        server: module("server"),
        types: module("types"),
      },
      index: identifier(`r${nameSuffix}`),
      client: identifier(`c${nameSuffix}`),
      server: identifier(`s${nameSuffix}`),
      types,
    };
    return {
      context: {
        ...context,
        typeName: (name) => code`${types}.${context.naming.type(name)}`,
      },
      view,
    };
  });
  const hasClient = parts.has("client");
  const hasServer = parts.has("server");
  const clients = clientsView(entries);
  const servers = serversView(entries);
  const hasTypes = parts.has("types");
  const imports = [
    ...(hasClient ? clients.imports : []),
    ...(hasServer ? servers.imports : []),
  ];
  const protocolTypes = memberLines(
    entries.map(({ view }) => code`readonly ${view.key}: typeof ${view.index}`),
  );
  const protocols = hasTypes
    ? objectCode(entries.map(({ view }) => [view.key, view.index]))
    : null;
  const revision = alias(
    code`Revision`,
    hasTypes
      ? [code`keyof typeof protocols`]
      : contexts.map(({ protocol }) => literal(protocol.revision)),
  );
  return {
    imports: imports.length === 0 ? null : importList(imports),
    revisions: entries.map(({ view }) => view),
    hasClient,
    hasServer,
    hasRoles: hasClient || hasServer,
    protocolTypes,
    clientTypes: memberLines(
      entries.map(({ view }) => code`${view.key}: ${view.client}.Client`),
    ),
    protocols,
    revision,
    clients,
    servers,
  };
}
