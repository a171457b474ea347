import { describe, expect, it } from "vitest";
import {
  cardFiles,
  differences,
  updated,
} from "../../src/commands/card/card.js";
import { Diagnostics } from "../../src/generator/diagnostics.js";
import type { JsonRecord } from "../../src/generator/ir/json.js";
import { fixture, readText } from "../stubs/project.js";

const manifest = {
  name: "@example/weather",
  version: "1.2.3",
  mcpName: "io.github.example/weather",
  description: "Tells the weather.",
  homepage: "https://example.com",
  repository: {
    type: "git",
    url: "git+https://github.com/example/weather.git",
    directory: "packages/server",
  },
  bin: "main.js",
};
const remote = { type: "streamable-http", url: "https://example.com/mcp" };

async function filesOf(content: object) {
  const { snapshot } = await readText(fixture("weather"));
  if (snapshot === null) throw new Error("The fixture is broken.");
  const diagnostics = new Diagnostics();
  const files = cardFiles(snapshot, content as JsonRecord, diagnostics.root);
  return {
    files,
    snapshot,
    rows: diagnostics.list.map(
      ({ code, message, hint }) => [code, message, hint] as const,
    ),
  };
}

describe("the files of a server for the registry and for clients", () => {
  it("have what package.json and the snapshot say, each in the form of its format", async () => {
    const { files, snapshot, rows } = await filesOf({
      ...manifest,
      mcpRemotes: [remote],
    });
    const repository = {
      url: "https://github.com/example/weather",
      source: "github",
      subfolder: "packages/server",
    };
    const {
      mcpName: name,
      version,
      description,
      homepage: websiteUrl,
    } = manifest;
    const { title } = snapshot.server;
    const common = {
      name,
      ...(title !== undefined && { title }),
      description,
      version,
      websiteUrl,
      repository,
    };
    expect(rows).toEqual([]);
    expect(files).toEqual([
      {
        name: "server.json",
        content: {
          $schema:
            "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
          ...common,
          packages: [
            {
              registryType: "npm",
              identifier: "@example/weather",
              version,
              transport: { type: "stdio" },
            },
          ],
          remotes: [remote],
          _meta: {
            "io.modelcontextprotocol.registry/publisher-provided": {
              tools: ["get_weather", "warn"],
            },
          },
        },
      },
      {
        name: "server-card.json",
        content: {
          $schema:
            "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
          ...common,
          remotes: [
            { ...remote, supportedProtocolVersions: [snapshot.revision] },
          ],
        },
      },
    ]);
  });

  it("have no package that is private or starts nothing, and no card without a URL", async () => {
    const names = async (content: object): Promise<string[]> => {
      const { files } = await filesOf(content);
      return files.map(({ name, content: { packages } }) =>
        packages === undefined ? name : `${name} with packages`,
      );
    };
    expect(await names(manifest)).toEqual(["server.json with packages"]);
    const both = ["server.json", "server-card.json"];
    expect(
      await names({ ...manifest, private: true, mcpRemotes: [remote] }),
    ).toEqual(both);
    expect(
      await names({ ...manifest, bin: undefined, mcpRemotes: remote }),
    ).toEqual(both);
  });

  it.each(["mcpName", "version", "description", "name"])(
    "need %s, and the error says where to add it",
    async (member) => {
      const { rows } = await filesOf({ ...manifest, [member]: undefined });
      expect(rows[0]).toEqual([
        "MG961",
        `package.json has no ${member}`,
        expect.stringContaining(`add ${member} to package.json: `),
      ]);
    },
  );

  it("need a way to reach the server", async () => {
    const { rows } = await filesOf({
      ...manifest,
      bin: undefined,
      mcpRemotes: [],
    });
    expect(rows).toEqual([
      [
        "MG961",
        "package.json has no way to reach the server",
        expect.stringContaining("mcpRemotes"),
      ],
    ]);
    expect(
      (
        await filesOf({ ...manifest, mcpRemotes: [{ type: "sse" }, "x"] })
      ).rows.map(([, message]) => message),
    ).toEqual([
      "package.json has no mcpRemotes[].url",
      "package.json has no mcpRemotes[].type",
      "package.json has no mcpRemotes[].url",
    ]);
  });

  it.each([
    ["mcpName", "weather"],
    ["mcpName", "a/b/c"],
    ["version", "^1.0.0"],
    ["version", "1.x"],
    ["version", "latest"],
    ["version", 1],
    ["description", "x".repeat(101)],
    ["homepage", "example"],
    ["repository", { url: "https://github.com/a/b", directory: "../c" }],
    ["mcpRemotes", [{ type: "websocket", url: "https://example.com" }]],
    ["mcpRemotes", [{ type: "sse", url: "example.com" }]],
  ])("refuse %s with the value %j", async (member, value) => {
    const { rows } = await filesOf({ ...manifest, [member]: value });
    expect(rows.map(([code]) => code)).toEqual(["MG962"]);
    expect(rows[0]?.[1]).toMatch(new RegExp(`^${member}.* must be .*; found`));
  });

  it.each([
    ["github:a/b", { url: "https://github.com/a/b", source: "github" }],
    ["a/b", { url: "https://github.com/a/b", source: "github" }],
    ["gitlab:a/b", { url: "https://gitlab.com/a/b", source: "gitlab" }],
    [
      "https://gitlab.com/a/b/c.git",
      { url: "https://gitlab.com/a/b/c", source: "gitlab" },
    ],
    [
      "git+ssh://git@github.com/a/b.git",
      { url: "https://github.com/a/b", source: "github" },
    ],
    ["https://git.example.com/a/b", undefined],
    ["https://github.com.example.com/a/b", undefined],
  ])(
    "have the repository %s as the registry names it, or none",
    async (repository, expected) => {
      const { files } = await filesOf({ ...manifest, repository });
      expect(files[0]?.content["repository"]).toEqual(expected);
    },
  );

  it("leave out the list of tools if the registry would refuse its size", async () => {
    const { snapshot } = await filesOf(manifest);
    const [tool] = snapshot.tools;
    const tools = Array.from({ length: 200 }, (_, i) => ({
      ...tool,
      name: `a_tool_with_a_long_name_${i}`,
    }));
    const [file] = cardFiles(
      { ...snapshot, tools: tools as never },
      manifest,
      new Diagnostics().root,
    );
    expect(file?.content).not.toHaveProperty("_meta");
  });
});

