import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../repository.ts";
import { clients } from "./peers.mjs";

let folder;
let program;
beforeAll(async () => {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "code-"));
  program = join(folder, "served.mjs");
  await build({
    entryPoints: [join(root, "test/code/served.ts")],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    // The thread of a run is a file of the built package.
    external: ["@mcpgen/*"],
    tsconfigRaw: {},
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const eras = [
  { revision: "2025-11-25", opening: "initialize" },
  { revision: "2026-07-28", opening: "per-request" },
];
const rows = clients.flatMap((peer) =>
  eras
    .filter((facts) => peer.speaks(facts))
    .map((facts) => ({
      name: peer.name,
      revision: facts.revision,
      peer,
      facts,
    })),
);

describe.each(rows)("$name in $revision", ({ peer, facts }) => {
  it("finds a tool of a server over code mode, and runs a program after its user has allowed a call", async () => {
    const asked = [];
    const where = { command: [process.execPath, program] };
    const client = await peer.open(where, facts, {
      elicit({ message }) {
        asked.push(message);
        return { action: "accept", content: { all: false } };
      },
    });
    const call = async (name, args) =>
      (await client.callTool({ name, arguments: args })).content[0].text;
    expect(await call("search_tools", { words: "write" })).toContain(
      "files.write(",
    );
    expect(
      await call("run_code", {
        program: "return (await files.write({ path: 'a' })).text;",
      }),
    ).toBe('Value: "write done"');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("files.write");
    await client.close();
  });
});
