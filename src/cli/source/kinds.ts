/** What a source can give; one may give several of them. */
export type SourcePart = "job" | "snapshot" | "server" | "schema";

/** What to do where a command needs a server and only has a file. */
const record =
  "name the server itself, or run mcpgen add <server>, which records where it is";
/** What to do where a server is not in the configuration. */
const add =
  "mcpgen add <server> records it; mcpgen diff <snapshot> <server> compares it once";

/**
 * The kinds of sources: what each one is, and what to do where a command cannot
 * use it.
 */
export const sourceKinds = {
  url: { is: "a URL", instead: add },
  command: { is: "a command", instead: add },
  module: { is: "a module", instead: add },
  entry: { is: "an entry of a client's configuration", instead: add },
  configured: {
    is: "a server without a source",
    instead:
      'add its source to the configuration, such as source: { url: "https://example.com/mcp" }',
  },
  snapshot: { is: "a snapshot", instead: record },
  folder: { is: "a folder of stubs", instead: record },
  schema: {
    is: "a schema of the protocol",
    instead: "mcpgen --schema <path> --out <dir> generates its code",
  },
  revision: {
    is: "a revision of the protocol",
    instead: "mcpgen --version <revision> --out <dir> generates its code",
  },
} as const;

export type SourceKind = keyof typeof sourceKinds;

/**
 * What commands need of a source: what they expect in words, and the parts that
 * they can use, the preferred one first.
 */
export const sourceNeeds = {
  server: { expected: "a server", uses: ["server"] },
  snapshot: {
    expected: "a server or its snapshot",
    uses: ["snapshot", "server"],
  },
  any: { expected: "a source", uses: ["snapshot", "server", "schema"] },
  job: { expected: "a server of the configuration", uses: ["job"] },
  record: {
    expected: "a server or its snapshot",
    uses: ["job", "snapshot", "server"],
  },
} as const satisfies Readonly<
  Record<
    string,
    { readonly expected: string; readonly uses: readonly SourcePart[] }
  >
>;

export type SourceNeed = keyof typeof sourceNeeds;
