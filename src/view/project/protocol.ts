import type { Job, Message, Protocol, RequestMessage, Type } from "../../ir/model.js";
import type { Snapshot } from "../../ir/snapshot/model.js";
import { flatten, flattenType } from "../../ir/flatten.js";
import { type Code, code, identifier, literal, propertyKey } from "../typescript/code.js";
import { ordinaryType, type RevisionContext } from "../roles/index.js";

/** The context for the files of a project, which import the types of the revision as `p`. */
export function projectContext(context: RevisionContext): RevisionContext {
  return { ...context, typeName: (name) => code`p.${context.naming.type(name)}` };
}

/** The request that has a job in this revision; null when the revision lacks it. */
export function requestFor(context: RevisionContext, job: Job): RequestMessage | null {
  const method = context.protocol.jobs[job];
  const message = context.protocol.messages.find((entry) => entry.method === method);
  return message?.kind === "request" ? message : null;
}

/** What the generated client calls the request. */
export function methodName(context: RevisionContext, message: RequestMessage): Code {
  // A row ends in an underscore where its name is taken at the top of a file; a member of a class needs none.
  return identifier(String(context.naming.row(message.method).layout).replace(/_$/, ""));
}

/** The result as a client gets it. */
export function resultOf(context: RevisionContext, message: RequestMessage | null): Code {
  const [name] = message?.results ?? [];
  return name === undefined ? code`unknown` : context.typeName(name);
}

/** The result as a handler gives it: without what the engine fills. */
export function answerOf(context: RevisionContext, message: RequestMessage | null): Code {
  return message === null ? code`unknown` : ordinaryType(context, message);
}

/** A member of a request's result, as a type. */
export function memberType(context: RevisionContext, message: RequestMessage | null, member: string): Code {
  const [name] = message?.results ?? [];
  const has =
    name !== undefined &&
    flatten(context.declarations, name)?.properties.some((property) => property.name === member);
  return has === true ? code`${resultOf(context, message)}[${literal(member)}]` : code`readonly unknown[]`;
}

/** The type of a member of a request's params; null when there is none. */
export function paramType(context: RevisionContext, { params }: RequestMessage, member: string): Type | null {
  const flat = params.type === null ? null : flattenType(context.declarations, params.type);
  return flat?.properties.find(({ name }) => name === member)?.type ?? null;
}

/** The wire method as a key of handlers. */
export function methodKey(message: RequestMessage): Code {
  return propertyKey(message.method);
}

/** The jobs of the requests that a project's files make or answer, whatever capabilities the snapshot declares. */
const jobsOf = {
  tools: ["listTools", "callTool"],
  prompts: ["listPrompts", "getPrompt"],
  resources: ["listResources", "listTemplates", "readResource"],
} as const;

/**
 * Does a project of this server use the message? It does if the session needs it, or the server declares or has what it is
 * for, or a result carries it. What a server asks a client by requests of its own is not part of what the server offers.
 */
export function isUsed(snapshot: Snapshot, { jobs }: Protocol, message: Message): boolean {
  if (message.kind === "request" && message.carriage === "embedded") return true;
  if (message.capability?.side !== "client" && declares(snapshot, message)) return true;
  const { tools, prompts, resources, templates } = snapshot;
  const offered: Job[] = [
    ...(tools.length > 0 ? jobsOf.tools : []),
    ...(prompts.length > 0 ? jobsOf.prompts : []),
    ...(resources.length + templates.length > 0 ? jobsOf.resources : []),
  ];
  return offered.some((job) => jobs[job] === message.method);
}

/** Does the server declare what the message needs? One that needs nothing may always be sent. */
export function declares({ capabilities }: Snapshot, { capability }: Message): boolean {
  if (capability === null) return true;
  let found: unknown = capabilities;
  for (const step of capability.path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, step)) return false;
    found = (found as Record<string, unknown>)[step];
  }
  return found !== undefined && found !== null && found !== false;
}
