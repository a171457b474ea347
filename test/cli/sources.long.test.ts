import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusedBy } from "../card/registry.js";
import { put } from "../files.js";
import { root } from "../repository.js";
import { servers } from "./calling.js";
import { directory, type Ended, mcpgen } from "./support.js";

let serving: Awaited<ReturnType<typeof serveHttp>>;
let project = "";

/** A schema of a protocol with one request. */
const text = { type: "string" };
const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $defs: {
    ClientRequest: { $ref: "#/$defs/PingRequest" },
    PingRequest: {
      type: "object",
      properties: { method: { const: "ping", type: "string" }, id: text },
      required: ["method"],
    },
  },
};

const run = (...args: readonly string[]): Promise<Ended> =>
  mcpgen([...args, "--no-color"], { directory: project });

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [join(root, "test/cli/calling.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  });
  serving = await serveHttp(createHttpHandler(servers), { port: 0 });
  const known = {
    snapshot: "known.mcp.json",
    source: { stdio: "node server.mjs --known" },
    out: "known-stubs",
  };
  const tools = [{ name: "lend", inputSchema: { type: "object" } }];
  project = mkdtempSync(join(tmpdir(), "mcpgen-sources-"));
  const files = {
    "server.mjs": outputFiles[0]?.text ?? "",
    ".mcp.json": JSON.stringify({
      mcpServers: { local: { command: "node", args: ["server.mjs"] } },
    }),
    "mcpgen.config.json": JSON.stringify({ servers: [known] }),
    "package.json": JSON.stringify({
      name: "calling",
      version: "1.0.0",
      mcpName: "io.github.example/calling",
      description: "Calls.",
      bin: "main.js",
    }),
    "list.json": JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools } }),
    "odd name.json": JSON.stringify({ tools }),
  };
  for (const [name, text] of Object.entries(files))
    put(join(project, name), text);
  put(join(project, "schema.json"), JSON.stringify(schema));
  for (const args of [
    ["pull"],
    ["stubs", "known", "--out", "known-stubs"],
    ["pull", "local", "-o", "other.mcp.json"],
    ["stubs", "other.mcp.json", "--out", "other-stubs"],
  ]) {
    const { code, err } = await run(...args);
    if (code !== 0) throw new Error(`${args.join(" ")}: ${err}`);
  }
});
afterAll(async () => {
  rmSync(project, { recursive: true, force: true });
  await serving.close();
});

/** What a command needs besides a source. */
const rest: Readonly<Record<string, readonly string[]>> = {
  pull: ["-o", "out/"],
  stubs: ["--out", "gen", "--force"],
  card: ["--dry-run"],
  docs: ["--out", "page", "--force"],
  add: ["--dry-run"],
};
/** What a command says that works, besides differences that it finds. */
const done: Readonly<Record<string, readonly number[]>> = {
  lint: [0, 1],
  diff: [0, 1],
};

