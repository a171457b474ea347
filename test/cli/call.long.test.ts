import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createSseHandler } from "@mcpgen/runtime/sse";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resultText } from "../../src/cli/commands/call/report.js";
import { until } from "../runtime/kit/watch.js";
import { root } from "../repository.js";
import { cancelled, servers } from "./calling.js";
import { keyboards, keys, ownTerminal } from "./keyboard.js";
import {
  directory,
  ended,
  type Ended,
  mcpgen,
  runHere,
  type RunOutput,
  start,
  type Surroundings,
} from "./support.js";

let program = "";
let serving: Awaited<ReturnType<typeof serveHttp>>;
let base = "";

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [join(root, "test/cli/calling.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  });
  program = outputFiles[0]?.text ?? "";
  const legacy = servers.filter(({ revision }) => revision === "2025-11-25");
  serving = await serveHttp(
    {
      "/mcp": createHttpHandler(servers),
      "/legacy": createHttpHandler(legacy),
      "/sse": createSseHandler(servers),
    },
    { port: 0 },
  );
  base = `http://127.0.0.1:${serving.port}`;
});
afterAll(() => serving.close());

const entry =
  '{ "mcpServers": { "local": { "command": "node", "args": ["server.mjs"] } } }';

/**
 * A folder with the server as a program, and an entry for it in a client's
 * file.
 */
const place = (files: Readonly<Record<string, string>> = {}): string =>
  directory({
    "server.mjs": program,
    ".mcp.json": entry,
    "b.mcp.json": "{}",
    ...files,
  });

async function call(
  args: readonly string[],
  more: Partial<Surroundings> = {},
): Promise<Ended> {
  return await mcpgen(["call", "--no-color", ...args], {
    directory: place(),
    ...more,
  });
}

/** Calls a tool over HTTP in this process. */
const over = async (...args: readonly string[]): Promise<RunOutput> =>
  await runHere(["call", `${base}/mcp`, ...args]);

describe("mcpgen call finds its server", () => {
  it.each([
    ["a URL with both eras", () => [`${base}/mcp`]],
    ["a URL with an older revision", () => [`${base}/legacy`]],
    ["a URL with HTTP+SSE", () => [`${base}/sse`]],
    ["the flag --url", () => ["--url", `${base}/mcp`]],
    ["an entry of .mcp.json", () => ["local"]],
    ["the flag --stdio", () => ["--stdio", "node server.mjs"]],
    ["a module", () => ["./server.mjs#servers"]],
    ["the flag --module", () => ["--module", "./server.mjs#servers"]],
  ])("by %s, and prints the text of the result", async (_, server) => {
    const { code, out, err } = await call([
      ...server(),
      "echo",
      "--arg",
      "city=Paris",
      "--quiet",
    ]);
    expect([code, out, err]).toEqual([0, '{"city":"Paris"}\n', ""]);
  });

  it("by a snapshot, whose source in the configuration it starts in the folder of the configuration", async () => {
    const servers = [
      {
        snapshot: "snapshots/a.mcp.json",
        source: { stdio: "node server.mjs" },
      },
    ];
    const config = JSON.stringify({ servers });
    const at = place({
      "mcpgen.config.json": config,
      "snapshots/other.txt": "",
    });
    const args = [
      "call",
      "a.mcp.json",
      "echo",
      "--arg",
      "city=Oslo",
      "--quiet",
    ];
    const { code, out, err } = await mcpgen(args, {
      directory: join(at, "snapshots"),
    });
    expect([code, out, err]).toEqual([0, '{"city":"Oslo"}\n', ""]);
    const other = await mcpgen(["call", "b.mcp.json", "echo"], {
      directory: at,
    });
    expect([other.code, other.err]).toEqual([
      2,
      expect.stringContaining(
        'MG705 expected a server, found "b.mcp.json", a snapshot',
      ),
    ]);
  });

  it.each([
    [[], "MG705", "no server is given"],
    [["nope", "echo"], "MG705", 'no server is named "nope"'],
    [["a.mcp.json", "echo"], "MG001", "no such file or folder: a.mcp.json"],
    [["b.mcp.json", "echo"], "MG705", "expected a server"],
    [
      ["local", "echo", "--url", "http://127.0.0.1:1"],
      "MG705",
      '"local" and --url name two servers',
    ],
    [
      ["local", "--arg", "a=b"],
      "MG703",
      "arguments are set, but no tool or prompt is named",
    ],
    [
      ["local", "echo", "--arg", "city"],
      "MG702",
      '--arg must be a name, "=" and a value',
    ],
    [["local", "echo", "--args", "city=Paris"], "MG702", "--args is not JSON"],
    [
      ["local", "echo", "--args", "[1]"],
      "MG702",
      "--args must be a JSON object",
    ],
    [["local", "echo", "more"], "MG703", 'does not accept "more"'],
  ])(
    "or exits with 2 before it starts anything: %j",
    async (args, code, words) => {
      const { code: exit, out, err } = await call(args);
      expect([exit, out, err]).toEqual([2, "", expect.stringContaining(code)]);
      expect(err).toContain(words);
      expect(err).not.toContain("starting");
    },
  );

  it("or exits with 3 if the server cannot be reached, or takes too long", async () => {
    const unreachable = await call(["http://127.0.0.1:1/mcp", "echo"]);
    expect([unreachable.code, unreachable.err]).toEqual([
      3,
      expect.stringContaining("MG730"),
    ]);
    const late = await over("slow", "--timeout", "0.3");
    expect([late.code, late.out, late.err]).toEqual([
      3,
      "",
      expect.stringContaining("MG733"),
    ]);
  });
});

