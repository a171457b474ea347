import type { EngineDefault, Protocol } from "../model.js";
import { changed, eventOf } from "../change/delta.js";
import type { Delta } from "../change/model.js";

/** The facts of a protocol as a whole. */
export type ProtocolFacts = Omit<
  Protocol,
  "format" | "revision" | "source" | "declarations" | "messages"
>;

/**
 * Members that are compared below, and members whose differences do not count.
 * Every other member is compared as JSON.
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

/** Facts that hold or do not hold. */
const switches = [
  ["batches", "batches"],
  ["idlessErrors", "idless-errors"],
  ["primedStreams", "primed-streams"],
] as const;

/**
 * The differences between two protocols, apart from their messages and types.
 */
export function compareProtocolFacts(
  before: ProtocolFacts,
  after: ProtocolFacts,
): Delta[] {
  const switched = switches.flatMap(([member, name]) =>
    changed(
      `${name}-${after[member] ? "added" : "removed"}`,
      String(before[member]),
      String(after[member]),
    ),
  );
  const errors = compareMaps(
    "error-code",
    ".errors",
    textOf(before.errors),
    textOf(after.errors),
  );
  const methods = compareMaps(
    "well-known-method",
    ".wellKnown",
    before.wellKnown,
    after.wellKnown,
  );
  const defaults = compareMaps(
    "engine-default",
    ".engineDefaults",
    textOfDefaults(before.engineDefaults),
    textOfDefaults(after.engineDefaults),
  );
  return [
    ...changed("opening-changed", before.opening, after.opening),
    ...switched,
    ...compareMaps("header", ".headers", before.headers, after.headers),
    ...errors,
    ...methods,
    ...compareMaps("meta-key", ".meta", before.meta, after.meta),
    ...defaults,
    ...compareFacts(before, after, comparedMembers),
  ];
}

/**
 * Compares all other members of a message or protocol as JSON, so that a member
 * that is added later is never ignored.
 */
export function compareFacts(
  before: object,
  after: object,
  compared: ReadonlySet<string>,
): Delta[] {
  const others = (facts: object): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(facts).flatMap(([name, value]) =>
        compared.has(name) || value === undefined || value === null
          ? []
          : [[name, JSON.stringify(value)]],
      ),
    );
  return compareMaps("fact", "", others(before), others(after));
}

/** A fact that is there on one side only is added or removed. */
function compareMaps(
  subject:
    | "header"
    | "error-code"
    | "well-known-method"
    | "meta-key"
    | "engine-default"
    | "fact",
  path: string,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Delta[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(
    (key): Delta[] => {
      const [old, fresh] = [before[key] ?? null, after[key] ?? null];
      return changed(
        `${subject}-${eventOf(old, fresh)}`,
        old,
        fresh,
        `${path}.${key}`,
      );
    },
  );
}

function textOf(codes: Protocol["errors"]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(codes).map(([name, code]) => [name, String(code)]),
  );
}

function textOfDefaults(
  engineDefaults: readonly EngineDefault[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    engineDefaults.map(({ object, member, value }) => [
      `${object}.${member}`,
      JSON.stringify(value),
    ]),
  );
}
