import * as facts from "../facts.js";
import { flatten, flattenType } from "../flatten.js";
import { resolve } from "../lookup.js";
import type {
  EngineDefault,
  WellKnownMethod,
  Message,
  WellKnownMetaKey,
  Property,
  Protocol,
} from "../model.js";
import { eachType, typesOf } from "../walk.js";
import type { DeriveContext } from "./context.js";
import { objectsOf } from "./results.js";
import { membersOf } from "./senders.js";

/** The wire methods of the protocol that engines use. */
export function wellKnownMethodsOf(messages: readonly Message[]): Protocol["wellKnown"] {
  const wellKnown: Partial<Record<WellKnownMethod, string>> = {};
  for (const { role, method } of facts.wellKnownMethods)
    if (messages.some((message) => message.method === method)) wellKnown[role] = method;
  return wellKnown;
}

/** True if `JSONRPCMessage` includes an array of messages. */
export function batchesOf(context: DeriveContext): boolean {
  const { declarations } = context;
  return membersOf(declarations, { kind: "reference", name: facts.names.message }).some(
    (member) => resolve(declarations, member).kind === "array",
  );
}

/** True if an error for an unreadable request may omit its id. */
export function idlessErrorsOf({ declarations }: DeriveContext): boolean {
  return facts.names.errorResponses.some((name) =>
    (flatten(declarations, name)?.properties ?? []).some((member) => member.name === "id" && member.optional),
  );
}

/** The levels of log messages, by severity if all are known, otherwise in the order of the schema. */
export function levelsOf({ declarations }: DeriveContext): string[] {
  const levels = membersOf(declarations, { kind: "reference", name: facts.names.levels }).flatMap((member) =>
    member.kind === "literal" && typeof member.value === "string" ? [member.value] : [],
  );
  const known = facts.severities.filter((severity) => levels.includes(severity));
  return known.length === levels.length ? known : levels;
}

/** The reserved keys of `_meta`: the members of every type of a member `_meta`. */
export function metaOf(context: DeriveContext): Protocol["meta"] {
  const keys = new Set<string>();
  for (const { type } of metaMembers(context)) {
    for (const { name } of flattenType(context.declarations, type)?.properties ?? []) keys.add(name);
  }
  const meta: Partial<Record<WellKnownMetaKey, string>> = {};
  for (const role of facts.wellKnownMetaKeys) {
    const key = [...keys].find((entry) => entry === role || entry.endsWith(`/${role}`));
    if (key !== undefined) meta[role] = key;
  }
  for (const { marker, role, key } of facts.metaKeys) if (context.declarations.has(marker)) meta[role] = key;
  return meta;
}

function metaMembers({ declarations }: DeriveContext): Property[] {
  const members = [...declarations.values()].flatMap((declaration) => {
    const properties = declaration.kind === "interface" ? [...declaration.properties] : [];
    for (const type of typesOf(declaration)) {
      eachType(type, (inner) => {
        if (inner.kind === "object") for (const property of inner.properties) properties.push(property);
      });
    }
    return properties;
  });
  return members.filter(({ name }) => name === "_meta");
}

/** The rows for engine defaults that a message's params or results need. */
export function engineDefaultsOf(context: DeriveContext, messages: readonly Message[]): EngineDefault[] {
  return facts.engineDefaults.filter(({ object, member }) => {
    return messages.some((message) => {
      if (message.kind !== "request" || message.carriage === "embedded") return false;
      const shapes =
        object === "params"
          ? message.params.type === null
            ? []
            : objectsOf(context, message.params.type)
          : message.results.flatMap((name) => flatten(context.declarations, name) ?? []);
      return shapes.some(({ properties }) =>
        properties.some(({ name, optional }) => name === member && !optional),
      );
    });
  });
}
