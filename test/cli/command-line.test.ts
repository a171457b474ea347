import { describe, expect, it } from "vitest";
import { parseArguments } from "../../src/cli/flags.js";
import {
  checkOptions,
  generateOptions,
  jobsOf,
  readTimeout,
  stubsOptions,
  writeOptions,
} from "../../src/cli/options.js";
import { updateOptions } from "../../src/commands/update/options.js";
import { SchemaError } from "../../src/generator/diagnostics.js";

/** The flags of a command line. */
function flagsOf(line: string) {
  const request = parseArguments(line.split(" "));
  if (request.kind !== "run") throw new Error(request.kind);
  return request.flags;
}

/** What a function throws, as one line. */
function faultOf(work: () => unknown): string {
  try {
    return `no fault: ${JSON.stringify(work())}`;
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const [one] = error.diagnostics;
    return `${one?.code} ${one?.message}; ${one?.hint}`;
  }
}

/** What a command line asks for, as one line. */
function shown(line: string): string {
  const request = parseArguments(line === "" ? [] : line.split(" "));
  switch (request.kind) {
    case "run":
      return `run ${request.command.name} ${JSON.stringify(request.operands)}`;
    case "help":
      return `help ${request.command?.name}`;
    case "complete":
      return `complete ${JSON.stringify(request.line)}`;
    default:
      return request.kind;
  }
}

