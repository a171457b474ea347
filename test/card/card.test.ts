import { describe, expect, it } from "vitest";
import {
  type CardFiles,
  cardFiles,
  differences,
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
              generated: ["@example/weather", remote.url],
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

  it.each([
    ["mcpName", "a name such as io.github.<user>/<server>"],
    ["version", "one version, and no range"],
    ["description", "1 to 100 characters"],
    ["name", "the name of the package"],
  ])(
    "need %s, and the error says where to add it, and its form",
    async (member, form) => {
      const { rows } = await filesOf({ ...manifest, [member]: undefined });
      expect(rows[0]).toEqual([
        "MG961",
        `package.json has no ${member}`,
        `add ${member} to package.json: ${form}`,
      ]);
    },
  );

  it.each<[string, unknown, string, string?, unknown?]>([
    ["name", "a b", "the name of the package"],
    ["description", "", "1 to 100 characters"],
    ["version", "1.x", "one version, and no range"],
    ["homepage", "example", "an https URL"],
    [
      "repository",
      { url: "https://github.com/a/b", directory: "../c" },
      "a path inside the repository",
      "repository.directory",
      "../c",
    ],
    [
      "mcpRemotes",
      [{ type: "websocket", url: "https://example.com" }],
      "streamable-http or sse",
      "mcpRemotes[].type",
      "websocket",
    ],
    [
      "mcpRemotes",
      [{ type: "sse", url: "example.com" }],
      "an https URL, which may have {variables}",
      "mcpRemotes[].url",
      "example.com",
    ],
    [
      "repository",
      "https://github.com/a/b/tree/main",
      "a repository of GitHub or GitLab, https://github.com/<owner>/<repository>, and no page of it",
    ],
  ])(
    "refuse a wrong %s, and the error says its form",
    async (member, value, form, part = member, found = value) => {
      const { rows } = await filesOf({ ...manifest, [member]: value });
      expect(rows[0]).toEqual([
        "MG962",
        `${part} must be ${form}; found ${JSON.stringify(found)}`,
        "correct it",
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
        "add bin if it is on npm, or mcpRemotes with type and url",
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
    ["mcpRemotes", [{ type: "sse", url: "http://example.com" }]],
    ["mcpRemotes", [{ type: "sse", url: "https://localhost/mcp" }]],
    ["mcpRemotes", [{ type: "sse", url: "https://127.0.0.1:8080" }]],
    ["mcpRemotes", [{ type: "sse", url: "https://a.localhost" }]],
    ["mcpRemotes", [{ type: "sse", url: "{base}/mcp" }]],
    ["mcpRemotes", [{ type: "sse", url: "https://{tenant}.example.com" }]],
    ["homepage", "http://example.com"],
    ["mcpName", "-a.b/weather"],
    ["mcpName", "a.b/weather-"],
    ["repository", "https://github.com/a/b/tree/main/packages/c"],
    ["repository", "https://gitlab.com/a/b/-/tree/main"],
    ["repository", { url: "https://github.com/a/b", directory: "c/" }],
    ["repository", { url: "https://github.com/a/b", directory: "a/./b" }],
  ])("refuse %s with the value %j", async (member, value) => {
    const { rows } = await filesOf({ ...manifest, [member]: value });
    expect(rows.map(([code]) => code)).toEqual(["MG962"]);
    expect(rows[0]?.[1]).toMatch(
      new RegExp(`^${member}.* (?:must be .*; found|has \\{tenant\\})`),
    );
    if (rows[0]?.[1]?.includes("has {"))
      expect(rows[0]).toEqual([
        "MG962",
        "mcpRemotes[].url has {tenant}, which its variables do not have",
        "describe it in variables",
      ]);
  });

  it.each([
    "https://{tenant}.example.com:{port}/{path}",
    "https://{tenant}.example.com/mcp",
  ])("take the URL %s with its variables", async (url) => {
    const variables = { tenant: {}, port: {}, path: {} };
    const mcpRemotes = [{ type: "sse", url, variables }];
    expect((await filesOf({ ...manifest, mcpRemotes })).rows).toEqual([]);
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
    expect(JSON.stringify(file?.content["_meta"])).not.toContain("tools");
  });

  it.each([
    [4096, true],
    [4097, false],
  ])(
    "have the list of tools in at most 4096 bytes of the registry: %i, %s",
    async (bytes, isThere) => {
      const { snapshot } = await filesOf(manifest);
      const [tool] = snapshot.tools;
      const made = (length: number) => {
        const tools = [{ ...tool, name: "t".repeat(length) }];
        const [file] = cardFiles(
          { ...snapshot, tools: tools as never },
          manifest,
          new Diagnostics().root,
        );
        const [ours] = Object.values(file?.content["_meta"] as JsonRecord);
        return ours as JsonRecord;
      };
      const size = JSON.stringify(made(0)).length;
      expect("tools" in made(bytes - size)).toBe(isThere);
    },
  );
});

describe("a file that exists", () => {
  const remotes = (...hosts: readonly string[]) =>
    hosts.map((host) => ({
      type: "streamable-http",
      url: `https://${host}.example.com`,
    }));
  /** What a run writes, over what a person made of the files of the last one. */
  async function rewritten(
    first: object,
    second: object,
    change: (files: Record<string, JsonRecord>) => object = (files) => files,
  ) {
    const { files, snapshot } = await filesOf({ ...manifest, ...first });
    const contents = Object.fromEntries(
      files.map(({ name, content }) => [name, content]),
    );
    const before = change(contents) as CardFiles;
    const after = cardFiles(
      snapshot,
      { ...manifest, ...second } as JsonRecord,
      new Diagnostics().root,
      before,
    );
    const [server, card] = after.map(({ content }) => content);
    return { before: before["server.json"], server, card };
  }
  const edit =
    (change: (server: JsonRecord) => object) =>
    (files: Record<string, JsonRecord>) => ({
      ...files,
      "server.json": change(files["server.json"] ?? {}),
    });

  it("keeps a second package of npm, a remote and members that were added by hand", async () => {
    const other = { registryType: "npm", identifier: "@example/other" };
    const [mine, theirs] = remotes("mine", "theirs");
    const { before, server } = await rewritten(
      { mcpRemotes: [mine] },
      { mcpRemotes: [mine] },
      edit(({ packages, remotes: list, _meta, ...rest }) => ({
        ...rest,
        icons: [{ src: "https://example.com/icon.png" }],
        repository: { ...(rest["repository"] as JsonRecord), id: "1" },
        packages: [
          {
            ...(packages as JsonRecord[])[0],
            environmentVariables: [{ name: "KEY" }],
          },
          other,
        ],
        remotes: [...(list as JsonRecord[]), theirs],
        _meta: { ...(_meta as JsonRecord), other: { x: 1 } },
      })),
    );
    expect(server).toEqual(before);
    expect(server?.["packages"]).toHaveLength(2);
    expect(server?.["remotes"]).toHaveLength(2);
  });

  it("loses what left package.json and nothing else", async () => {
    const [mine, theirs] = remotes("mine", "theirs");
    const { server, card } = await rewritten(
      { mcpRemotes: [mine] },
      { homepage: undefined, repository: undefined },
      edit(({ remotes: list, ...rest }) => ({
        ...rest,
        remotes: [...(list as JsonRecord[]), theirs],
      })),
    );
    expect(server?.["remotes"]).toEqual([theirs]);
    expect(server).not.toHaveProperty("websiteUrl");
    expect(server).not.toHaveProperty("repository");
    expect(card).toBeUndefined();
    const none = await rewritten({ mcpRemotes: [mine] }, {});
    expect(none.server).not.toHaveProperty("remotes");
  });

  it("loses the package under its name before, and a private package", async () => {
    const named = await rewritten({}, { name: "@example/new" });
    expect(named.server?.["packages"]).toMatchObject([
      { identifier: "@example/new" },
    ]);
    const [mine] = remotes("mine");
    const closed = await rewritten({}, { private: true, mcpRemotes: [mine] });
    expect(closed.server).not.toHaveProperty("packages");
  });

  it("has the transport of package.json as a whole, and no mix of two", async () => {
    const transport = { type: "sse", url: "https://example.com", headers: [] };
    const { server } = await rewritten(
      {},
      {},
      edit(({ packages, ...rest }) => ({
        ...rest,
        packages: [{ ...(packages as JsonRecord[])[0], transport }],
      })),
    );
    expect(server?.["packages"]).toMatchObject([
      { transport: { type: "stdio" } },
    ]);
    expect(JSON.stringify(server)).not.toContain("headers");
  });

  it("is the same after each further run", async () => {
    const [mine, other] = remotes("mine", "other");
    const { server, before } = await rewritten(
      { mcpRemotes: [mine, other] },
      { mcpRemotes: [mine, other] },
    );
    expect(JSON.stringify(server)).toBe(JSON.stringify(before));
  });

  it("differs where a value differs, and only there", async () => {
    const [mine, other] = remotes("mine", "other");
    const { before, server } = await rewritten(
      { mcpRemotes: [mine] },
      { mcpRemotes: [other], version: "2.0.0" },
    );
    expect(differences(before, server).join("\n")).toMatch(
      /^version is "1.2.3", and should be "2.0.0"\npackages is [^]*\nremotes is .*mine.* should be .*other.*\n_meta\./,
    );
    expect(differences(before, before)).toEqual([]);
  });
});

it("shows at most 200 characters of a value that differs", () => {
  expect(differences({ a: "x".repeat(300) }, { a: [1] })).toEqual([
    `a is "${"x".repeat(199)}, and should be [1]`,
  ]);
});
