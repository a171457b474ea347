import { stubParts, type FlagName } from "./flag-specs.js";
import type { Flags } from "./flags.js";
import type { ExitCode } from "./fault.js";
import type { Terminal } from "./terminal.js";

/** A command: what the help says of it, which flags it knows, and where its code is. */
export interface CommandSpec {
  readonly name: string;
  /** Positional arguments as the help shows them. */
  readonly words: readonly WordSpec[];
  readonly describe: string;
  readonly flags: readonly FlagName[];
  /** What the help says of a flag that means something of its own here. */
  readonly meanings?: Partial<Record<FlagName, string>>;
  readonly examples: readonly (readonly [line: string, says: string])[];
  /** Loaded on demand, so that `list` never waits for a compiler. */
  load(): Promise<{ readonly run: Command }>;
}

export interface WordSpec {
  readonly name: string;
  readonly required: boolean;
}

/** Runs a command: arguments in, exit code out. Expected faults are thrown as `Fault`. */
export type Command = (words: readonly string[], flags: Flags, terminal: Terminal) => Promise<ExitCode>;

const common = ["json", "quiet", "no-color"] as const;
/** What names a server that is there, and says how it is reached. */
const live = [
  "url",
  "header",
  "stdio",
  "env",
  "not-secret",
  "module",
  "config",
  "timeout",
  "capabilities",
] as const;
const silent = ["quiet", "no-color"] as const;

