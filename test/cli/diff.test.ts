import { describe, expect, it } from "vitest";
import type { Comparison, Difference } from "../../src/index.js";
import { directory as folderOf, mcpgen, type Ended } from "./support.js";

/**
 * A snapshot of a server with one tool, whose argument has its type from an
 * anchor.
 */
const snapshotOf = (type: string, description: string): string =>
  JSON.stringify({
    format: 1,
    revision: "2025-11-25",
    server: { name: "notes", version: "1.0.0" },
    capabilities: { tools: {} },
    tools: [
      {
        name: "find",
        description,
        inputSchema: {
          type: "object",
          properties: { id: { $ref: "#id" } },
          $defs: { Id: { $anchor: "id", type } },
        },
      },
    ],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  });

describe("mcpgen diff", () => {
  it("finds a change of a type behind an $anchor, and exits with 1", async () => {
    const directory = folderOf({
      "old.mcp.json": snapshotOf("string", "Finds a note."),
      "new.mcp.json": snapshotOf("number", "Finds a note."),
    });
    const { code, out } = await mcpgen(
      ["diff", "old.mcp.json", "new.mcp.json"],
      { directory },
    );
    expect(code).toBe(1);
    expect(out).toMatch(/id.*(string|number)/);
    const equal = await mcpgen(["diff", "old.mcp.json", "old.mcp.json"], {
      directory,
    });
    expect([equal.code, equal.out]).toEqual([0, ""]);
  });

  it("prints a change of a revision and a change of a server as rows with the same members as JSON", async () => {
    const directory = folderOf({
      "old.mcp.json": snapshotOf("string", "Finds a note."),
      "new.mcp.json": snapshotOf("number", "Finds a note."),
    });
    const read = async (...names: readonly string[]): Promise<Comparison> =>
      JSON.parse(
        (await mcpgen(["diff", ...names, "--json"], { directory })).out,
      ) as Comparison;
    const [revisions, servers] = [
      await read("2025-06-18", "2025-11-25"),
      await read("old.mcp.json", "new.mcp.json"),
    ];
    expect(Object.keys(servers)).toEqual(Object.keys(revisions));
    const row: readonly (keyof Difference)[] = [
      "subject",
      "path",
      "change",
      "before",
      "after",
      "effects",
    ];
    for (const each of [...revisions.differences, ...servers.differences])
      expect(Object.keys(each)).toEqual(row);
    expect(servers.differences).toEqual([
      {
        subject: { kind: "tool", name: "find" },
        path: "input.id",
        change: "type-replaced",
        before: "string",
        after: "number",
        effects: [
          { who: "callers", what: "breaking" },
          { who: "implementers", what: "breaking" },
        ],
      },
    ]);
    expect(revisions.differences).toContainEqual({
      subject: { kind: "method", name: "notifications/cancelled" },
      path: "params.requestId",
      change: "member-made-optional",
      before: "requestId: RequestId",
      after: "requestId?: RequestId",
      effects: [
        { who: "sending client", what: "compatible" },
        { who: "receiving client", what: "breaking" },
        { who: "sending server", what: "compatible" },
        { who: "receiving server", what: "breaking" },
      ],
    });
  });

  it("with --breaking, prints only what breaks a peer, and exits with 1 only if something does", async () => {
    const directory = folderOf({
      "old.mcp.json": snapshotOf("string", "Finds a note."),
      "words.mcp.json": snapshotOf("string", "Searches notes."),
      "new.mcp.json": snapshotOf("number", "Searches notes."),
    });
    const revisions = await mcpgen(
      ["diff", "2025-06-18", "2025-11-25", "--breaking", "--json"],
      {
        directory,
      },
    );
    const { differences } = JSON.parse(revisions.out) as Comparison;
    expect(revisions.code).toBe(1);
    for (const { effects } of differences)
      expect(effects.map(({ what }) => what)).toContain("breaking");
    expect(differences.length).toBeGreaterThan(5);
    const pair = async (fresh: string): Promise<unknown> => {
      const { code, out } = await mcpgen(
        ["diff", "old.mcp.json", fresh, "--breaking"],
        { directory },
      );
      return [code, out.includes("id"), out.includes("Searches")];
    };
    expect(await pair("words.mcp.json")).toEqual([0, false, false]);
    expect(await pair("new.mcp.json")).toEqual([1, true, false]);
  });

  describe("of changes that have the same meaning in another notation", () => {
    const tool = (name: string, extra: object): object => ({
      name,
      description: "Finds a note.",
      inputSchema: {
        type: "object",
        properties: { id: { type: "string", ...extra } },
      },
    });
    const snapshot = (description: string, extra: object): string =>
      JSON.stringify({
        ...(JSON.parse(snapshotOf("string", "")) as object),
        tools: [
          tool("a", extra),
          tool("b", extra),
          { ...tool("c", {}), description },
        ],
      });
    const directory = () =>
      folderOf({
        "old.mcp.json": snapshot("Finds.", { not: { enum: ["x"] } }),
        "new.mcp.json": snapshot("Finds.", { not: { const: "x" } }),
        "other.mcp.json": snapshot("Searches.", { not: { const: "x" } }),
      });
    const diff = async (...args: string[]): Promise<Ended> =>
      await mcpgen(["diff", "old.mcp.json", ...args], {
        directory: directory(),
      });
    const counted =
      "2 changes have the same meaning in another notation, as far as it can be compared. --verbose lists them for a review.\n";
    it("prints only their number if there is nothing else", async () => {
      expect(await diff("new.mcp.json")).toMatchObject({
        code: 1,
        out: counted,
      });
    });

    it.each([[[]], [["--markdown"]]])(
      "prints their number after the other changes with the flags %j",
      async (flags) => {
        const { code, out } = await diff("other.mcp.json", ...flags);
        expect([code, out.match(/another notation/g)?.length]).toEqual([1, 1]);
        expect(out).toContain("Searches");
        expect(out.endsWith(`\n\n${counted}`)).toBe(true);
      },
    );

    it.each(["--verbose", "--json"])(
      "lists with %s the changes that have the same meaning in another notation",
      async (flag) => {
        const { code, out } = await diff("other.mcp.json", flag);
        expect([
          code,
          out.match(/another notation|"restated"/g)?.length,
        ]).toEqual([1, 2]);
      },
    );
  });

  it("rejects --extension for two snapshots", async () => {
    const directory = folderOf({
      "a.mcp.json": snapshotOf("string", "Finds a note."),
    });
    const args = ["diff", "a.mcp.json", "a.mcp.json", "--extension", "tasks"];
    const { code, err } = await mcpgen(args, { directory });
    expect(code).toBe(2);
    expect(err).toMatch(
      /^MG705 --extension is for schemas, and both sources are snapshots/,
    );
  });
});
