import { describe, expect, it } from "vitest";
import { race } from "./race.js";

// `npm run test:auth` runs eight processes of 200 calls.
const isWhole = process.env["MCPGEN_RACE"] === "whole";
const size = isWhole
  ? { processes: 8, calls: 200, pause: 50, lifetime: 2 }
  : { processes: 4, calls: 30, pause: 50, lifetime: 1 };

describe("processes that share a folder of tokens", () => {
  it("AUTH-55 refresh each token once, without a sign-in", async () => {
    const { ends, refreshes, reuses, logins } = await race(size);
    expect(ends).toEqual(
      Array.from({ length: size.processes }, () => "done\n"),
    );
    expect({ reuses, logins }).toEqual({ reuses: 0, logins: 0 });
    expect(refreshes).toBeGreaterThanOrEqual(2);
  }, 120_000);

  it("continue if one of them is killed while it refreshes", async () => {
    const { ends, reuses, logins } = await race({ ...size, isKilled: true });
    expect([...ends].sort()).toEqual([
      "SIGKILL",
      ...Array.from({ length: size.processes - 1 }, () => "done\n"),
    ]);
    expect({ reuses, logins }).toEqual({ reuses: 0, logins: 0 });
  }, 120_000);
});
