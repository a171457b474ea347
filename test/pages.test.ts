import {
  type ChildProcess,
  execFileSync,
  spawn,
  spawnSync,
} from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix } from "node:path";
import { build } from "esbuild";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands } from "../src/cli/commands.js";
import { namesOf } from "../src/cli/flag-specs.js";
import { mcpgen } from "./cli/support.js";
import { freePort } from "./free-port.js";
import { root } from "./repository.js";
import { isWhole } from "./whole.js";
import { until } from "./runtime/kit/watch.js";

/**
 * The pages whose programs and commands are tested here. The guides in
 * `test/examples` have a test of their own.
 */
const pageOf = (command: string): string => {
  const isAddOn = commands.some(
    (row) => row.name === command && row.isAddOn === true,
  );
  return `src/${isAddOn ? "" : "cli/"}commands/${command}/README.md`;
};
const pages = [
  "README.md",
  "schema/README.md",
  "src/README.md",
  "src/auth/README.md",
  "src/cli/README.md",
  ...commands.map(({ name }) => pageOf(name)),
  "src/runtime/README.md",
  "templates/README.md",
];
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The fenced blocks of each page in order. */
const blocks = pages.flatMap((page) =>
  [...textOf(page).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    (match): Block => {
      const [whole, language = "", text = ""] = match;
      return {
        page,
        language,
        text,
        start: match.index,
        end: match.index + whole.length,
      };
    },
  ),
);

/**
 * Programs name themselves in their first line; the block right below one is
 * what it prints. Those of the main page run in a new folder, as the page says
 * (`test/readme`).
 */
const programs = blocks.flatMap(({ page, language, text, end }, i) => {
  const name = /^\/\/ (\S+)\.ts\n/.exec(text)?.[1];
  const next = blocks[i + 1];
  const prints =
    next?.language === "text" && next.page === page && next.start === end + 2
      ? next.text
      : null;
  return language === "ts" && name !== undefined && page !== "README.md"
    ? [{ page, name, text, prints }]
    : [];
});
const printing = programs.filter(({ prints }) => prints !== null);

/** `$ command` and what it prints, exit code aside. */
const sessions = blocks.flatMap(({ page, language, text }) => {
  const [, command, output] = /^\$ mcpgen (.*)\n([\s\S]*)$/.exec(text) ?? [];
  return language === "console" && command !== undefined
    ? [[page, command, output ?? ""] as const]
    : [];
});

