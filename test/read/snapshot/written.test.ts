import { describe, expect, it } from "vitest";
import { isSnapshot } from "../../../src/generator/inputs/snapshots.js";
import { revisions } from "../../repository.js";
import { readText } from "../../stubs/project.js";

const server = { name: "notes", version: "0.1.0" };

/** The errors of a file: their places and messages. */
async function errorsOf(value: unknown): Promise<readonly string[]> {
  const { snapshot, reports } = await readText(JSON.stringify(value));
  expect(snapshot).toBeNull();
  return reports.map(({ code, within, message }) =>
    [code, message, ...within].join(" / "),
  );
}

describe("a file of tools that a person writes", () => {
  it("needs only a server, and is of the newest revision", async () => {
    const { snapshot, reports } = await readText(JSON.stringify({ server }));
    expect(reports).toEqual([]);
    expect(snapshot).toMatchObject({
      revision: revisions.at(-1),
      server,
      capabilities: {},
      tools: [],
    });
  });

  it.each([
    [["tools"], ["tools"]],
    [["prompts"], ["prompts"]],
    [["resources"], ["resources"]],
    [["resourceTemplates"], ["resources"]],
    [
      ["resourceTemplates", "resources", "prompts"],
      ["prompts", "resources"],
    ],
  ])(
    "with the lists %j has the capabilities %j",
    async (lists, capabilities) => {
      const file = {
        server,
        ...Object.fromEntries(lists.map((name) => [name, []])),
      };
      const { snapshot } = await readText(JSON.stringify(file));
      expect(snapshot?.capabilities).toEqual(
        Object.fromEntries(capabilities.map((name) => [name, {}])),
      );
      expect(isSnapshot(JSON.stringify(file))).toBe(true);
    },
  );

  it("keeps the format, the revision and the capabilities that it has", async () => {
    const file = {
      format: 1,
      revision: "2025-06-18",
      server,
      capabilities: { logging: {} },
      tools: [],
    };
    const { snapshot } = await readText(JSON.stringify(file));
    expect(snapshot).toMatchObject({
      revision: "2025-06-18",
      capabilities: { logging: {} },
    });
  });

  it.each([{}, { mcpServers: {} }])(
    "says that %j is not a snapshot",
    async (file) => {
      expect(await errorsOf(file)).toEqual([
        'MG301 / this is not a snapshot: the member "server" is missing',
      ]);
    },
  );

  it("says that it is of another format", async () => {
    expect(await errorsOf({ format: 2, server })).toEqual([
      "MG301 / this snapshot has format 2, and this version of mcpgen reads format 1",
    ]);
  });

  it("names each member that is missing or wrong", async () => {
    expect(await errorsOf({ format: 1 })).toEqual([
      'MG302 / the member "server" is missing',
    ]);
    expect(await errorsOf({ server: {} })).toEqual([
      'MG302 / the member "name" of "server" is missing or not a string',
      'MG302 / the member "version" of "server" is missing or not a string',
    ]);
  });

  it("names each member of a tool or a resource that is missing or wrong", async () => {
    expect(
      await errorsOf({
        server,
        tools: [{ description: "?" }, { name: "add" }],
        resources: [{ name: "all" }, { uri: 5 }],
      }),
    ).toEqual([
      'MG302 / the member "name" is missing or not a string / tool 0',
      'MG302 / the member "inputSchema" is missing / tool "add"',
      'MG302 / the member "uri" is missing or not a string / resource 0',
      'MG302 / the member "name" is missing or not a string / resource 1',
      'MG302 / the member "uri" is missing or not a string / resource 1',
    ]);
  });
});
