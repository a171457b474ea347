// The proposals in the changelog of 2026-07-28
// (https://modelcontextprotocol.io/specification/2026-07-28/changelog), in our
// own words.

export interface Proposal {
  /** The number of the proposal; null for a change without one. */
  readonly sep: number | null;
  /** Other changes of the same proposal are other rows. */
  readonly what: string;
  /**
   * The ids of its requirements in test/behaviour.md, which the comments in
   * src/ name; null if no requirement is only about it.
   */
  readonly requirements: RegExp | null;
  /** The rows of src/generator/ir/facts.ts that exist for it. */
  readonly facts?: RegExp;
  /**
   * The bundled extension that it became: its rows in src/generator/ir/facts.ts count.
   */
  readonly extension?: string;
  /** Its members in facts.json of the revision. */
  readonly members?: readonly string[];
  /** Why there is no requirement to look for, or what the figures leave out. */
  readonly note?: string;
}

export const proposals: readonly Proposal[] = [
  {
    sep: 2575,
    what: "no handshake: each request carries its metadata",
    requirements: /^(?:META-0[1-79]|COMPAT-\d+|VERS-(?:0[6-9]|10))$/,
    facts:
      /"(?:protocolVersion|clientInfo|clientCapabilities|serverInfo|logLevel|_meta)"/,
    members: ["opening"],
    note: "with the code that finds out which of both eras the other side speaks",
  },
  {
    sep: 2575,
    what: "`server/discover`",
    requirements: /^DISC-/,
    facts: /discover/i,
  },
  {
    sep: 2575,
    what: "`subscriptions/listen`",
    requirements: /^SUBS-/,
    facts: /subscription/i,
  },
  {
    sep: 2575,
    what: "no event ids: a stream that breaks is not resumed",
    requirements: null,
    members: ["primedStreams"],
    note: "takes away: older revisions still need the code",
  },
  {
    sep: 2567,
    what: "no sessions",
    requirements: null,
    note: "takes away: older revisions still need the code",
  },
  {
    sep: 2322,
    what: "questions to the client as results",
    requirements: /^MRTR-/,
    facts: /InputRe|inputResponses|resultType/,
  },
  {
    sep: 2663,
    what: "tasks as an extension",
    requirements: /^XTASK-/,
    extension: "tasks",
  },
  {
    sep: 2243,
    what: "headers that repeat the method, the name and arguments",
    requirements: /^HDR-/,
    facts: /^headerMembers /,
    members: ["headers"],
  },
  {
    sep: 2549,
    what: "how long a result may be kept",
    requirements: /^CACHE-/,
    facts: /ttlMs|cacheScope/,
    note: "with a cache for clients, which the proposal only permits",
  },
  {
    sep: null,
    what: "capabilities of extensions",
    requirements: /^EXT-/,
    facts: /"extensions"/,
    note: "most of it is generated code",
  },
  {
    sep: 414,
    what: "trace context in the metadata",
    requirements: /^META-08$/,
  },
  {
    sep: null,
    what: "ranges of error codes, and another code for a missing resource",
    requirements: /^JRPC-(?:15|18|19)$/,
    members: ["errors", "replacedCodes"],
  },
  {
    sep: 2468,
    what: "the issuer in the answer of a sign-in",
    requirements: /^AUTH-3[56]$/,
  },
  {
    sep: 837,
    what: "the kind of application in a registration",
    requirements: /^AUTH-24$/,
  },
  {
    sep: 2352,
    what: "credentials that belong to one issuer",
    requirements: /^AUTH-26$/,
  },
  {
    sep: 2106,
    what: "any keyword of JSON Schema 2020-12",
    requirements: null,
    note: "no code is only for it: the reader of schemas had all keywords before",
  },
  {
    sep: 2577,
    what: "roots, sampling and logging are deprecated",
    requirements: null,
    note: "from the tags of the schema",
  },
];
