import type { CommandSpec } from "./command.js";
import {
  commandFlags,
  common,
  extension,
  namesOf,
  quiet,
  server,
  write,
} from "./flag-specs.js";

/** The default command first, in the order of the help. */
export const commands: readonly [CommandSpec, ...CommandSpec[]] = [
  {
    name: "generate",
    operands: [],
    describe: "generate TypeScript from a revision of the protocol",
    flags: commandFlags.generate,
    examples: [
      ["$0", "every job of mcpgen.config.ts"],
      ["$0 --version latest --out src/mcp", "the newest revision"],
      ["$0 --version latest --out src/mcp --check", "fails if it is stale"],
    ],
    load: () => import("./commands/generate/command.js"),
  },
  {
    name: "pull",
    operands: [
      { name: "server", required: false, isList: true, kind: "server" },
    ],
    describe: "take a snapshot of what a server offers",
    flags: commandFlags.pull,
    examples: [
      [
        '$0 pull --stdio "node server.js" -o server.mcp.json',
        "starts the server",
      ],
      ["$0 pull weather -o snapshots/", "an entry of .mcp.json"],
    ],
    load: () => import("./commands/pull/command.js"),
  },
  {
    name: "stubs",
    operands: [{ name: "snapshot", required: false }],
    describe: "generate a typed client, or a server skeleton",
    details: "From a snapshot, or from a server in its place.",
    flags: commandFlags.stubs,
    elsewhere: [
      { flags: namesOf(server), command: "pull" },
      { flags: namesOf(write), command: "generate" },
    ],
    examples: [
      [
        "$0 stubs weather.mcp.json --out src/weather",
        "a snapshot of mcpgen pull",
      ],
      ["$0 --version 2025-11-25 --out mcp --emit client,stubs", "shared files"],
      ["$0 stubs weather.mcp.json --out gen --protocol mcp", "imports them"],
    ],
    load: () => import("./commands/stubs/command.js"),
  },
  {
    name: "call",
    operands: [
      { name: "server", required: false, kind: "server" },
      { name: "tool", required: false, kind: "tool" },
      { name: "argument=value", required: false, isList: true },
    ],
    describe: "call a tool of a server, or list its tools",
    details:
      "<server> is a URL, an entry of .mcp.json or a similar file, a module (file.ts#export), or a snapshot whose source is in mcpgen.config.*; or use the flags. An argument is city=Paris or --city Paris. Exits with 1 if the tool reports an error.",
    flags: commandFlags.call,
    takesArguments: true,
    elsewhere: [{ flags: namesOf(server), command: "pull" }],
    examples: [
      ["$0 call weather", "the tools of an entry of .mcp.json"],
      ["$0 call weather get_forecast city=Paris days=2", "a call"],
      [
        "$0 call weather.mcp.json get_forecast --args '{\"days\":2}'",
        "a snapshot",
      ],
    ],
    load: () => import("./commands/call/command.js"),
  },
  {
    name: "check",
    operands: [],
    describe: "check that generated files and snapshots are current",
    details: "Exits with 1 if one is not.",
    flags: commandFlags.check,
    examples: [
      ["$0 check", "fails in CI if a generated file is stale"],
      [
        "$0 check --live --fail-on breaking",
        "also if a server broke its callers",
      ],
      ["$0 check --live --markdown > changes.md", "for a pull request"],
      ["$0 check --live --accept", "accepts the differences"],
    ],
    load: () => import("./commands/check/command.js"),
  },
  {
    name: "lint",
    operands: [
      { name: "server", required: false, isList: true, kind: "server" },
    ],
    describe: "find what a model or its provider will trip over",
    details:
      "<server> is a snapshot, a URL, an entry of .mcp.json or a module; without one, the servers of the configuration. Exits with 1 for errors and warnings.",
    flags: commandFlags.lint,
    elsewhere: [{ flags: namesOf(server), command: "pull" }],
    examples: [
      [
        "$0 lint weather.mcp.json",
        "the rules of all providers but strict ones",
      ],
      ["$0 lint weather.mcp.json --for gemini --budget 5000", "one provider"],
    ],
    isAddOn: true,
    load: () => import("../commands/lint/command.js"),
  },
  {
    name: "card",
    operands: [{ name: "snapshot", required: true }],
    describe: "write server.json of the registry, and a server card",
    details:
      "From a snapshot and the nearest package.json. What you add to a file by hand stays.",
    flags: commandFlags.card,
    examples: [
      ["$0 card weather.mcp.json", "beside package.json"],
      ["$0 card weather.mcp.json --dry-run", "what would change"],
    ],
    isAddOn: true,
    load: () => import("../commands/card/command.js"),
  },
  {
    name: "migrate",
    operands: [{ name: "file", required: true, isList: true }],
    describe: "convert a server of the official SDK or of FastMCP",
    details:
      "Changes the files in place. What it does not know stays as it is, and is listed with its place and what to do. Name all files that make the server or register something.",
    flags: commandFlags.migrate,
    examples: [
      ["$0 migrate src/server.ts --dry-run", "shows what would change"],
      ["$0 migrate src/*.ts --protocol src/mcp", "several files of one server"],
    ],
    isAddOn: true,
    load: () => import("../commands/migrate/command.js"),
  },
  {
    name: "update",
    operands: [],
    describe: "pin new revisions of the protocol in mcpgen.lock.json",
    flags: commandFlags.update,
    examples: [
      ["$0 update", "what is new in the official repository"],
      ["$0 update --revision draft", "the draft, for --version draft"],
      ["$0 update --from ./modelcontextprotocol", "a clone, without a network"],
      ["$0 update --markdown > update.md", "for a pull request"],
      ["$0 update --check", "fails in CI if something is newer"],
    ],
    isAddOn: true,
    load: () => import("../commands/update/command.js"),
  },
  {
    name: "login",
    operands: [],
    describe: "sign in to a server, for pull, stubs, call and check",
    flags: commandFlags.login,
    examples: [
      [
        "$0 login --url https://example.com/mcp",
        "in the browser of this machine",
      ],
      ["$0 login --url https://example.com/mcp --device", "in a remote shell"],
    ],
    load: () => import("./commands/login/command.js"),
  },
  {
    name: "logout",
    operands: [],
    describe: "remove the token of a server, and revoke it if possible",
    flags: commandFlags.logout,
    examples: [
      ["$0 logout --url https://example.com/mcp", "the default account"],
      ["$0 logout --url https://example.com/mcp --account work", "another one"],
    ],
    load: () => import("./commands/logout/command.js"),
  },
  {
    name: "init",
    operands: [],
    describe: "write a configuration for the servers of a project",
    flags: commandFlags.init,
    examples: [
      ["$0 init --yes", "every server in .mcp.json and similar files"],
      ["$0 init --yes --config mcpgen.config.json", "in JSON"],
      ["$0 init --server notes", "a server in code, its test, and npm start"],
      ["$0 init --server-from-file notes", "from a file of tools"],
      [
        "$0 init --yes --protect https://auth.example.com",
        "also writes a server",
      ],
      ["$0 init --ci github --yes", "workflows of GitHub Actions"],
    ],
    load: () => import("./commands/init/command.js"),
  },
  {
    name: "docs",
    operands: [
      { name: "snapshot|revision|schema", required: true, kind: "revision" },
      { name: "second", required: false, kind: "revision" },
    ],
    describe: "write a page about a server, a revision or changes",
    details:
      "Markdown and HTML. With a second source: about the changes from the first to the second.",
    flags: commandFlags.docs,
    examples: [
      ["$0 docs weather.mcp.json --out docs", "a server"],
      [
        "$0 docs latest --out docs",
        "the methods, types and errors of a revision",
      ],
      ["$0 docs latest ./schema.ts --out docs", "the changes in a draft"],
      [
        "$0 docs old.mcp.json new.mcp.json --out docs",
        "the changes of a server",
      ],
    ],
    isAddOn: true,
    load: () => import("../commands/docs/command.js"),
  },
  {
    name: "ir",
    operands: [{ name: "revision|schema", required: true, kind: "revision" }],
    describe: "print the representation of a schema as JSON",
    flags: { ...extension, ...quiet },
    examples: [
      [
        "$0 ir latest > mcp.ir.json",
        "a JSON Schema with facts, for other tools",
      ],
      ["$0 ir latest --extension tasks", "with an extension of the protocol"],
      ["$0 ir ./schema.json", "of a schema of your own"],
    ],
    load: () => import("./commands/ir/command.js"),
  },
  {
    name: "diff",
    operands: [
      { name: "a", required: true, kind: "revision" },
      { name: "b", required: true, kind: "revision" },
    ],
    describe: "compare two revisions, schemas or snapshots",
    details: "Exits with 1 if they differ.",
    flags: commandFlags.diff,
    examples: [
      ["$0 diff latest ./schema.ts --markdown", "with the peers that break"],
      ["$0 diff old.mcp.json new.mcp.json", "the changes of a server"],
    ],
    load: () => import("./commands/diff/command.js"),
  },
  {
    name: "validate",
    operands: [
      { name: "revision|schema", required: true, kind: "revision" },
      { name: "file|-", required: false },
    ],
    describe: "check messages of the protocol, one per line",
    details: "Exits with 1 if one is invalid.",
    flags: commandFlags.validate,
    examples: [
      ["$0 validate latest session.jsonl", "requests and responses"],
      ["my-server | tee log | $0 validate latest -", "while a program runs"],
      ["$0 validate latest tools.jsonl --type Tool", "each line as one type"],
    ],
    isAddOn: true,
    load: () => import("../commands/validate/command.js"),
  },
  {
    name: "list",
    operands: [],
    describe: "list the revisions and extensions",
    flags: { json: common.json, "no-color": common["no-color"] },
    examples: [
      ["$0 list", "with pinned revisions"],
      ["$0 list --json", "for a script"],
    ],
    load: () => import("./commands/list/command.js"),
  },
  {
    name: "completion",
    operands: [{ name: "shell", required: true, kind: "shell" }],
    describe: "print a script that completes mcpgen in bash, zsh or fish",
    details:
      "It completes commands, flags, their values, revisions, and the servers of .mcp.json.",
    flags: quiet,
    examples: [
      ["$0 completion bash > mcpgen.bash", "source it in ~/.bashrc"],
      [
        "$0 completion zsh > mcpgen.zsh",
        "source it in ~/.zshrc, after compinit",
      ],
      ["$0 completion fish > mcpgen.fish", "for ~/.config/fish/completions"],
    ],
    isAddOn: true,
    load: () => import("../commands/completion/command.js"),
  },
  {
    name: "explain",
    operands: [{ name: "code", required: true, isList: true, kind: "code" }],
    describe: "say what a code such as MG307 means, and what to do",
    flags: quiet,
    examples: [
      ["$0 explain MG307", "a code of an error, a warning or a note"],
      ["$0 explain MG307 MG316", "several codes"],
    ],
    load: () => import("./commands/explain/command.js"),
  },
];

/** The command of `mcpgen` without a command name. */
export const defaultCommand = (): CommandSpec => commands[0];