/** The table of the page: each command with each source. */
function cells(): readonly (readonly [string, string, string])[] {
  const page = readFileSync(join(root, "src/cli/README.md"), "utf8");
  const [, table = ""] = /## Sources\n[^|]*(\|[^]*?\n)\n/.exec(page) ?? [];
  const rows = table
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const [head = [], , ...lines] = rows;
  return lines.flatMap(([, , examples = "", ...marks]) =>
    Array.from(
      examples.matchAll(/`([^`]+)`/g),
      ([, word = ""]) => word,
    ).flatMap((word) =>
      marks.flatMap((mark, i) =>
        (head[i + 3] ?? "")
          .split(", ")
          .filter((command) => command !== "")
          .map((command) => [command, word, mark] as const),
      ),
    ),
  );
}

/** A word of the page as it is here. */
const wordOf = (text: string): string => {
  if (text.startsWith("https:")) return `http://127.0.0.1:${serving.port}/mcp`;
  return text.replace(/^"(.*)"$/, "$1");
};

describe("a source", () => {
  it("has a table that names every command and kind", () => {
    expect(new Set(cells().map(([command]) => command)).size).toBe(9);
    expect(cells().length).toBeGreaterThan(100);
  });

  it.each(cells())(
    "is used by mcpgen %s, or the refusal says in one sentence what does it: %s is %s",
    async (command, text, mark) => {
      const word = wordOf(text);
      const other =
        text === "latest" || text === "./schema.json" || /^\d/.test(text)
          ? "2025-06-18"
          : "other.mcp.json";
      const second = command === "diff" ? [other] : [];
      const args = [command, word, ...second, ...(rest[command] ?? [])];
      const { code, err } = await run(...args);
      if (mark === "yes") {
        expect(done[command] ?? [0], err).toContain(code);
        expect(err).not.toContain("MG705");
      } else {
        expect(mark).toBe("–");
        expect([code, err]).toEqual([
          2,
          expect.stringMatching(
            /^MG705 expected [^\n]*, found [^\n]*\n {4}hint: [^\n]*mcpgen[^\n]*\n$/,
          ),
        ]);
      }
    },
  );
});

describe("mcpgen card", () => {
  it.each(
    cells().filter(([command, , mark]) => command === "card" && mark === "yes"),
  )(
    "writes a server.json that the newest format of the registry accepts, %s of %s",
    async (_, text) => {
      const { code, err } = await run("card", wordOf(text), "--out", "cards");
      expect([code, err]).toEqual([0, expect.anything()]);
      const path = join(project, "cards/server.json");
      const card: unknown = JSON.parse(readFileSync(path, "utf8"));
      rmSync(path);
      expect(refusedBy(card)).toEqual([]);
    },
  );
});

describe("mcpgen diff with a server", () => {
  it("compares a recorded snapshot with a running server", async () => {
    const same = await run("diff", "other.mcp.json", "node server.mjs");
    expect([same.code, same.err]).toEqual([0, expect.anything()]);
    const { code, out } = await run("diff", "list.json", "node server.mjs");
    expect(code).toBe(1);
    expect(out).toContain("tool lend");
    expect(out).toContain("a live server");
  });

  it("reports every source that cannot be read in one run", async () => {
    const { code, err } = await run(
      "diff",
      "missing.mcp.json",
      "http://127.0.0.1:1/mcp",
    );
    expect(code).toBe(2);
    expect(err).toContain("MG001 no such file or folder: missing.mcp.json");
    expect(err).toContain("MG730");
  });
});

describe("the words of a source", () => {
  it("are a file if one has this name, with spaces too", async () => {
    const { code, err } = await run("lint", "odd name.json");
    expect([code, err]).toEqual([expect.any(Number), expect.anything()]);
    expect(err).toContain("1 tool");
  });

  it("never start a command that is also the name of an entry", async () => {
    const at = directory({
      ".mcp.json": JSON.stringify({
        mcpServers: { "node server.mjs": { command: "node", args: ["a"] } },
      }),
    });
    const ended = await mcpgen(["call", "node server.mjs"], { directory: at });
    expect([ended.code, ended.err]).toEqual([
      2,
      expect.stringContaining("name it with --config, or with --stdio"),
    ]);
    expect(ended.err).not.toContain("starting");
  });

  it("name an entry where a folder has the same name, and the folder with a slash", async () => {
    const at = directory({
      ".mcp.json": JSON.stringify({
        mcpServers: { gone: { command: "/no/such/server" } },
      }),
      "gone/readme.txt": "",
    });
    const ended = await mcpgen(["lint", "gone"], { directory: at });
    expect([ended.code, ended.err]).toEqual([
      3,
      expect.stringContaining("MG730"),
    ]);
  });

  it("are a path if they begin as one, and a name with a slash otherwise", async () => {
    mkdirSync(join(project, "empty"));
    const texts = await Promise.all(
      ["./missing", "./empty", "io.github.ann/desk"].map(
        async (word) => (await run("add", word)).err,
      ),
    );
    expect(texts).toEqual([
      expect.stringMatching(/^MG705 no such file or folder: \.\/missing\n/),
      expect.stringMatching(/^MG705 \.\/empty is not a folder of stubs\n/),
      expect.not.stringContaining("no such file"),
    ]);
  });

  it("name a server of a client's file only with an entry", async () => {
    const { code, err } = await run("lint", ".mcp.json");
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        "MG705 .mcp.json is the configuration of a client\n    hint: name one of its servers: .mcp.json#<name>\n",
      ),
    ]);
  });

  it("are no documents of OpenAPI, whichever command gets one", async () => {
    const at = directory({ "api.json": '{"openapi":"3.1.0","paths":{}}' });
    for (const command of ["lint", "diff", "call"]) {
      const { code, err } = await mcpgen([command, "api.json", "api.json"], {
        directory: at,
      });
      expect([code, err]).toEqual([
        2,
        expect.stringContaining(
          "MG705 api.json is an OpenAPI document, which mcpgen does not read",
        ),
      ]);
    }
  });

  it.each([
    "https://user:hush-hush@127.0.0.1:1/mcp",
    "node x --api-key hush-hush",
  ])("are not repeated in a refusal, because %s has a secret", async (word) => {
    const { code, err } = await run("check", word);
    expect(code).toBe(2);
    expect(err).not.toContain("hush-hush");
  });
});

describe("mcpgen check with a source", () => {
  it("checks that server only, by its name or by its source", async () => {
    for (const word of ["known", "node server.mjs --known"]) {
      const { code, err } = await run("check", "--live", word);
      expect([code, err]).toEqual([0, expect.stringContaining("known")]);
    }
  });
});
