import { describe, expect, it } from "vitest";
import { impactText } from "../../src/impact/index.js";
import { errorsOf, impact, moved, project, revised } from "./kit.js";

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
});