describe("a command line", () => {
  it.each([
    ["", "run generate []"],
    ["-v", "own version"],
    ["-V", "own version"],
    ["--version", "own version"],
    ["list -V", "own version"],
    ["--help", "help undefined"],
    ["-h", "help undefined"],
    ["help", "help undefined"],
    ["help pull", "help pull"],
    ["pull --help", "help pull"],
    ["pull -h", "help pull"],
    ["call a b --help", "help call"],
    ["help nothing", "help undefined"],
    ["--complete a -", 'complete ["a","-"]'],
    [
      "a --complete",
      'MG703 unknown command "a"; mcpgen --help lists the commands',
    ],
    ["diff a b", 'run diff ["a","b"]'],
    ["validate latest -", 'run validate ["latest","-"]'],
    ["validate -- latest -x", 'run validate ["latest","-x"]'],
    ["pull a b c", 'run pull ["a","b","c"]'],
    ["call a b", 'run call ["a","b"]'],
    [
      "call a b -- --arg -a=b -- -c",
      'run call ["a","b","--arg","-a=b","--","-c"]',
    ],
  ])("is %j: %s", (line, request) => {
    expect(
      request.startsWith("MG") ? faultOf(() => shown(line)) : shown(line),
    ).toBe(request);
  });

  it.each([
    ["chek", 'MG703 unknown command "chek"; did you mean mcpgen check?'],
    ["diff a", "MG703 mcpgen diff needs <b>; for example: mcpgen diff "],
    ["diff", "MG703 mcpgen diff needs <a> and <b>; for example: mcpgen diff "],
    [
      "list a b",
      'MG703 mcpgen list does not accept "a", "b"; mcpgen list --help shows its usage',
    ],
    [
      "docs a b --out c",
      'MG703 mcpgen docs does not accept "b"; mcpgen diff <a> <b> --markdown prints the changes',
    ],
    [
      "list --live",
      "MG701 mcpgen list has no flag --live; mcpgen list --help lists the flags",
    ],
    [
      "docs a --templates b",
      "MG701 mcpgen docs has no flag --templates; mcpgen docs writes Markdown only; a site generator makes HTML of it",
    ],
    ["check --acept", "MG701 unknown flag --acept; did you mean --accept?"],
    [
      "check --zzzzzzzz",
      "MG701 unknown flag --zzzzzzzz; mcpgen check --help lists the flags",
    ],
    ["call s t --a -b=1", "MG701 unknown flag -b"],
    ["check --helpp", "MG701 unknown flag --helpp; did you mean --help?"],
    ["check -z", "MG701 unknown flag -z; mcpgen check --help lists the flags"],
    [
      "--out a --version",
      "MG702 --version needs a revision; use latest, all, or a revision from mcpgen list; mcpgen --version alone prints the version of mcpgen",
    ],
    [
      "check --fail-on",
      "MG702 --fail-on needs a value; for example --fail-on <",
    ],
    ["--out", "MG702 --out needs a value; for example --out <dir>"],
    ["--out a --out  --version latest", "MG702 --out needs a value"],
    [
      "--out a --out b --version latest",
      "MG702 --out is set 2 times; set it once",
    ],
    ["check --fail-on never", "MG702 --fail-on must be one of "],
    ["lint --for anthropc", 'found "anthropc"; did you mean anthropic?'],
    ["lint --for gemini,nothing", 'found "nothing"'],
    ["lint --for claude-dir", "; did you mean claude-directory?"],
    ["lint --for gemini,claude_dir", "; did you mean claude-directory?"],
    ["lint --for directory", "; did you mean claude-directory?"],
    ["lint --for open", "; did you mean openai?"],
    ["check --acc", "MG701 unknown flag --acc; did you mean --accept?"],
    ["comp", 'MG703 unknown command "comp"; did you mean mcpgen completion?'],
  ])("is refused: %j", (line, fault) => {
    expect(faultOf(() => shown(line))).toContain(fault);
  });

  it.each<
    [
      line: string,
      others: readonly (readonly [string, string | null])[],
      operands: readonly string[],
    ]
  >([
    [
      "call s t --city Bern --days=2",
      [
        ["city", "Bern"],
        ["days", "2"],
      ],
      ["s", "t"],
    ],
    [
      "call s t --on --city Bern",
      [
        ["on", null],
        ["city", "Bern"],
      ],
      ["s", "t"],
    ],
    [
      "call s t --low -5 --x -.5 --y -",
      [
        ["low", "-5"],
        ["x", "-.5"],
        ["y", "-"],
      ],
      ["s", "t"],
    ],
    [
      "call s t --a= --b",
      [
        ["a", ""],
        ["b", null],
      ],
      ["s", "t"],
    ],
    ["call --json s t --a b", [["a", "b"]], ["s", "t"]],
    ["call s --a b -- t --c", [["a", "b"]], ["s", "t", "--c"]],
  ])(
    "has arguments of a tool beside its own flags: %j",
    (line, others, operands) => {
      const request = parseArguments(line.split(" "));
      expect(request).toMatchObject({ kind: "run", operands });
      expect(request).toHaveProperty("flags.others", others);
    },
  );

  it.each([
    ..."1 01 1.50 1e3 0x10 1_000 .5 Infinity NaN 9007199254740993".split(" "),
    ..."true false null undefined no-x __proto__ constructor a.b é".split(" "),
  ])("has each word as it was typed: %s", (word) => {
    expect(parseArguments(["validate", word, word])).toMatchObject({
      operands: [word, word],
    });
    expect(parseArguments(["validate", "--", word, word])).toMatchObject({
      operands: [word, word],
    });
    const flags = flagsOf(`pull a --out ${word} --header ${word}`);
    expect([flags.text("out"), flags.texts("header")]).toEqual([word, [word]]);
    expect(flagsOf(`call s t --x ${word} --y=${word}`).others).toEqual([
      ["x", word],
      ["y", word],
    ]);
  });

  it("needs a value that is not empty", () => {
    for (const value of ["", " "])
      expect(faultOf(() => parseArguments(["--out", value]))).toBe(
        "MG702 --out needs a value; for example --out <dir>",
      );
    expect(faultOf(() => parseArguments(["check", "--fail-on"]))).toMatch(
      /; for example --fail-on <\w+(?:\|\w+)+>$/,
    );
  });

  it("takes a dash, and what begins with one for --arg, as the value of the flag before it", () => {
    expect(flagsOf("call s t --arg -depth=2 --arg a=b").texts("arg")).toEqual([
      "-depth=2",
      "a=b",
    ]);
    expect(flagsOf("diff a b --extension -").text("extension")).toBe("-");
  });

  it("has values by flag, with those of a repeated one between commas", () => {
    const flags = flagsOf("pull a --header A:1 --header B:2,3 --quiet");
    expect(flags.text("header")).toBe("A:1,B:2,3");
    expect(flags.texts("header")).toEqual(["A:1", "B:2,3"]);
    expect(flags.list("header")).toEqual(["A:1", "B:2", "3"]);
    expect([flags.on("quiet"), flags.on("json")]).toEqual([true, false]);
    expect([flags.text("out"), flags.texts("out"), flags.list("out")]).toEqual([
      null,
      [],
      [],
    ]);
    expect(flags.known).toContain("quiet");
    expect(flags.unknown("--quit").message).toContain("--quit");
  });
});

