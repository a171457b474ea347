import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { createServers } from "../../generated/index.js";
import { commands } from "../../src/cli/commands.js";
import { shortLived } from "../engine.js";
import { fixture } from "../stubs/project.js";
import { program, revisions, root } from "../repository.js";
import {
  directory,
  ended,
  mcpgenAlone as mcpgen,
  smallSchema,
  start,
} from "./support.js";

const { version } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
) as { version: string };
const latest = revisions.at(-1) ?? "";

const configuration = JSON.stringify({
  servers: [
    { snapshot: "weather.mcp.json", source: { stdio: "node server.js" } },
  ],
  // In place of the official repository.
  update: { from: "modelcontextprotocol" },
});

describe("mcpgen", () => {
  it("prints its own version for a bare --version and for -V", async () => {
    for (const flag of ["--version", "-V"]) {
      expect(await mcpgen([flag], { directory: directory() })).toMatchObject({
        code: 0,
        out: `${version}\n`,
        err: "",
      });
    }
  });

  it("lists every command in its help, and prints the same help of a command for --help, -h and help", async () => {
    const at = directory();
    const { code, out, err } = await mcpgen(["--help"], { directory: at });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const { name } of commands)
      expect(out).toMatch(new RegExp(`^ {2}${name} `, "m"));
    for (const [i, { name }] of commands.entries()) {
      const long = await mcpgen([name, "--help"], { directory: at });
      expect(long.out).toMatch(/\nExamples:\n {2}\S*\s?.*mcpgen /);
      expect(long.code).toBe(0);
      // Each help is also requested in one of the other two ways.
      const other = await mcpgen(i % 2 === 0 ? [name, "-h"] : ["help", name], {
        directory: at,
      });
      expect([other.code, other.out]).toEqual([0, long.out]);
    }
  });

  let server = "";
  beforeAll(async () => {
    server = await smallServer();
  });

  for (const { name, examples } of commands) {
    it(`shows examples of ${name} that work as they are written`, async () => {
      const makesConfiguration = ["add", "init"].includes(name);
      const at = directory({
        "schema.ts": smallSchema,
        "schema.json": JSON.stringify({
          definitions: { A: { type: "object" } },
        }),
        "session.jsonl": "",
        "package.json": JSON.stringify({
          type: "module",
          name: "@example/weather",
          mcpName: "io.github.example/weather",
          version: "1.0.0",
          description: "The weather",
          author: { name: "Ada" },
          bin: "server.js",
        }),
        "src/server.ts": `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
export const server = new McpServer({ name: "weather", version: "1.0.0" });
server.registerTool("warn", { description: "Warns." }, () => ({ content: [] }));
`,
        "server.js": server,
        ".mcp.json":
          '{ "mcpServers": { "weather": { "command": "node", "args": ["server.js"] } } }',
        "weather.mcp.json": fixture("weather"),
        "files.mcp.json": fixture("weather"),
        "memory.mcp.json": fixture("weather"),
        "old.mcp.json": fixture("weather"),
        "new.mcp.json": fixture("weather").replace('"warn"', '"alarm"'),
        ...(makesConfiguration ? {} : { "mcpgen.config.json": configuration }),
        "modelcontextprotocol/schema/2027-01-15/schema.ts": smallSchema,
        "modelcontextprotocol/schema/draft/schema.ts": smallSchema,
        "tools.jsonl": '{"name":"a","inputSchema":{"type":"object"}}\n',
        "bin/mcpgen": `#!/bin/sh\nexec "${process.execPath}" ${shortLived.join(" ")} "${program}" "$@"\n`,
        "bin/my-server": "#!/bin/sh\n",
      });
      for (const tool of ["mcpgen", "my-server"])
        chmodSync(join(at, "bin", tool), 0o755);
      expect(examples.length).toBeGreaterThan(0);
      // A local server replaces example.com.
      const servers = createServers({
        info: { name: "elsewhere", version: "1" },
        handlers: {},
      });
      await using serving = await serveHttp(createHttpHandler(servers), {
        port: 0,
      });
      for (const [line] of examples) {
        // Each example of `init` and `add` begins without a configuration.
        if (makesConfiguration)
          for (const kind of ["ts", "json"])
            rmSync(join(at, `mcpgen.config.${kind}`), { force: true });
        const command = line
          .replace("$0", "mcpgen")
          .replace("https://example.com/mcp", serving.url);
        const child = spawn("sh", ["-c", command], {
          cwd: at,
          env: {
            PATH: `${join(at, "bin")}:${process.env["PATH"]}`,
            TOKEN: "t",
          },
          stdio: ["ignore", "pipe", "pipe"],
        });
        const { code, err } = await ended(child);
        // Only a comparison may exit with 1, which means a difference.
        expect(
          [0, name === "diff" || name === "check" ? 1 : 0],
          `${command}: ${err}`,
        ).toContain(code);
      }
    });
  }

  it.each([
    [{}, [], false],
    [{ FORCE_COLOR: "1" }, [], true],
    [{ FORCE_COLOR: "0" }, [], false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, [], false],
    [{ FORCE_COLOR: "1" }, ["--no-color"], false],
  ] as readonly (readonly [Record<string, string>, string[], boolean])[])(
    "uses colours only on a terminal, unless NO_COLOR, FORCE_COLOR or --no-color decides: %j with %j",
    async (environment, args, painted) => {
      const at = directory();
      const list = await mcpgen(["list", ...args], {
        directory: at,
        environment,
      });
      expect(list.out.includes("\u001b[")).toBe(painted);
      const fault = await mcpgen(["ir", "no", ...args], {
        directory: at,
        environment,
      });
      expect(fault.err.includes("\u001b[")).toBe(painted);
    },
  );

  it("prints a stack for a bug of its own, and asks for a report", async () => {
    // An installation without its schemas is neither a mistake of the user nor
    // an error that a command expects.
    const at = directory();
    cpSync(join(root, "dist"), join(at, "dist"), { recursive: true });
    writeFileSync(join(at, "package.json"), '{"type":"module"}');
    const child = spawn(
      process.execPath,
      [join(at, "dist/cli.js"), "--version"],
      { cwd: at },
    );
    const { code, out, err } = await ended(child);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(
      /^Error: The package is incomplete: .*\n {4}at .*\n[\s\S]*\nThis is a bug in mcpgen: please report it/,
    );
  });

  it("ends without an error if the reader of its output closes the pipe", async () => {
    const child = spawn("sh", [
      "-c",
      `"$0" "$1" ir ${latest} | head -c 100; echo "ended"`,
      process.execPath,
      program,
    ]);
    const { code, err, out } = await ended(child);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^\{\n[\s\S]*ended\n$/);
  });

  it("exits with 130 if it is interrupted while it waits for input", async () => {
    const child = start(["validate", latest, "-"], { directory: directory() });
    const result = ended(child);
    child.stdin?.write('{"jsonrpc":"2.0"}\n');
    // The first finding shows that the program is reading.
    child.stdout?.once("data", () => child.kill("SIGINT"));
    expect(await result).toMatchObject({ code: 130, err: "interrupted\n" });
  });
});

