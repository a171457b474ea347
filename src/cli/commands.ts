import { commandGroups, type CommandSpec } from "./command.js";
import { addOns } from "./add-ons.js";
import {
  commandFlags,
  common,
  extension,
  type FlagName,
  type FlagSpec,
  namesOf,
  quiet,
  server,
  write,
} from "./flag-specs.js";

/** The commands of the frame. The first one is the default. */
const frame: readonly [CommandSpec, ...CommandSpec[]] = [
  {
    name: "generate",
    group: "start",
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
    name: "add",
    group: "start",
    operands: [{ name: "source", kind: "server" }],
    describe: "add a server: its client, its entry, its watch in CI",
    details:
      "Takes a snapshot, writes a typed client, records the server in the configuration, and prints a program that calls it. Run it again to update.",
    flags: commandFlags.add,
    elsewhere: [{ flags: namesOf(server), command: "pull" }],
    examples: [
      ['$0 add "npx -y @modelcontextprotocol/server-everything"', "a command"],
      ["$0 add https://example.com/mcp --name weather", "a URL"],
      ["$0 add weather", "an entry of .mcp.json"],
    ],
    load: () => import("./commands/add/command.js"),
  },
  {
    name: "pull",
    group: "start",
    operands: [{ name: "source", isList: true, kind: "server" }],
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
    group: "start",
    operands: [{ name: "source", kind: "server" }],
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
    group: "servers",
    operands: [
      { name: "server", kind: "server" },
      { name: "tool", kind: "tool" },
      { name: "argument=value", isList: true },
    ],
    describe: "call a tool of a server, or list its tools",
    details:
      "An argument is city=Paris or --city Paris. Exits with 1 if the tool reports an error.",
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
    group: "projects",
    operands: [{ name: "source", isList: true, kind: "server" }],
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
    name: "login",
    group: "servers",
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
    group: "servers",
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
    group: "start",
    operands: [],
    describe: "write a configuration for the servers of a project",
    flags: commandFlags.init,
    examples: [
      ["$0 init --yes", "every server in .mcp.json and similar files"],
      ["$0 init --yes --config mcpgen.config.json", "in JSON"],
      ["$0 init --server notes", "a server in code, ready to run"],
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
    name: "ir",
    group: "revisions",
    operands: [{ name: "revision|schema", isRequired: true, kind: "revision" }],
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
    group: "revisions",
    operands: [
      { name: "a", isRequired: true, kind: "revision" },
      { name: "b", isRequired: true, kind: "revision" },
    ],
    describe: "compare two revisions, schemas or servers",
    details: "Exits with 1 if they differ.",
    flags: commandFlags.diff,
    examples: [
      ["$0 diff latest ./schema.ts --markdown", "with the peers that break"],
      ["$0 diff old.mcp.json new.mcp.json", "the changes of a server"],
      ["$0 diff old.mcp.json https://example.com/mcp", "what it offers now"],
    ],
    load: () => import("./commands/diff/command.js"),
  },
  {
    name: "list",
    group: "revisions",
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
    name: "explain",
    group: "projects",
    operands: [{ name: "code", isRequired: true, isList: true, kind: "code" }],
    describe: "say what a code such as MG307 means, and what to do",
    flags: quiet,
    examples: [
      ["$0 explain MG307", "a code of an error, a warning or a note"],
      ["$0 explain MG307 MG316", "several codes"],
    ],
    load: () => import("./commands/explain/command.js"),
  },
];

/** All commands, in the order of the help: by group, the frame first. */
export const commands: readonly CommandSpec[] = Object.keys(
  commandGroups,
).flatMap((name) =>
  [...frame, ...addOns].filter(({ group }) => group === name),
);

/** The command of `mcpgen` without a command name. */
export const defaultCommand = (): CommandSpec => frame[0];

/**
 * All flags of all commands. Whether a flag takes a value is the same for each
 * command.
 */
export const flagSpecs = Object.assign(
  {},
  ...commands.map(({ flags }) => flags),
) as Readonly<Record<FlagName, FlagSpec>>;

export const isSwitch = (name: FlagName): boolean =>
  flagSpecs[name].value === undefined && flagSpecs[name].choices === undefined;
