import type { Side, WellKnownMethod, WellKnownMetaKey } from "./model.js";

// The rows of `facts.ts`, which says what each list is for.

export interface UnionFact {
  readonly union: string;
  readonly kind: "request" | "notification";
  readonly sender: Side;
  readonly carriage: "wire" | "embedded";
}

export interface CapabilityFact {
  readonly method: string;
  readonly of: "sender" | "receiver";
  readonly path: string;
}

export interface ConditionFact {
  readonly method: string;
  readonly member: string;
  readonly values: readonly (string | null)[] | null;
  readonly path: string;
  readonly implied: boolean;
}

export interface SubjectFact {
  readonly method: string;
  readonly filter: string;
  /** The member of the params that identifies what changed. */
  readonly subject: string;
}

export interface MessageFact {
  readonly method: string;
  /** Its declaration, by which a message with another method is recognized. */
  readonly type: string;
  /** The role in which a session engine uses it. */
  readonly role?: WellKnownMethod;
}

export interface MetaKeyFact {
  readonly role: WellKnownMetaKey;
  readonly key: string;
  readonly marker: string;
}

export interface Replacement {
  readonly kind: string;
  readonly as: { readonly type: string; readonly [member: string]: unknown };
}

export interface ReplacedList {
  readonly list: string;
  /** The lists that replace it, and the member of the items that each of them holds. */
  readonly as: Readonly<Record<string, string>>;
}

export interface WellKnownExtensionFact {
  readonly role: "ui";
  readonly id: string;
  /** A type of the extension. A schema without an id that declares it is a schema of this extension. */
  readonly marker: string;
}

export interface PrefixFact {
  readonly method: string;
  /** The member of the result that holds the items. */
  readonly list: string;
  readonly member: string;
  readonly prefix: string;
}

export interface RequestRulesFact {
  readonly method: string;
  readonly rules: string;
  readonly marker: string;
}

export interface DeclineFact {
  readonly method: string;
  readonly result: Readonly<Record<string, unknown>>;
}

export interface HeaderMemberFact {
  readonly method: string;
  readonly member: string;
}

export interface SelectedResultFact {
  readonly member: string;
  readonly type: string;
  readonly result: string;
  /** The capability path under which the receiver declares each method that allows it: `tasks.requests.tools.call`. */
  readonly under: string;
}