/** The default command first, in the order of the help. */
export const commands: readonly CommandSpec[] = [
  {
    name: "generate",
    words: [],
    describe: "generate TypeScript from a revision of the protocol (the default command)",
    flags: [
      "version",
      "out",
      "schema",
      "extension",
      "emit",
      "runtime",
      "import-ext",
      "templates",
      "check",
      "dry-run",
      "clean",
      "force",
      "watch",
      "config",
      ...common,
    ],
    examples: [
      ["$0", "every job of mcpgen.config.ts"],
      ["$0 --version latest --out src/mcp", "the newest bundled revision"],
      ["$0 --version latest --out src/mcp --check", "in CI: is the committed output current?"],
      ["$0 --version all --out src/mcp --emit types,validators", "every revision, without client and server"],
      ["$0 --schema ./schema.ts --out src/mcp", "a schema of your own"],
      ["$0 --version latest --extension tasks --out src/mcp", "with an extension of the protocol"],
    ],
    load: () => import("./commands/generate.js"),
  },
  {
    name: "pull",
    words: [],
    describe: "take a snapshot of what a server offers: its tools, prompts and resources",
    flags: [...live, "out", "check", "force", ...common],
    meanings: {
      out: "the snapshot to write, or a folder for it (default: a file named after the server)",
      check: "write nothing; exit with 1 if the snapshot is not what the server offers now",
      force: "write over a file that is no snapshot",
    },
    examples: [
      ['$0 pull --stdio "node server.js" -o server.mcp.json', "a server that is started for it"],
      ['$0 pull --url https://example.com/mcp --header "Authorization: Bearer $TOKEN"', "a server elsewhere"],
      ["$0 pull --config weather -o snapshots/", "a server that .mcp.json names, into a folder"],
      ["$0 pull", "every server of mcpgen.config.ts that has a source"],
      ["$0 pull --module ./server.js#server -o server.mcp.json", "a server of your own, without starting it"],
    ],
    load: () => import("./commands/pull.js"),
  },
  {
    name: "stubs",
    words: [{ name: "snapshot", required: false }],
    describe: "generate a typed client and a server to fill in from a snapshot of a server",
    flags: [
      "out",
      ...live,
      "emit",
      "protocol",
      "runtime",
      "import-ext",
      "templates",
      "check",
      "dry-run",
      "clean",
      "force",
      "watch",
      ...common,
    ],
    meanings: {
      emit: `what to generate (default: both): ${stubParts.join(", ")}; types and validators come with each`,
    },
    examples: [
      ["$0 stubs weather.mcp.json --out src/weather", "from a snapshot that mcpgen pull has taken"],
      ["$0 stubs weather.mcp.json --out src/weather --emit client", "for a caller, without a server"],
      [
        "$0 stubs weather.mcp.json --out src/weather --protocol src/mcp",
        "with a revision that projects share",
      ],
      ['$0 stubs --stdio "node server.js" --out src/weather', "from a server, without keeping a snapshot"],
    ],
    load: () => import("./commands/stubs.js"),
  },
  {
    name: "check",
    words: [],
    describe: "is what the configuration asks for current? exit 1 for stale output or a server that drifted",
    flags: ["config", "live", "capabilities", "fail-on", "accept", "markdown", ...common],
    examples: [
      ["$0 check", "in CI: is everything generated from what is committed?"],
      ["$0 check --live --fail-on breaking", "and do the servers still offer what their snapshots say?"],
      ["$0 check --live --markdown > drift.md", "the same for a comment on a pull request"],
      ["$0 check --live --accept", "accept the drifts of today, and only them"],
    ],
    load: () => import("./commands/check.js"),
  },
  {
    name: "init",
    words: [],
    describe: "write a configuration, from the files of MCP clients that are there or by asking",
    flags: ["config", "yes", "force", ...silent],
    meanings: {
      config: "the file to write, .ts, .js or .json (default: mcpgen.config.ts)",
      force: "write over a configuration that is there",
    },
    examples: [
      ["$0 init --yes", "every server in .mcp.json and the like; without --yes, it asks which"],
      ["$0 init --yes --config mcpgen.config.json", "in JSON"],
    ],
    load: () => import("./commands/init.js"),
  },
  {
    name: "docs",
    words: [
      { name: "snapshot|revision|schema", required: true },
      { name: "second", required: false },
    ],
    describe: "write a page for people: what a server or a revision offers, or what sets two of them apart",
    flags: ["out", "templates", "check", "dry-run", "clean", "force", ...common],
    examples: [
      ["$0 docs weather.mcp.json --out site", "the tools, prompts and resources of a server"],
      ["$0 docs latest --out site", "the methods, types and error codes of a revision"],
      ["$0 docs latest ./schema.ts --out site", "what a draft would change, side by side"],
      ["$0 docs old.mcp.json new.mcp.json --out site", "what a server has changed, and whom it breaks"],
    ],
    load: () => import("./commands/docs.js"),
  },
  {
    name: "ir",
    words: [{ name: "revision|schema", required: true }],
    describe: "print the intermediate representation of a revision or schema file as JSON",
    flags: ["extension", ...silent],
    examples: [
      ["$0 ir latest > mcp.ir.json", "a file that --schema takes"],
      ["$0 ir latest --extension tasks", "with an extension of the protocol merged in"],
      ["$0 ir ./schema.json", "of a schema of your own"],
    ],
    load: () => import("./commands/ir.js"),
  },
  {
    name: "diff",
    words: [
      { name: "a", required: true },
      { name: "b", required: true },
    ],
    describe: "compare two revisions, schemas, IR files or snapshots: exit 0 when equal, 1 when different",
    flags: ["extension", "breaking", "markdown", "json", ...silent],
    examples: [
      ["$0 diff latest ./schema.ts --markdown", "what a draft would change, and for whom"],
      ["$0 diff old.mcp.json new.mcp.json", "what a server has changed, and whom it breaks"],
    ],
    load: () => import("./commands/diff.js"),
  },
  {
    name: "validate",
    words: [
      { name: "revision|schema", required: true },
      { name: "file|-", required: false },
    ],
    describe: "check messages, one JSON value a line, against a revision: exit 1 when one is invalid",
    flags: ["type", "extension", ...common],
    examples: [
      ["$0 validate latest session.jsonl", "requests, responses and notifications"],
      ["my-server | tee log | $0 validate latest -", "while a program runs"],
      ["$0 validate latest tools.jsonl --type Tool", "every line as one type"],
    ],
    load: () => import("./commands/validate.js"),
  },
  {
    name: "list",
    words: [],
    describe: "list the bundled revisions and extensions",
    flags: ["json", "no-color"],
    examples: [["$0 list --json", "for a script"]],
    load: () => import("./commands/list.js"),
  },
];

/** What `mcpgen` runs when no command is named. */
export function defaultCommand(): CommandSpec {
  const [first] = commands;
  if (first === undefined) throw new Error("There is no command at all.");
  return first;
}
