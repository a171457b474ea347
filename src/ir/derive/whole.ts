import * as facts from "../facts.js";
import { flatten, flattenType } from "../flatten.js";
import { resolve } from "../lookup.js";
import type {
  ErrorName,
  EngineDefault,
  WellKnownHeader,
  WellKnownMethod,
  Message,
  WellKnownMetaKey,
  Opening,
  Property,
  Protocol,
} from "../model.js";
import { eachType, typesOf } from "../walk.js";
import { factId, type DeriveContext } from "./context.js";
import { objectsOf } from "./results.js";
import { membersOf } from "./senders.js";

/** The wire methods of the protocol that engines use. */
export function wellKnownMethodsOf(
  context: DeriveContext,
  messages: readonly Message[],
): Protocol["wellKnown"] {
  const wellKnown: Partial<Record<WellKnownMethod, string>> = {};
  for (const row of facts.wellKnownMethods) {
    if (!messages.some(({ method }) => method === row.method)) continue;
    context.used.add(factId("wellKnownMethods", row));
    wellKnown[row.role] = row.method;
  }
  return wellKnown;
}

/** How a connection opens: with a method of its own, otherwise with metadata on every request. */
export function openingOf(
  context: DeriveContext,
  wellKnown: Protocol["wellKnown"],
  meta: Protocol["meta"],
): Opening {
  if (wellKnown.initialize !== undefined) return "initialize";
  if (meta.protocolVersion === undefined) {
    context.scope.note(
      "MG406",
      null,
      "the schema has neither an initialize request nor a protocol version in the metadata of requests; " +
        "the revision is assumed to send metadata with every request",
      "declare one of the two",
    );
  }
  return "per-request";
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

/** True if a server starts each HTTP stream with an event id. */
export function primedStreamsOf({ declarations, used }: DeriveContext, opening: Opening): boolean {
  const row = facts.primedStreams;
  if (row.opening !== opening || !declarations.has(row.marker)) return false;
  used.add(factId("primedStreams", row));
  return true;
}

/** Error codes that no constant declares. */
export function errorsOf(
  { used }: DeriveContext,
  opening: Opening,
  wellKnown: Protocol["wellKnown"],
): Protocol["errors"] {
  const errors: Partial<Record<ErrorName, number>> = {};
  for (const row of facts.errors) {
    if (row.opening !== opening || wellKnown[row.role] === undefined) continue;
    used.add(factId("errors", row));
    errors[row.name] = row.code;
  }
  return errors;
}

/** The levels of log messages, by severity if all are known, otherwise in the order of the schema. */
export function levelsOf({ declarations, used }: DeriveContext): string[] {
  const levels = membersOf(declarations, { kind: "reference", name: facts.names.levels }).flatMap((member) =>
    member.kind === "literal" && typeof member.value === "string" ? [member.value] : [],
  );
  const known = facts.severities.filter((severity) => levels.includes(severity));
  for (const severity of known) used.add(factId("severities", severity));
  return known.length === levels.length ? known : levels;
}

export function headersOf(context: DeriveContext, opening: Opening): Protocol["headers"] {
  const headers: Partial<Record<WellKnownHeader, string>> = {};
  for (const row of facts.headers) {
    const hasMarker = row.marker === null || context.declarations.has(row.marker);
    if (row.opening !== opening || !hasMarker) continue;
    context.used.add(factId("headers", row));
    headers[row.role] = row.name;
  }
  if (Object.keys(headers).length > 0) return headers;
  if (context.declarations.has(facts.headerless)) {
    context.used.add(factId("headerless", facts.headerless));
  } else {
    context.scope.note(
      "MG407",
      null,
      "the schema does not imply any HTTP headers; the revision is assumed to have none",
    );
  }
  return headers;
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
    if (key === undefined) continue;
    context.used.add(factId("wellKnownMetaKeys", role));
    meta[role] = key;
  }
  for (const row of facts.metaKeys) {
    if (!context.declarations.has(row.marker)) continue;
    context.used.add(factId("metaKeys", row));
    meta[row.role] = row.key;
  }
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
    const isNeeded = messages.some((message) => {
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
    if (isNeeded)
      context.used.add(
        factId(
          "engineDefaults",
          facts.engineDefaults.find((row) => row.object === object && row.member === member),
        ),
      );
    return isNeeded;
  });
}
