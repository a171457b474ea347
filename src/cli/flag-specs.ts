import schema from "./config/schema.json" with { type: "json" };

/**
 * A flag of a command. It takes a value if it has `value` or `choices`;
 * otherwise it is a switch.
 */
export interface FlagSpec {
  /** The group in the help. */
  readonly group: FlagGroup;
  /**
   * The meaning in a few words, because the help of a command fits a screen.
   * The page of the command has the details.
   */
  readonly describe: string;
  /** The placeholder of the value in messages. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** Can be repeated; the values are joined with commas. */
  readonly list?: boolean;
  /** For a list: true if a comma can be part of a value. */
  readonly isWhole?: boolean;
  /**
   * The member of the configuration that it sets, and the types of that one in
   * JSON.
   */
  readonly sets?: {
    readonly member: string;
    readonly types: readonly string[];
  };
}

/** The groups of flags in the help, in order. */
export const flagGroups = {
  source: "What to read",
  server: "Which server",
  arguments: "Arguments of the tool",
  "sign-in": "How to sign in",
  output: "What to write",
  run: "How to run",
  /** Explained in the list of commands only. */
  common: "For every command",
} as const;
type FlagGroup = keyof typeof flagGroups;

/** The lowest severity that fails a check. */
export const thresholds = ["breaking", "review", "any"] as const;

/** The shells of `mcpgen completion`. */
export const shells = ["bash", "zsh", "fish"] as const;

export const text = (
  group: FlagGroup,
  value: string,
  describe: string,
): FlagSpec => ({
  group,
  value,
  describe,
});
export const list = (
  group: FlagGroup,
  value: string,
  describe: string,
): FlagSpec => ({
  ...text(group, value, describe),
  list: true,
});
const choice = (
  group: FlagGroup,
  choices: readonly string[],
  describe: string,
): FlagSpec => ({
  group,
  choices,
  describe,
});
export const on = (group: FlagGroup, describe: string): FlagSpec => ({
  group,
  describe,
});

/**
 * A member in the schema of the configuration, which says what its flag is,
 * too.
 */
interface Member {
  /** By the name of the flag. */
  readonly flag?: Readonly<
    Record<string, Pick<FlagSpec, "group" | "describe" | "value" | "isWhole">>
  >;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly items?: { readonly enum?: readonly string[] };
  readonly $ref?: string;
}

type FlagOf<Member> = Member extends { readonly flag: infer Flag }
  ? keyof Flag
  : never;
type FlagsOf<Members> = Readonly<
  Record<
    { [Name in keyof Members]: FlagOf<Members[Name]> }[keyof Members],
    FlagSpec
  >
>;

/** The flags of the members of a part of the configuration. */
function flagsOf<Members extends object>(members: Members): FlagsOf<Members> {
  const definitions = schema.$defs as unknown as Readonly<
    Record<string, Member>
  >;
  const specs = Object.entries(
    members as Readonly<Record<string, Member>>,
  ).flatMap(([member, { flag = {}, ...own }]) => {
    const target = definitions[own.$ref?.replace("#/$defs/", "") ?? ""] ?? own;
    const { type = "string", items, enum: choices = items?.enum } = target;
    const types = [type].flat();
    return Object.entries(flag).map(([name, spec]) => {
      const describe = spec.describe.replace(
        "<values>",
        String(choices?.join(", ")),
      );
      const list = types.includes("array") || types.includes("object");
      return [
        name,
        {
          ...spec,
          describe,
          ...(choices && { choices }),
          list,
          sets: { member, types },
        },
      ];
    });
  });
  return Object.fromEntries(specs) as FlagsOf<Members>;
}

// Flags that several commands have.

export const quiet = {
  quiet: on("common", "print errors only"),
  "no-color": on("common", "no colours (also NO_COLOR=1)"),
};
/** Flags of every command. */
export const common = {
  json: on("common", "print JSON on the standard output"),
  ...quiet,
};
/** Flags that name a server, and how to connect to it. */
export const server = flagsOf(
  schema.$defs.ServerJob.properties.source.properties,
);
export const config = {
  config: text(
    "source",
    "file|name",
    "the configuration (default: mcpgen.config.*)",
  ),
};
/** Flags about the code that is generated. */
const code = flagsOf(schema.$defs);
/** Flags of a job of a revision, and of one of a server. */
export const generateJob = {
  ...flagsOf(schema.$defs.GenerateJob.properties),
  ...code,
};
export const serverJob = {
  ...flagsOf(schema.$defs.ServerJob.properties),
  ...code,
};
/** Flags of the parts of the configuration that an add-on reads. */
export const lintSettings = flagsOf(schema.properties.lint.properties);
export const updateSettings = flagsOf(schema.properties.update.properties);
export const extension = { extension: generateJob.extension };
export const out = { out: generateJob.out };
export const writeOnce = {
  check: on("run", "write nothing; show stale files, and exit with 1"),
  "dry-run": on("run", "write nothing; list the files"),
  clean: on("run", "remove unedited files that are no longer generated"),
  force: on("run", "overwrite edited files and files that are not generated"),
};
/** Flags about the files that a run writes. */
export const write = {
  ...writeOnce,
  watch: on("run", "run again when an input changes"),
};
const account = {
  account: text(
    "sign-in",
    "name",
    "the name of an account, if you use several",
  ),
};
export const markdown = {
  markdown: on("run", "print Markdown on the standard output"),
};