describe("mcpgen call without a tool", () => {
  it("lists the tools with their arguments, required ones first, and what they do in one line", async () => {
    const { code, out } = await over();
    expect(code).toBe(0);
    expect(out).toMatch(
      /^echo\(city: string, any\?: any value, days\?: integer, .*\) {2}Returns its arguments\.$/m,
    );
    expect(out).toContain('unit?: one of "metric", "imperial"');
    expect(out).toContain("levels?: array of integer");
    expect(out).toContain("note?: string or null");
    expect(out).toMatch(
      /^hostile\(x\\u\{1b\}\]0;y\\u\{7\}\?: any value\) {2}a\\u\{1b\}\[2Jb\\u\{202e\}c$/m,
    );
  });

  it("prints the list of the server with --json", async () => {
    const { out } = await over("--json");
    const tools = JSON.parse(out) as readonly { readonly name: string }[];
    expect(tools.map(({ name }) => name)).toContain("echo");
  });
});

/** The forms of an argument `name=value` on the command line. */
const forms: readonly (readonly [
  string,
  (pair: string) => readonly string[],
])[] = [
  ["name=value", (pair) => [pair]],
  ["--name=value", (pair) => [`--${pair}`]],
  [
    "--name value",
    (pair) => [
      `--${pair.slice(0, pair.indexOf("="))}`,
      pair.slice(pair.indexOf("=") + 1),
    ],
  ],
  ["--arg name=value", (pair) => ["--arg", pair]],
  ["--arg=name=value", (pair) => [`--arg=${pair}`]],
];

