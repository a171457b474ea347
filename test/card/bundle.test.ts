import { describe, expect, it } from "vitest";
import { bundleManifest } from "../../src/commands/card/bundle.js";
import { Diagnostics } from "../../src/generator/diagnostics.js";
import { parseSnapshot } from "../../src/generator/inputs/snapshots.js";
import type { JsonRecord } from "../../src/generator/ir/json.js";

const manifest = {
  name: "@example/library",
  version: "1.2.3",
  description: "Finds books.",
  author: "Ann Lee <ann@example.com> (https://example.com)",
  license: "MIT",
  bin: { library: "./dist/main.js" },
};

async function made(
  content: object,
  env: readonly string[] = [],
  before?: object,
) {
  const text = JSON.stringify({
    server: { name: "library", version: "1", title: "Library" },
    revision: "2025-11-25",
    tools: [
      {
        name: "find",
        description: "Finds.",
        inputSchema: { type: "object" },
      },
      { name: "lend", inputSchema: { type: "object" } },
    ],
    prompts: [
      {
        name: "review",
        description: "Reviews a book.",
        arguments: [{ name: "title", required: true }],
      },
    ],
  });
  const diagnostics = new Diagnostics();
  const snapshot = await parseSnapshot(
    { text, file: "library.mcp.json", name: "library" },
    diagnostics,
  );
  const bundle = bundleManifest(
    snapshot,
    content as JsonRecord,
    env,
    diagnostics.root,
    before as JsonRecord | undefined,
  );
  const rows = diagnostics.list.map(({ code, message }) => {
    return `${code} ${message}`;
  });
  return { bundle, rows, hints: diagnostics.list.map(({ hint }) => hint) };
}

describe("the manifest of a bundle", () => {
  it("has what package.json, the snapshot and the variables of the source say", async () => {
    const { bundle, rows } = await made(manifest, ["API_KEY", "SHELF"]);
    expect(rows).toEqual([]);
    expect(bundle).toEqual({
      manifest_version: "0.3",
      name: "library",
      display_name: "Library",
      version: "1.2.3",
      description: "Finds books.",
      author: {
        name: "Ann Lee",
        email: "ann@example.com",
        url: "https://example.com",
      },
      license: "MIT",
      server: {
        type: "node",
        entry_point: "dist/main.js",
        mcp_config: {
          command: "node",
          args: ["${__dirname}/dist/main.js"],
          env: {
            API_KEY: "${user_config.api_key}",
            SHELF: "${user_config.shelf}",
          },
        },
      },
      tools: [{ name: "find", description: "Finds." }, { name: "lend" }],
      prompts: [
        {
          name: "review",
          description: "Reviews a book.",
          arguments: ["title"],
          text: "Reviews a book.",
        },
      ],
      prompts_generated: true,
      user_config: {
        api_key: {
          type: "string",
          title: "Api key",
          description: "The variable API_KEY of the server",
          sensitive: true,
          required: true,
        },
        shelf: {
          type: "string",
          title: "Shelf",
          description: "The variable SHELF of the server",
          sensitive: false,
          required: true,
        },
      },
    });
  });

  it("keeps what a person wrote: the start, settings, texts of prompts, and members of other names", async () => {
    const before = {
      manifest_version: "0.4",
      version: "1.0.0",
      icon: "icon.png",
      author: { name: "Ann", url: "https://ann.example" },
      server: {
        type: "node",
        entry_point: "server/index.js",
        mcp_config: {
          command: "node",
          args: ["${__dirname}/server/index.js", "--quiet"],
          env: { API_KEY: "${user_config.key}", DEBUG: "1" },
        },
      },
      user_config: { key: { type: "string", title: "Key", description: "K" } },
      prompts: [{ name: "review", text: "Review ${arguments.title}." }],
      tools: [{ name: "gone" }],
    };
    const { bundle } = await made(
      { ...manifest, author: { name: "Ann Lee" } },
      ["API_KEY"],
      before,
    );
    expect(bundle["user_config"]).toEqual(before.user_config);
    expect(bundle["server"]).toEqual(before.server);
    expect(bundle).toMatchObject({
      manifest_version: "0.4",
      version: "1.2.3",
      icon: "icon.png",
      author: { name: "Ann Lee", url: "https://ann.example" },
      prompts: [{ name: "review", text: "Review ${arguments.title}." }],
      tools: [{ name: "find" }, { name: "lend" }],
    });
  });

  it.each([
    ["author.name", "the name of the author"],
    ["version", "one version, and no range"],
    ["description", "1 to 100 characters"],
    ["bin", "the path of the program, inside the package"],
  ])("is not made without %s in package.json", async (member, form) => {
    const [name = ""] = member.split(".");
    const { rows, hints } = await made({ ...manifest, [name]: undefined });
    expect(rows).toEqual([`MG961 package.json has no ${member}`]);
    expect(hints).toEqual([`add ${member} to package.json: ${form}`]);
  });

  it.each(["../main.js", "/bin/sh", "dist/../../main.js", "C:\\main.js"])(
    "does not start the program %s outside of the bundle",
    async (bin) => {
      const { rows } = await made({ ...manifest, bin });
      expect(rows).toEqual([
        expect.stringMatching(
          /^MG962 bin must be the path of the program, inside the package; found "/,
        ),
      ]);
    },
  );

  it("shows at most 120 characters of a value that is refused", async () => {
    const { rows } = await made({ ...manifest, version: ["x".repeat(200)] });
    expect(rows).toEqual([
      expect.stringMatching(/^MG962 version must be .*; found \["x{118}$/),
    ]);
  });

  it("adds a setting beside those that are there", async () => {
    const env = { A_KEY: "${user_config.a}", B: "${user_config.b}", C: "1" };
    const before = {
      server: { type: "node", entry_point: "a.js", mcp_config: { env } },
      user_config: { a: { type: "string", title: "A" } },
      prompts: [null, "review", { text: "Of nobody." }],
    };
    const { bundle } = await made(manifest, ["A_KEY", "B", "C", "D_E"], before);
    expect(bundle["server"]).toMatchObject({
      mcp_config: { env: { ...env, D_E: "${user_config.d_e}" } },
    });
    const settings = Object.entries(bundle["user_config"] as object);
    expect(settings.map(([name, { title }]) => [name, title])).toEqual([
      ["a", "A"],
      ["b", "B"],
      ["d_e", "D e"],
    ]);
    expect(bundle["prompts"]).toMatchObject([{ text: "Reviews a book." }]);
  });

  it("has of a prompt what its server says", async () => {
    const text = JSON.stringify({
      server: { name: "library", version: "1" },
      revision: "2025-11-25",
      tools: [],
      prompts: [{ name: "a" }, { name: "b", title: "B", arguments: [] }],
    });
    const diagnostics = new Diagnostics();
    const snapshot = await parseSnapshot(
      { text, file: "library.mcp.json", name: "library" },
      diagnostics,
    );
    const bundle = bundleManifest(
      snapshot,
      manifest as JsonRecord,
      [],
      diagnostics.root,
    );
    expect(bundle["prompts"]).toEqual([
      { name: "a", text: "a" },
      { name: "b", text: "B" },
    ]);
  });

  it("has a setting for a variable of a name that objects inherit", async () => {
    const { bundle } = await made(manifest, ["CONSTRUCTOR"]);
    const settings = Object.entries(bundle["user_config"] as object);
    expect(settings.map(([name, { type }]) => [name, type]).sort()).toEqual([
      ["constructor", "string"],
    ]);
  });
});
