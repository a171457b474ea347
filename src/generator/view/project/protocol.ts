import type { Schema } from "../../ir/constraint.js";
import type {
  WellKnownMethod,
  Message,
  Protocol,
  RequestMessage,
} from "../../ir/model.js";
import type { Snapshot } from "../../ir/snapshot/model.js";
import { flatten, flattenSchema } from "../../ir/flatten.js";
import {
  type Code,
  code,
  identifier,
  literal,
  nameList,
} from "../typescript/code.js";
import { ordinaryType, type RevisionContext } from "../roles/index.js";
import { type RowsView, rowsView } from "../dispatch.js";
import { revisionFacts } from "../roles/facts.js";

/**
 * The context for the files of a project, which import the types of the
 * revision as `p`.
 */
export function projectContext(context: RevisionContext): RevisionContext {
  return {
    ...context,
    typeName: (name) => code`p.${context.naming.type(name)}`,
  };
}

/** The well-known request of this revision; null if the revision lacks it. */
export function requestFor(
  context: RevisionContext,
  role: WellKnownMethod,
): RequestMessage | null {
  const method = context.protocol.wellKnown[role];
  const message = context.protocol.messages.find(
    (entry) => entry.method === method,
  );
  return message?.kind === "request" ? message : null;
}

/** The name of the request in the generated client. */
export function methodName(
  context: RevisionContext,
  message: RequestMessage,
): Code {
  // A row ends with an underscore if its name is already used at the top level
  // of a file; a class member does not.
  return identifier(
    String(context.naming.row(message.method).layout).replace(/_$/, ""),
  );
}

/** The result for a client. */
export function resultOf(
  context: RevisionContext,
  message: RequestMessage | null,
): Code {
  const [name] = message?.results ?? [];
  return name === undefined ? code`unknown` : context.typeName(name);
}

/** The result of a handler, without engine defaults. */
export function handlerResult(
  context: RevisionContext,
  message: RequestMessage | null,
): Code {
  return message === null ? code`unknown` : ordinaryType(context, message);
}

/** A member of a request's result, as a type. */
export function memberType(
  context: RevisionContext,
  message: RequestMessage | null,
  member: string,
): Code {
  const [name] = message?.results ?? [];
  const exists =
    name !== undefined &&
    flatten(context.declarations, name)?.properties.some(
      (property) => property.name === member,
    );
  return exists === true
    ? code`${resultOf(context, message)}[${literal(member)}]`
    : code`readonly unknown[]`;
}

/** The schema of a member of a request's params; null if there is none. */
export function paramSchema(
  { declarations }: RevisionContext,
  { params }: RequestMessage,
  member: string,
): Schema | null {
  const flat =
    params.schema === null ? null : flattenSchema(declarations, params.schema);
  return flat?.properties.find(({ name }) => name === member)?.schema ?? null;
}

/**
 * The well-known requests in a project's files, independent of the capabilities
 * in the snapshot.
 */
const wellKnownRequests = {
  tools: ["listTools", "callTool"],
  prompts: ["listPrompts", "getPrompt"],
  resources: ["listResources", "listTemplates", "readResource"],
} as const;

/**
 * True if a project of this server uses the message: the session needs it, the
 * server declares its capability or lists entries that need it, or a result
 * contains it. What a client offers is used by a server that its author
 * designs. A snapshot does not say whether the server uses it.
 */
export function isUsed(
  snapshot: Snapshot,
  { wellKnown }: Protocol,
  message: Message,
): boolean {
  if (message.kind === "request" && message.carriage === "embedded")
    return true;
  if (snapshot.revisions !== null && message.capability?.side === "client")
    return true;
  if (message.capability?.side !== "client" && declares(snapshot, message))
    return true;
  const { tools, prompts, resources, templates } = snapshot;
  const methods: WellKnownMethod[] = [
    ...(tools.length > 0 ? wellKnownRequests.tools : []),
    ...(prompts.length > 0 ? wellKnownRequests.prompts : []),
    ...(resources.length + templates.length > 0
      ? wellKnownRequests.resources
      : []),
  ];
  return methods.some((role) => wellKnown[role] === message.method);
}

/**
 * True if the server declares the capability of the message, or the message
 * needs none.
 */
export function declares(
  { capabilities }: Snapshot,
  { capability }: Message,
): boolean {
  if (capability === null) return true;
  let value: unknown = capabilities;
  for (const step of capability.path.split(".")) {
    if (
      typeof value !== "object" ||
      value === null ||
      !Object.hasOwn(value, step)
    )
      return false;
    value = (value as Record<string, unknown>)[step];
  }
  return value !== null && value !== false;
}

/**
 * `protocol/dispatch.ts` of a project: only the rows, in the types of the
 * runtime.
 */
interface ProjectDispatchView extends RowsView {
  readonly imports: Code;
  readonly revision: Code;
}

export function projectDispatchView(
  context: RevisionContext,
): ProjectDispatchView {
  return {
    ...rowsView(context),
    imports: nameList([
      code`NotificationRow`,
      code`RequestRow`,
      code`Revision`,
    ]),
    // Error codes are constants, and every session needs all of them.
    revision: revisionFacts({
      ...context.protocol,
      declarations: [...context.declarations.values()],
    }),
  };
}
