import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type Updated,
  updateMarkdown,
} from "../../src/commands/update/report.js";
import type { ImpactLine } from "../../src/commands/update/impact/index.js";
import { diff } from "../../src/generator/ir/diff/index.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import type { RevisionUpdate } from "../../src/commands/update/pins.js";
import { put } from "../files.js";
import { revisions } from "../read/typescript/reading.js";
import { mcpgen } from "../cli/support.js";
import { changedSchema, sourceAndProject, update } from "./project.js";

describe("mcpgen update --markdown", () => {
  it("prints each schema with its state, and what changed in the protocol", async () => {
    const { source, project } = sourceAndProject();
    expect((await update(project, ["--from", source])).code).toBe(0);
    put(join(source, "schema/2027-01-15/schema.ts"), changedSchema);
    const { code, out } = await update(project, [
      "--from",
      source,
      "--markdown",
    ]);
    expect(code).toBe(0);
    expect(out).toContain(
      "- `2027-01-15`: changed, `schema/2027-01-15/schema.ts`\n",
    );
    expect(out).toContain(
      "- `2027-06-30`: unchanged, `schema/2027-06-30/schema.ts`\n",
    );
    expect(out).toContain(
      "<details>\n<summary>Changes from <code>2027-01-15</code> to <code>2027-01-15</code></summary>\n\n## `2027-01-15` to `2027-01-15`\n",
    );
    expect(out.trimEnd()).toMatch(/\n<\/details>$/);
    expect(out).toMatch(/^- \*\*breaking\*\* `params\.title`: /m);
  });

  it("begins with the lines to change, and leaves out changes that would make the text too long for a pull request", async () => {
    const [first, ...others] = await revisions();
    if (first === undefined) throw new Error("there is no revision");
    const row = (protocol: Protocol): RevisionUpdate => ({
      name: protocol.revision,
      state: "new",
      file: null,
      before: null,
      after: "0".repeat(64),
      comparison: diff(first, protocol),
    });
    const line: ImpactLine = {
      file: "src/main.ts",
      line: 7,
      column: 1,
      kind: "type",
      isBreaking: true,
      change: "`isError` is removed",
      advice: null,
      effects: [],
      code: null,
      message: null,
    };
    const report: Updated = {
      source: "a source",
      version: {},
      revisions: [...others, ...others].map(row),
      extensions: [],
      impacts: [
        {
          tsconfig: "tsconfig.json",
          isMove: false,
          folders: [{ out: "src/mcp", from: ["a"], to: ["b"] }],
          impact: { format: 2, files: 1, lines: [line], notes: [] },
        },
      ],
    };
    const text = updateMarkdown(report);
    expect(text).toMatch(
      /^## `tsconfig\.json`, when `src\/mcp` is generated again, from `a` to `b`\n[^]*`src\/main\.ts:7`\n\nSchemas of `a source`:\n/,
    );
    expect(Buffer.byteLength(text)).toBeLessThan(60_000);
    const folded = text.split("\n<details>\n").length - 1;
    expect(folded).toBeGreaterThan(0);
    expect(text.split("\n</details>\n").length - 1).toBe(folded);
    expect(
      text.split(
        " are too many for this text. `mcpgen diff --markdown` lists them.\n",
      ).length - 1,
    ).toBe(2 * others.length - folded);
    expect(folded).toBeLessThan(2 * others.length);
  });

  it("is what the workflows of mcpgen init --ci github run, with the commands after it", async () => {
    const { source, project } = sourceAndProject();
    put(
      join(project, "mcpgen.config.json"),
      '{ "generate": [{ "version": "latest", "out": "src/mcp" }] }',
    );
    expect(
      (await mcpgen(["init", "--ci", "github"], { directory: project })).code,
    ).toBe(0);
    const commands = ["update", "check"].flatMap((name) => {
      const text = readFileSync(
        join(project, `.github/workflows/mcpgen-${name}.yml`),
        "utf8",
      );
      return [...text.matchAll(/npx --no mcpgen ?([^\n>]*)/g)].map(
        ([, rest = ""]) => rest.trim(),
      );
    });
    expect(commands).toEqual(["update --markdown", "--clean", "check"]);
    for (const command of commands) {
      const words = command.split(" ").filter(Boolean);
      const args = words[0] === "update" ? [...words, "--from", source] : words;
      const { code, err } = await mcpgen(args, { directory: project });
      expect([command, code, err]).toEqual([command, 0, expect.any(String)]);
    }
    expect(readFileSync(join(project, "src/mcp/types.ts"), "utf8")).toContain(
      "2027-06-30",
    );
  });
});