describe("a configuration that leaves work open", () => {
  const job =
    'export default { generate: [{ version: "2024-11-05", out: "gen", emit: ["types"] }] };\n';
  /**
   * Starts the program and waits until its configuration writes to the standard
   * output.
   */
  async function whileLoading(text: string): Promise<ChildProcess> {
    const child = start(["--no-color"], {
      directory: directory({ "mcpgen.config.mjs": text }),
    });
    await new Promise<void>(
      (resolve) => void child.stdout?.once("data", () => resolve()),
    );
    return child;
  }

  it("does not keep the command alive when its work is done", async () => {
    const place = directory({
      "mcpgen.config.mjs": `setInterval(() => {}, 1e9);\n${job}`,
    });
    const { code, err } = await mcpgen(["--no-color"], { directory: place });
    expect([code, err]).toEqual([0, expect.stringMatching(/types\.ts/)]);
    expect(readFileSync(join(place, "gen/types.ts"), "utf8")).toContain(
      "2024-11-05",
    );
  });

  const works = {
    "waits for ever":
      "setInterval(() => {}, 1e9);\nawait new Promise(() => {});",
    "loops for ever": "for (;;);",
  };
  it.each(
    Object.entries(works).flatMap(([name, work]) =>
      (["SIGTERM", "SIGINT"] as const).map(
        (signal) => [name, signal, work] as const,
      ),
    ),
  )("ends while it %s at %s, the first signal", async (_, signal, work) => {
    const child = await whileLoading(
      `import { writeSync } from "node:fs";\nwriteSync(1, "x");\n${work}\n${job}`,
    );
    const result = ended(child);
    child.kill(signal);
    expect(await result).toMatchObject({ code: null, signal });
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)(
    "is interrupted by %s with %i once it is loaded",
    async (signal, code) => {
      const place = directory({
        "mcpgen.config.mjs": `setInterval(() => {}, 1e9);\n${job}`,
      });
      const child = start(["--watch", "--no-color"], { directory: place });
      const result = ended(child);
      child.stderr?.on("data", (part: Buffer) => {
        if (String(part).includes("watching for changes")) child.kill(signal);
      });
      expect(await result).toMatchObject({ code });
    },
  );
});

describe("mcpgen list", () => {
  it("shows every revision in schema/ with its opening and counts, and marks the latest", async () => {
    const { code, out } = await mcpgen(["list"], { directory: directory() });
    expect(code).toBe(0);
    const lines = out.trimEnd().split("\n");
    expect(lines.map((line) => line.split(" ")[0])).toEqual(revisions);
    expect(lines.filter((line) => line.includes("latest"))).toEqual([
      expect.stringContaining(latest),
    ]);
    const rows = JSON.parse(
      (await mcpgen(["list", "--json"], { directory: directory() })).out,
    ) as unknown;
    expect(rows).toHaveLength(revisions.length);
    expect(rows).toContainEqual({
      revision: "2025-03-26",
      latest: false,
      opening: "initialize",
      batches: true,
      types: 83,
      requests: 15,
      notifications: 9,
      extensions: [],
    });
  });
});

describe("mcpgen ir", () => {
  it("prints the same representation for a revision and for the path of its schema", async () => {
    const at = directory();
    const [oldest = ""] = revisions;
    const { out } = await mcpgen(["ir", oldest], { directory: at });
    const bundled = JSON.parse(out) as Record<string, unknown>;
    expect(bundled).toMatchObject({
      "mcpgen:format": 2,
      revision: oldest,
      source: { name: `schema/${oldest}/schema.ts` },
    });
    const path = join(root, "schema", oldest);
    const representation = JSON.parse(
      (await mcpgen(["ir", path], { directory: at })).out,
    ) as Record<string, unknown>;
    expect({ ...representation, source: null }).toEqual({
      ...bundled,
      source: null,
    });
  });
});

describe("mcpgen diff", () => {
  it("prints nothing and exits with 0 for two equal schemas", async () => {
    const at = directory({
      "a.ts": smallSchema,
      "b.ts": smallSchema.replace("/** The greeting. */", "/** Prose. */"),
    });
    expect(
      await mcpgen(["diff", "a.ts", "b.ts"], { directory: at }),
    ).toMatchObject({ code: 0, out: "" });
    expect(
      await mcpgen(["diff", latest, latest], { directory: at }),
    ).toMatchObject({
      code: 0,
      out: "",
      err: "",
    });
  });

  it("exits with 1 and prints what changed as text, Markdown and JSON", async () => {
    const at = directory({
      "a.ts": smallSchema,
      "b.ts": smallSchema.replace("text: string", "text: number"),
    });
    const text = await mcpgen(["diff", "a.ts", "b.ts"], { directory: at });
    expect(text.code).toBe(1);
    expect(text.out).toContain("GreetResult");
    const markdown = await mcpgen(["diff", "a.ts", "b.ts", "--markdown"], {
      directory: at,
    });
    expect(markdown.out).toMatch(/^#/);
    const json = await mcpgen(["diff", "a.ts", "b.ts", "--json"], {
      directory: at,
    });
    expect(JSON.parse(json.out)).toMatchObject({
      basis: "whole",
      differences: [{ before: "string", after: "number" }],
    });
    expect([markdown.code, json.code]).toEqual([1, 1]);
  });

  it("reports the errors of both schemas in one run", async () => {
    const at = directory({
      "a.ts": "export type A = Foo;\n",
      "b.ts": "export type B = Bar;\n",
    });
    const { code, err } = await mcpgen(["diff", "a.ts", "b.ts"], {
      directory: at,
    });
    expect(code).toBe(2);
    expect(err).toContain("a.ts:1:");
    expect(err).toContain("b.ts:1:");
  });
});

/** A server with one tool, as a program and as a module. */
async function smallServer(): Promise<string> {
  const contents = `
    import { serveStdio } from "@mcpgen/runtime/stdio";
    import { createServer } from "./generated/2025-11-25/server.js";
    export const server = createServer({ info: { name: "small", version: "1" }, handlers: {
      "tools/list": () => ({ tools: [{ name: "get_forecast", inputSchema: { type: "object", properties: {
        city: { type: "string" }, days: { type: "integer" } } } }] }),
      "tools/call": () => ({ content: [] }),
    } });
    if (process.argv[1]?.endsWith("server.js")) await serveStdio(server);`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  });
  return outputFiles[0]?.text ?? "";
}