/**
 * The flags of each command of the frame with flags of its own, in the order of
 * its help.
 */
export const commandFlags = {
  generate: { ...generateJob, ...write, ...config, ...common },
  add: {
    ...server,
    name: text("output", "name", "its name in files and code"),
    out: text(
      "output",
      "dir",
      "the folder of the client (default: src/mcp/<name>)",
    ),
    "save-only": on(
      "output",
      "write no client: snapshot and configuration only",
    ),
    "dry-run": writeOnce["dry-run"],
    ...common,
  },
  pull: {
    ...server,
    out: text("output", "dir", "the snapshot file, or a folder for it"),
    check: on("run", "write nothing; exit with 1 if the snapshot is stale"),
    force: on("run", "overwrite a file that is not a snapshot"),
    ...common,
  },
  stubs: { ...serverJob, ...server, ...write, ...common },
  call: {
    arg: list(
      "arguments",
      "name=value",
      "a value of its type; repeat for arrays, JSON for objects",
    ),
    args: text(
      "arguments",
      "json|-",
      "all arguments as a JSON object; - for the standard input",
    ),
    output: text("arguments", "file", "write the content to this file"),
    prompt: text(
      "arguments",
      "name",
      "get this prompt instead of calling a tool",
    ),
    resource: text(
      "arguments",
      "uri|none",
      "read this resource instead of calling a tool",
    ),
    ask: on("arguments", "ask you what the server wants to know"),
    ...server,
    ...common,
  },
  check: {
    ...config,
    live: on("run", "also compare each snapshot with its server"),
    capabilities: { ...server.capabilities, group: "run" as const },
    "fail-on": choice(
      "run",
      thresholds,
      "lowest severity that fails: breaking, review or any (default)",
    ),
    accept: on("run", "add the current differences to the accepted ones"),
    ...markdown,
    ...common,
  },
  login: {
    url: server.url,
    config: server.config,
    header: server.header,
    ...account,
    scope: list(
      "sign-in",
      "scopes",
      "the scopes to request (default: those required)",
    ),
    "client-id": text(
      "sign-in",
      "id",
      "the id of a registered client (default: register one)",
    ),
    "client-secret": text(
      "sign-in",
      "variable",
      "the variable with the secret of that client",
    ),
    "redirect-uri": text(
      "sign-in",
      "uri",
      "the page that the client is registered with",
    ),
    resource: text("sign-in", "uri|none", "resource parameter, or none"),
    "assume-pkce": text(
      "sign-in",
      "issuer",
      "this server supports PKCE, and does not say so",
    ),
    "auth-param": list(
      "sign-in",
      "name=value",
      "a parameter for that issuer; can be repeated",
    ),
    endpoint: list(
      "sign-in",
      "name=url",
      "an endpoint of that issuer; can be repeated",
    ),
    device: on("sign-in", "sign in with a code on another device"),
    "no-browser": on("sign-in", "print the URL instead of opening a browser"),
    list: on("sign-in", "list the servers with a stored token"),
    issuer: text(
      "server",
      "issuer",
      "the only authorization server that gets the secret",
    ),
    "issuer-alias": server["issuer-alias"],
    ...common,
  },
  logout: { url: server.url, config: server.config, ...account, ...common },
  init: {
    config: text(
      "source",
      "file|name",
      "the file to write (default: mcpgen.config.ts)",
    ),
    server: text("output", "name", "also write a server, in code"),
    "server-from-file": text("output", "name", "one from a file of tools"),
    protect: text(
      "output",
      "issuer",
      "also write a server that requires tokens of this issuer",
    ),
    ci: choice(
      "output",
      ["github"],
      "github: workflows that check pushes and propose updates",
    ),
    yes: on("run", "ask no questions; include every server"),
    force: on("run", "overwrite a configuration and workflows"),
    ...quiet,
  },
  diff: {
    ...extension,
    breaking: on("run", "print and count only breaking changes"),
    verbose: on("run", "also list each change of notation only"),
    ...markdown,
    ...common,
  },
};

type KeysOf<Flags> = Flags extends unknown ? keyof Flags : never;
export type FlagName =
  | KeysOf<(typeof commandFlags)[keyof typeof commandFlags]>
  | keyof typeof lintSettings
  | keyof typeof updateSettings;
/** The flags of one command. An add-on may have others, which only it reads. */
export type CommandFlags = Readonly<Partial<Record<string, FlagSpec>>>;

export const namesOf = (flags: CommandFlags): readonly FlagName[] =>
  Object.keys(flags) as FlagName[];

/** Alternative names of a flag. */
export const flagAliases: Readonly<
  Partial<Record<FlagName, readonly string[]>>
> = {
  version: ["revision", "r"],
  out: ["o"],
};
