import { describe, expect, it } from "vitest";
import { fixture } from "../stubs/project.js";
import { directory, mcpgen } from "./support.js";

/**
 * Changes the direction of text, is invisible, controls a terminal, ends a
 * line, and is outside of the Basic Multilingual Plane.
 */
const marks = [
  "\u202e",
  "\u200b",
  "\u001b",
  "\u009b",
  "\u2028",
  "\u{e0041}",
].join("");

/**
 * Two snapshots that differ in a tool whose name and description contain the
 * text.
 */
function snapshotsWith(text: string): string {
  const base = fixture("weather");
  const snapshot = JSON.parse(base) as {
    tools: { name: string; description: string }[];
  };
  const [tool] = snapshot.tools;
  const changed = {
    ...snapshot,
    tools: [
      { ...tool, name: `a${text}b`, description: `c${text}d` },
      ...snapshot.tools,
    ],
  };
  return directory({
    "old.mcp.json": base,
    "new.mcp.json": JSON.stringify(changed),
  });
}

describe("text of a server in a report", () => {
  it.each([["diff", "old.mcp.json", "new.mcp.json", "--json"]])(
    "has its control and bidirectional characters escaped in JSON: mcpgen %s",
    async (...args) => {
      const { code, out } = await mcpgen(args, {
        directory: snapshotsWith(marks),
      });
      expect(code).toBe(1);
      expect(out).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
      expect(out).toContain(
        "\\u202e\\u200b\\u001b\\u009b\\u2028\\udb40\\udc41",
      );
      expect(JSON.stringify(JSON.parse(out))).toContain(
        JSON.stringify(marks).slice(1, -1),
      );
    },
  );

  it("has them escaped in the JSON of an error too", async () => {
    const { out } = await mcpgen(
      ["diff", `x${marks.replace("\u001b", "")}y`, "latest", "--json"],
      {
        directory: directory(),
      },
    );
    expect(out).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
  });

  it("is code that its own backticks do not end in Markdown", async () => {
    const place = snapshotsWith("\\| <b> | `x`");
    const { code, out } = await mcpgen(
      ["diff", "old.mcp.json", "new.mcp.json", "--markdown"],
      {
        directory: place,
      },
    );
    expect(code).toBe(1);
    expect(out).toContain("### Tool `` a\\| <b> | `x`b ``\n");
  });
});

describe("a name of a folder", () => {
  const name = "\u001b[31mred\u202e";

  it("is printed with its escapes visible, wherever a report has it", async () => {
    const at = directory({
      "weather.mcp.json": fixture("weather"),
      "mcpgen.config.json": JSON.stringify({
        servers: [{ snapshot: "weather.mcp.json", out: `./${name}` }],
      }),
    });
    const runs = [
      ["--config", "mcpgen.config.json"],
      ["check"],
      ["stubs", "weather.mcp.json", "--out", `${name}2`],
      ["--version", "2025-11-25", "--emit", "types", "--out", `${name}3`],
      ["docs", "weather.mcp.json", "--out", `${name}4`],
    ];
    for (const args of runs) {
      const { out, err } = await mcpgen(args, { directory: at });
      expect(err).toContain("\\u{1b}[31mred\\u{202e}");
      expect(out + err).not.toMatch(/[^\P{C}\n]/u);
    }
  });

  it("cannot colour a report that has colours", async () => {
    const at = directory({ "weather.mcp.json": fixture("weather") });
    const { err } = await mcpgen(["stubs", "weather.mcp.json", "--out", name], {
      directory: at,
      environment: { FORCE_COLOR: "1" },
    });
    expect(err).toContain("\\u{1b}[31mred");
    expect(err).toContain("\u001b[1m");
    expect(err).not.toContain("\u001b[31m");
  });
});