describe("the arguments of mcpgen call", () => {
  it.each(forms)(
    "have the types of the schema of the tool, written as %s",
    async (_, form) => {
      const pairs = [
        "city=5",
        "days=2",
        "exact=false",
        "ratio=-1.5e3",
        "tags=a,b",
        "tags=c",
        "levels=4",
        'place={"lat":1}',
        "unit=metric",
        "note=null",
        "either=x=y",
        "any=[1]",
      ];
      const { code, out, err } = await over("echo", ...pairs.flatMap(form));
      expect(code, err).toBe(0);
      expect(JSON.parse(out)).toEqual({
        city: "5",
        days: 2,
        exact: false,
        ratio: -1500,
        tags: ["a,b", "c"],
        levels: [4],
        place: { lat: 1 },
        unit: "metric",
        note: null,
        either: "x=y",
        any: [1],
      });
    },
  );

  it.each([
    [["city="], { city: "" }],
    [["city=a", 'tags=["x","y"]'], { city: "a", tags: ["x", "y"] }],
    [["city=a", "tags=[x"], { city: "a", tags: ["[x"] }],
    [["city=a", "either=5"], { city: "a", either: 5 }],
    [["city=a", 'either="5"'], { city: "a", either: "5" }],
    [
      ["city=a", "either=12345678901234567890"],
      { city: "a", either: "12345678901234567890" },
    ],
    [["city=a", "any=b"], { city: "a", any: "b" }],
  ])("%j becomes %j", async (pairs, expected) => {
    const { out, err } = await over(
      "echo",
      ...pairs.flatMap((pair) => ["--arg", pair]),
    );
    expect(out, err).not.toBe("");
    expect(JSON.parse(out)).toEqual(expected);
  });

  it.each(forms)(
    "have the types of the lists and enumerations of a union, written as %s",
    async (_, form) => {
      const pairs = [
        "ids=123",
        "one=123",
        "nested=4",
        "either=1",
        "free=1",
        "text=1",
        "mixed=1",
        "both=1",
        "constants=1",
        "mixes=1",
        "mixes=2",
      ];
      const { code, out, err } = await over("unions", ...pairs.flatMap(form));
      expect(code, err).toBe(0);
      expect(JSON.parse(out)).toEqual({
        ids: ["123"],
        one: ["123"],
        nested: ["4"],
        either: [1],
        free: [1],
        text: "1",
        mixed: "1",
        both: 1,
        constants: "1",
        mixes: ["1", 2],
      });
    },
  );

  it.each([
    [["--arg", "-depth=2"], { "-depth": 2 }],
    [["--arg=-depth=2"], { "-depth": 2 }],
    [["---depth", "2"], { "-depth": 2 }],
    [["---depth=-2"], { "-depth": -2 }],
    [["--", "-depth=2", "--deep=true"], { "-depth": 2, "--deep": true }],
    [["--arg", "--deep=false"], { "--deep": false }],
    [["----deep"], { "--deep": true }],
    [["--arg", "-=1"], { "-": 1 }],
    [["a b=c"], { "a b": "c" }],
    [["--a b", "c"], { "a b": "c" }],
    [
      ["--version", "1", "--list", "x", "--out", "y"],
      { version: "1", list: "x", out: "y" },
    ],
    [["url=a", "--on"], { url: "a", on: true }],
    [["--on", "--arg", "url=a"], { url: "a", on: true }],
    [["--on", "--out=-"], { on: true, out: "-" }],
    [["--out", "-"], { out: "-" }],
    [["--on", "false"], { on: false }],
  ])(
    "may have the names of flags, and names with dashes and spaces: %j",
    async (words, expected) => {
      const { code, out, err } = await over("names", ...words);
      expect(code, err).toBe(0);
      expect(JSON.parse(out)).toEqual(expected);
    },
  );

  it.each([
    [
      ["closed", "--timeot", "5"],
      'MG757 the tool "closed" has no argument "timeot"\n    hint: did you mean --timeout?',
    ],
    [
      ["open", "--timeot", "5"],
      'MG757 the tool "open" has no argument "timeot"\n    hint: did you mean --timeout?',
    ],
    [
      ["open", "--other", "5"],
      "hint: write --arg other=<value> if the tool accepts it anyway",
    ],
    [
      ["echo", "--cty", "5"],
      'MG757 the tool "echo" has no argument "cty"\n    hint: did you mean city?',
    ],
    [["echo", "--city"], 'MG757 the argument "city" needs a value: string'],
    [
      ["echo", "--city", "--days", "2"],
      'MG757 the argument "city" needs a value: string',
    ],
    [
      ["--timeot", "5"],
      "MG701 unknown flag --timeot\n    hint: did you mean --timeout?",
    ],
    [["--resource", "a:b", "--x", "5"], "MG701 unknown flag --x"],
    [
      ["--prompt", "review", "--x", "5"],
      "MG701 unknown flag --x\n    hint: write an argument of the prompt as x=<value>",
    ],
    [
      ["--resource", "a:b", "x=1"],
      "MG703 arguments are set, but no tool or prompt is named",
    ],
    [
      ["echo", "Paris"],
      'MG703 mcpgen call does not accept "Paris"\n    hint: write an argument as city=Paris, --city Paris or --arg city=Paris',
    ],
    [["echo", "=Paris"], 'MG703 mcpgen call does not accept "=Paris"'],
  ])(
    "are not guessed from a word that is none: %j",
    async (words, sentence) => {
      const { code, out, err } = await over(...words);
      expect([code, out, err]).toEqual([
        2,
        "",
        expect.stringContaining(sentence),
      ]);
    },
  );

  it("of a prompt are written in the same way", async () => {
    const { code, out } = await over(
      "--prompt",
      "review",
      "language=ts",
      "--arg",
      "depth=3",
    );
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('{"language":"ts","depth":"3"}'),
    ]);
  });

  it("are read as one object from --args or the standard input, and --arg replaces a member", async () => {
    const text = await over(
      "echo",
      "--args",
      '{"city":"Rome","days":1,"own":{"x":1}}',
      "--arg",
      "days=3",
    );
    expect(JSON.parse(text.out)).toEqual({
      city: "Rome",
      days: 3,
      own: { x: 1 },
    });
    const input = await call([`${base}/mcp`, "echo", "--args", "-"], {
      input: '{"city":"Rome"}\n',
    });
    expect(input.out).toBe('{"city":"Rome"}\n');
  });

  it.each([
    [
      "echo",
      [],
      'the tool "echo" needs the argument "city" (string)\n    hint: add city=<value> or --city <value> or --arg city=<value>',
    ],
    ["echo", ["days=x"], 'the argument "days" must be integer; found "x"'],
    ["echo", ["days=1.5"], 'the argument "days" must be integer; found "1.5"'],
    [
      "echo",
      ["days=12345678901234567890"],
      'the argument "days" is a number that JavaScript cannot represent',
    ],
    [
      "echo",
      ["exact=yes"],
      'the argument "exact" must be boolean; found "yes"',
    ],
    [
      "echo",
      ["levels=1", "levels=b"],
      'the argument "levels" must have items that are integer; found "b"',
    ],
    [
      "echo",
      ["place=Paris"],
      'the argument "place" must be object; found "Paris"',
    ],
    [
      "echo",
      ["unit=metrc"],
      'the argument "unit" must be one of "metric", "imperial"; found string "metrc"',
    ],
    [
      "echo",
      ["days=1", "days=2"],
      'the argument "days" was given 2 times, but it must be integer',
    ],
    [
      "echo",
      ["cty=a"],
      'the tool "echo" has no argument "cty"\n    hint: did you mean city?',
    ],
    [
      "closed",
      ["b=1"],
      'the tool "closed" has no argument "b"\n    hint: its arguments are a',
    ],
  ])(
    "of %s are refused in a sentence and nothing is called: %j",
    async (tool, pairs, sentence) => {
      const { code, out, err } = await over(
        tool,
        ...pairs.flatMap((pair) => ["--arg", pair]),
      );
      expect([code, out, err]).toEqual([
        2,
        "",
        expect.stringContaining(`MG757 ${sentence}`),
      ]);
    },
  );

  it("are checked in --args too, and all faults are reported at once", async () => {
    const { code, err } = await over("echo", "--args", '{"city":5,"days":"2"}');
    expect([code, err]).toEqual([
      2,
      'MG757 the argument "city" must be string; found number 5\n' +
        'MG757 the argument "days" must be integer; found string "2"\n',
    ]);
    const closed = await over("closed", "--args", '{"b":1}');
    expect([closed.code, closed.err]).toEqual([
      2,
      expect.stringContaining('has no argument "b"'),
    ]);
  });

  it("may have any name if the tool declares none", async () => {
    expect((await over("open", "--arg", "a=1", "--arg", "b=x")).out).toBe(
      '{"a":1,"b":"x"}\n',
    );
  });

  it("reach a server that reads one of them from a header", async () => {
    expect((await over("region", "--arg", "region=eu west")).out).toBe(
      '{"region":"eu west"}\n',
    );
  });

  it("are for a tool that exists; otherwise the nearest one is suggested", async () => {
    const { code, err } = await over("ecko");
    expect([code, err]).toEqual([
      2,
      'MG744 the server offers no tool "ecko"\n    hint: did you mean echo?\n',
    ]);
  });
});

