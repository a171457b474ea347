import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn } from "../files.js";
import { revisions } from "../repository.js";
import { directory, type Ended, mcpgen } from "./support.js";

const run = (place: string, ...words: string[]): Promise<Ended> =>
  mcpgen([...words, "--no-color"], { directory: place });
const stubs = (place: string, ...words: string[]): Promise<Ended> =>
  run(
    place,
    "stubs",
    "notes.mcp.json",
    "--out",
    "gen",
    "--emit",
    "server",
    ...words,
  );

const notes = (members: object = {}): string =>
  JSON.stringify({
    server: { name: "notes", version: "0.1.0" },
    ...members,
    tools: [{ name: "add", inputSchema: { type: "object" } }],
  });
const withNotes = (members?: object): string =>
  directory({ "notes.mcp.json": notes(members) });
const newestFirst = [...revisions].reverse();
const newest = newestFirst[0] ?? "";
const fileOf = (place: string, path: string): string =>
  readFileSync(join(place, path), "utf8");

describe("mcpgen stubs for the file of a server that a person designs", () => {
  const widened = async () => {
    // Earlier versions of mcpgen gave a file without a revision the newest one.
    const place = withNotes({ revision: newest });
    await stubs(place);
    const before = fileOf(place, "gen/server.ts");
    writeFileSync(join(place, "notes.mcp.json"), notes());
    return { place, before, ...(await stubs(place)) };
  };

  it("says once that a project which had one revision now has all, and how to keep the one", async () => {
    const { place, code, err } = await widened();
    expect([code, err.match(/^MG317.*$/gm)]).toEqual([
      0,
      [
        `MG317 note: the server now has the revisions ${newestFirst.join(", ")}, and its files of each are in protocol/<revision>/; "revision": "${newest}" in notes.mcp.json keeps that one`,
      ],
    ]);
    expect(fileOf(place, "gen/server.ts")).toContain("createServers");
    const again = await stubs(place, "--clean");
    expect([again.code, again.err]).toEqual([
      0,
      expect.not.stringContaining("MG317"),
    ]);
  });

  it("keeps the one revision of a project that its file names", async () => {
    const { place, before } = await widened();
    writeFileSync(join(place, "notes.mcp.json"), notes({ revision: newest }));
    expect((await stubs(place)).err).not.toContain("MG317");
    expect(fileOf(place, "gen/server.ts")).toBe(before);
  });

  it("finds a project stale that has fewer revisions than its file, although the file is the same", async () => {
    const place = withNotes();
    await stubs(place);
    const path = join(place, "gen/.mcpgen.json");
    const manifest = JSON.parse(readFileSync(path, "utf8")) as {
      sources: unknown[];
    };
    writeFileSync(
      path,
      JSON.stringify({ ...manifest, sources: manifest.sources.slice(0, 2) }),
    );
    expect((await stubs(place, "--check")).code).toBe(1);
    expect((await stubs(place)).err).toContain("MG317 note");
  });

  it("keeps a client at the newest revision, as before", async () => {
    const place = withNotes();
    await run(
      place,
      "stubs",
      "notes.mcp.json",
      "--out",
      "gen",
      "--emit",
      "client",
    );
    expect(
      Object.keys(filesIn(join(place, "gen"))).filter((path) =>
        path.startsWith("protocol/"),
      ),
    ).toContain("protocol/client.ts");
    const { code, err } = await run(
      place,
      "stubs",
      "notes.mcp.json",
      "--out",
      "gen",
      "--emit",
      "client",
    );
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("gen is up to date"),
    ]);
  });

  it("names each of several revisions that it does not know, with the nearest one", async () => {
    const { code, err } = await stubs(
      withNotes({ revisions: ["2025-11-25", "2025-06-81", "2026-07-28"] }),
    );
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        /MG704 "revisions" has "2025-06-81", which is not a known revision\n {4}hint: did you mean 2025-06-18\?/,
      ),
    ]);
  });

  const sharing = async (members = {}) => {
    const place = withNotes(members);
    await run(place, "--version", "2025-11-25,2026-07-28", "--out", "mcp");
    return {
      place,
      shared: (): Promise<Ended> => stubs(place, "--protocol", "mcp"),
    };
  };

  it("imports all revisions of a shared folder", async () => {
    const { place, shared } = await sharing();
    expect((await shared()).code).toBe(0);
    expect(fileOf(place, "gen/server.ts")).toContain('from "../mcp/index.js"');
    expect(fileOf(place, "gen/server.ts")).toContain(
      'from "../mcp/2026-07-28/types.js"',
    );
    expect((await shared()).err).toContain("gen is up to date");
  });

  it("needs each of its revisions in a shared folder", async () => {
    const { shared } = await sharing({
      revisions: ["2025-06-18", "2026-07-28"],
    });
    expect((await shared()).err).toContain(
      "MG749 mcp has revision 2025-11-25, 2026-07-28, expected 2026-07-28, 2025-06-18",
    );
  });

  it("imports the one revision that its file names of a shared folder", async () => {
    const { place, shared } = await sharing({ revision: "2025-11-25" });
    expect((await shared()).code).toBe(0);
    expect(fileOf(place, "gen/server.ts")).toContain(
      'from "../mcp/2025-11-25/server.js"',
    );
  });
});
