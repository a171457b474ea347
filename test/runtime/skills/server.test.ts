import { resources } from "@mcpgen/runtime/features";
import { loadSkill, skills } from "@mcpgen/runtime/skills";
import { describe, expect, it } from "vitest";
import {
  before,
  connect,
  digestOf,
  id,
  newest,
  skillText,
  withSkills,
} from "./kit.js";

const refunds = {
  path: "refunds",
  files: {
    "SKILL.md": skillText("refunds"),
    "examples/a b.md": "Dear customer\r\n",
    "logo.png": Uint8Array.of(0xff, 0),
  },
};
const invalid = (uri: string): object => ({ code: -32602, data: { uri } });

describe.each(withSkills)("a server with skills in $revision", (revision) => {
  it("SKILL-01 declares the extension with directoryRead, and resources", async () => {
    const { client } = await connect(skills([refunds]), revision);
    expect(client.server.capabilities).toMatchObject({
      resources: {},
      extensions: { [id]: { directoryRead: true } },
    });
    expect(
      (client.server.capabilities as { resources: object }).resources,
    ).toEqual({});
  });

  it("SKILL-02 serves the longest frontmatter, description and compatibility, the last two counted in characters", async () => {
    const description = "\u{1f600}".repeat(1024);
    const compatibility = "\u{1f600}".repeat(500);
    const rest = `compatibility: ${compatibility}\n`;
    const length = `name: a\ndescription: ${description}\n${rest}`.length;
    const text = skillText("a", `${rest}#${"x".repeat(65_534 - length)}\n`);
    const files = { "SKILL.md": text.replace("Explains a.", description) };
    const { client } = await connect(skills([{ path: "a", files }]), revision);
    expect(await client.listSkills()).toMatchObject({
      skills: [{ frontmatter: { description, compatibility } }],
    });
    const { frontmatter } = await loadSkill(client, "skill://a/SKILL.md");
    expect(frontmatter).toMatchObject({ description, compatibility });
  });

  it("SKILL-02 lists each skill with its frontmatter unchanged and with the digest and size of each file", async () => {
    const more =
      'license: MIT\nmetadata:\n  version: "2.10"\n  tags: [a, b]\n  since: 2026-01-02\n';
    const files = { ...refunds.files, "SKILL.md": skillText("refunds", more) };
    const { client } = await connect(
      skills([{ path: "billing/refunds", files }], {
        prefix: "acme",
        ttlMs: 500,
        cacheScope: "public",
      }),
      revision,
    );
    const folder = "skill://acme/billing/refunds";
    const skill = {
      uri: `${folder}/SKILL.md`,
      frontmatter: {
        name: "refunds",
        description: "Explains refunds.",
        license: "MIT",
        metadata: { version: "2.10", tags: ["a", "b"], since: "2026-01-02" },
      },
      resources: [
        {
          uri: `${folder}/SKILL.md`,
          digest: digestOf(files["SKILL.md"]),
          size: files["SKILL.md"].length,
        },
        {
          uri: `${folder}/examples/a%20b.md`,
          digest: digestOf("Dear customer\r\n"),
          size: 15,
        },
        {
          uri: `${folder}/logo.png`,
          digest: digestOf(Uint8Array.of(0xff, 0)),
          size: 2,
        },
      ],
    };
    const hints = { ttlMs: 500, cacheScope: "public" };
    expect(await client.listSkills()).toMatchObject({
      skills: [skill],
      ...hints,
    });
    expect(await client.getSkill({ uri: skill.uri })).toMatchObject({
      skill,
      ...hints,
    });
  });

  it("SKILL-02 never splits a skill over two pages of the list", async () => {
    const list = ["a", "b", "c"].map((path) => ({
      path,
      files: { "SKILL.md": skillText(path) },
    }));
    const { client } = await connect(skills(list, { pageSize: 2 }), revision);
    const { nextCursor, ...page } = await client.listSkills();
    expect(page).toMatchObject({
      skills: [{ uri: "skill://a/SKILL.md" }, { uri: "skill://b/SKILL.md" }],
    });
    expect(await client.listSkills({ cursor: nextCursor })).toMatchObject({
      skills: [{ uri: "skill://c/SKILL.md" }],
    });
  });

  it("SKILL-03 sends exactly the bytes of which it lists the digest: CRLF, a byte order mark, and bytes that are not UTF-8", async () => {
    const files = {
      "SKILL.md": `\uFEFF${skillText("bytes").replaceAll("\n", "\r\n")}`,
      "crlf.txt": "a\r\nb\rc\n",
      "mark.txt": "\uFEFFtext",
      "lone.txt": "\uD800",
      "latin1.txt": Uint8Array.of(0x63, 0xe9),
      "cut.txt": Uint8Array.of(0xe2, 0x82),
      empty: "",
    };
    const { client } = await connect(
      skills([{ path: "bytes", files }]),
      revision,
    );
    const { skill } = await client.getSkill({ uri: "skill://bytes/SKILL.md" });
    expect(skill.frontmatter).toEqual({
      name: "bytes",
      description: "Explains bytes.",
    });
    const kinds: string[] = [];
    for (const { uri, digest, size } of skill.resources as {
      uri: string;
      digest: string;
      size: number;
    }[]) {
      const { contents } = (await client.readResource({ uri })) as {
        contents: [{ text?: string; blob?: string }];
      };
      const [{ text, blob = "" }] = contents;
      kinds.push(text === undefined ? "blob" : "text");
      const bytes =
        text === undefined
          ? Buffer.from(blob, "base64")
          : Buffer.from(text, "utf8");
      expect([uri, bytes.length, digestOf(bytes)]).toEqual([uri, size, digest]);
    }
    expect(kinds).toEqual([
      "text",
      "text",
      "text",
      "text",
      "blob",
      "blob",
      "text",
    ]);
  });

  it("SKILL-04 has one resource for each file, and lists only SKILL.md, with the name and the description of the skill", async () => {
    const own = { uri: "docs://a", name: "a", read: () => "A" };
    const { client } = await connect(
      { ...resources([own]), ...skills([refunds]) },
      revision,
    );
    expect(await client.listResources()).toMatchObject({
      resources: [
        { uri: "docs://a" },
        {
          uri: "skill://refunds/SKILL.md",
          name: "refunds",
          description: "Explains refunds.",
          mimeType: "text/markdown",
          size: refunds.files["SKILL.md"].length,
        },
      ],
    });
    expect(await client.listResourceTemplates()).toMatchObject({
      resourceTemplates: [],
    });
    for (const [uri, content] of [
      ["docs://a", { text: "A" }],
      [
        "skill://refunds/examples/a%20b.md",
        { mimeType: "text/markdown", text: "Dear customer\r\n" },
      ],
      ["skill://refunds/logo.png", { mimeType: "image/png", blob: "/wA=" }],
    ] as const)
      expect(await client.readResource({ uri })).toMatchObject({
        contents: [{ uri, ...content }],
      });
  });

  it("SKILL-05 answers about a skill, a file or a folder that it does not have with invalid params", async () => {
    const { client } = await connect(skills([refunds]), revision);
    for (const uri of [
      "skill://refunds",
      "skill://other/SKILL.md",
      "skill://refunds/logo.png",
      "skill://x/refunds/SKILL.md",
    ])
      await expect(client.getSkill({ uri })).rejects.toMatchObject(
        invalid(uri),
      );
    for (const uri of [
      "skill://refunds/SKILL.md",
      "skill://refunds/none",
      "skill://refund",
      "skill://",
      "docs://a",
    ])
      await expect(client.readResourceDirectory({ uri })).rejects.toMatchObject(
        invalid(uri),
      );
    await expect(
      client.readResource({ uri: "skill://refunds/../x" }),
    ).rejects.toMatchObject({
      data: { uri: "skill://refunds/../x" },
    });
  });

  it("SKILL-06 lists what is directly in a folder, folders too, in pages", async () => {
    const files = {
      ...refunds.files,
      "examples/deep/c.md": "c",
      "examples/deep/d.md": "d",
    };
    const { client } = await connect(skills([{ ...refunds, files }]), revision);
    const names = async (uri: string): Promise<unknown[]> =>
      (
        (await client.readResourceDirectory({ uri }))["resources"] as {
          name: string;
          mimeType?: string;
        }[]
      ).map(({ name, mimeType }) => `${name} ${mimeType}`);
    expect(await names("skill://refunds")).toEqual([
      "refunds text/markdown",
      "examples inode/directory",
      "logo.png image/png",
    ]);
    expect(await names("skill://refunds/examples")).toEqual([
      "a b.md text/markdown",
      "deep inode/directory",
    ]);
    const many = Object.fromEntries(
      Array.from({ length: 400 }, (_, i) => [`f/${i}.txt`, ""]),
    );
    const large = await connect(
      skills([
        { path: "many", files: { "SKILL.md": skillText("many"), ...many } },
      ]),
      revision,
    );
    const all: string[] = [];
    for await (const { name } of large.client.readResourceDirectoryItems({
      uri: "skill://many/f",
    }))
      all.push(name);
    expect(all).toEqual(Object.keys(many).map((path) => path.slice(2)));
  });

  it("SKILL-07 lists a skill inside another one on its own, and its files as files of the other one too", async () => {
    const inner = {
      path: "forms/tax",
      files: { "SKILL.md": skillText("tax"), "a.md": "a" },
    };
    const outer = {
      path: "forms",
      files: { "SKILL.md": skillText("forms"), "b.md": "b" },
    };
    const { client } = await connect(skills([outer, inner]), revision);
    const { skills: listed } = (await client.listSkills()) as unknown as {
      skills: { uri: string; resources: { uri: string }[] }[];
    };
    expect(
      listed.map((skill) => [skill.uri, skill.resources.map(({ uri }) => uri)]),
    ).toEqual([
      [
        "skill://forms/SKILL.md",
        ["SKILL.md", "b.md", "tax/SKILL.md", "tax/a.md"].map(
          (path) => `skill://forms/${path}`,
        ),
      ],
      [
        "skill://forms/tax/SKILL.md",
        ["SKILL.md", "a.md"].map((path) => `skill://forms/tax/${path}`),
      ],
    ]);
    expect(() =>
      skills([
        { ...outer, files: { ...outer.files, "tax/a.md": "other" } },
        inner,
      ]),
    ).toThrow(
      "skill://forms/tax/a.md has another content in a skill inside that skill.",
    );
  });

  it("SKILL-08 returns an unlisted skill by its URI, and lists it nowhere", async () => {
    const { client } = await connect(
      skills([refunds], { list: false }),
      revision,
    );
    expect(await client.listSkills()).toMatchObject({ skills: [] });
    expect(await client.listResources()).toMatchObject({ resources: [] });
    const { skill } = await client.getSkill({
      uri: "skill://refunds/SKILL.md",
    });
    expect(skill.frontmatter.name).toBe("refunds");
    expect(await client.readResource({ uri: skill.uri })).toMatchObject({
      contents: [{ text: refunds.files["SKILL.md"] }],
    });
  });

  it("SKILL-09 says that generated files have no digests, and generates them for each caller", async () => {
    const daily = {
      path: "daily",
      dynamic: true as const,
      read: (file: string, { revision }: { revision: string }) =>
        file === "SKILL.md"
          ? skillText("daily", "", revision)
          : file === "data/now.bin"
            ? Uint8Array.of(0xff)
            : null,
      list: () => ["SKILL.md", "data/now.bin"],
    };
    const { client } = await connect(
      {
        ...skills([daily]),
        ...skills([refunds], { ttlMs: 9, cacheScope: "public" }),
      },
      revision,
    );
    const entry = { uri: "skill://daily/SKILL.md", resources: "dynamic" };
    expect(await client.listSkills()).toMatchObject({
      skills: [entry, { uri: "skill://refunds/SKILL.md" }],
      ttlMs: 0,
      cacheScope: "private",
    });
    expect(await client.readResource({ uri: entry.uri })).toMatchObject({
      contents: [
        {
          mimeType: "text/markdown",
          text: skillText("daily", "", revision.revision),
        },
      ],
    });
    expect(
      await client.readResource({ uri: "skill://daily/data/now.bin" }),
    ).toMatchObject({
      contents: [{ blob: "/w==" }],
    });
    await expect(
      client.readResource({ uri: "skill://daily/none" }),
    ).rejects.toMatchObject({
      data: { uri: "skill://daily/none" },
    });
    await expect(
      client.readResource({ uri: "skill://daily/..%2F..%2Fetc" }),
    ).rejects.toThrow("path traversal");
    expect(
      await client.readResourceDirectory({ uri: "skill://daily" }),
    ).toMatchObject({
      resources: [
        { name: "SKILL.md" },
        { name: "data", mimeType: "inode/directory" },
      ],
    });
  });

  it("reads a list of skills again for each request if a function returns it, and declares that it changes", async () => {
    let text = skillText("a");
    const { client } = await connect(
      skills(() => [{ path: "a", files: { "SKILL.md": text } }]),
      revision,
    );
    expect(client.server.capabilities).toMatchObject({
      resources: { listChanged: true },
    });
    const digests = async (): Promise<unknown> =>
      (await client.getSkill({ uri: "skill://a/SKILL.md" })).skill.resources;
    expect(await digests()).toMatchObject([{ digest: digestOf(text) }]);
    text = skillText("a", "", "Changed.");
    expect(await digests()).toMatchObject([{ digest: digestOf(text) }]);
    expect(
      await client.readResource({ uri: "skill://a/SKILL.md" }),
    ).toMatchObject({ contents: [{ text }] });
  });
});

