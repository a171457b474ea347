import { expect, it } from "vitest";
import { fixture } from "../stubs/project.js";
import { directory, mcpgen, runHere } from "./support.js";

const weather = { "weather.mcp.json": fixture("weather") };
const server = { snapshot: "weather.mcp.json", out: "gen" };
const withConfig = (config: object): Record<string, string> => ({
  "mcpgen.config.json": JSON.stringify(config),
  ...weather,
});
const url = ["--url", "https://x.test"];
const form = "--auth client-credentials".split(" ");
const variables =
  "set OUR_CLIENT_ID, and OUR_CLIENT_SECRET or OUR_CLIENT_KEY (a private key in PEM form)";

interface Row {
  readonly args: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
}

/** What the program refuses before it does anything, and its whole words. */
it.each<[words: string, row: Row]>([
  [
    "MG705 --accept requires --live\n    hint: add --live\n",
    { args: ["check", "--accept"], files: withConfig({ servers: [server] }) },
  ],
  [
    "MG705 --capabilities requires --live\n    hint: add --live\n",
    {
      args: ["check", "--capabilities", "none"],
      files: withConfig({ servers: [server] }),
    },
  ],
  [
    'MG745 mcpgen.config.json has no jobs\n    hint: add "generate" or "servers"\n',
    { args: ["check"], files: withConfig({}) },
  ],
  [
    "MG702 --config a.txt does not end with .ts, .mts, .js, .mjs, .json, .yaml or .yml\n    hint: choose one of these extensions\n",
    { args: ["init", "--config", "a.txt"] },
  ],
  [
    `MG735 neither MCPGEN_CLIENT_SECRET nor MCPGEN_CLIENT_KEY is set\n    hint: ${variables.replaceAll("OUR", "MCPGEN")}\n`,
    {
      args: ["call", ...url, ...form],
      environment: { MCPGEN_CLIENT_ID: "a" },
    },
  ],
  [
    `MG735 both OUR_CLIENT_SECRET and OUR_CLIENT_KEY are set\n    hint: ${variables}\n`,
    {
      args: ["call", ...url, "--auth", "client-credentials:OUR"],
      environment: {
        OUR_CLIENT_ID: "a",
        OUR_CLIENT_SECRET: "b",
        OUR_CLIENT_KEY: "c",
      },
    },
  ],
  [
    "MG702 the issuer is not a URL\n    hint: for example https://login.example.com\n",
    {
      args: ["call", ...url, ...form, "--issuer", "here"],
      environment: { MCPGEN_CLIENT_ID: "a", MCPGEN_CLIENT_SECRET: "b" },
    },
  ],
  [
    'MG705 "desk" names several servers of the configuration\n    hint: name the snapshot of one of them\n',
    {
      args: ["call", "desk"],
      files: withConfig({
        servers: ["a", "b"].map((name) => ({
          snapshot: `${name}.mcp.json`,
          name: "desk",
          source: { url: `https://${name}.test` },
        })),
      }),
    },
  ],
  ...["null", "5", "[]", '"a"'].map((text): [string, Row] => [
    `MG702 --args must be a JSON object with the arguments\n    hint: for example --args '{"city":"Paris"}', or city=Paris for one argument\n`,
    { args: ["call", ...url, "a", "--args", text] },
  ]),
  ...["'", '"a', "''", "'' a"].map((stdio): [string, Row] => [
    'MG702 --stdio is not a command line\n    hint: for example --stdio "node server.js"\n',
    { args: ["call", "--stdio", stdio] },
  ]),
  [
    'MG743 the source names no server\n    in job weather.mcp.json\n    hint: set "url", "stdio", "module" or "config"\n',
    {
      args: ["pull"],
      files: withConfig({ servers: [{ ...server, source: { env: ["A"] } }] }),
    },
  ],
  ...["url", "stdio", "module"].map((name): [string, Row] => [
    "MG705 --watch needs files, not a server\n    hint: pull a snapshot, and watch its file\n",
    { args: ["stubs", "--watch", `--${name}`, "https://x.test/a.js"] },
  ]),
  [
    'MG703 there is no completion for the shell "tcl"\n    hint: the shells are bash, zsh, fish\n',
    { args: ["completion", "tcl"] },
  ],
  ...["mcpgen.config.json", "mcpgen.config.yml", "a.json"].map(
    (name): [string, Row] => [
      `MG810 cannot read ${name}: it is a directory (EISDIR)\n    hint: name a file, or move that directory\n`,
      {
        args: name === "a.json" ? ["check", "--config", name] : ["check"],
        files: { [`${name}/b.txt`]: "" },
      },
    ],
  ),
  [
    "MG740 no such configuration: mcpgen.confg.json\n    hint: did you mean mcpgen.config.json?\n",
    {
      args: ["check", "--config", "mcpgen.confg.json"],
      files: withConfig({}),
    },
  ],
  [
    "MG740 no such configuration: none/a.json\n    hint: mcpgen init creates one\n",
    { args: ["check", "--config", "none/a.json"] },
  ],
  [
    "MG810 cannot read mcpgen.accepted.json: it is a directory (EISDIR)\n    hint: name a file, or move that directory\n",
    {
      args: ["check", "--live"],
      files: {
        ...withConfig({
          servers: [{ ...server, source: { url: "http://127.0.0.1:1" } }],
        }),
        "mcpgen.accepted.json/a.txt": "",
      },
    },
  ],
  ...(
    [
      [
        { envFile: "no.env" },
        "the file of environment variables, no.env, cannot be read",
      ],
      [{ args: ["${NOT_SET}"] }, "the environment variable NOT_SET is not set"],
      [{ cwd: "${what?}" }, "${what?} is an unknown variable"],
      [
        { env: { A: "${input:key}" } },
        "${input:key} is a value that only an editor can request",
      ],
    ] as const
  ).map(([more, reason]): [string, Row] => [
    `MG735 the server "one" of .mcp.json cannot be used: ${reason}\n    in job one\n    hint: set the variable in the environment, or use --url or --stdio instead\n`,
    {
      args: ["pull", "one"],
      files: {
        ".mcp.json": JSON.stringify({
          mcpServers: { one: { command: "node", ...more } },
        }),
      },
    },
  ]),
  [
    "MG705 --output is set, but no tool, prompt or resource is named\n    hint: write the name of the tool after the server\n",
    { args: ["call", ...url, "--output", "a.json"] },
  ],
  ...[
    ["call", ...url, "a", "--prompt", "b"],
    ["call", ...url, "--prompt", "b", "--resource", "c"],
  ].map((args): [string, Row] => [
    "MG705 a tool, --prompt and --resource exclude each other\n    hint: name one of them\n",
    { args },
  ]),
  ...[
    ["call", ...url, "--args", "{}"],
    ["call", ...url, "--resource", "a:b", "--arg", "c=d"],
  ].map((args): [string, Row] => [
    "MG703 arguments are set, but no tool or prompt is named\n    hint: write the name of the tool after the server, or use --prompt <name>\n",
    { args },
  ]),
  [
    "MG701 unknown flag --city\n    hint: write an argument of the prompt as city=<value>\n",
    { args: ["call", ...url, "--prompt", "b", "--city", "Oslo"] },
  ],
  [
    "MG748 --ask needs a terminal\n    hint: run it in a terminal, or remove --ask\n",
    { args: ["call", ...url, "a", "--ask"] },
  ],
  [
    "MG740 no configuration was found, so there is nothing to check\n    hint: run mcpgen add <server> to watch a server, mcpgen init to create one, or mcpgen --version <revision> --out <dir> --check to check without one\n",
    { args: ["check"] },
  ],
  [
    "MG740 no configuration was found, so there is nothing to generate\n    hint: run mcpgen add <server> to call a server, mcpgen init to create one, or mcpgen --version all --out <dir> to generate without one\n",
    { args: [] },
  ],
  ...[
    ["--version", "latest"],
    ["--schema", "a.json"],
    ["--out", "gen"],
  ].map((flags): [string, Row] => [
    "MG705 --config and --version, --schema or --out exclude each other\n    hint: a configuration sets them for each job\n",
    {
      args: ["--config", "mcpgen.config.json", ...flags],
      files: withConfig({ servers: [server] }),
    },
  ]),
  [
    "MG705 --emit is set for each job in mcpgen.config.json\n    hint: set it there\n",
    { args: ["--emit", "types"], files: withConfig({ servers: [server] }) },
  ],
  ...["all", "2025-03-26,2025-06-18"].map((version): [string, Row] => [
    "MG705 --schema is one schema, but --version names several\n    hint: use one revision, or none\n",
    { args: ["--schema", "a.json", "--version", version, "--out", "gen"] },
  ]),
  [
    "MG748 questions need a terminal\n    hint: use --yes to include every server of the clients' files, or the protocol if there are none\n",
    { args: ["init"] },
  ],
  ...[
    ["--server", "a", "--server-from-file", "b"],
    ["--server", "a", "--protect", "https://c.test"],
    ["--server-from-file", "b", "--protect", "https://c.test"],
  ].map((flags): [string, Row] => [
    `MG705 ${flags[0]} and ${flags[2]} exclude each other: each writes a server\n    hint: run mcpgen init with one of them\n`,
    { args: ["init", ...flags] },
  ]),
  ...["here", "https://a@b.test", "https://b.test?c", "http://b.test"].map(
    (issuer): [string, Row] => [
      "MG702 --protect is not the issuer of an authorization server\n    hint: An issuer is an https URL without user, query and fragment, such as https://auth.example.com (on this machine also http).\n",
      { args: ["init", "--yes", "--protect", issuer] },
    ],
  ),
  ...["login", "logout"].flatMap((command): [string, Row][] => [
    [
      "MG705 no server is given\n    hint: use --url <url>, or --config <name> for a server in .mcp.json\n",
      { args: [command] },
    ],
    [
      "MG705 you can only sign in to a server at a URL\n    hint: pass credentials to a server that you start with --env <name>\n",
      {
        args: [command, "--config", "one"],
        files: { ".mcp.json": '{"mcpServers":{"one":{"command":"node"}}}' },
      },
    ],
  ]),
  [
    "MG705 -o names one file, and 2 snapshots are taken\n    hint: use a folder, for example -o snapshots/\n",
    {
      args: ["pull", "a", "b", "-o", "one.mcp.json"],
      files: withConfig({
        servers: ["a", "b"].map((name) => ({
          snapshot: `${name}.mcp.json`,
          source: { url: `https://${name}.test` },
        })),
      }),
    },
  ],
  [
    "MG705 --env is for one server\n    hint: name only that server\n",
    {
      args: ["pull", "a", "b", "--env", "KEY"],
      files: {
        ".mcp.json": JSON.stringify({
          mcpServers: { a: { command: "node" }, b: { command: "node" } },
        }),
      },
    },
  ],
  [
    "MG745 mcpgen.config.json has no server with a source\n    hint: run mcpgen add <server>, which records where it is, or add the source to a server there\n",
    { args: ["pull"], files: withConfig({ servers: [server] }) },
  ],
  [
    'MG705 expected a server, found "weather", a server without a source\n    hint: add its source to the configuration, such as source: { url: "https://example.com/mcp" }\n',
    { args: ["pull", "weather"], files: withConfig({ servers: [server] }) },
  ],
  [
    "MG705 --for requires the part tools\n    hint: add tools to --emit, or to emit of the configuration\n",
    {
      args: "stubs weather.mcp.json --out gen --for openai --emit client".split(
        " ",
      ),
      files: weather,
    },
  ],
  [
    "MG747 weather.mcp.json is in the configuration, with its name and folder\n    hint: change them there\n",
    {
      args: ["add", "weather.mcp.json", "--out", "elsewhere"],
      files: withConfig({ servers: [server] }),
    },
  ],
  [
    "MG705 --auth and an Authorization header exclude each other\n    hint: remove one of them\n",
    {
      args: [
        "call",
        ...url,
        "--auth",
        "account:a",
        "--header",
        "authorization: Bearer b",
      ],
    },
  ],
  ...[[], ["--auth", "account:a"]].map((flags): [string, Row] => [
    "MG705 --issuer requires --auth with a form without an account\n    hint: remove it\n",
    { args: ["call", ...url, "--issuer", "https://b.test", ...flags] },
  ]),
  ...[
    ["call", ...url, ...form],
    ["call", ...url, "--auth", "client-credentials:OUR"],
  ].map((args): [string, Row] => {
    const [prefix, text] = args.includes(form[1] ?? "")
      ? ["MCPGEN", "client-credentials"]
      : ["OUR", "client-credentials:OUR"];
    return [
      `MG735 --auth ${text} sends credentials, and neither --issuer nor ${prefix}_ISSUER says to which authorization server\n    hint: pass --issuer <issuer>, for example https://login.example.com; no other server gets the credentials\n`,
      {
        args,
        environment: {
          [`${prefix}_CLIENT_ID`]: "a",
          [`${prefix}_CLIENT_SECRET`]: "b",
        },
      },
    ];
  }),
  [
    'MG702 --auth has the unknown value "nobody"\n    hint: use account:<name>, github-actions, kubernetes, file:<path>, client-credentials or client-credentials:<PREFIX>\n',
    { args: ["call", ...url, "--auth", "nobody"] },
  ],
  [
    "MG705 --url and --stdio exclude each other\n    hint: use one of them\n",
    { args: ["call", ...url, "--stdio", "node a.js"] },
  ],
  ...["ftp://x.test", "x", "file:///a"].map((address): [string, Row] => [
    "MG702 --url is not an HTTP URL\n    hint: for example https://example.com/mcp\n",
    { args: ["call", "--url", address] },
  ]),
  [
    'MG702 --not-secret "API_TOKEN" has the name of a credential\n    hint: remove it: the value of a credential is always secret\n',
    { args: ["pull", "--stdio", "node a.js", "--not-secret", "API_TOKEN"] },
  ],
  ...["A=b", "1A", "a-b"].map((name): [string, Row] => [
    "MG702 --env takes the name of a variable, not its value\n    hint: set the variable, and use --env NAME\n",
    { args: ["call", "--stdio", "node a.js", "--env", name] },
  ]),
  [
    "MG735 the environment variable NOT_SET is not set\n    hint: set it, or remove --env\n",
    { args: ["call", "--stdio", "node a.js", "--env", "NOT_SET"] },
  ],
  ...["a", "a b: c", ": c"].map((header): [string, Row] => [
    'MG702 --header must be a name, a colon and a value\n    hint: for example --header "Authorization: Bearer $TOKEN"\n',
    { args: ["call", ...url, "--header", header] },
  ]),
  ...["Connection", "content-length", "Transfer-Encoding", "upgrade"].map(
    (name): [string, Row] => [
      `MG702 the header ${name} cannot be set\n    hint: leave it out\n`,
      { args: ["call", ...url, "--header", `${name}: a`] },
    ],
  ),
  ...["a\u0000", "\u0100", "a\u007fb"].map((value): [string, Row] => [
    "MG702 the value of the header a has invalid characters\n    hint: remove control characters and characters outside of Latin-1\n",
    { args: ["call", ...url, "--header", `a: ${value}b`] },
  ]),
  [
    "MG741 mcpgen.config.mjs has no default export\n    hint: write: export default defineConfig({ … })\n",
    { args: ["check"], files: { "mcpgen.config.mjs": "export const a = 1;" } },
  ],
  [
    "MG741 mcpgen.config.mjs cannot be run: no\n    hint: check that it runs on its own\n",
    {
      args: ["check"],
      files: { "mcpgen.config.mjs": 'throw new Error("no");' },
    },
  ],
  [
    "MG706 the module a.mjs cannot be loaded: no\n    hint: use a TypeScript or JavaScript module, and check that it runs on its own\n",
    {
      args: ["call", "--module", "a.mjs"],
      files: { "a.mjs": 'throw new Error("no");' },
    },
  ],
  ...[
    [
      "",
      'the module exports nothing; a program that serves is named as a command in quotes, such as "node server.js"',
    ],
    ["export const a = 1;", "it exports a; write a.mjs#a"],
    [
      "export const a = 1; export const b = [];",
      "it exports a, b; write a.mjs#name",
    ],
  ].map(([text = "", hint]): [string, Row] => [
    `MG706 the export "default" of a.mjs is not an mcpgen server\n    hint: ${hint}\n`,
    { args: ["call", "--module", "a.mjs"], files: { "a.mjs": text } },
  ]),
  [
    "MG705 api.json is an OpenAPI document, which mcpgen does not read\n    hint: name the MCP server, or a snapshot of it\n",
    {
      args: ["call", "api.json"],
      files: { "api.json": '{"openapi":"3.1.0","info":{},"paths":{}}' },
    },
  ],
  ...["./none", "/none/at-all", "../none"].map((path): [string, Row] => [
    `MG705 no such file or folder: ${path}\n    hint: name a snapshot, a module, or a folder that mcpgen wrote\n`,
    { args: ["call", path] },
  ]),
  [
    "MG705 ./a is not a folder of stubs\n    hint: name a snapshot, a module, or a folder that mcpgen wrote\n",
    { args: ["call", "./a"], files: { "a/b.txt": "" } },
  ],
  [
    "MG740 no configuration was found, so there is nothing to watch\n    hint: mcpgen init creates one; --schema sets a file to watch\n",
    { args: ["--watch"] },
  ],
  [
    "MG705 there is nothing to watch: a bundled revision does not change\n    hint: remove --watch, or use --schema or --templates\n",
    { args: ["--watch", "--version", "latest", "--out", "gen"] },
  ],
  [
    "MG705 weather.mcp.json is a snapshot of a server, and latest is a schema of the protocol\n    hint: compare two servers or snapshots, or two schemas\n",
    { args: ["diff", "weather.mcp.json", "latest"], files: weather },
  ],
])("refuses with %j", async (words, { args, files, ...more }) => {
  const place = directory(files);
  const ended = await mcpgen(args, { directory: place, ...more });
  expect([ended.code, ended.out, ended.err]).toEqual([2, "", words]);
});

