import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, afterAll, describe, expect, it } from "vitest";
import { filesIn } from "../files.js";
import { directory, type Ended, mcpgen } from "../cli/support.js";

const program = fileURLToPath(new URL("server.mjs", import.meta.url));

/** The number of requests to the trap. */
let visits = 0;
const trap = createServer((_, response) => {
  visits += 1;
  response.end("{}");
});
let trapped = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
  trapped = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => trap.close(resolve)));

const listening: ChildProcess[] = [];
afterEach(() => {
  for (const child of listening.splice(0)) child.kill("SIGKILL");
});

/** The flags that name the hostile server. */
async function reach(carrier: string, what: string): Promise<string[]> {
  if (carrier === "stdio")
    return [
      "--stdio",
      `"${process.execPath}" "${program}" stdio ${what} ${trapped}`,
    ];
  const child = spawn(process.execPath, [program, "http", what, trapped], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  listening.push(child);
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return ["--url", `http://127.0.0.1:${port.toString().trim()}/mcp`];
}

interface Attempt extends Ended {
  /** The names in the parent folders of the working directory. */
  readonly outside: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Runs a command in a new folder, two levels deep, so that a file outside of it
 * is noticed.
 */
async function attempt(args: readonly string[]): Promise<Attempt> {
  const outer = directory();
  const place = join(outer, "a", "b");
  mkdirSync(place, { recursive: true });
  const ended = await mcpgen([...args, "--no-color"], { directory: place });
  const outside = [...readdirSync(outer), ...readdirSync(join(outer, "a"))];
  return { ...ended, outside, files: filesIn(place) };
}

/** Behaviour of the server that has the same result over every transport. */
const whatever: [what: string, code: string, words: string][] = [
  [
    "annotated",
    "MG731",
    'The tool "abyss" is nested more than 400 levels deep',
  ],
  ["proud", "MG731", "The description of the server is nested more than"],
];

describe.each(["stdio", "http"])(
  "mcpgen pull of a hostile server over %s",
  (carrier) => {
    it.each([
      ["endless", "MG731", "more than 1000 pages of tools"],
      ["heavy", "MG731", "larger than 16777216 characters"],
      ["mute", "MG733", "tools/list"],
      ["half", "MG733", "tools/list"],
      ["dying", "MG730", "the server cannot be read"],
      ...(carrier === "stdio" ? whatever : []),
    ])("exits with 3 and writes no file: %s", async (what, code, words) => {
      const timeout =
        what === "mute" || what === "half" ? ["--timeout", "2"] : [];
      const {
        code: exit,
        err,
        files,
        outside,
      } = await attempt(["pull", ...(await reach(carrier, what)), ...timeout]);
      expect([exit, err]).toEqual([3, expect.stringContaining(code)]);
      expect(err).toContain(words);
      expect([files, outside]).toEqual([{}, ["a", "b"]]);
    });

    it("reads 10,000 tools", async () => {
      const { code, err } = await attempt([
        "pull",
        ...(await reach(carrier, "many")),
      ]);
      expect([code, err]).toEqual([0, expect.stringContaining("10000 tools")]);
    });

    it("requests no URL that a schema refers to", async () => {
      for (const args of [["pull"], ["stubs", "--out", "gen"]]) {
        const { code, err } = await attempt([
          ...args,
          ...(await reach(carrier, "trap")),
        ]);
        expect([code, err]).toEqual([
          0,
          expect.stringMatching(/MG30[56] [^]*in tool "caller"/),
        ]);
      }
      expect(visits).toBe(0);
    });
  },
);

describe("mcpgen pull of a hostile server", () => {
  it.each([
    ["circle", 3],
    ["stuck", 1],
    ["blank", 1],
  ])(
    "ends a list with a warning if its cursors repeat: %s",
    async (what, count) => {
      const { code, err, files } = await attempt([
        "pull",
        ...(await reach("stdio", what)),
      ]);
      expect([code, err.match(/same cursor twice/g)]).toEqual([
        0,
        ["same cursor twice"],
      ]);
      const { tools } = JSON.parse(Object.values(files).join()) as {
        tools: unknown[];
      };
      expect(tools).toHaveLength(count);
    },
  );

  it("reports the tool of a schema with 50,000 values, which is not checked", async () => {
    const { code, err } = await attempt([
      "pull",
      ...(await reach("stdio", "wide")),
    ]);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/MG304 [^]*in inputSchema, in tool "greedy"/),
    ]);
  });

  it.each(["deep", "deepest"])(
    "leaves out only a schema that is nested too deep: %s",
    async (what) => {
      const { code, err, files } = await attempt([
        "pull",
        ...(await reach("stdio", what)),
      ]);
      expect([code, err]).toEqual([
        0,
        expect.stringMatching(/MG304 [^]*in inputSchema, in tool "abyss"/),
      ]);
      const { tools } = JSON.parse(Object.values(files).join()) as {
        tools: unknown;
      };
      const $comment =
        "The schema is nested more than 400 levels deep and was left out.";
      expect(tools).toEqual([
        { inputSchema: { $comment, type: "object" }, name: "abyss" },
        { inputSchema: { type: "object" }, name: "calm" },
      ]);
    },
  );

  it("writes only portable file names inside the folder, as mcpgen stubs does", async () => {
    const pulled = await attempt(["pull", ...(await reach("stdio", "names"))]);
    expect([pulled.code, Object.keys(pulled.files), pulled.outside]).toEqual([
      0,
      ["evil.mcp.json"],
      ["a", "b"],
    ]);
    const { code, err, files, outside } = await attempt([
      "stubs",
      "--out",
      "gen",
      "--emit",
      "client,server",
      ...(await reach("stdio", "names")),
    ]);
    expect(code, err).toBe(0);
    expect(outside).toEqual(["a", "b"]);
    const paths = Object.keys(files);
    expect(paths.filter((path) => !path.startsWith("gen/"))).toEqual([]);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(
      paths.length,
    );
    expect(
      paths.filter((path) => /(^|\/)(con|nul)\.|[^\w./-]|.{120}/i.test(path)),
    ).toEqual([]);
  });

  it("over stdio reports invalid output between answers, without its control characters", async () => {
    const { code, err } = await attempt([
      "pull",
      ...(await reach("stdio", "garbage")),
    ]);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/MG736 .*, and \d+ more like it/),
    ]);
    expect(err).not.toContain("\u001b");
  });

  it("over stdio ends after --timeout if the server sends messages without end", async () => {
    const { code, err } = await attempt([
      "pull",
      ...(await reach("stdio", "flood")),
      "--timeout",
      "1",
    ]);
    expect([code, err]).toEqual([3, expect.stringContaining("MG733")]);
  });

  it("over HTTP exits with 3 after an invalid answer, without its control characters", async () => {
    const { code, err } = await attempt([
      "pull",
      ...(await reach("http", "garbage")),
    ]);
    expect([code, err]).toEqual([3, expect.stringContaining("MG730")]);
    expect(err).not.toContain("\u001b");
  });
});
