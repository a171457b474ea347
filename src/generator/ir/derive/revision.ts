import type { Location } from "../../diagnostics.js";
import { errorMethods } from "../facts.js";
import type { ErrorName, Opening, Protocol } from "../model.js";
import type { DeriveContext } from "./context.js";

/**
 * What the prose of one revision says and its schema does not: the content of a
 * `facts.json`.
 */
export type RevisionFacts = Pick<
  Protocol,
  "opening" | "headers" | "errors" | "primedStreams" | "replacedCodes"
>;

/** Where the facts of a revision come from. */
export interface FactSources {
  /**
   * The facts of the schema itself, any of which may be absent; null without
   * them.
   */
  readonly own: {
    readonly facts: Partial<RevisionFacts>;
    readonly openingAt: Location | null;
  } | null;
  /** The facts of the bundled revisions by name, oldest first. */
  readonly bundled: ReadonlyMap<string, RevisionFacts>;
}

/**
 * The facts of a protocol, as the source for a protocol that is derived from
 * it.
 */
export function factsIn(facts: RevisionFacts): FactSources {
  return { own: { facts, openingAt: null }, bundled: new Map() };
}

/**
 * The facts of a revision: its own, otherwise those of the bundled revision
 * with its name. If neither has a fact, it is taken from the newest bundled
 * revision with the same opening, and a note says so. Reports own facts that
 * contradict the schema.
 */
export function factsOf(
  context: DeriveContext,
  revision: string,
  { wellKnown, meta }: Pick<Protocol, "wellKnown" | "meta">,
  { own, bundled }: FactSources,
): RevisionFacts {
  const { scope } = context;
  const opening = openingOf(context, { wellKnown, meta }, own);
  const suitable = [...bundled].filter(
    ([, facts]) => facts.opening === opening,
  );
  const [newest, assumed] = suitable.at(-1) ?? [null, nothing];
  const stated: Partial<RevisionFacts> = {
    ...suitable.find(([name]) => name === revision)?.[1],
    ...own?.facts,
  };
  /**
   * Returns a fact. If it is assumed, a note names what the schema does not
   * say: `question`; null for no note.
   */
  const fact = <Name extends Exclude<keyof RevisionFacts, "opening">>(
    name: Name,
    question: string | null,
    show: (value: RevisionFacts[Name]) => string,
  ): RevisionFacts[Name] => {
    const value: RevisionFacts[Name] | undefined = stated[name];
    if (value !== undefined) return value;
    if (question !== null) {
      const origin = newest === null ? "assumed" : `assumed as in ${newest}`;
      const message = `the schema does not say ${question}; ${origin}: ${show(assumed[name])}`;
      scope.note(
        "MG407",
        null,
        message,
        `write "${name}" into a facts.json beside the schema`,
      );
    }
    return assumed[name];
  };
  const names = errorNames.filter(
    (name) => wellKnown[errorMethods[name]] !== undefined,
  );
  const codes = fact(
    "errors",
    names.length === 0 ? null : "which error codes only the prose defines",
    (errors) => listed(names.map((name) => `${name} ${errors[name]}`)),
  );
  const headers = fact(
    "headers",
    "which HTTP headers the revision has",
    (values) => listed(Object.values(values)),
  );
  const primedStreams = fact(
    "primedStreams",
    "whether a stream starts with an event id",
    (starts) => (starts ? "it does" : "it does not"),
  );
  const replacedCodes = fact(
    "replacedCodes",
    "which error codes a server must not send",
    (rows) =>
      listed(
        rows.map(({ from, to }) =>
          from === to ? `${from}` : `${from} to ${to}`,
        ),
      ),
  );
  return {
    opening,
    headers,
    errors: Object.fromEntries(
      names.flatMap((name) => (name in codes ? [[name, codes[name]]] : [])),
    ),
    primedStreams,
    replacedCodes,
  };
}

const errorNames = Object.keys(errorMethods) as ErrorName[];

const nothing: RevisionFacts = {
  opening: "initialize",
  headers: {},
  errors: {},
  primedStreams: false,
  replacedCodes: [],
};

function listed(words: readonly string[]): string {
  return words.length === 0 ? "none" : words.join(", ");
}

/**
 * How a connection opens: with a method of its own, otherwise with metadata on
 * every request.
 */
function openingOf(
  { scope }: DeriveContext,
  { wellKnown, meta }: Pick<Protocol, "wellKnown" | "meta">,
  own: FactSources["own"],
): Opening {
  const stated = own?.facts.opening;
  const [implied, reason] =
    wellKnown.initialize !== undefined
      ? (["initialize", "an initialize request"] as const)
      : meta.protocolVersion !== undefined
        ? ([
            "per-request",
            "a protocol version in the metadata of requests",
          ] as const)
        : ([null, ""] as const);
  if (implied !== null && stated !== undefined && stated !== implied) {
    scope.error(
      "MG409",
      own?.openingAt ?? null,
      `found the opening "${stated}", expected "${implied}": the schema has ${reason}`,
      `write "${implied}", or change the schema`,
    );
  }
  if (implied === null && stated === undefined) {
    scope.note(
      "MG406",
      null,
      "the schema has neither an initialize request nor a protocol version in the metadata of requests; " +
        "the revision is assumed to send metadata with every request",
      'declare one of the two, or write "opening" into a facts.json beside the schema',
    );
  }
  return implied ?? stated ?? "per-request";
}
