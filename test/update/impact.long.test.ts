import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { directory, mcpgen } from "../cli/support.js";
import { filesIn, put } from "../files.js";
import { newFolder } from "../impact/kit.js";
import { root } from "../repository.js";
import { lockName, update } from "./project.js";

const fixed = "2025-06-18";
const next = "2027-03-01";

/**
 * The bundled schema of a revision as another revision, with texts replaced.
 */
function revised(
  name: string,
  edits: readonly (readonly [from: string, to: string])[] = [],
): string {
  let text = readFileSync(join(root, "schema", fixed, "schema.ts"), "utf8");
  for (const [from, to] of [[fixed, name] as const, ...edits]) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  return text;
}

const renamed = [["  isError?: boolean;", "  hasFailed?: boolean;"]] as const;

/** A source with one schema. */
const sourceOf = (name: string, text: string): string =>
  directory({ [`schema/${name}/schema.ts`]: text });

interface Reported {
  readonly impacts: readonly {
    readonly tsconfig: string;
    readonly isMove: boolean;
    readonly folders: readonly object[];
    readonly impact: {
      readonly lines: readonly {
        file: string;
        line: number;
        advice: string | null;
      }[];
    };
  }[];
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
  }[];
}

const reportOf = (out: string): Reported => JSON.parse(out) as Reported;

