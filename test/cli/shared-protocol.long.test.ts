import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn } from "../files.js";
import { fixture } from "../stubs/project.js";
import { directory, mcpgen } from "./support.js";

const revision = "2025-11-25";
const snapshot = { "weather.mcp.json": fixture("weather") };

interface Run {
  readonly code: number | null;
  readonly err: string;
}

const run = async (place: string, ...words: string[]): Promise<Run> =>
  await mcpgen([...words, "--no-color"], { directory: place });
const generate = async (
  place: string,
  version: string,
  ...more: string[]
): Promise<Run> =>
  await run(place, "--version", version, "--out", "mcp", ...more);
const project = async (
  place: string,
  out: string,
  ...more: string[]
): Promise<Run> =>
  await run(place, "stubs", "weather.mcp.json", "--out", out, ...more);
const stubs = async (place: string, ...more: string[]): Promise<Run> =>
  await project(place, "gen", "--protocol", "mcp", ...more);

const both = ["--emit", "client,server"];

describe("mcpgen stubs --protocol", () => {
  it("imports from the folder of a revision and writes no protocol folder of its own", async () => {
    const place = directory(snapshot);
    await generate(place, revision);
    expect(await stubs(place, ...both)).toMatchObject({ code: 0 });
    const files = filesIn(join(place, "gen"));
    expect(
      Object.keys(files).filter((path) => path.startsWith("protocol/")),
    ).toEqual([]);
    expect(files["connect.ts"]).toContain('from "../mcp/client.js"');
    expect(files[".mcpgen.json"]).toContain('"protocol": "../mcp"');
    expect((await stubs(place)).err).toContain("gen is up to date");
  });

  it("finds the folder of its revision among several, and imports their copy of the runtime", async () => {
    const place = directory(snapshot);
    await generate(place, `2024-11-05,${revision}`, "--runtime", "vendored");
    expect(await stubs(place, ...both)).toMatchObject({ code: 0 });
    const files = filesIn(join(place, "gen"));
    expect(files["connect.ts"]).toContain(
      `from "../mcp/${revision}/client.js"`,
    );
    expect(files["connect.ts"]).toContain('from "../mcp/runtime/index.js"');
    expect((await stubs(place)).err).toContain("gen is up to date");
  });

  it("refuses a folder that is missing, is not generated, or belongs to a project", async () => {
    const place = directory({
      ...snapshot,
      "mcp/types.ts": "export type Mine = 1;\n",
    });
    const missing = await stubs(place);
    expect(missing.code).toBe(2);
    expect(missing.err).toContain("MG749 there are no generated files in mcp");
    expect(missing.err).toContain(
      "run mcpgen --version <revision> --out mcp first",
    );
    await project(place, "other");
    const { code, err } = await project(place, "gen", "--protocol", "other");
    expect([code, err]).toEqual([2, expect.stringContaining("MG749 ")]);
  });

  it("refuses a folder of another revision, also when the project is up to date", async () => {
    const place = directory(snapshot);
    await generate(place, revision);
    await stubs(place, ...both);
    await generate(place, "2025-06-18");
    const { code, err } = await stubs(place);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        `MG749 mcp has revision 2025-06-18, expected ${revision}`,
      ),
    ]);
  });

  it("refuses a folder that lacks the server or the client, unless the project needs neither", async () => {
    const place = directory(snapshot);
    await generate(place, revision, "--emit", "client");
    expect((await stubs(place, "--emit", "server")).err).toContain(
      "MG749 mcp was generated without server.ts",
    );
    expect((await stubs(place, "--emit", "client")).code).toBe(0);
    const other = directory(snapshot);
    await generate(other, revision, "--emit", "server");
    expect((await stubs(other, "--emit", "client")).err).toContain(
      "MG749 mcp was generated without client.ts",
    );
    expect((await stubs(other, "--emit", "server")).code).toBe(0);
  });

  it("refuses the project's own folder", async () => {
    const place = directory(snapshot);
    await generate(place, revision);
    const { code, err } = await project(place, "mcp", "--protocol", "mcp");
    expect([code, err]).toEqual([2, expect.stringContaining("MG749 ")]);
  });
});

describe("the key protocol of a configuration", () => {
  const config = {
    generate: [{ version: revision, out: "mcp" }],
    servers: [
      {
        snapshot: "weather.mcp.json",
        out: "gen",
        protocol: "mcp",
        emit: ["client", "server"],
      },
      {
        snapshot: "weather.mcp.json",
        out: "again",
        protocol: "mcp",
        emit: ["client"],
      },
    ],
  };

  it("lets several projects share the folder that a job generates, and check reports a missing folder", async () => {
    const place = directory({
      ...snapshot,
      "mcpgen.config.json": JSON.stringify(config),
    });
    expect((await run(place)).code).toBe(0);
    for (const out of ["gen", "again"]) {
      expect(filesIn(join(place, out))["connect.ts"]).toContain(
        'from "../mcp/client.js"',
      );
    }
    expect((await run(place, "check")).code).toBe(0);
    rmSync(join(place, "mcp"), { recursive: true });
    const { code, err } = await run(place, "check");
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("MG749 there are no generated files in mcp"),
    ]);
    expect((await run(place)).code).toBe(0);
    expect((await run(place, "check")).code).toBe(0);
  });
});
