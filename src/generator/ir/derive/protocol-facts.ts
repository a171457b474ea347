import * as facts from "../facts.js";
import type { Schema } from "../constraint.js";
import {
  constantIn,
  propertiesIn,
  reference,
  typeIn,
} from "../constraint/form.js";
import { eachSchema } from "../constraint/walk.js";
import { flatten, flattenSchema, propertyOf } from "../flatten.js";
import { resolve } from "../lookup.js";
import { factMethod } from "../renamed.js";
import type {
  EngineDefault,
  WellKnownMethod,
  Message,
  WellKnownMetaKey,
  Protocol,
} from "../model.js";
import type { DeriveContext } from "./context.js";
import { objectsOf } from "./results.js";
import { membersOf } from "./senders.js";

/** The wire methods of the protocol that engines use. */
export function wellKnownMethodsOf(
  messages: readonly Message[],
): Protocol["wellKnown"] {
  const wellKnown: Partial<Record<WellKnownMethod, string>> = {};
  for (const { role, method } of facts.messages) {
    const message = messages.find(
      (message) => factMethod(message, messages) === method,
    );
    if (role !== undefined && message !== undefined)
      wellKnown[role] = message.method;
  }
  return wellKnown;
}

/** True if `JSONRPCMessage` includes an array of messages. */
export function batchesOf(context: DeriveContext): boolean {
  const { declarations } = context;
  return membersOf(declarations, reference(facts.names.message)).some(
    (member) => typeIn(resolve(declarations, member)) === "array",
  );
}

/** True if an error for an unreadable request may omit its id. */
export function idlessErrorsOf({ declarations }: DeriveContext): boolean {
  return facts.names.errorResponses.some(
    (name) => propertyOf(flatten(declarations, name), "id")?.optional === true,
  );
}

/**
 * The levels of log messages, by severity if all are known, otherwise in the
 * order of the schema.
 */
export function levelsOf({ declarations }: DeriveContext): string[] {
  const levels = membersOf(declarations, reference(facts.names.levels))
    .map(constantIn)
    .filter((value) => typeof value === "string");
  const known = facts.severities.filter((severity) =>
    levels.includes(severity),
  );
  return known.length === levels.length ? known : levels;
}

/**
 * The reserved keys of `_meta`: the members of every type of a member `_meta`.
 */
export function metaOf(context: DeriveContext): Protocol["meta"] {
  const keys = new Set<string>();
  for (const schema of metaMembers(context)) {
    for (const { name } of flattenSchema(context.declarations, schema)
      ?.properties ?? [])
      keys.add(name);
  }
  const meta: Partial<Record<WellKnownMetaKey, string>> = {};
  for (const role of facts.wellKnownMetaKeys) {
    const key = [...keys].find(
      (entry) => entry === role || entry.endsWith(`/${role}`),
    );
    if (key !== undefined) meta[role] = key;
  }
  for (const { marker, role, key } of facts.metaKeys)
    if (context.declarations.has(marker)) meta[role] = key;
  return meta;
}

function metaMembers({ declarations }: DeriveContext): Schema[] {
  const members: Schema[] = [];
  for (const { schema } of declarations.values())
    eachSchema(schema, (part) => {
      for (const { name, schema } of propertiesIn(part))
        if (name === facts.names.meta) members.push(schema);
    });
  return members;
}

/** The rows for engine defaults that a message's params or results need. */
export function engineDefaultsOf(
  context: DeriveContext,
  messages: readonly Message[],
): EngineDefault[] {
  return facts.engineDefaults.filter(({ object, member }) => {
    return messages.some((message) => {
      if (message.kind !== "request" || message.carriage === "embedded")
        return false;
      const shapes =
        object === "params"
          ? objectsOf(context, message.params.schema)
          : message.results.flatMap(
              (name) => flatten(context.declarations, name) ?? [],
            );
      return shapes.some(
        (flat) => propertyOf(flat, member)?.optional === false,
      );
    });
  });
}
