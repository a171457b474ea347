import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { impactText } from "../../src/commands/update/impact/index.js";
import {
  bundled,
  errorsOf,
  impact,
  moved,
  project,
  revised,
  strict,
} from "./kit.js";

describe("the report on lines that no longer compile", () => {
  it("names a renamed member and its replacement", async () => {
    const before = await revised("2025-06-18", "before", []);
    const after = await revised("2025-06-18", "after", [
      ["  nextCursor?: Cursor;", "  cursorOfNextPage?: Cursor;"],
    ]);
    const program = project(before, {
      "src/list.ts": [
        'import type { ListToolsResult } from "./mcp/index.js";',
        "export function isLast(page: ListToolsResult): boolean {",
        "  const next: string | undefined = page.nextCursor?.toUpperCase();",
        "  return next === undefined;",
        "}",
        'export const oops: string = "already wrong".missing;',
      ].join("\n"),
    });
    expect(errorsOf(program)).toEqual(["src/list.ts:6 TS2339"]);
    const report = await impact(program, after);
    expect(report.files).toBe(1);
    expect(impactText(report)).toMatchInlineSnapshot(`
      "The change touches 1 line of the program: 1 line must change, 0 lines should be reviewed.

      ! \`PaginatedResult.nextCursor\` is renamed to \`cursorOfNextPage\`
        to do: write \`cursorOfNextPage\`
          src/list.ts:3:53 TS2339: Property 'toUpperCase' does not exist on type '{}'.
      "
    `);
    expect(errorsOf(moved(program, after))).toContain("src/list.ts:3 TS2339");
  });

  it("has paths relative to the program in the text of the compiler", async () => {
    const before = await revised("2025-06-18", "before", []);
    const after = await revised("2025-06-18", "after", [
      ["CallToolResult", "ToolResult"],
    ]);
    const program = project(before, {
      "src/main.ts":
        'import * as mcp from "./mcp/index.js";\nexport const test = mcp.isCallToolResult;\n',
    });
    const { lines } = await impact(program, after);
    expect(lines).toMatchObject([
      { file: "src/main.ts", line: 2, advice: "write `ToolResult`" },
    ]);
    expect(lines[0]?.message).toContain(`'typeof import("src/mcp/index"`);
  });

  it("gives the value of a new member that is always the same", async () => {
    const program = project(await bundled("2025-11-25"), {
      "src/main.ts": [
        'import type { CallToolResult } from "./mcp/index.js";',
        "export const empty: CallToolResult = { content: [] };",
      ].join("\n"),
    });
    const { lines } = await impact(program, await bundled("2026-07-28"));
    expect(lines).toMatchObject([
      { line: 2, code: "TS2741", advice: 'add `resultType: "complete"`' },
    ]);
  });

  it("names the file of a new revision that takes the place of an old one", async () => {
    const [first, second, third] = await Promise.all(
      ["2027-01-01", "2027-02-01", "2027-03-01"].map((name) =>
        revised("2025-06-18", name, []),
      ),
    );
    if (first === undefined || second === undefined || third === undefined)
      throw new Error("no revision");
    const program = project([first, second], {
      "src/main.ts":
        'import { isTool } from "./mcp/2027-02-01/index.js";\nexport const test = isTool({});\n',
    });
    const { lines } = await impact(program, first, third);
    expect(lines).toMatchObject([
      {
        line: 1,
        code: "TS2307",
        change: "`src/mcp/2027-02-01/index.ts` is no longer generated",
        advice: "import `src/mcp/2027-03-01/index.ts` instead",
      },
    ]);
  });
});

describe("a program that has no TypeScript of its own", () => {
  it("is compiled with that of mcpgen", async () => {
    const before = await revised("2025-06-18", "before", []);
    const after = await revised("2025-06-18", "after", [
      ["  nextCursor?: Cursor;", "  next?: Cursor;"],
    ]);
    const files = {
      "src/main.ts":
        'import type { Tool, ListToolsResult as Page } from "./mcp/types.js";\nexport const of = (page: Page): [Tool[], string?] => [page.tools.slice(), page.nextCursor];\n',
    };
    const program = project(
      before,
      files,
      strict,
      mkdtempSync(join(tmpdir(), "mcpgen-impact-")),
    );
    expect(() => createRequire(program.tsconfig).resolve("typescript")).toThrow(
      "Cannot find module",
    );
    const { lines } = await impact(program, after);
    expect(lines).toMatchObject([
      { file: "src/main.ts", line: 2, code: "TS2322", advice: "write `next`" },
    ]);
  });
});

describe("the report on lines that compile", () => {
  it("does not ask for a new member where a guard only tests a value", async () => {
    const before = await revised("2025-06-18", "before", []);
    const after = await revised("2025-06-18", "after", [
      [
        "    /** Arguments of the tool, by name",
        "    /** Who calls. */\n    caller: string;\n    /** Arguments, by name",
      ],
    ]);
    const program = project(before, {
      "src/main.ts": [
        'import { isCallToolRequest } from "./mcp/index.js";',
        "export const isCall = (message: unknown): boolean => isCallToolRequest(message);",
      ].join("\n"),
    });
    expect(impactText(await impact(program, after))).toMatchInlineSnapshot(`
      "The change touches 1 line of the program: 0 lines must change, 1 line should be reviewed.

      . \`isCallToolRequest\` rejects values that it accepted before: \`params.caller\` of \`tools/call\` is now required
        to do: check what happens to the values that it rejects now
          src/main.ts:2:54
      "
    `);
  });

  it("names a method that is removed, in JavaScript and in a template", async () => {
    const before = await revised("2025-06-18", "before", []);
    const after = await revised("2025-06-18", "after", [
      ['  method: "roots/list";', '  method: "roots/read";'],
    ]);
    const allowJs = { ...strict.compilerOptions, allowJs: true };
    const files = {
      "src/main.cjs": [
        'const { classify } = require("./mcp/dispatch.js");',
        "exports.kindOf = (message) => classify(message).kind;",
        "exports.name = (server) => `${server}: roots/list`;",
      ].join("\n"),
    };
    const { lines } = await impact(
      project(before, files, { ...strict, compilerOptions: allowJs }),
      after,
    );
    expect(lines).toMatchObject([
      { file: "src/main.cjs", line: 3, advice: 'write `"roots/read"`' },
    ]);
  });

  it("names a list that is too long, and says what fits", async () => {
    const before = await revised("2025-06-18", "before", []);
    const after = await revised("2025-06-18", "after", [
      [
        "  /** Preferred models, best first. They take precedence over the priorities. */\n",
        "  /**\n   * Preferred models.\n   *\n   * @maxItems 1\n   */\n",
      ],
    ]);
    const program = project(before, {
      "src/main.ts": [
        'import type { ModelHint, ModelPreferences } from "./mcp/index.js";',
        'export const two: ModelPreferences = { hints: [{ name: "a" }, { name: "b" }] };',
        'export const one: ModelPreferences = { hints: [{ name: "a" }] };',
        "export const some = (hints: ModelHint[]): ModelPreferences => ({ hints });",
      ].join("\n"),
    });
    expect(impactText(await impact(program, after))).toMatchInlineSnapshot(`
      "The change touches 2 lines of the program: 1 line must change, 1 line should be reviewed.

      ! \`ModelPreferences.hints\` must now be at most 1 item long; the validator rejects \`[{ name: "a" }, { name: "b" }]\`
        to do: write a value that is at most 1 item long
          src/main.ts:2:40

      . \`ModelPreferences.hints\` must now be at most 1 item long
        to do: keep it at most 1 item long
          src/main.ts:4:66
      "
    `);
  });
});
