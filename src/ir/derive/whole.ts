import * as facts from "../facts.js";
import { flatten, flattenType } from "../flatten.js";
import { resolve } from "../lookup.js";
import type {
  ErrorName,
  Fill,
  HeaderJob,
  Job,
  Message,
  MetaJob,
  Opening,
  Property,
  Protocol,
} from "../model.js";
import { eachType, typesOf } from "../walk.js";
import { factId, type Deriving } from "./deriving.js";
import { shapesOf } from "./results.js";
import { membersOf } from "./senders.js";

/** Wire methods by their job. */
export function jobsOf(deriving: Deriving, messages: readonly Message[]): Protocol["jobs"] {
  const jobs: Partial<Record<Job, string>> = {};
  for (const row of facts.jobs) {
    if (!messages.some(({ method }) => method === row.method)) continue;
    deriving.used.add(factId("jobs", row));
    jobs[row.job] = row.method;
  }
  return jobs;
}

/** How a connection opens: with its own method, else with what every request says about itself. */
export function openingOf(deriving: Deriving, jobs: Protocol["jobs"], meta: Protocol["meta"]): Opening {
  if (jobs.initialize !== undefined) return "initialize";
  if (meta.protocolVersion === undefined) {
    deriving.scope.note(
      "MG406",
      null,
      "the schema has neither a request that opens a connection nor a protocol version in the metadata of requests; " +
        "it is taken to open with metadata on every request",
    );
  }
  return "per-request";
}

/** Is an array of messages a message? */
export function batchesOf(deriving: Deriving): boolean {
  const { declarations } = deriving;
  return membersOf(declarations, { kind: "reference", name: facts.names.message }).some(
    (member) => resolve(declarations, member).kind === "array",
  );
}

/** May an error whose request could not be read leave its id out? */
export function idlessErrorsOf({ declarations }: Deriving): boolean {
  return facts.names.errorResponses.some((name) =>
    (flatten(declarations, name)?.properties ?? []).some((member) => member.name === "id" && member.optional),
  );
}

/** Does a server begin each HTTP stream with an event id? */
export function primedStreamsOf({ declarations, used }: Deriving, opening: Opening): boolean {
  const row = facts.primedStreams;
  if (row.opening !== opening || !declarations.has(row.marker)) return false;
  used.add(factId("primedStreams", row));
  return true;
}

/** The codes of errors that no constant names. */
export function errorsOf({ used }: Deriving, opening: Opening, jobs: Protocol["jobs"]): Protocol["errors"] {
  const errors: Partial<Record<ErrorName, number>> = {};
  for (const row of facts.errors) {
    if (row.opening !== opening || jobs[row.job] === undefined) continue;
    used.add(factId("errors", row));
    errors[row.name] = row.code;
  }
  return errors;
}

/** The severities of log messages, by rank where all are known, else in the order of the schema. */
export function levelsOf({ declarations, used }: Deriving): string[] {
  const levels = membersOf(declarations, { kind: "reference", name: facts.names.levels }).flatMap((member) =>
    member.kind === "literal" && typeof member.value === "string" ? [member.value] : [],
  );
  const ranked = facts.severities.filter((severity) => levels.includes(severity));
  for (const severity of ranked) used.add(factId("severities", severity));
  return ranked.length === levels.length ? ranked : levels;
}

export function headersOf(deriving: Deriving, opening: Opening): Protocol["headers"] {
  const headers: Partial<Record<HeaderJob, string>> = {};
  for (const row of facts.headers) {
    const marked = row.marker === null || deriving.declarations.has(row.marker);
    if (row.opening !== opening || !marked) continue;
    deriving.used.add(factId("headers", row));
    headers[row.job] = row.name;
  }
  if (Object.keys(headers).length > 0) return headers;
  if (deriving.declarations.has(facts.headerless)) {
    deriving.used.add(factId("headerless", facts.headerless));
  } else {
    deriving.scope.note(
      "MG407",
      null,
      "nothing in the schema tells which HTTP headers it goes with; it is taken to have none",
    );
  }
  return headers;
}

/** The reserved keys of `_meta`: members of whatever stands in a member of that name. */
export function metaOf(deriving: Deriving): Protocol["meta"] {
  const keys = new Set<string>();
  for (const { type } of metaMembers(deriving)) {
    for (const { name } of flattenType(deriving.declarations, type)?.properties ?? []) keys.add(name);
  }
  const meta: Partial<Record<MetaJob, string>> = {};
  for (const job of facts.metaJobs) {
    const key = [...keys].find((entry) => entry === job || entry.endsWith(`/${job}`));
    if (key === undefined) continue;
    deriving.used.add(factId("metaJobs", job));
    meta[job] = key;
  }
  for (const row of facts.metaKeys) {
    if (!deriving.declarations.has(row.marker)) continue;
    deriving.used.add(factId("metaKeys", row));
    meta[row.job] = row.key;
  }
  return meta;
}

function metaMembers({ declarations }: Deriving): Property[] {
  const members = [...declarations.values()].flatMap((declaration) => {
    const found = declaration.kind === "interface" ? [...declaration.properties] : [];
    for (const type of typesOf(declaration)) {
      eachType(type, (inner) => {
        if (inner.kind === "object") for (const property of inner.properties) found.push(property);
      });
    }
    return found;
  });
  return members.filter(({ name }) => name === "_meta");
}

/** The rows on members to fill that some message's params or results make necessary. */
export function fillsOf(deriving: Deriving, messages: readonly Message[]): Fill[] {
  return facts.fills.filter(({ place, member }) => {
    const needed = messages.some((message) => {
      if (message.kind !== "request" || message.carriage === "embedded") return false;
      const shapes =
        place === "params"
          ? message.params.type === null
            ? []
            : shapesOf(deriving, message.params.type)
          : message.results.flatMap((name) => flatten(deriving.declarations, name) ?? []);
      return shapes.some(({ properties }) =>
        properties.some(({ name, optional }) => name === member && !optional),
      );
    });
    if (needed)
      deriving.used.add(
        factId(
          "fills",
          facts.fills.find((row) => row.place === place && row.member === member),
        ),
      );
    return needed;
  });
}