describe("a file that exists", () => {
  const old = {
    name: "a/b",
    icons: [{ src: "https://example.com/icon.png" }],
    packages: [
      {
        registryType: "npm",
        identifier: "b",
        version: "1.0.0",
        environmentVariables: [{ name: "KEY" }],
      },
      { registryType: "oci", identifier: "ghcr.io/a/b:1" },
    ],
    remotes: [{ type: "sse", url: "https://old.example.com" }],
    _meta: { other: { x: 1 }, own: { tools: ["a"] } },
  };
  const next = {
    name: "a/b",
    packages: [{ registryType: "npm", identifier: "b", version: "1.1.0" }],
    remotes: [{ type: "sse", url: "https://example.com" }],
    _meta: { own: { tools: ["a", "b"] } },
  };

  it("keeps what was added by hand, and has the new values", () => {
    expect(updated(old, next)).toEqual({
      ...old,
      packages: [{ ...old.packages[0], version: "1.1.0" }, old.packages[1]],
      remotes: next.remotes,
      _meta: { other: { x: 1 }, own: { tools: ["a", "b"] } },
    });
    expect(updated(undefined, next)).toEqual(next);
    expect(updated(updated(old, next) as JsonRecord, next)).toEqual(
      updated(old, next),
    );
  });

  it("differs in the version, a URL or the list of tools, and only there", () => {
    const { packages: _, ...others } = next;
    expect(differences(old, updated(old, { ...others, version: "2" }))).toEqual(
      [
        'remotes is [{"type":"sse","url":"https://old.example.com"}], and should be [{"type":"sse","url":"https://example.com"}]',
        '_meta.own.tools is ["a"], and should be ["a","b"]',
        'version is nothing, and should be "2"',
      ],
    );
    expect(differences(old, old)).toEqual([]);
  });
});