describe("the result of mcpgen call", () => {
  it("is text whose control characters are visible", async () => {
    expect((await over("hostile")).out).toBe(
      "a\tb\nc\\u{1b}[2Jd\\u{202e}\\u{7}\n",
    );
  });

  it("describes images, audio, links and resources in words", async () => {
    expect((await over("all")).out).toBe(
      "[image: image/png, 3 B]\n[audio: audio/wav, 4 B]\n[resource link: file:///a, a\\u{1b}]\n" +
        "[resource: file:///b, text/plain]\nhello\n[resource: file:///c, 3 B]\n",
    );
  });

  it("shows structured content once, although the server repeats it as text", async () => {
    const { out } = await over("structured");
    expect(out).toBe(
      'It rains.\n{\n  "city": "Paris",\n  "mark": "\\u009b2J"\n}\n',
    );
  });

  it("is the whole result as JSON with --json", async () => {
    const { code, out } = await over("structured", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      content: [{ type: "text", text: "It rains." }, { type: "text" }],
      structuredContent: { city: "Paris", mark: "\u009b2J" },
    });
    expect(out).not.toContain("\u009b");
  });

  it("of a tool that reports an error is printed on the standard error, and the exit code is 1", async () => {
    const text = await over("fail");
    expect([text.code, text.out, text.err]).toEqual([
      1,
      "",
      'MG759 the tool "fail" reports an error\nno such city: \\u{1b}[31mParis\n',
    ]);
    const json = await over("fail", "--json");
    expect([json.code, JSON.parse(json.out)]).toEqual([
      1,
      expect.objectContaining({ isError: true }),
    ]);
  });

  it("is an error with exit code 3 if the server rejects the call", async () => {
    const { code, out, err } = await over("reject");
    expect([code, out, err]).toEqual([
      3,
      "",
      "MG758 the server rejects the call (-32602): The city is \\u{1b}[31mclosed.\n",
    ]);
  });

  it("hides a secret of the connection that the server repeats, with a warning", async () => {
    const secret = "tok-0123456789abcdef";
    const header = ["--header", `Authorization: Bearer ${secret}`];
    const { code, out, err } = await over(
      "open",
      ...header,
      "--arg",
      `a=x ${secret} y`,
      "--json",
    );
    expect(code, err).toBe(0);
    expect(out).toContain("x … y");
    expect(err).toContain(
      "MG737 warning: the result contains the value of the header Authorization",
    );
    expect(out + err).not.toContain(secret);
  });

  it.each(["/mcp", "/sse"])(
    "is that of a declined question if the server at %s sends one, with a warning for the user",
    async (path) => {
      const { out, err } = await call([`${base}${path}`, "ask"]);
      expect([out, err]).toEqual([
        '{"action":"decline"}\n',
        "the server sent elicitation/create, which mcpgen declines\n",
      ]);
    },
  );
});

