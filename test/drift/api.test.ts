import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  compareSnapshots,
  readSnapshot,
  renderText,
  SchemaError,
} from "../../src/index.js";
import { directory } from "../cli/support.js";
import { base, planted, withDrift } from "./planted.js";

describe("the library", () => {
  it("reads two snapshots and compares them as data, from which it renders the report of mcpgen diff", async () => {
    const [row] = planted;
    if (row === undefined) throw new Error("there is no planted drift");
    const place = directory({
      "old.mcp.json": base,
      "new.mcp.json": withDrift(row),
    });
    const [before, after] = [
      await readSnapshot(join(place, "old.mcp.json")),
      await readSnapshot(join(place, "new.mcp.json")),
    ];
    const comparison = compareSnapshots(before, after);
    expect(comparison).toMatchObject({
      format: 2,
      basis: "snapshot",
      from: { source: "old.mcp.json" },
      to: { source: "new.mcp.json" },
      differences: [
        {
          change: row.change,
          effects: [
            { who: "callers", what: row.callers },
            { who: "implementers", what: row.implementers },
          ],
        },
      ],
    });
    expect(JSON.parse(JSON.stringify(comparison))).toEqual(comparison);
    expect(renderText(comparison)).toContain("! removed");
    expect(compareSnapshots(before, before).differences).toEqual([]);
  });

  it("rejects a snapshot with every error of the file", async () => {
    const place = directory({ "bad.mcp.json": '{ "format": 1, "tools": 7 }' });
    const refused: unknown = await readSnapshot(
      join(place, "bad.mcp.json"),
    ).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SchemaError);
    expect((refused as SchemaError).diagnostics.length).toBeGreaterThan(1);
  });
});
