import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shortLived } from "./engine.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const cli = join(root, "dist", "cli.js");
const readme = readFileSync(join(root, "README.md"), "utf8");

interface Block {
  readonly language: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The fenced blocks of the README in order. */
const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match): Block => {
  const [whole, language = "", text = ""] = match;
  return { language, text, start: match.index, end: match.index + whole.length };
});

/** Programs name themselves in their first line; the block right below one is what it prints. */
const programs = blocks.flatMap(({ language, text, end }, i) => {
  const name = /^\/\/ (\S+)\.ts\n/.exec(text)?.[1];
  const next = blocks[i + 1];
  const prints = next?.language === "text" && next.start === end + 2 ? next.text : null;
  return language === "ts" && name !== undefined ? [{ name, text, prints }] : [];
});
const printing = programs.flatMap(({ name, prints }) => (prints === null ? [] : [[name, prints] as const]));

/** `$ command` and what it prints, exit code aside. */
const sessions = blocks.flatMap(({ language, text }) => {
  const [, command, output] = /^\$ mcpgen (.*)\n([\s\S]*)$/.exec(text) ?? [];
  return language === "console" && command !== undefined ? [[command, output ?? ""] as const] : [];
});

describe("the README", () => {
  let folder = "";

  beforeAll(async () => {
    // Inside the checkout, so that the packages are found as in a project that installed them.
    mkdirSync(join(root, "node_modules", ".cache"), { recursive: true });
    folder = mkdtempSync(join(root, "node_modules", ".cache", "readme-"));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules", "mcpgen"), "junction");
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(
      join(folder, "traffic.jsonl"),
      [
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet"}}',
        '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hi"},{"type":"video"}]}}',
        "",
      ].join("\n"),
    );
    execFileSync(process.execPath, [...shortLived, cli, "--version", "all", "--out", "gen", "--quiet"], {
      cwd: folder,
    });
    const extended = ["--version", "latest", "--extension", "tasks", "--out", "tasked", "--quiet"];
    execFileSync(process.execPath, [...shortLived, cli, ...extended], { cwd: folder });
    for (const { name, text } of programs) {
      await build({
        stdin: { contents: text, loader: "ts", resolveDir: folder, sourcefile: `${name}.ts` },
        outfile: join(folder, `${name}.mjs`),
        bundle: true,
        external: ["mcpgen", "@mcpgen/*"],
        format: "esm",
        platform: "node",
        logLevel: "silent",
      });
    }
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("has a program for each of its readers", () => {
    expect(programs.map(({ name }) => name)).toEqual([
      "exact",
      "gateway",
      "caller",
      "server",
      "http-server",
      "features",
      "extension",
      "program",
    ]);
  });

  test.each(printing)("%s.ts prints what stands below it", (name, prints) => {
    const run = spawnSync(process.execPath, [`${name}.mjs`], { cwd: folder, encoding: "utf8" });
    expect(run.stderr).toBe("");
    expect(run.stdout).toBe(prints);
  });

  test.each(sessions)("mcpgen %s prints what stands below it", (command, output) => {
    const place = mkdtempSync(join(folder, "session-"));
    const words = command.split(" ").map((word) => (word === "traffic.jsonl" ? `../${word}` : word));
    const run = spawnSync(process.execPath, [...shortLived, cli, ...words], { cwd: place, encoding: "utf8" });
    expect(withoutSizes(run.stdout + run.stderr)).toBe(withoutSizes(output));
  });

  test("the help and the reference name the same flags", () => {
    const help = ["generate", "diff", "validate"]
      .map((command) =>
        execFileSync(process.execPath, [...shortLived, cli, command, "--help"], { encoding: "utf8" }),
      )
      .join("\n");
    const flags = new Set([...help.matchAll(/--[a-z-]+[a-z]/g)].map(([flag]) => flag));
    flags.delete("--help");
    for (const flag of flags) expect(readme, `the README does not explain ${flag}`).toContain(flag);
  });

  test("it explains every diagnostic, and none that does not exist", () => {
    const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
    const sources = files.filter(
      (path) => path.endsWith(".ts") && !path.includes("dist") && !path.includes("node_modules"),
    );
    const reported = sources.flatMap(
      (path) => readFileSync(join(root, "src", path), "utf8").match(/(?<=")MG\d{3}(?=")/g) ?? [],
    );
    const explained = readme.match(/(?<=^\|.*)MG\d{3}(?= +\|)/gm) ?? [];
    expect(explained).toEqual([...new Set(reported)].sort());
  });

  test("the fault it shows is told just so", () => {
    mkdirSync(join(folder, "notes"));
    const note = 'export interface SaveNoteRequest {\n  method: "notes/save";\n  draft: Partial<Note>;\n}\n';
    writeFileSync(join(folder, "notes", "schema.ts"), `${note}export interface Note { text: string }\n`);
    const words = ["--schema", "notes/schema.ts", "--out", "notes/gen"];
    const run = spawnSync(process.execPath, [...shortLived, cli, ...words], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(run.status).toBe(2);
    expect(blocks.map(({ text }) => text)).toContain(run.stderr);
  });

  test("it names every folder of src", () => {
    const entries = readdirSync(join(root, "src"), { withFileTypes: true });
    for (const entry of entries) if (entry.isDirectory()) expect(readme).toContain(`src/${entry.name}/`);
  });
});

/** Sizes change with every release; that they are told does not. */
function withoutSizes(text: string): string {
  return text.replace(/ +\d+(\.\d+)? k?B$/gm, " (size)");
}
