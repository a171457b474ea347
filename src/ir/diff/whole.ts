import type { EngineDefault, Protocol } from "../model.js";
import type { Change } from "./model.js";
import type { Delta } from "./variance.js";

/** The facts of a protocol as a whole. */
export type WholeFacts = Omit<Protocol, "format" | "revision" | "source" | "declarations" | "messages">;

/**
 * Members that are compared below, and members whose differences do not count. Every other member is compared as
 * JSON.
 */
const comparedMembers: ReadonlySet<string> = new Set([
  "format",
  "revision",
  "source",
  "opening",
  "batches",
  "idlessErrors",
  "primedStreams",
  "errors",
  "replacedCodes",
  "headers",
  "wellKnown",
  "meta",
  "engineDefaults",
  "declarations",
  "messages",
]);

/** The differences between two protocols, apart from their messages and types. */
export function compareWholes(was: WholeFacts, is: WholeFacts): Delta[] {
  const deltas: Delta[] = [];
  if (was.opening !== is.opening) {
    deltas.push({ change: "opening-changed", path: "", was: was.opening, is: is.opening });
  }
  if (was.batches !== is.batches) {
    const change = is.batches ? "batches-added" : "batches-removed";
    deltas.push({ change, path: "", was: String(was.batches), is: String(is.batches) });
  }
  if (was.idlessErrors !== is.idlessErrors) {
    const change = is.idlessErrors ? "idless-errors-added" : "idless-errors-removed";
    deltas.push({ change, path: "", was: String(was.idlessErrors), is: String(is.idlessErrors) });
  }
  if (was.primedStreams !== is.primedStreams) {
    const change = is.primedStreams ? "primed-streams-added" : "primed-streams-removed";
    deltas.push({ change, path: "", was: String(was.primedStreams), is: String(is.primedStreams) });
  }
  const headers = (old: string | null, fresh: string | null): Change => {
    if (old === null) return "header-added";
    return fresh === null ? "header-removed" : "header-renamed";
  };
  return [
    ...deltas,
    ...compareMaps(".headers", was.headers, is.headers, headers),
    ...compareMaps(".errors", textOf(was.errors), textOf(is.errors), () => "error-code-changed"),
    ...compareMaps(".wellKnown", was.wellKnown, is.wellKnown, () => "well-known-method-changed"),
    ...compareMaps(".meta", was.meta, is.meta, () => "meta-key-changed"),
    ...compareMaps(
      ".engineDefaults",
      textOfDefaults(was.engineDefaults),
      textOfDefaults(is.engineDefaults),
      () => "engine-default-changed",
    ),
    ...compareOthers(was, is, comparedMembers),
  ];
}

/** Compares all other members of a message or protocol as JSON, so that a member that is added later is never ignored. */
export function compareOthers(was: object, is: object, compared: ReadonlySet<string>): Delta[] {
  const others = (facts: object): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(facts).flatMap(([name, value]) =>
        compared.has(name) || value === undefined || value === null ? [] : [[name, JSON.stringify(value)]],
      ),
    );
  return compareMaps("", others(was), others(is), () => "fact-changed");
}

function compareMaps(
  path: string,
  was: Readonly<Record<string, string>>,
  is: Readonly<Record<string, string>>,
  change: (old: string | null, fresh: string | null) => Change,
): Delta[] {
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((key): Delta[] => {
    const [old, fresh] = [was[key] ?? null, is[key] ?? null];
    return old === fresh ? [] : [{ change: change(old, fresh), path: `${path}.${key}`, was: old, is: fresh }];
  });
}

function textOf(codes: Protocol["errors"]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, String(code)]));
}

function textOfDefaults(engineDefaults: readonly EngineDefault[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    engineDefaults.map(({ object, member, value }) => [`${object}.${member}`, JSON.stringify(value)]),
  );
}
