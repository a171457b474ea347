import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { directory, mcpgen } from "./support.js";

const snapshotOf = (tool: string): string =>
  JSON.stringify({
    format: 1,
    revision: "2025-11-25",
    server: { name: "x", version: "1" },
    capabilities: { tools: {} },
    tools: [{ name: tool, inputSchema: { type: "object" } }],
  });

/** A folder with two servers and a configuration. */
function project(code: object | null): string {
  const place = directory();
  writeFileSync(join(place, "files.mcp.json"), snapshotOf("read"));
  writeFileSync(join(place, "memory.mcp.json"), snapshotOf("add"));
  const servers = ["files", "memory"].map((name) => ({
    snapshot: `${name}.mcp.json`,
  }));
  writeFileSync(
    join(place, "mcpgen.config.json"),
    JSON.stringify({ servers, ...(code && { code }) }),
  );
  return place;
}
const both = { servers: ["files", "memory"], out: "agent" };

describe("mcpgen code with a configuration", () => {
  it("writes what the configuration says, and what the servers named by hand give", async () => {
    const place = project(both);
    expect(await mcpgen(["code"], { directory: place })).toMatchObject({
      code: 0,
    });
    await mcpgen(
      ["code", "files.mcp.json", "memory.mcp.json", "--out", "by-hand"],
      { directory: place },
    );
    for (const name of ["api.d.ts", "catalog.ts", "code.ts"])
      expect(readFileSync(join(place, "agent", name), "utf8")).toBe(
        readFileSync(join(place, "by-hand", name), "utf8"),
      );
  });

  it("has servers that are named by hand in the order of the command line", async () => {
    const place = project(null);
    await mcpgen(
      ["code", "memory.mcp.json", "files.mcp.json", "--out", "gen"],
      {
        directory: place,
      },
    );
    const text = readFileSync(join(place, "gen/api.d.ts"), "utf8");
    expect(
      [...text.matchAll(/^declare const (\w+)/gm)].map(([, name]) => name),
    ).toEqual(["memory", "files"]);
  });

  it("is checked: files that are missing, edited, or older than a snapshot", async () => {
    const place = project(both);
    const check = () => mcpgen(["check", "--no-color"], { directory: place });
    const missing = await check();
    expect(missing.code).toBe(1);
    expect(missing.err).toContain("MG965 warning: agent/api.d.ts: the file is");
    await mcpgen(["code"], { directory: place });
    expect(await check()).toMatchObject({ code: 0 });
    writeFileSync(join(place, "memory.mcp.json"), snapshotOf("remove"));
    const old = await check();
    expect(old.code).toBe(1);
    expect(old.err).toContain("hint: run mcpgen code");
    await mcpgen(["code"], { directory: place });
    expect(await check()).toMatchObject({ code: 0 });
    writeFileSync(join(place, "agent/code.ts"), "export {};\n");
    expect((await check()).err).toContain("agent/code.ts: the file is edited");
    rmSync(join(place, "memory.mcp.json"));
    expect((await check()).err).toContain("memory.mcp.json");
    expect((await check()).code).toBe(1);
  });

  it("says what to add if the configuration has no servers for it, or a member that it does not know", async () => {
    const none = await mcpgen(["code"], { directory: project(null) });
    expect(none.code).toBe(2);
    expect(none.err).toMatch(/MG745.*has no member "code"/);
    const wrong = await mcpgen(["check"], {
      directory: project({ server: ["files"], out: "agent" }),
    });
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('"server"');
  });
});