describe("mcpgen update", () => {
  let project: string;

  /** A copy of the gateway with a configuration and its generated files. */
  const prepare = async (config: object): Promise<void> => {
    rmSync(join(project, "mcpgen.config.ts"), { force: true });
    put(join(project, "mcpgen.config.json"), JSON.stringify(config));
    expect(await mcpgen([], { directory: project })).toMatchObject({ code: 0 });
  };

  beforeEach(() => {
    project = newFolder();
    cpSync(join(root, "test/impact/gateway"), project, { recursive: true });
    put(join(project, "node_modules/.package-lock.json"), "{}");
  });

  it("names the lines that change when the files of a changed revision are generated again", async () => {
    await prepare({ generate: [{ version: fixed, out: "src/mcp" }] });
    const source = sourceOf(fixed, revised(fixed, renamed));
    const before = filesIn(project);
    const check = await update(project, [
      "--from",
      source,
      "--check",
      "--json",
    ]);
    expect(check.code).toBe(1);
    const { impacts, diagnostics } = reportOf(check.out);
    expect(impacts).toMatchObject([
      {
        tsconfig: "tsconfig.json",
        isMove: false,
        folders: [{ out: "src/mcp", from: [fixed], to: [fixed] }],
      },
    ]);
    expect(diagnostics).toEqual([]);
    const lines = impacts[0]?.impact.lines ?? [];
    const text = readFileSync(join(project, "src/client.ts"), "utf8").split(
      "\n",
    );
    const inClient = lines.filter(({ file }) => file === "src/client.ts");
    expect(inClient.length).toBeGreaterThan(0);
    for (const { line, advice } of inClient) {
      expect(text[line - 1]).toContain("isError");
      // The name in a pattern is that of a variable too.
      const isPattern = text[line - 1]?.includes("const {") === true;
      expect(advice).toBe(
        isPattern ? "write `hasFailed: isError`" : "write `hasFailed`",
      );
    }
    expect(filesIn(project)).toEqual(before);

    const run = await update(project, ["--from", source, "--markdown"]);
    expect(run.code).toBe(0);
    expect(run.out).toContain(
      "## `tsconfig.json`, when `src/mcp` is generated again\n\nThe change touches",
    );
    expect(run.out).toContain("  - **to do:** write `hasFailed: isError`\n");
    expect(run.out).toContain(`  - \`src/client.ts:${inClient[0]?.line}\`\n`);
    // What the Markdown says is not said again.
    expect(run.err).not.toContain("The change touches");
    expect(existsSync(join(project, lockName))).toBe(true);
  });

  /**
   * A program of two lines in place of the gateway, and its output, which
   * follows the pinned revision.
   */
  const prepareSmall = async (line: string): Promise<string> => {
    const source = sourceOf(next, revised(next));
    expect(await update(project, ["--from", source])).toMatchObject({
      code: 0,
    });
    rmSync(join(project, "src"), { recursive: true });
    const program = `import type { CallToolResult, ListRootsResult } from "./mcp/types.js";\n${line}\n`;
    put(join(project, "src/main.ts"), program);
    await prepare({
      generate: [{ version: "latest", out: "src/mcp", emit: ["types"] }],
    });
    return source;
  };

  it("names the same lines in each run until the files are generated again", async () => {
    const source = await prepareSmall(
      "export const of = (r: CallToolResult) => r.isError;",
    );
    put(join(source, `schema/${next}/schema.ts`), revised(next, renamed));
    const first = await update(project, ["--from", source]);
    const list = first.err.slice(
      first.err.indexOf("\ntsconfig.json, when src/mcp is generated again\n"),
    );
    expect(list).toMatch(
      /to do: write `hasFailed`\n {4}src\/main\.ts:2:[^]*run mcpgen --clean to generate the files again\n/,
    );
    expect(
      (await update(project, ["--from", source])).err.endsWith(
        `nothing is newer\n${list}`,
      ),
    ).toBe(true);
    expect(await mcpgen(["--clean"], { directory: project })).toMatchObject({
      code: 0,
    });
    expect(
      (await update(project, ["--from", source])).err.endsWith(
        "nothing is newer\n",
      ),
    ).toBe(true);
  });

  it("reports that the list is not complete if the schema of the generated files is gone", async () => {
    const source = await prepareSmall(
      'export type Roots = ListRootsResult["roots"];',
    );
    put(
      join(source, `schema/${next}/schema.ts`),
      revised(next, [["ListRootsResult", "ListOfRootsResult"]]),
    );
    expect(await update(project, ["--from", source])).toMatchObject({
      code: 0,
    });
    rmSync(join(project, "node_modules/.cache"), { recursive: true });
    expect(
      reportOf((await update(project, ["--from", source, "--json"])).out),
    ).toMatchObject({
      impacts: [
        {
          isMove: false,
          folders: [{ from: [next], to: [next] }],
          impact: { lines: [{ file: "src/main.ts", line: 1 }] },
        },
      ],
      diagnostics: [
        {
          code: "MG761",
          message: expect.stringMatching(
            /^a schema that src\/mcp was generated from is no longer here, so only lines that do not compile are listed$/,
          ),
          hint: "for the whole list, restore the schemas from version control and run mcpgen update again",
        },
      ],
    });
  });

  it("does not count files that an earlier run left over as files of the user, unless the user edited them", async () => {
    rmSync(join(project, "src"), { recursive: true });
    await prepare({ generate: [{ version: fixed, out: "src/mcp" }] });
    await prepare({
      generate: [{ version: fixed, out: "src/mcp", emit: ["types"] }],
    });
    const leftover = join(project, "src/mcp/validators.ts");
    const program = (folder: string): string =>
      `import type { ListRootsResult } from "${folder}/types.js";\nexport type Roots = ListRootsResult["roots"];\n`;
    expect(readFileSync(leftover, "utf8")).toContain("ListRootsResult");
    put(join(project, "src/main.ts"), program("./mcp"));
    const source = sourceOf(
      fixed,
      revised(fixed, [["ListRootsResult", "ListOfRootsResult"]]),
    );
    const filesWithLines = async (): Promise<unknown> => {
      const { impacts } = reportOf(
        (await update(project, ["--from", source, "--dry-run", "--json"])).out,
      );
      return impacts.map(({ impact }) => [
        ...new Set(impact.lines.map(({ file }) => file)),
      ]);
    };
    expect(await filesWithLines()).toEqual([["src/main.ts"]]);
    put(leftover, program("."));
    expect(await filesWithLines()).toEqual([
      ["src/main.ts", "src/mcp/validators.ts"],
    ]);
  });

  it("names the lines of a program that follows the latest revision", async () => {
    const first = sourceOf(next, revised(next));
    expect(await update(project, ["--from", first])).toMatchObject({ code: 0 });
    await prepare({ generate: [{ version: "latest", out: "src/mcp" }] });
    const later = "2027-09-01";
    const source = sourceOf(later, revised(later, renamed));
    const { out } = await update(project, [
      "--from",
      source,
      "--dry-run",
      "--json",
    ]);
    const [impact] = reportOf(out).impacts;
    expect(impact).toMatchObject({
      isMove: false,
      folders: [{ out: "src/mcp", from: [next], to: [later] }],
    });
    expect(impact?.impact.lines.map(({ advice }) => advice)).toContain(
      "write `hasFailed`",
    );
  });

  it("names the lines that would change if a fixed revision moved to a new one", async () => {
    await prepare({ generate: [{ version: fixed, out: "src/mcp" }] });
    const source = sourceOf(next, revised(next, renamed));
    const { code, err } = await update(project, ["--from", source]);
    expect(code).toBe(0);
    expect(err).toContain(
      `tsconfig.json, if src/mcp moves from ${fixed} to ${next}\n`,
    );
    expect(err).toContain("to do: write `hasFailed`");
  });

  it("names the lines of a program that has all revisions", async () => {
    const source = sourceOf(next, revised(next));
    expect(await update(project, ["--from", source])).toMatchObject({
      code: 0,
    });
    rmSync(join(project, "src"), { recursive: true });
    const program = `import { r } from "./use.js";\nexport const failed = r.isError;\n`;
    put(join(project, "src/main.ts"), program);
    const folder = `./mcp/${next}/index.js`;
    put(
      join(project, "src/use.ts"),
      `import type { CallToolResult } from "${folder}";\nexport declare const r: CallToolResult;\n`,
    );
    await prepare({
      generate: [{ version: ["2025-03-26", next], out: "src/mcp" }],
    });
    put(join(source, `schema/${next}/schema.ts`), revised(next, renamed));
    const { out } = await update(project, ["--from", source, "--json"]);
    expect(reportOf(out).impacts).toMatchObject([
      {
        folders: [{ from: ["2025-03-26", next], to: ["2025-03-26", next] }],
        impact: {
          lines: [
            { file: "src/main.ts", line: 2, advice: "write `hasFailed`" },
          ],
        },
      },
    ]);
  });

  it("names the lines that use the stubs of a server", async () => {
    rmSync(join(project, "src"), { recursive: true });
    const fixture = new URL(
      "../fixtures/snapshots/weather.mcp.json",
      import.meta.url,
    );
    const snapshot = JSON.parse(readFileSync(fixture, "utf8")) as Record<
      string,
      unknown
    >;
    const revision = String(snapshot["revision"]);
    put(join(project, "weather.mcp.json"), JSON.stringify(snapshot));
    await prepare({
      servers: [
        { snapshot: "weather.mcp.json", out: "src/weather", emit: ["client"] },
      ],
    });
    put(
      join(project, "src/main.ts"),
      `import type { Tool } from "./weather/protocol/types.js";\nexport const of = (tool: Tool) => tool.inputSchema;\n`,
    );
    const bundled = readFileSync(
      join(root, "schema", revision, "schema.ts"),
      "utf8",
    );
    const changed = bundled.replaceAll(/(\n {2})inputSchema:/g, "$1input:");
    expect(changed).not.toBe(bundled);
    const { out } = await update(project, [
      "--from",
      sourceOf(revision, changed),
      "--json",
    ]);
    expect(reportOf(out).impacts).toMatchObject([
      {
        folders: [{ out: "src/weather", from: [revision], to: [revision] }],
        impact: { lines: [{ file: "src/main.ts", line: 2 }] },
      },
    ]);
  });

  it("names the lines that use an extension", async () => {
    const bundled = readFileSync(
      join(root, "schema/extensions/tasks/schema.ts"),
      "utf8",
    );
    const changed = bundled.replaceAll("pollIntervalMs?:", "pollMs?:");
    expect(changed).not.toBe(bundled);
    rmSync(join(project, "src"), { recursive: true });
    const program = `import type { WorkingTask } from "./mcp/index.js";\nexport const of = (task: WorkingTask) => task.pollIntervalMs;\n`;
    put(join(project, "src/main.ts"), program);
    await prepare({
      generate: [{ version: "2026-07-28", extension: "tasks", out: "src/mcp" }],
    });
    const { out } = await update(project, [
      "--extension",
      directory({ "schema.ts": changed }),
      "--json",
    ]);
    expect(reportOf(out).impacts).toMatchObject([
      {
        isMove: false,
        folders: [{ from: ["2026-07-28"], to: ["2026-07-28"] }],
        impact: {
          lines: [{ file: "src/main.ts", line: 2, advice: "write `pollMs`" }],
        },
      },
    ]);
  });

  it("compiles the programs that the configuration names, each with its own lines", async () => {
    put(
      join(project, "tsconfig.json"),
      '{ "files": [], "references": [{ "path": "tsconfig.app.json" }] }',
    );
    const own = readFileSync(
      join(root, "test/impact/gateway/tsconfig.json"),
      "utf8",
    );
    put(
      join(project, "tsconfig.app.json"),
      own.replace('["src"]', '["src/client.ts"]'),
    );
    put(
      join(project, "src/tsconfig.json"),
      own.replace('["src"]', '["gateway.ts"]'),
    );
    await prepare({
      generate: [{ version: fixed, out: "src/mcp" }],
      update: { tsconfig: ["tsconfig.app.json", "src/tsconfig.json"] },
    });
    const source = sourceOf(fixed, revised(fixed, renamed));
    const { impacts } = reportOf(
      (await update(project, ["--from", source, "--json"])).out,
    );
    expect(impacts.map(({ tsconfig }) => tsconfig)).toEqual([
      "tsconfig.app.json",
      "src/tsconfig.json",
    ]);
    const files = impacts.map(({ impact }) => [
      ...new Set(impact.lines.map(({ file }) => file)),
    ]);
    expect(files).toEqual([["src/client.ts"], ["src/gateway.ts"]]);
  });

  it("goes on with a warning if a program or a job cannot be compared", async () => {
    await prepare({ generate: [{ version: fixed, out: "src/mcp" }] });
    put(
      join(project, "tsconfig.json"),
      '{ "compilerOptions": { "target": "ES1" } }',
    );
    const source = sourceOf(fixed, revised(fixed, renamed));
    const { code, out } = await update(project, ["--from", source, "--json"]);
    expect(code).toBe(0);
    expect(reportOf(out)).toMatchObject({
      impacts: [],
      diagnostics: [
        {
          code: "MG761",
          message: expect.stringMatching(/^tsconfig\.json is not compared: /),
          hint: "correct it until tsc accepts it",
        },
      ],
    });
    expect(existsSync(join(project, `schema/${fixed}/schema.ts`))).toBe(true);
  });

  it("compiles nothing if only comments differ, or nothing was generated yet", async () => {
    const source = sourceOf(next, revised(next));
    put(
      join(project, "mcpgen.config.json"),
      JSON.stringify({ generate: [{ version: "latest", out: "src/mcp" }] }),
    );
    rmSync(join(project, "mcpgen.config.ts"));
    const first = await update(project, ["--from", source, "--json"]);
    const assumed = ["errors", "headers", "primedStreams", "replacedCodes"].map(
      () => ({ code: "MG407" }),
    );
    expect(reportOf(first.out)).toMatchObject({
      impacts: [],
      diagnostics: assumed,
    });
    expect(await mcpgen([], { directory: project })).toMatchObject({ code: 0 });
    put(
      join(source, `schema/${next}/schema.ts`),
      `${revised(next)}\n// A comment.\n`,
    );
    const second = await update(project, ["--from", source, "--json"]);
    expect(reportOf(second.out)).toMatchObject({
      impacts: [],
      diagnostics: assumed,
    });
  });
});