describe("the options of a command", () => {
  it.each([
    [
      "--out a",
      "MG705 no revision is given; use --version <revision|latest|all> (mcpgen list shows them), or --schema <path>",
    ],
    ["--version latest", "MG705 no output directory is given; use --out <dir>"],
    [
      "--version latest --out a --check --dry-run",
      "MG705 --check and --dry-run exclude each other; remove one of them",
    ],
  ])("of generate are refused: %s", (line, fault) => {
    expect(faultOf(() => generateOptions(flagsOf(line)))).toBe(fault);
  });

  it("of generate are its members, of the type of the configuration", () => {
    expect(
      generateOptions(flagsOf("--version 2025-11-25,latest --out a --clean")),
    ).toMatchObject({
      out: "a",
      version: ["2025-11-25", "latest"],
      mode: "write",
      clean: true,
      force: false,
    });
    expect(
      generateOptions(flagsOf("--schema s.ts --out a --force")),
    ).toMatchObject({
      schema: "s.ts",
      mode: "write",
      clean: false,
      force: true,
    });
  });

  it.each([
    ["--version latest --out a", "write"],
    ["--version latest --out a --check", "check"],
    ["--version latest --out a --dry-run", "dry-run"],
  ])("say what is written: %s", (line, mode) => {
    expect(writeOptions(flagsOf(line))).toMatchObject({ mode });
  });

  it.each([
    ["check", { live: false, failOn: "any", accept: false }],
    [
      "check --live --accept --fail-on breaking",
      { live: true, failOn: "breaking", accept: true },
    ],
    [
      "check --live --capabilities none",
      { live: true, capabilities: "none", failOn: "any", accept: false },
    ],
  ])("of check are %s: %j", (line, options) => {
    expect(checkOptions(flagsOf(line))).toEqual(options);
  });

  it("of stubs choose tools, and other kinds by a prefix; a comma in braces belongs to a template", () => {
    const { include } = stubsOptions(
      "a.mcp.json",
      flagsOf(
        "stubs a.mcp.json --out b --include get*,prompts:p,resources:x/{a,b} --include tools:t,resources:",
      ),
    ) as { include?: object };
    expect(include).toEqual({
      tools: ["get*", "t"],
      prompts: ["p"],
      resources: ["x/{a,b}"],
    });
  });

  it.each([
    [undefined, 60_000],
    [0.5, 500],
    [3600, 3_600_000],
  ])("have a time of %s seconds", (seconds, time) => {
    expect(readTimeout(seconds)).toBe(time);
  });

  it.each([0, -1, 3601, Number.NaN])(
    "have no time of %s seconds",
    (seconds) => {
      expect(faultOf(() => readTimeout(seconds))).toBe(
        "MG702 --timeout must be a number of seconds, at most 3600; for example --timeout 10",
      );
    },
  );

  it.each([
    [
      "update",
      {
        from: null,
        extension: null,
        selection: "default",
        mode: "write",
        timeout: 60_000,
      },
    ],
    [
      "update --from x --dry-run --timeout 5",
      { from: "x", selection: "default", mode: "dry-run", timeout: 5000 },
    ],
    [
      "update --revision draft,latest --check",
      { selection: ["draft", "latest"], mode: "check" },
    ],
    ["update --extension ./a --revision b", { selection: ["b"] }],
    ["update --revision draft,all", { selection: "all" }],
  ])("of update are %s: %j", (line, options) => {
    expect(updateOptions(flagsOf(line))).toMatchObject(options);
  });

  it.each([
    [
      "update --extension ./a --extension ./b",
      "MG702 --extension is set several times; set it once",
    ],
    [
      "update --extension ./a --from b",
      "MG705 --extension and --from exclude each other; the value of --extension is the source",
    ],
    [
      "update --extension ./a --revision a,b",
      "MG705 an extension has one pinned revision, and several are given; name one revision",
    ],
  ])("of update are refused: %s", (line, fault) => {
    expect(faultOf(() => updateOptions(flagsOf(line)))).toBe(fault);
  });

  it("of a configuration are one job each, named by its folder or its snapshot", () => {
    const write = { mode: "write", force: false, clean: false } as const;
    const jobs = jobsOf(
      {
        generate: [{ out: "gen", version: "latest" }],
        servers: [
          { snapshot: "a.mcp.json", out: "a", source: { url: "x" }, card: "." },
          { snapshot: "b.mcp.json" },
        ],
      },
      write,
    );
    expect(jobs).toEqual([
      {
        kind: "generate",
        title: "gen",
        options: { out: "gen", version: "latest", ...write },
      },
      {
        kind: "server",
        title: "a",
        server: expect.anything(),
        options: { ...write, out: "a", from: "a.mcp.json" },
      },
      {
        kind: "server",
        title: "b.mcp.json",
        server: { snapshot: "b.mcp.json" },
        options: null,
      },
    ]);
  });
});