describe("mcpgen call --output", () => {
  /** Runs a call in a folder of its own, and returns what it wrote. */
  async function saved(...args: readonly string[]) {
    const at = directory({});
    const run = await runHere(["call", `${base}/mcp`, ...args], at);
    const bytes = (name: string): string =>
      readFileSync(join(at, name)).toString("latin1");
    return {
      ...run,
      files: Object.fromEntries(
        readdirSync(at).map((name) => [name, bytes(name)]),
      ),
    };
  }

  it("writes an image as bytes, numbers further ones, and prints the text", async () => {
    const { code, out, err, files } = await saved(
      "picture",
      "--output",
      "dot.png",
    );
    expect([code, out]).toEqual([0, "A dot.\n"]);
    expect(files).toEqual({ "dot.png": "\u0089PNG", "dot-2.png": "RIFF" });
    expect(err).toBe("dot.png: written, 4 B\ndot-2.png: written, 4 B\n");
  });

  it.each([
    ["a text, with every character", ["report"], "a\u001b[2J\tb\r\n"],
    [
      "several texts",
      ["structured"],
      'It rains.\n{"city":"Paris","mark":"\u00c2\u009b2J"}',
    ],
    ["the bytes of a resource", ["--resource", "file:///a"], "\0\0\0"],
    ["the bytes in a prompt", ["--prompt", "review"], "\0\0\0"],
  ])("writes %s", async (_, words, expected) => {
    const { code, files } = await saved(...words, "--output", "file");
    expect([code, files]).toEqual([0, { file: expected }]);
  });

  it("prints the whole result with --json, too", async () => {
    const { out, files } = await saved(
      "picture",
      "--output",
      "dot.png",
      "--json",
    );
    expect(JSON.parse(out)).toMatchObject({
      content: [{ text: "A dot." }, { data: "iVBORw==" }, {}],
    });
    expect(Object.keys(files)).toEqual(["dot-2.png", "dot.png"]);
  });

  it("writes nothing if the tool reports an error, or no folder has the file", async () => {
    const failed = await saved("fail", "--output", "a.txt");
    expect([failed.code, failed.files]).toEqual([1, {}]);
    const missing = await saved("report", "--output", "no/such/a.txt");
    expect([missing.code, missing.err]).toEqual([
      2,
      expect.stringContaining("MG810 a.txt cannot be written"),
    ]);
    const list = await saved("--output", "a.txt");
    expect([list.code, list.err]).toEqual([
      2,
      expect.stringContaining("MG705 --output is set, but no tool"),
    ]);
  });
});

