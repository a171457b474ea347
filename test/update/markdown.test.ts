import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put } from "../files.js";
import { mcpgen } from "../cli/support.js";
import { changedSchema, sourceAndProject, update } from "./project.js";

describe("mcpgen update --markdown", () => {
  it("prints each schema with its state, and what changed in the protocol", async () => {
    const { source, project } = sourceAndProject();
    expect((await update(project, ["--from", source])).code).toBe(0);
    put(join(source, "schema/2027-01-15/schema.ts"), changedSchema);
    const { code, out } = await update(project, ["--from", source, "--markdown"]);
    expect(code).toBe(0);
    expect(out).toContain("| `2027-01-15` | changed | `schema/2027-01-15/schema.ts` |");
    expect(out).toContain("| `2027-06-30` | unchanged | `schema/2027-06-30/schema.ts` |");
    expect(out).toContain("## `2027-01-15` to `2027-01-15`");
    expect(out).toMatch(/\| `params\.title` \| .* \| breaking \|/);
  });

  it("is what the workflows of mcpgen init --ci github run, with the commands after it", async () => {
    const { source, project } = sourceAndProject();
    put(join(project, "mcpgen.config.json"), '{ "generate": [{ "version": "latest", "out": "src/mcp" }] }');
    expect((await mcpgen(["init", "--ci", "github"], { directory: project })).code).toBe(0);
    const commands = ["update", "check"].flatMap((name) => {
      const text = readFileSync(join(project, `.github/workflows/mcpgen-${name}.yml`), "utf8");
      return [...text.matchAll(/npx --no mcpgen ?([^\n>]*)/g)].map(([, rest = ""]) => rest.trim());
    });
    expect(commands).toEqual(["update --markdown", "--clean", "check"]);
    for (const command of commands) {
      const words = command.split(" ").filter(Boolean);
      const args = words[0] === "update" ? [...words, "--from", source] : words;
      const { code, err } = await mcpgen(args, { directory: project });
      expect([command, code, err]).toEqual([command, 0, expect.any(String)]);
    }
    expect(readFileSync(join(project, "src/mcp/types.ts"), "utf8")).toContain("2027-06-30");
  });
});
