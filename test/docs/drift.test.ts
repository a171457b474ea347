import { describe, expect, it } from "vitest";
import { fixture, snapshotOf } from "../stubs/project.js";
import { drifted, driftPageOf, parsed, plainText } from "./making.js";

describe("a page of two snapshots", () => {
  it("shows them side by side, each drift with its class for callers and implementers", async () => {
    const page = await driftPageOf(fixture("weather"), drifted());
    const text = plainText(page);
    for (const words of [
      "Weather · Changes of an MCP server",
      "For callers: 2 breaking, 1 safety, 1 compatible. For implementers: 1 breaking, 1 safety, 2 compatible.",
      'breaking input.units: value removed: "imperial" (for callers; compatible for implementers)',
      "safety annotations.readOnlyHint: less safe",
      "(for callers and implementers; to be reviewed)",
      "breaking removed (for callers; compatible for implementers)",
      "compatible added (for callers; breaking for implementers)",
    ]) {
      expect(text).toContain(words);
    }
    expect(page).toMatch(/<td><del><code>[^]*?imperial[^]*?<\/del>/);
    expect(text.indexOf("value removed")).toBeLessThan(text.indexOf("annotations.readOnlyHint"));
    const same = await driftPageOf(fixture("weather"), fixture("weather"));
    expect(plainText(same)).toContain("There are no differences");
    expect(parsed(same).tags.some(({ name }) => name === "article")).toBe(false);
  });

  it("shows a resource with a new URI as one change, and the changed instructions of the server", async () => {
    const resource = { name: "log", uri: "file:///a.log" };
    const was = snapshotOf({ resources: [resource], instructions: "Ask twice." });
    const is = snapshotOf({ resources: [{ ...resource, uri: "file:///b.log" }], instructions: "Ask once." });
    const text = plainText(await driftPageOf(was, is));
    expect(text).toContain("moved: file:///a.log became file:///b.log");
    expect(text).toContain('"instructions": "Ask once."');
    expect(text).not.toContain("removed");
  });
});