describe("the pages", () => {
  let folder = "";
  let port = 0;
  let server: ChildProcess | undefined;

  beforeAll(async () => {
    // Inside the checkout, so that the packages are found as in a project that
    // installed them.
    mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
    folder = mkdtempSync(join(root, "node_modules/.cache/pages-"));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules/mcpgen"), "junction");
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(
      join(folder, "traffic.jsonl"),
      [
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet"}}',
        '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hi"},{"type":"video"}]}}',
        "",
      ].join("\n"),
    );
    const generate = async (...args: string[]): Promise<void> => {
      const { code, err } = await mcpgen([...args, "--quiet"], {
        directory: folder,
      });
      if (code !== 0) throw new Error(err);
    };
    symlinkSync(join(root, "generated"), join(folder, "gen"), "junction");
    await generate(
      "--version",
      "latest",
      "--extension",
      "tasks",
      "--out",
      "tasked",
    );
    port = await freePort();
    for (const { name, text } of programs) {
      writeFileSync(join(folder, `${name}.ts`), text);
      await build({
        stdin: {
          contents: runnable(text, port),
          loader: "ts",
          resolveDir: folder,
          sourcefile: `${name}.ts`,
        },
        outfile: join(folder, `${name}.mjs`),
        bundle: true,
        external: ["mcpgen", "@mcpgen/*"],
        format: "esm",
        platform: "node",
        logLevel: "silent",
      });
    }
  });

  afterAll(() => {
    server?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it("have a program for each kind of reader", () => {
    expect(
      programs.map(({ page, name }) => `${dirname(page)}/${name}`),
    ).toEqual([
      "schema/extension",
      "src/program",
      "src/runtime/http-server",
      "src/runtime/http-client",
      "src/runtime/features",
      "src/runtime/cluster",
      "templates/exact",
      "templates/gateway",
    ]);
  });

  it.runIf(isWhole)("have programs that compile", () => {
    const options: ts.CompilerOptions = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    };
    const files = programs.map(({ name }) => join(folder, `${name}.ts`));
    const errors = ts.getPreEmitDiagnostics(ts.createProgram(files, options));
    expect(ts.formatDiagnostics(errors, formatHost)).toBe("");
  });

  it.each(
    printing.map(({ page, name, prints }) => [name, page, prints] as const),
  )("%s.ts of %s prints what is below it", async (name, _page, prints) => {
    if (name === "http-client") {
      server = spawn(process.execPath, ["http-server.mjs"], {
        cwd: folder,
        stdio: "ignore",
      });
      await until(() => fetch(`http://127.0.0.1:${port}/mcp`));
    }
    const run = spawnSync(process.execPath, [`${name}.mjs`], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(run.stderr).toBe("");
    expect(run.stdout).toBe(prints);
  });

  it.each(sessions)(
    "%s: mcpgen %s prints what is below it",
    async (_page, command, output) => {
      const place = mkdtempSync(join(folder, "session-"));
      const words = command
        .split(" ")
        .map((word) => (word === "traffic.jsonl" ? `../${word}` : word));
      const { out, err } = await mcpgen(words, { directory: place });
      expect(withoutSizes(out + err)).toBe(withoutSizes(output));
    },
  );

  it.each(commands)(
    "link from the page of the command line to the page of $name",
    ({ name }) => {
      expect(textOf("src/cli/README.md")).toContain(
        `](${posix.relative("src/cli", pageOf(name))})`,
      );
    },
  );

  it("explain each flag of a command: on its page, with the flags of every command, or where its help says", () => {
    const flagsOn = (page: string): string[] =>
      [...textOf(page).matchAll(/^\| (`-.*?`) +\| \S.* \|$/gm)].flatMap(
        ([, names = ""]) => names.match(/(?<=`--)[\w-]+/g) ?? [],
      );
    const common = flagsOn("src/cli/README.md");
    const missing = commands.flatMap(({ name, flags, elsewhere = [] }) => {
      const others = elsewhere.flatMap(({ command, flags: theirs }) => {
        const known = flagsOn(pageOf(command));
        return theirs.filter((flag) => known.includes(flag));
      });
      const known = new Set([...flagsOn(pageOf(name)), ...common, ...others]);
      return namesOf(flags)
        .filter((flag) => !known.has(flag))
        .map((flag) => `${name} --${flag}`);
    });
    expect(missing).toEqual([]);
  });

  it("explain no flag that the command does not have", () => {
    for (const { name, flags } of commands) {
      const [, section = ""] =
        /^## Flags\n([^]*?)(?=^## |(?![^]))/m.exec(textOf(pageOf(name))) ?? [];
      const named = [...section.matchAll(/^\| (`-.*?`) +\|/gm)].flatMap(
        ([, names = ""]) => names.match(/(?<=`--)[\w-]+/g) ?? [],
      );
      const aliases: readonly string[] = ["revision"];
      expect(
        named.filter(
          (flag) =>
            ![...namesOf(flags), ...aliases].some((known) => known === flag),
        ),
        name,
      ).toEqual([]);
    }
  });

  it.each([
    "src/README.md",
    "test/README.md",
    "src/commands/convert/INSIDE.md",
  ])("names only files and folders that exist: %s", (page) => {
    const paths = ["src", "test", "templates", "schema", ".ci"].flatMap(
      (folder) =>
        readdirSync(join(root, folder), {
          recursive: true,
          encoding: "utf8",
        })
          .filter((path) => !path.includes("node_modules"))
          .map((path) => `/${folder}/${path.replaceAll("\\", "/")}`),
    );
    const named = [
      ...textOf(page).matchAll(/`([\w./-]+(?:\.(?:ts|mjs|json)|\/))`/g),
    ].map(([, name = ""]) => name.replace(/\/$/, ""));
    expect(named.length).toBeGreaterThan(1);
    // Files of users, an export, and what the generator writes.
    const outside = new Set([
      "mcpgen.config.ts",
      "mcpgen.lock.json",
      "package.json",
      "server.json",
      "mcpgen/ir/schema.json",
      "generated",
    ]);
    const lost = named.filter(
      (name) =>
        !outside.has(name) &&
        !paths.some((path) => path.endsWith(`/${name.replace(/^\.*\//, "")}`)),
    );
    expect(lost).toEqual([]);
  });

  it("explain every diagnostic with what to do, and none that does not exist", () => {
    const files = readdirSync(join(root, "src"), {
      recursive: true,
      encoding: "utf8",
    });
    const sources = files.filter(
      (path) =>
        /\.ts$|lint.rules\.json$/.test(path) &&
        !path.includes("dist") &&
        !path.includes("node_modules"),
    );
    const reported = sources.flatMap(
      (path) =>
        readFileSync(join(root, "src", path), "utf8").match(
          /(?<=")MG\d{3}(?=")/g,
        ) ?? [],
    );
    const rows = [
      ...textOf(pageOf("explain")).matchAll(
        /^\| (MG\d{3}) +\| \S.*? +\| \S.*? +\|$/gm,
      ),
    ];
    expect(rows.map(([, code]) => code)).toEqual([...new Set(reported)].sort());
  });

  it("show a diagnostic as mcpgen prints it", async () => {
    mkdirSync(join(folder, "notes"));
    const note =
      'export interface SaveNoteRequest {\n  method: "notes/save";\n  size: bigint;\n}\n';
    writeFileSync(join(folder, "notes/schema.ts"), note);
    const words = ["--schema", "notes/schema.ts", "--out", "notes/gen"];
    const run = await mcpgen(words, { directory: folder });
    expect(run.code).toBe(2);
    expect(blocks.map(({ text }) => text)).toContain(run.err);
  });

  it("name every folder of src", () => {
    const page = textOf("src/README.md");
    const entries = readdirSync(join(root, "src"), { withFileTypes: true });
    for (const entry of entries)
      if (entry.isDirectory()) expect(page).toContain(`${entry.name}/`);
  });

  const options = [
    [
      "core/role/http-server/handler.ts",
      "EndpointOptions",
      "HttpOptions",
      "SseOptions",
    ],
    ["core/role/http-server/origins.ts", "OriginOptions"],
    ["core/role/http-server/serve-node.ts", "ServeHttpOptions"],
    ["core/transport/http-client/requester.ts", "HttpClientOptions"],
    ["core/transport/stdio.ts", "StdioOptions", "RestartOptions"],
    ["core/role/serve-stdio.ts", "ServeStdioOptions"],
    [
      "core/session/config.ts",
      "Settings",
      "ClientSettings",
      "ServerSettings",
      "ListeningOptions",
    ],
    ["core/session/config.ts", "ClientContext", "HandlerContext"],
    ["core/jsonrpc/limits.ts", "Limits", "ClientLimits", "ServerLimits"],
    ["core/report.ts", "Reporting"],
  ] as const;
  it.each(options)(
    "explain every option of the runtime in %s: %s",
    (path, ...interfaces) => {
      const page = textOf("src/runtime/README.md");
      const source = textOf(`src/runtime/${path}`);
      const file = ts.createSourceFile(
        path,
        source,
        ts.ScriptTarget.Latest,
        true,
      );
      const members = file.statements.flatMap((statement) =>
        ts.isInterfaceDeclaration(statement) &&
        interfaces.some((name) => name === statement.name.text)
          ? statement.members.map((member) => member.name?.getText(file) ?? "")
          : [],
      );
      expect(members.length).toBeGreaterThan(0);
      expect(
        members.filter(
          (name) => !new RegExp(`\`[^\`]*\\b${name}\\b`).test(page),
        ),
      ).toEqual([]);
    },
  );
});

/**
 * The sentences of a page: those of paragraphs, of items of lists and of cells
 * of tables. Headings, blocks of code and HTML do not count. A span of code is
 * one word, and of a link its text counts.
 */
function sentencesOf(page: string): string[] {
  const prose = page
    .replace(/^(`{3,})[^]*?^\1$/gm, "")
    .replace(/<!--[^]*?-->|<a id=.*?><\/a>/g, "")
    .replace(/^(?: {4}.*|#.*)$/gm, "")
    .replace(/`[^`]+`/g, "code")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1");
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=\|)/)
    .flatMap((block) =>
      block.trim().startsWith("|") ? block.split("|") : [block],
    )
    .flatMap((block) => block.split(/(?<=[.!?][)"*]?)\s+/));
}

describe("the sentences of all pages", () => {
  it("have at most 30 words, with few exceptions", () => {
    const files = execFileSync("git", ["ls-files", "*.md"], {
      cwd: root,
      encoding: "utf8",
    })
      .trim()
      .split("\n");
    // Pages have names without small letters. The other folders of test/ have
    // data.
    const paths = files.filter(
      (path) =>
        /(?:^|\/)[A-Z]+\.md$/.test(path) &&
        !/^test\/(?!examples\/).*\//.test(path),
    );
    const sentences = paths.flatMap((path) =>
      sentencesOf(textOf(path)).map((text) => ({ path, text })),
    );
    expect(sentences.length).toBeGreaterThan(5_000);
    const long = sentences.filter(
      ({ text }) =>
        text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length >
        30,
    );
    expect(
      long.length,
      long.map(({ path, text }) => `${path}: ${text}`).join("\n"),
    ).toBeLessThan(15);
  });
});

const formatHost: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => "\n",
};

/** A program as it runs after compilation, on a free port. */
function runnable(text: string, port: number): string {
  return text
    .replace(
      'stdio("npx", ["tsx", "server.ts"])',
      'stdio("node", ["server.mjs"])',
    )
    .replaceAll(/\b3000\b/g, String(port));
}

/** Sizes change with every release; that they are printed does not. */
function withoutSizes(text: string): string {
  return text.replace(/ +\d+(\.\d+)? k?B$/gm, " (size)");
}
