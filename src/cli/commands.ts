import type { CommandSpec } from "./command.js";
import { stubParts } from "./flag-specs.js";

const common = ["json", "quiet", "no-color"] as const;
/** Flags that name a running server or how to start one. */
const live = [
  "url",
  "header",
  "auth",
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
      ["$0", "run every job of mcpgen.config.ts"],
      ["$0 --version latest --out src/mcp", "the newest bundled revision"],
      ["$0 --version latest --out src/mcp --check", "in CI: is the committed output up to date?"],
      ["$0 --version all --out src/mcp --emit types,validators", "every revision, types and validators only"],
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
      out: "the snapshot file, or a folder for it (default: a file named after the server)",
      check: "write nothing; exit with 1 if the snapshot is out of date",
      force: "overwrite a file that is not a snapshot",
    },
    examples: [
      ['$0 pull --stdio "node server.js" -o server.mcp.json', "start a server and read it"],
      ['$0 pull --url https://example.com/mcp --header "Authorization: Bearer $TOKEN"', "a server at a URL"],
      ["$0 pull --config weather -o snapshots/", "a server of .mcp.json, into a folder"],
      ["$0 pull", "every server of mcpgen.config.ts with a source"],
      [
        "$0 pull --module ./server.js#server -o server.mcp.json",
        "a server of your own, without a new process",
      ],
    ],
    load: () => import("./commands/pull.js"),
  },
  {
    name: "stubs",
    words: [{ name: "snapshot", required: false }],
    describe: "generate a typed client and a server skeleton from a snapshot",
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
      ["$0 stubs weather.mcp.json --out src/weather", "from a snapshot of mcpgen pull"],
      ["$0 stubs weather.mcp.json --out src/weather --emit client", "the client only"],
      ["$0 --version 2025-11-25 --out src/mcp", "a revision that projects share"],
      ["$0 stubs weather.mcp.json --out src/weather --protocol src/mcp", "a project that uses it"],
      [
        '$0 stubs --stdio "node server.js" --out src/weather',
        "from a running server, without a snapshot file",
      ],
    ],
    load: () => import("./commands/stubs.js"),
  },
  {
    name: "check",
    words: [],
    describe: "verify that generated files and snapshots are up to date; exit with 1 if one is not",
    flags: ["config", "live", "capabilities", "fail-on", "accept", "markdown", ...common],
    examples: [
      ["$0 check", "in CI: is each generated file up to date?"],
      ["$0 check --live --fail-on breaking", "also: did a server make a breaking change?"],
      ["$0 check --live --markdown > drift.md", "the same as Markdown, for a comment on a pull request"],
      ["$0 check --live --accept", "accept the differences of today"],
    ],
    load: () => import("./commands/check.js"),
  },
  {
    name: "login",
    words: [],
    describe: "sign in to a server; pull, stubs and check --live then use its token",
    flags: [
      "url",
      "config",
      "header",
      "account",
      "scope",
      "client-id",
      "device",
      "no-browser",
      "list",
      ...common,
    ],
    meanings: { config: "the name of a server in .mcp.json and similar files, or file.json#name" },
    examples: [
      ["$0 login --url https://example.com/mcp", "with the browser of this machine"],
      ["$0 login --url https://example.com/mcp --device", "in a remote shell, if the server supports it"],
      ["$0 login --list", "the servers with a stored token; never prints a token"],
    ],
    load: () => import("./commands/login.js"),
  },
  {
    name: "logout",
    words: [],
    describe: "remove the token of a server, and revoke it where the server supports that",
    flags: ["url", "config", "account", ...common],
    meanings: { config: "the name of a server in .mcp.json and similar files, or file.json#name" },
    examples: [["$0 logout --url https://example.com/mcp", "sign out"]],
    load: () => import("./commands/logout.js"),
  },
  {
    name: "init",
    words: [],
    describe: "write a configuration from the files of MCP clients, or from your answers",
    flags: ["config", "yes", "force", ...silent],
    meanings: {
      config: "the file to write, .ts, .js or .json (default: mcpgen.config.ts)",
      force: "overwrite an existing configuration",
    },
    examples: [
      ["$0 init --yes", "every server in .mcp.json and similar files; without --yes, it asks which"],
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
    describe: "write an HTML page about a server or a revision, or about the changes between two",
    flags: ["out", "templates", "check", "dry-run", "clean", "force", ...common],
    examples: [
      ["$0 docs weather.mcp.json --out site", "the tools, prompts and resources of a server"],
      ["$0 docs latest --out site", "the methods, types and error codes of a revision"],
      ["$0 docs latest ./schema.ts --out site", "the changes in a draft, side by side"],
      ["$0 docs old.mcp.json new.mcp.json --out site", "the changes of a server, and who breaks"],
    ],
    load: () => import("./commands/docs.js"),
  },
  {
    name: "ir",
    words: [{ name: "revision|schema", required: true }],
    describe: "print the intermediate representation of a revision or schema file as JSON",
    flags: ["extension", ...silent],
    examples: [
      ["$0 ir latest > mcp.ir.json", "a file for --schema"],
      ["$0 ir latest --extension tasks", "with an extension of the protocol"],
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
    describe: "compare two revisions, schemas, IR files or snapshots; exit with 1 if they differ",
    flags: ["extension", "breaking", "markdown", "json", ...silent],
    examples: [
      ["$0 diff latest ./schema.ts --markdown", "the changes in a draft, and who breaks"],
      ["$0 diff old.mcp.json new.mcp.json", "the changes of a server, and who breaks"],
    ],
    load: () => import("./commands/diff.js"),
  },
  {
    name: "validate",
    words: [
      { name: "revision|schema", required: true },
      { name: "file|-", required: false },
    ],
    describe: "check messages, one JSON value per line, against a revision; exit with 1 if one is invalid",
    flags: ["type", "extension", ...common],
    examples: [
      ["$0 validate latest session.jsonl", "requests, responses and notifications"],
      ["my-server | tee log | $0 validate latest -", "while a program runs"],
      ["$0 validate latest tools.jsonl --type Tool", "each line as one type"],
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

/** The command of `mcpgen` without a command name. */
export function defaultCommand(): CommandSpec {
  const [first] = commands;
  if (first === undefined) throw new Error("No command is defined.");
  return first;
}
