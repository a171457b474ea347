import type { Message } from "../../ir/model.js";
import { groupsOf } from "../../ir/groups.js";
import { type Code, intersectionCode } from "../typescript/code.js";
import {
  type RevisionContext,
  identityView,
  messageDoc,
  type Versions,
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

/**
 * The selected messages of all revisions, by method, in the order of their
 * first occurrence.
 */
export function sharedMessages<M extends Message>(
  entries: readonly Entry[],
  pick: (context: RevisionContext) => readonly M[],
): Versions<M>[] {
  const all = entries.flatMap(({ context }) =>
    pick(context).map((message) => ({ context, message })),
  );
  return [...groupsOf(all, ({ message }) => message.method).values()];
}

/** The prose of the first revision, and the revisions that lack the message. */
export function sharedDoc(
  entries: readonly Entry[],
  versions: Versions<Message>,
): Code | null {
  const [{ context, message }] = versions;
  const others = entries.filter(
    (entry) => !versions.some((one) => one.context === entry.context),
  );
  const list = others
    .map((entry) => entry.context.protocol.revision)
    .join(", ");
  return messageDoc(context, message, list === "" ? [] : [`Not in ${list}.`]);
}

/** A type that every revision's own type accepts. */
export function commonIdentity(
  entries: readonly Entry[],
  pick: "info" | "clientCapabilities" | "serverCapabilities",
): Code {
  return intersectionCode(
    entries.map(({ context }) => identityView(context)[pick]),
  );
}
