import type { AddOn, AddOns } from "./command.js";
import {
  common,
  config,
  extension,
  lintSettings,
  list,
  markdown,
  namesOf,
  on,
  out,
  quiet,
  server,
  text,
  updateSettings,
  write,
  writeOnce,
} from "./flag-specs.js";

/**
 * The commands in src/commands. No other file of the command line names one of
 * these folders.
 */
export const addOns: readonly AddOn[] = [
  {
    name: "lint",
    group: "servers",
    isAddOn: true,
    operands: [{ name: "source", isList: true, kind: "server" }],
    describe: "find what a model or its provider will trip over",
    details:
      "Without a source: the servers of the configuration. Exits with 1 for errors and warnings.",
    flags: { ...lintSettings, ...server, ...markdown, ...common },
    elsewhere: [{ flags: namesOf(server), command: "pull" }],
    examples: [
      [
        "$0 lint weather.mcp.json",
        "the rules of all providers but strict ones",
      ],
      ["$0 lint weather.mcp.json --for gemini --budget 5000", "one provider"],
    ],
    load: () => import("../commands/lint/command.js"),
    check: async (config) =>
      config.config.lint === undefined
        ? null
        : await (await import("../commands/lint/check.js")).check(config),
  },
  {
    name: "card",
    group: "servers",
    isAddOn: true,
    operands: [{ name: "source", isRequired: true, kind: "server" }],
    describe: "write server.json of the registry, and a server card",
    details:
      "From a snapshot and the nearest package.json. What you add to a file by hand stays.",
    flags: {
      mcpb: on("output", "write manifest.json of a .mcpb bundle instead"),
      out: text(
        "output",
        "dir",
        "the folder of the files (default: the working directory)",
      ),
      "dry-run": write["dry-run"],
      ...common,
    },
    examples: [
      ["$0 card weather.mcp.json", "beside package.json"],
      ["$0 card weather.mcp.json --dry-run", "what would change"],
      ["$0 card weather --mcpb", "the bundle of a server of the configuration"],
    ],
    load: () => import("../commands/card/command.js"),
    check: async (config) =>
      config.config.servers?.some(({ card }) => card !== undefined) === true
        ? await (await import("../commands/card/command.js")).check(config)
        : null,
  },
  {
    name: "migrate",
    group: "servers",
    isAddOn: true,
    operands: [{ name: "file", isRequired: true, isList: true }],
    describe: "convert a server of the official SDK or of FastMCP",
    details:
      "Changes the files in place. What it does not know stays as it is, and is listed with its place and what to do. Name all files that make the server or register something.",
    flags: {
      protocol: text(
        "output",
        "dir",
        "the folder of generate to import (default: mcp beside them)",
      ),
      "dry-run": on("run", "write nothing; show the difference"),
      force: on("run", "write it with what is left to do by hand"),
      ...common,
    },
    examples: [
      ["$0 migrate src/server.ts --dry-run", "shows what would change"],
      ["$0 migrate src/*.ts --protocol src/mcp", "several files of one server"],
    ],
    load: () => import("../commands/migrate/command.js"),
  },
  {
    name: "update",
    group: "revisions",
    isAddOn: true,
    operands: [],
    describe: "pin new revisions of the protocol in mcpgen.lock.json",
    flags: {
      ...updateSettings,
      version: list(
        "source",
        "revision",
        "dates, latest, draft or all (default: new ones)",
      ),
      extension: list(
        "source",
        "name",
        "an extension to pin, from this URL or path",
      ),
      check: on("run", "write nothing; exit with 1 if something is newer"),
      "dry-run": on("run", "write nothing; show what would change"),
      timeout: text(
        "run",
        "seconds",
        "maximum seconds without data (default: 60)",
      ),
      ...config,
      ...markdown,
      ...common,
    },
    examples: [
      ["$0 update", "what is new in the official repository"],
      ["$0 update --revision draft", "the draft, for --version draft"],
      ["$0 update --from ./modelcontextprotocol", "a clone, without a network"],
      ["$0 update --markdown > update.md", "for a pull request"],
      ["$0 update --check", "fails in CI if something is newer"],
    ],
    load: () => import("../commands/update/command.js"),
  },
  {
    name: "code",
    group: "servers",
    isAddOn: true,
    operands: [{ name: "source", isList: true, kind: "server" }],
    describe: "let a model write programs over the tools of several servers",
    details:
      "Writes api.d.ts for a model, catalog.ts, and code.ts, which checks programs and runs them within limits. Without a source: the servers of code in the configuration.",
    flags: { ...out, ...writeOnce, ...common },
    examples: [
      ["$0 code files.mcp.json memory.mcp.json --out src/agent", "two servers"],
      [
        "$0 code weather --out src/weather-agent",
        "a server of the configuration",
      ],
    ],
    load: () => import("../commands/code/command.js"),
    check: async (config) =>
      config.config.code === undefined
        ? null
        : await (await import("../commands/code/command.js")).check(config),
  },
  {
    name: "docs",
    group: "revisions",
    isAddOn: true,
    operands: [
      { name: "snapshot|revision|schema", isRequired: true, kind: "revision" },
    ],
    describe: "write a page about a server or a revision",
    details: "In Markdown.",
    flags: {
      ...out,
      ...writeOnce,
      ...common,
    },
    examples: [
      ["$0 docs weather.mcp.json --out docs", "a server"],
      [
        "$0 docs latest --out docs",
        "the methods, types and errors of a revision",
      ],
    ],
    gone: {
      operand: "mcpgen diff <a> <b> --markdown prints the changes",
      "--templates":
        "mcpgen docs writes Markdown only; a site generator makes HTML of it",
    },
    load: () => import("../commands/docs/command.js"),
  },
  {
    name: "validate",
    group: "revisions",
    isAddOn: true,
    operands: [
      { name: "revision|schema", isRequired: true, kind: "revision" },
      { name: "file|-" },
    ],
    describe: "check messages of the protocol, one per line",
    details: "Exits with 1 if one is invalid.",
    flags: {
      type: text("run", "name", "check each line as this type of the schema"),
      ...extension,
      ...common,
    },
    examples: [
      ["$0 validate latest session.jsonl", "requests and responses"],
      ["my-server | tee log | $0 validate latest -", "while a program runs"],
      ["$0 validate latest tools.jsonl --type Tool", "each line as one type"],
    ],
    load: () => import("../commands/validate/command.js"),
  },
  {
    name: "completion",
    group: "projects",
    isAddOn: true,
    operands: [{ name: "shell", isRequired: true, kind: "shell" }],
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
    load: () => import("../commands/completion/command.js"),
  },
];

/** What the commands of the frame use of the add-ons. */
export const addOnsInUse: AddOns = {
  checks: addOns.flatMap(({ check }) => check ?? []),
  converterFor: async (provider) =>
    (await import("../commands/convert/tools.js")).converterFor(provider),
};