describe("skills", () => {
  it.each([
    [
      "without frontmatter",
      "# A",
      "expected YAML between two lines --- at its beginning.",
    ],
    [
      "with an open frontmatter",
      "---\nname: a\n",
      "expected YAML between two lines --- at its beginning.",
    ],
    [
      "without a description",
      "---\nname: a\n---\n",
      "description: expected text of 1 to 1024 characters, got undefined.",
    ],
    ...[
      ["an empty", '""', '""'],
      ["a blank", '" "', '" "'],
      ["too long a", "x".repeat(1025), "1025"],
    ].map(([what = "", description = "", got = ""]) => [
      `with ${what} description`,
      skillText("a").replace("Explains a.", description),
      `description: expected text of 1 to 1024 characters, got ${got}.`,
    ]),
    ...[
      ["an empty", "''", '""'],
      ["too long a", "x".repeat(501), "501"],
      ["a list as", "[a]", '["a"]'],
    ].map(([what = "", compatibility = "", got = ""]) => [
      `with ${what} compatibility`,
      skillText("a", `compatibility: ${compatibility}\n`),
      `compatibility: expected text of 1 to 500 characters, got ${got}.`,
    ]),
    [
      "with a text as frontmatter",
      "---\na\n---\n",
      "name: expected the name of its folder, in a-z, 0-9 and hyphens, got undefined.",
    ],
    [
      "with a number as name",
      "---\nname: 1\ndescription: a\n---\n",
      "name: expected the name of its folder, in a-z, 0-9 and hyphens, got 1.",
    ],
    [
      "with the name of another folder",
      skillText("b"),
      'name: expected the name of its folder, in a-z, 0-9 and hyphens, got "b".',
    ],
    [
      "with YAML that cannot be parsed",
      "---\na: [\n---\n",
      "its YAML cannot be read: ",
    ],
    [
      "with a member twice",
      "---\nname: a\nname: a\n---\n",
      "its YAML cannot be read: ",
    ],
    [
      "with an alias",
      "---\nname: &n a\ndescription: *n\n---\n",
      "its YAML cannot be read: ",
    ],
    [
      "with too much frontmatter",
      `---\nname: a\n#${"x".repeat(65_527)}\n---\n`,
      "expected at most 65536 characters between the two lines ---, got 65537.",
    ],
  ])(
    "SKILL-10 leave out a SKILL.md %s, and report why",
    async (_, text, why) => {
      const errors: string[] = [];
      const list = [{ path: "x/a", files: { "SKILL.md": text } }, refunds];
      const { client } = await connect(skills(list), newest, {
        onError: ({ message }: Error, where?: string) =>
          void errors.push(`${where}: ${message}`),
      });
      expect(await client.listSkills()).toMatchObject({
        skills: [{ uri: "skill://refunds/SKILL.md" }],
      });
      expect(await client.listResources()).toMatchObject({
        resources: [{ name: "refunds" }],
      });
      await expect(
        client.readResource({ uri: "skill://x/a/SKILL.md" }),
      ).rejects.toMatchObject({
        code: -32602,
      });
      expect(errors).toHaveLength(1);
      expect(errors[0]).toMatch(/^skills: The skill x\/a: SKILL.md: /);
      expect(errors[0]).toContain(why);
    },
  );

  const files = { "SKILL.md": skillText("a") };
  const numbered = (count: number): Record<string, string> => ({
    ...files,
    ...Object.fromEntries(
      Array.from({ length: count - 1 }, (_, i) => [`${i}.md`, ""]),
    ),
  });
  const sized = (bytes: number): Record<string, string | Uint8Array> => ({
    ...files,
    "a.bin": new Uint8Array(bytes - files["SKILL.md"].length),
  });
  it.each([
    [
      "513 files",
      { path: "a", files: numbered(513) },
      "The skill a has 513 files; a skill has at most 512.",
    ],
    [
      "16 MiB and one byte",
      { path: "a", files: sized(16_777_217) },
      "The skill a has 16777217 bytes; a skill has at most 16777216.",
    ],
    [
      "no SKILL.md",
      { path: "a", files: { "skill.md": "" } },
      "expected a file SKILL.md in UTF-8.",
    ],
    [
      "a SKILL.md that is not UTF-8",
      { path: "a", files: { "SKILL.md": Uint8Array.of(0xff) } },
      "expected a file SKILL.md in UTF-8.",
    ],
    [
      "a file outside of its folder",
      { path: "a", files: { ...files, "../b": "" } },
      '"../b" is not the path of a file',
    ],
    [
      "an empty name of a file",
      { path: "a", files: { ...files, "b//c": "" } },
      '"b//c" is not the path of a file',
    ],
    [
      "a backslash in the name of a file",
      { path: "a", files: { ...files, "b\\c": "" } },
      "is not the path of a file",
    ],
    [
      "a name in upper case",
      { path: "A", files },
      'The skill "A": expected folders of',
    ],
    [
      "a name with two hyphens in a row",
      { path: "a--b", files },
      'The skill "a--b"',
    ],
    [
      "a name of 65 characters",
      { path: "a".repeat(65), files },
      "expected folders of",
    ],
    ["a path that leads up", { path: "../a", files }, 'The skill "../a"'],
    ["a query in its path", { path: "b?c/a", files }, "expected folders of"],
  ])("SKILL-11 refuse %s when they are declared", (_, skill, why) => {
    expect(() => skills([skill])).toThrow(why);
  });

  it("SKILL-11 accept 512 files and 16 MiB", async () => {
    const { client } = await connect({
      ...skills([{ path: "a", files: numbered(512) }]),
      ...skills([{ path: "a", files: sized(16_777_216) }], { prefix: "large" }),
    });
    const { skill } = await client.getSkill({ uri: "skill://a/SKILL.md" });
    expect(skill.resources).toHaveLength(512);
    expect(
      (await client.getSkill({ uri: "skill://large/a/SKILL.md" })).skill
        .resources,
    ).toHaveLength(2);
  });

  it("refuse two skills in one folder, and a generated skill inside one whose files have digests", () => {
    const a = { path: "a", files };
    const generated = { dynamic: true as const, read: () => "" };
    expect(() => skills([a, a])).toThrow(
      "The skill a: skill://a cannot be inside skill://a.",
    );
    expect(() => skills([a, { path: "a/b", ...generated }])).toThrow(
      "skill://a/b cannot be inside skill://a.",
    );
    expect(() =>
      skills([
        { path: "a", ...generated },
        { path: "a/b", files },
      ]),
    ).not.toThrow();
  });

  it("are only resources in a revision without the extension", async () => {
    const { client } = await connect(skills([refunds]), before);
    expect(client.server.capabilities).toEqual({ resources: {} });
    expect(await client.listResources()).toMatchObject({
      resources: [{ name: "refunds" }],
    });
  });
});