describe("what mcpgen call prints of Base64", () => {
  it.each([
    ["one byte", "AA==", "1 B"],
    ["three bytes", "AAAA", "3 B"],
    ["padding in front of a letter", `${"=".repeat(400_000)}A`, "300.0 kB"],
    ["padding alone", "=".repeat(400_000), "300.0 kB"],
  ])("is its size, in linear time: %s", (_, data, size) => {
    const content = [{ type: "image", data, mimeType: "image/png" }];
    expect(resultText({ content })).toBe(`[image: image/png, ${size}]\n`);
  });
});

describe("mcpgen call of a tool that takes long", () => {
  const terminal = {
    NODE_OPTIONS: "--import=data:text/javascript,process.stderr.isTTY=true",
    TERM: "xterm",
  };

  it("shows the progress in one line on a terminal, with control characters visible, and nothing elsewhere", async () => {
    const { err, statuses } = await over("slow", "--timeout", "1.5");
    expect(statuses.slice(0, 4)).toEqual([
      "tools: 15",
      "calling slow",
      "1 of 4: reading \\u{1b}[2J",
      null,
    ]);
    expect(err).not.toContain("reading");
  });

  it.each(["/mcp", "/legacy", "/sse"])(
    "cancels it after an interrupt, over %s",
    async (path) => {
      const { code, err } = await interrupted(
        [`${base}${path}`, "slow", "--arg", `of=${path}`],
        place(),
      );
      expect([code, err]).toEqual([
        130,
        expect.stringContaining("interrupted; the call was cancelled\n"),
      ]);
      await until(() => cancelled.includes(path));
    },
  );

  it("cancels it after an interrupt, on stdio", async () => {
    const local = {
      command: "node",
      args: ["server.mjs"],
      env: { CANCELLED: "cancelled.txt" },
    };
    const at = place({
      ".mcp.json": JSON.stringify({ mcpServers: { local } }),
    });
    expect(await interrupted(["local", "slow"], at)).toMatchObject({
      code: 130,
    });
    expect(readFileSync(join(at, "cancelled.txt"), "utf8")).toBe("slow");
  });

  /**
   * Interrupts the program when the progress shows that the tool is running.
   */
  async function interrupted(
    args: readonly string[],
    at: string,
  ): Promise<Ended> {
    const child = start(["call", ...args], {
      directory: at,
      environment: terminal,
    });
    child.stderr?.on("data", (part: Buffer) => {
      if (part.includes("reading")) child.kill("SIGINT");
    });
    return await ended(child);
  }
});

describe("mcpgen call of a prompt or a resource", () => {
  it("prints the messages of a prompt with their roles", async () => {
    const args = [
      "--prompt",
      "review",
      "--arg",
      "language=ts",
      "--args",
      '{ "depth": 3 }',
    ];
    const { code, out, err } = await over(...args);
    expect([code, err, out]).toEqual([
      0,
      "",
      'user: Review {"depth":"3","language":"ts"}\\u{1b}[2J\nassistant: [image: image/png, 3 B]\n',
    ]);
    const { messages } = JSON.parse(
      (await over(...args, "--json")).out,
    ) as Record<string, unknown>;
    expect(messages).toHaveLength(2);
  });

  it("prints the contents of a resource, and describes bytes", async () => {
    const { code, out } = await over("--resource", "file:///a");
    expect([code, out]).toEqual([
      0,
      "one\n\\u{1b}[2Jtwo\n[resource: file:///a, image/png, 3 B]\n",
    ]);
  });

  it("exits with 3 if the server rejects it", async () => {
    expect(await over("--prompt", "other")).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^MG758 .*no such/),
    });
  });

  it.each([
    [["echo", "--prompt", "review"]],
    [["--prompt", "review", "--resource", "a:b"]],
    [["--resource", "a:b", "--arg", "x=1"]],
  ])("exits with 2 if two of them are named: %j", async (row) => {
    expect(await over(...row)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^MG70[35] /),
    });
  });
});

