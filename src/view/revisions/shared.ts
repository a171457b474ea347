import type { Message } from "../../ir/model.js";
import { annotation, type Code, code, intersectionCode } from "../typescript/code.js";
import {
  type RevisionContext,
  callerParams,
  handlerParams,
  identityView,
  messageDoc,
} from "../roles/index.js";

/** One revision in the shared index file. */
export interface RevisionView {
  readonly key: Code;
  readonly text: Code;
  /** The paths of its imports. */
  readonly modules: {
    readonly index: Code;
    readonly client: Code;
    readonly server: Code;
    readonly types: Code;
  };
  /** Namespaces of the revision's index file, client, server and types. */
  readonly index: Code;
  readonly client: Code;
  readonly server: Code;
  readonly types: Code;
}

/** A revision with the names of its imports in the shared index file. */
export interface Entry {
  readonly context: RevisionContext;
  readonly view: RevisionView;
}

/** A message in several revisions, the preferred one first. */
export interface Shared<M extends Message> {
  readonly method: string;
  readonly of: readonly { readonly context: RevisionContext; readonly message: M; readonly entry: Entry }[];
}

/** The selected messages of all revisions, by method, in the order of their first occurrence. */
export function sharedMessages<M extends Message>(
  entries: readonly Entry[],
  pick: (context: RevisionContext) => readonly M[],
): Shared<M>[] {
  const methods = new Map<string, { context: RevisionContext; message: M; entry: Entry }[]>();
  for (const entry of entries) {
    for (const message of pick(entry.context)) {
      const of = methods.get(message.method) ?? [];
      of.push({ context: entry.context, message, entry });
      methods.set(message.method, of);
    }
  }
  return [...methods].map(([method, of]) => ({ method, of }));
}

/** The prose of the first revision, and the revisions that lack the message. */
export function sharedDoc<M extends Message>(entries: readonly Entry[], { of }: Shared<M>): Code | null {
  const [first] = of;
  if (first === undefined) return null;
  const withoutMessage = entries.filter((entry) => !of.some((row) => row.entry === entry));
  const list = withoutMessage.map(({ context }) => context.protocol.revision).join(", ");
  return messageDoc(first.context, first.message, list === "" ? [] : [`Not in ${list}.`]);
}

/** The type for a handler: the params of any revision. */
export function anyParams<M extends Message>({ of }: Shared<M>): Code {
  const params = of.map(({ context, message }) => handlerParams(context, message));
  const types = params.flatMap((entry) => (entry === null ? [] : [entry.type]));
  if (types.length === 0) return code`params: undefined`;
  const isOptional = params.some((entry) => entry === null || entry.optional);
  return annotation(code`params`, isOptional ? [...types, code`undefined`] : types);
}

/** The type for a caller: params that all revisions accept; null if none has params. */
export function allParams<M extends Message>({ of }: Shared<M>): Code | null {
  const params = of.flatMap(({ context, message }) => callerParams(context, message) ?? []);
  if (params.length === 0) return null;
  const type = intersectionCode(params.map((entry) => entry.type));
  return params.every(({ optional }) => optional) ? code`params?: ${type}` : code`params: ${type}`;
}

/** A type that every revision's own type accepts. */
export function commonIdentity(
  entries: readonly Entry[],
  pick: "info" | "clientCapabilities" | "serverCapabilities",
): Code {
  return intersectionCode(entries.map(({ context }) => identityView(context)[pick]));
}
