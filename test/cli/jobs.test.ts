import { describe, expect, it } from "vitest";
import { readEntry } from "../../src/cli/clients/entry.js";
import type { ClientEntry } from "../../src/cli/clients/files.js";
import { clientsOf } from "../../src/cli/commands/init/jobs.js";

const entry = (name: string, file = ".mcp.json") =>
  ({ kind: "http", name, file, url: "https://x.test" }) as ClientEntry;

/** The name, the snapshot and the source of each server that is written. */
function writtenFor(
  selected: readonly ClientEntry[],
  snapshots: readonly string[] = [],
  all: readonly ClientEntry[] = selected,
  issuer: string | null = null,
) {
  const { config } = clientsOf(selected, all, issuer, snapshots);
  const { generate, servers = [] } = config;
  return {
    generate,
    servers: servers.map(({ name, snapshot, out, source }) =>
      [name, snapshot, out, source?.config].join(" "),
    ),
  };
}
const row = (name: string, config = name): string =>
  `${name} ${name}.mcp.json src/mcp/${name} ${config}`;

describe("the servers that init writes", () => {
  it.each<
    [
      entries: readonly (readonly [name: string, file?: string])[],
      rows: readonly string[],
    ]
  >([
    [
      [["a"], ["b"]],
      [row("a"), row("b")],
    ],
    [
      [["a"], ["a", ".cursor/mcp.json"]],
      [row("a", ".mcp.json#a"), row("a-2", ".cursor/mcp.json#a")],
    ],
    [
      [["a b"], ["a-b"], ["a/b"], ["a#b"]],
      [
        row("a-b", "a b"),
        row("a-b-2", "a-b"),
        row("a-b-3", ".mcp.json#a/b"),
        row("a-b-4", ".mcp.json#a#b"),
      ],
    ],
    [
      [["a-2"], ["a"], ["a", ".cursor/mcp.json"]],
      [row("a-2"), row("a", ".mcp.json#a"), row("a-3", ".cursor/mcp.json#a")],
    ],
    [[["a\\b"]], [row("a-b", ".mcp.json#a\\b")]],
  ])(
    "have names of their own, and say which entry they are: %j",
    (entries, rows) => {
      const selected = entries.map(([name, file]) => entry(name, file));
      expect(writtenFor(selected).servers).toEqual(rows);
    },
  );

  it("name the file of an entry that another file has too, if only one is selected", () => {
    const all = [entry("a"), entry("a", ".cursor/mcp.json")];
    expect(writtenFor(all.slice(1), [], all).servers).toEqual([
      row("a", ".cursor/mcp.json#a"),
    ]);
  });

  it("are followed by those of the other snapshots, and are beside the protocol only if there are none or one is protected", () => {
    const snapshots = ["a.mcp.json", "b.mcp.json"];
    const [a, b] = [row("a"), "b b.mcp.json src/mcp/b "];
    expect(writtenFor([entry("a")], snapshots)).toEqual({
      generate: undefined,
      servers: [a, b],
    });
    const protocol = { version: "all", out: "src/protocol" };
    expect(
      writtenFor([entry("a")], snapshots, undefined, "https://i.test"),
    ).toEqual({ generate: [protocol], servers: [a, b] });
    expect(writtenFor([])).toEqual({
      generate: [{ version: "all", out: "src/mcp" }],
      servers: [],
    });
  });
});

describe("an entry of a client", () => {
  const none = 'it has neither a "command" nor a "url"';
  it.each<[value: unknown, reason: string]>([
    [1, "it is not an object"],
    [[], "it is not an object"],
    [{}, none],
    [{ command: 1 }, none],
    [{ command: " " }, none],
    [{ url: " " }, none],
    [{ command: "a", args: "b" }, '"args" is not a list of strings'],
    [{ command: "a", args: [1] }, '"args" is not a list of strings'],
    [{ command: "a", env: [] }, '"env" is not an object of strings'],
    [{ command: "a", env: { b: null } }, '"env" is not an object of strings'],
    [{ command: "a", envFile: 1 }, '"envFile" is not a string'],
    [{ command: "a", cwd: {} }, '"cwd" is not a string'],
    [{ url: "a", headers: [] }, '"headers" is not an object of strings'],
    [{ url: "a", headers: { b: {} } }, '"headers" is not an object of strings'],
  ])("%j cannot be used: %s", (value, reason) => {
    expect(readEntry("a", ".mcp.json", value)).toBe(reason);
  });

  const stdio = { kind: "stdio", args: [], env: {}, envFile: null, cwd: null };
  const http = { kind: "http", isSse: false, headers: {} };
  it.each<[value: object, entry: object]>([
    [{ command: "b" }, { ...stdio, command: "b" }],
    [
      {
        command: "b",
        url: "c",
        args: ["d"],
        env: { E: 1, F: true, G: "g" },
        envFile: ".env",
        cwd: "h",
        disabled: true,
      },
      {
        kind: "stdio",
        command: "b",
        args: ["d"],
        env: { E: "1", F: "true", G: "g" },
        envFile: ".env",
        cwd: "h",
        isDisabled: true,
      },
    ],
    [{ url: "b" }, { ...http, url: "b" }],
    [{ serverUrl: "b" }, { ...http, url: "b" }],
    [
      { url: "b", serverUrl: "c" },
      { ...http, url: "b" },
    ],
    [
      { url: "b", type: "sse" },
      { ...http, url: "b", isSse: true },
    ],
    [
      { url: "b", enabled: false, headers: { C: 1 } },
      { ...http, url: "b", isDisabled: true, headers: { C: "1" } },
    ],
    [
      { url: "b", enabled: true, disabled: false },
      { ...http, url: "b" },
    ],
  ])("is read as %j", (value, read) => {
    const named = { name: "a", file: ".mcp.json" };
    expect(readEntry("a", ".mcp.json", value)).toEqual({ ...named, ...read });
  });
});