describe("mcpgen call of a tool that the server does not offer", () => {
  it.each([
    [0, "it offers no tools"],
    [1, "it offers tool1"],
    [2, "it offers tool1, tool2"],
    [20, /it offers tool1, .*, tool19, tool20$/m],
    [21, /it offers tool1, .*, tool20, and 1 more$/m],
    [22, /it offers tool1, .*, tool20, and 2 more$/m],
  ])("names the first twenty of %i", async (count, hint) => {
    const at = directory({
      "many.cjs": `
        const tools = Array.from({ length: ${count} }, (_, i) => ({ name: "tool" + (i + 1), inputSchema: { type: "object" } }));
        require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
          const { id, method } = JSON.parse(line);
          const serverInfo = { name: "many", version: "1" };
          const result = method === "initialize" ? { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo } : { tools };
          if (id !== undefined && method !== "server/discover") console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
          else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
        });`,
    });
    const args = ["call", "--stdio", "node many.cjs", "other", "--no-color"];
    const { code, err } = await runHere(args, at);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/MG744 the server offers no tool "other"/),
    ]);
    expect(err.trimEnd()).toMatch(
      typeof hint === "string" ? new RegExp(`hint: ${hint}$`, "m") : hint,
    );
  });
});

describe("mcpgen call --ask", () => {
  it("needs a terminal", async () => {
    expect(await over("ask", "--ask")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^MG748 --ask needs a terminal/),
    });
  });

  describe.each([...keyboards, ownTerminal])("on $name", ({ open }) => {
    it("asks for each field of a form, and sends what was entered", async () => {
      const session = open(
        place(),
        "call",
        `${base}/mcp`,
        "ask",
        "--ask",
        "--no-color",
      );
      await session.until("The server asks: Who?");
      await session.until("Decline");
      session.press(keys.enter);
      await session.until("Your name\\u{1b}[2J");
      session.press(keys.enter);
      await session.until("Enter a value.");
      session.press("Ada", keys.enter);
      await session.until("age, optional");
      session.press("x", keys.enter);
      await session.until("Enter an integer.");
      session.press(keys.clear, keys.enter);
      await session.until("unit");
      await session.until("imperial");
      session.press(keys.down, keys.enter);
      await session.until("sure, optional");
      await session.until("No");
      session.press(keys.enter);
      const { code, screen } = await session.end();
      expect([code, screen]).toEqual([
        0,
        expect.stringContaining(
          '{"action":"accept","content":{"who":"Ada","unit":"imperial","sure":false}}',
        ),
      ]);
    });

    it("shows a form that names a page as a form, and no page", async () => {
      const args = ["ask", "--ask", "--no-color", "--arg", "both=1"];
      const session = open(place(), "call", `${base}/mcp`, ...args);
      await session.until("Answer");
      session.press(keys.enter);
      await session.until("Your name");
      session.press(keys.escape);
      const { screen } = await session.end();
      expect(screen).toContain('{"action":"cancel"}');
      expect(screen).not.toContain("javascript");
      expect(screen).not.toContain("wants you to open");
    });

    it.each([
      ["accept", keys.enter],
      ["decline", keys.down + keys.enter],
      ["cancel", keys.escape],
    ])(
      "shows the page that the server wants to open with its host in ASCII, and tells it what the user chose: %s",
      async (action, pressed) => {
        const session = open(
          place(),
          "call",
          `${base}/mcp`,
          "ask",
          "--ask",
          "--no-color",
          "--arg",
          "page=1",
        );
        // The line may be wrapped between them.
        await session.until("a page of xn--80ak6aa92e.test:");
        await session.until("https://xn--80ak6aa92e.test/a");
        await session.until("Decline");
        session.press(pressed);
        const { code, screen } = await session.end();
        expect([code, screen]).toEqual([
          0,
          expect.stringContaining(`{"action":"${action}"}`),
        ]);
      },
    );
  });
});
