import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { race } from "../runtime/login/race.ts";
import { Stage } from "./stage.ts";
import { open } from "./token-store.mjs";
import { startEngine } from "./topology.ts";

let stage;
let engine;
beforeEach(async () => {
  stage = new Stage();
  engine = await startEngine(stage);
  process.env.MCPGEN_ENGINE = `redis://127.0.0.1:${engine.port}`;
});
afterEach(() => stage.end());

describe("processes that share tokens in an engine", () => {
  const size = { processes: 4, calls: 30, pause: 50, lifetime: 1 };
  const start = async (more) =>
    race({
      ...size,
      ...more,
      shared: {
        store: await open(),
        module: join(import.meta.dirname, "token-store.mjs"),
      },
    });

  it("refresh each token once, without a sign-in, and leave none readable on its disk", async () => {
    const { ends, refreshes, reuses, logins } = await start();
    expect(ends).toEqual(ends.map(() => "done\n"));
    expect({ reuses, logins }).toEqual({ reuses: 0, logins: 0 });
    expect(refreshes).toBeGreaterThanOrEqual(2);
    expect(engine.written()).not.toMatch(
      /access-|refresh-|127\.0\.0\.1:\d+\/mcp/,
    );
  });

  it("continue if one of them is killed while it refreshes", async () => {
    const { ends, reuses, logins } = await start({ isKilled: true });
    expect(ends.toSorted()).toEqual(["SIGKILL", "done\n", "done\n", "done\n"]);
    expect({ reuses, logins }).toEqual({ reuses: 0, logins: 0 });
  });
});