it("refuses a folder without the messages of a revision as the folder of the protocol", async () => {
  const place = directory(weather);
  const types = ["--version", "2024-11-05", "--emit", "types", "--out", "gen"];
  await runHere(types, place);
  const { code, err } = await runHere(
    ["stubs", "weather.mcp.json", "--out", "a", "--protocol", "gen"],
    place,
  );
  expect([code, err]).toEqual([
    2,
    "MG749 gen contains no files of a revision\n    hint: run mcpgen --version <revision> --out gen first\n",
  ]);
});

const half = Buffer.alloc(2 ** 25, " ");
const notJson = `MG702 the standard input is not JSON: Unexpected end of JSON input
    hint: for example --args '{"city":"Paris"}', or city=Paris for one argument
`;
it.each([
  ["as large as the limit", [half, half], 2, notJson],
  [
    "larger by one byte",
    [half, half, Buffer.from(" ")],
    2,
    "MG702 the arguments are larger than 67108864 bytes\n",
  ],
] as const)("reads arguments that are %s", async (_, parts, code, words) => {
  const input = (async function* () {
    yield* parts;
  })();
  const ended = await runHere(
    ["call", ...url, "a", "--args", "-"],
    directory(),
    "",
    { input },
  );
  expect([ended.code, ended.err]).toEqual([code, words]);
});

it("is interrupted while it reads arguments, and fails with the error of its input otherwise", async () => {
  const abort = new AbortController();
  const broken = (act: () => void) =>
    (async function* () {
      yield Buffer.from("{");
      act();
      throw new Error("the pipe broke");
    })();
  const run = async (act: () => void) =>
    await runHere(["call", ...url, "a", "--args", "-"], directory(), "", {
      input: broken(act),
      signal: abort.signal,
    });
  const { code, err } = await run(() => undefined);
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(
      /^Error: the pipe broke\n {4}at [^]+\nThis is a bug in mcpgen \d+\.\d+\.\d+\S*: please report it, with the command and the lines above\.\n$/,
    ),
  ]);
  const stopped = await run(() => abort.abort());
  expect([stopped.code, stopped.err]).toEqual([130, "interrupted\n"]);
});
