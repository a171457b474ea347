import {
  isSkillError,
  listSkills,
  loadSkill,
  type SkillEntry,
  skillDigest,
  skills,
} from "@mcpgen/runtime/skills";
import { describe, expect, it } from "vitest";
import {
  connect,
  digestOf,
  entryOf,
  scripted,
  skillText,
  withSkills,
} from "./kit.js";

const text = skillText(
  "refunds",
  "metadata: { version: 1, tags: [a, b] }\n",
  "See [the mail](examples/mail.md).\n",
);
const files = {
  "SKILL.md": text,
  "examples/mail.md": "Dear customer\n",
  "logo.png": Uint8Array.of(0xff, 0),
};
const uri = "skill://refunds/SKILL.md";
const refunds = skills([{ path: "refunds", files }]);
const failed = (reason: string, message = ""): object => ({
  name: "SkillError",
  reason,
  message: expect.stringContaining(message) as string,
});
const file = (path: string): string => `skill://refunds/${path}`;
const plain = { "SKILL.md": skillText("refunds"), "a.md": "a" };
const served = (
  over: Readonly<Record<string, string | Uint8Array | object>> = {},
): object =>
  scripted([entryOf("refunds", plain)], {
    [uri]: plain["SKILL.md"],
    [file("a.md")]: "a",
    ...over,
  });

describe.each(withSkills)("a client of skills in $revision", (revision) => {
  it("SKILL-12 lists entries and loads a skill without reading any file ahead of need", async () => {
    const { client, received } = await connect(refunds, revision);
    const entries: SkillEntry[] = [];
    for await (const entry of listSkills(client)) entries.push(entry);
    expect(entries.map((entry) => entry.uri)).toEqual([uri]);
    expect(received.filter((one) => one.startsWith("resources/"))).toEqual([]);
    const skill = await loadSkill(client, entries[0] as SkillEntry);
    await skill.directory();
    await skill.refresh();
    expect(received.filter((one) => one.startsWith("resources/"))).toEqual([
      `resources/read ${uri}`,
    ]);
    await skill.read("examples/mail.md");
    expect(received.at(-1)).toBe(`resources/read ${file("examples/mail.md")}`);
  });

  const loaded = async () => {
    const { client } = await connect(
      skills([{ path: "refunds", files }], { list: false }),
      revision,
    );
    return loadSkill(client, uri);
  };

  it("SKILL-13 loads a skill by its URI alone, with its frontmatter and its text", async () => {
    const skill = await loaded();
    expect(skill).toMatchObject({
      uri,
      frontmatter: {
        name: "refunds",
        metadata: { version: 1, tags: ["a", "b"] },
      },
      body: "\nSee [the mail](examples/mail.md).\n",
      changed: false,
    });
  });

  it.each([
    ["examples/mail.md"],
    ["./examples/../examples/mail.md#top"],
    ["examples/other/../mail.md?a"],
    [file("examples/mail.md")],
    ["/examples/mail.md"],
  ])("SKILL-13 reads the file of a skill at %s", async (path) => {
    expect(await (await loaded()).read(path)).toBe("Dear customer\n");
  });

  it("SKILL-13 reads a file of a skill that is not text, and its folders", async () => {
    const skill = await loaded();
    expect(await skill.read("logo.png")).toEqual(Uint8Array.of(0xff, 0));
    expect(await skill.directory()).toEqual([
      { uri, name: "SKILL.md", isDirectory: false },
      { uri: file("examples"), name: "examples", isDirectory: true },
      { uri: file("logo.png"), name: "logo.png", isDirectory: false },
    ]);
    expect(await skill.directory("examples")).toMatchObject([
      { name: "mail.md" },
    ]);
    await expect(skill.directory("none")).rejects.toMatchObject(
      failed("unlisted"),
    );
  });

  it.each([
    ["more bytes", "size", "ab", "expected 1 bytes, got 2."],
    ["fewer bytes", "size", "", "expected 1 bytes, got 0."],
    [
      "other bytes",
      "digest",
      "b",
      `expected the digest ${digestOf("a")}, got ${digestOf("b")}.`,
    ],
    [
      "another byte in a blob",
      "digest",
      Uint8Array.of(0x62),
      "expected the digest",
    ],
    ["a byte order mark", "size", "\uFEFFa", "got 4."],
    ["no contents", "contents", { contents: [] }, "expected one text or blob"],
    [
      "contents of another URI",
      "contents",
      { contents: [{ uri: file("b.md"), text: "a" }] },
      "expected one text",
    ],
    [
      "two contents",
      "contents",
      {
        contents: [
          { uri: file("a.md"), text: "a" },
          { uri: file("a.md"), text: "a" },
        ],
      },
      "expected one",
    ],
    [
      "a blob that is not base64",
      "contents",
      { contents: [{ uri: file("a.md"), blob: "?" }] },
      "expected one text",
    ],
  ])(
    "SKILL-14 does not use a file of which the server sends %s",
    async (_, reason, content, message) => {
      const { client } = await connect(
        served({ [file("a.md")]: content }),
        revision,
      );
      const skill = await loadSkill(client, uri);
      const error: unknown = await skill
        .read("a.md")
        .catch((error: unknown) => error);
      expect(error).toMatchObject(failed(reason, message));
      expect(isSkillError(error)).toBe(true);
    },
  );

  it("SKILL-14 accepts the right bytes as text or as a blob", async () => {
    const { client } = await connect(
      served({ [file("a.md")]: Uint8Array.of(0x61) }),
      revision,
    );
    expect(await (await loadSkill(client, uri)).read("a.md")).toEqual(
      Uint8Array.of(0x61),
    );
  });

  it.each([
    [
      "another field",
      "name: refunds\ndescription: Other.",
      'description is not that of the entry, "Explains refunds."',
    ],
    [
      "one field more",
      "name: refunds\ndescription: Explains refunds.\nallowed-tools: Bash",
      "allowed-tools is not that of the entry, undefined.",
    ],
    ["no frontmatter", undefined, "expected YAML between two lines ---"],
    [
      "an alias",
      "name: refunds\ndescription: &a Explains refunds.\nb: *a",
      "its YAML cannot be read",
    ],
    [
      "many aliases",
      `name: refunds\ndescription: d\na: &a [${"x,".repeat(50)}]\nb: &b [${"*a,".repeat(50)}]\nc: [${"*b,".repeat(50)}]`,
      "its YAML cannot be read",
    ],
    [
      "deep nesting",
      `name: refunds\ndescription: d\na: ${"[".repeat(20_000)}`,
      "its YAML cannot be read",
    ],
    [
      "a tag",
      "name: refunds\ndescription: Explains refunds.\na: !!js/function 'x'",
      "a is not that of the entry",
    ],
    [
      "a prototype",
      "name: refunds\ndescription: Explains refunds.\n__proto__: { a: 1 }",
      "__proto__ is not that of the entry",
    ],
  ])(
    "SKILL-15 does not load a skill whose SKILL.md has %s, although its digest is right",
    async (_, yaml, message) => {
      const own = yaml === undefined ? "# Refunds" : `---\n${yaml}\n---\n`;
      const { client } = await connect(
        scripted([entryOf("refunds", { "SKILL.md": own })], { [uri]: own }),
        revision,
      );
      await expect(loadSkill(client, uri)).rejects.toMatchObject(
        failed("frontmatter", message),
      );
    },
  );

  it("SKILL-15 compares values and not their order or spelling", async () => {
    const own =
      '---\r\ndescription: "Explains refunds."\r\nmetadata:\r\n  b: 2\r\n  a: [1]\r\nname: refunds\r\n---\r\nText';
    const entry = entryOf("refunds", { "SKILL.md": own });
    const frontmatter = { ...entry.frontmatter, metadata: { a: [1], b: 2 } };
    const { client } = await connect(
      scripted([{ ...entry, frontmatter }], { [uri]: own }),
      revision,
    );
    expect((await loadSkill(client, uri)).body).toBe("Text");
  });

  it("SKILL-15 does not load a SKILL.md that is not UTF-8", async () => {
    const bytes = Uint8Array.of(0x2d, 0xff);
    const { client } = await connect(
      scripted([entryOf("refunds", { "SKILL.md": bytes })], { [uri]: bytes }),
      revision,
    );
    await expect(loadSkill(client, uri)).rejects.toMatchObject(
      failed(
        "frontmatter",
        "SKILL.md: expected text, got bytes that are not UTF-8.",
      ),
    );
  });

  it.each([
    "b.md",
    "../a.md",
    "../../a.md",
    "sub/../../other/a.md",
    "skill://other/a.md",
    "https://example.com/a.md",
    "file:///etc/passwd",
    "%2e%2e/a.md",
    "A.md",
    "",
  ])(
    "SKILL-16 refuses to read %j, which the entry does not list, and asks no server for it",
    async (path) => {
      const { client, received } = await connect(served(), revision);
      const skill = await loadSkill(client, uri);
      received.length = 0;
      await expect(skill.read(path)).rejects.toMatchObject(
        failed("unlisted", "does not list"),
      );
      expect(received).toEqual([]);
    },
  );

  const changing = async () => {
    let own: Readonly<Record<string, string | Uint8Array>> = files;
    const { client } = await connect(
      skills(() => [{ path: "refunds", files: own }]),
      revision,
    );
    const skill = await loadSkill(client, uri);
    const change = (): void =>
      void (own = {
        ...files,
        "examples/mail.md": "Dear friend\n",
        "new.md": "new",
      });
    return { client, skill, change, changeBack: () => void (own = files) };
  };

  it("SKILL-17 keeps the entry of a skill that changes between the list and a read", async () => {
    const { skill, change } = await changing();
    change();
    await expect(skill.read("examples/mail.md")).rejects.toMatchObject(
      failed("size"),
    );
    await expect(skill.read("new.md")).rejects.toMatchObject(
      failed("unlisted"),
    );
    expect(await skill.read("SKILL.md")).toBe(text);
    expect(skill.changed).toBe(false);
  });

  it("SKILL-17 finds the change of a skill when it is asked", async () => {
    const { client, skill, change, changeBack } = await changing();
    expect(await skill.refresh()).toBe(false);
    change();
    expect(await skill.refresh()).toBe(true);
    expect(skill.changed).toBe(true);
    await expect(skill.read("new.md")).rejects.toMatchObject(
      failed("unlisted"),
    );
    const again = await loadSkill(client, uri);
    expect(await again.read("new.md")).toBe("new");
    changeBack();
    expect(await skill.refresh()).toBe(false);
  });

  it("SKILL-18 has one digest for an approval, for any order of its files", async () => {
    const entry = entryOf("refunds", plain);
    const digest = await skillDigest(entry);
    expect(digest).toMatch(/^sha256:[\da-f]{64}$/);
    const [first, ...rest] = entry.resources as Exclude<
      SkillEntry["resources"],
      "dynamic"
    >;
    expect(
      await skillDigest({ ...entry, resources: [...rest, first as never] }),
    ).toBe(digest);
  });

  it.each([
    ["another content", entryOf("refunds", { ...plain, "a.md": "b" })],
    ["another name of a file", entryOf("refunds", { ...plain, "b.md": "a" })],
    ["fewer files", entryOf("refunds", { "SKILL.md": plain["SKILL.md"] })],
    ["another path", entryOf("refund", plain)],
  ])("SKILL-18 has another digest for %s", async (_, other) => {
    expect(await skillDigest(other)).not.toBe(
      await skillDigest(entryOf("refunds", plain)),
    );
  });

  it("SKILL-18 has no digest if its files are generated", async () => {
    const entry = entryOf("refunds", plain);
    expect(
      await skillDigest({ ...entry, resources: "dynamic" }),
    ).toBeUndefined();
  });

  it("SKILL-19 reads generated files in the folder of the skill, and lists its folders", async () => {
    const read = (path: string): string | undefined =>
      ({ "SKILL.md": skillText("daily"), "data/a.md": "a" })[path];
    const daily = {
      path: "daily",
      dynamic: true as const,
      read,
      list: () => ["SKILL.md", "data/a.md"],
    };
    const { client } = await connect(skills([daily]), revision);
    const skill = await loadSkill(client, "skill://daily/SKILL.md");
    expect(await skill.read("data/a.md")).toBe("a");
    await expect(skill.read("../a.md")).rejects.toMatchObject(
      failed("unlisted"),
    );
    await expect(skill.read("none.md")).rejects.toMatchObject({
      name: "McpError",
    });
    expect(await skill.directory("data")).toEqual([
      { uri: "skill://daily/data/a.md", name: "a.md", isDirectory: false },
    ]);
    expect(await skill.directory()).toMatchObject([
      { name: "SKILL.md" },
      { name: "data", isDirectory: true },
    ]);
    expect(await skill.refresh()).toBe(false);
  });

  it("SKILL-19 lists no folders of generated files if the server cannot", async () => {
    const entry: SkillEntry = {
      ...entryOf("refunds", plain),
      resources: "dynamic",
    };
    const other = await connect(
      scripted([entry], { [uri]: plain["SKILL.md"] }),
      revision,
    );
    await expect(
      (await loadSkill(other.client, uri)).directory(),
    ).rejects.toMatchObject({
      name: "SessionError",
      reason: "capability",
    });
    expect(other.received.filter((one) => one.includes("directory"))).toEqual(
      [],
    );
  });

  it("SKILL-19 does not take a file outside of the folder from a list of the server", async () => {
    const entry: SkillEntry = {
      ...entryOf("refunds", plain),
      resources: "dynamic",
    };
    const listed = ["a.md", "../other/b.md", "%2e%2e/c.md"].map((path) => ({
      uri: file(path),
      name: path,
    }));
    const { client } = await connect(
      {
        ...scripted([entry], { [uri]: plain["SKILL.md"] }),
        "resources/directory/read": () => ({
          resources: [...listed, { uri: "skill://other/d.md", name: "d" }],
        }),
      },
      revision,
      {
        capabilities: {
          extensions: {
            "com.example/first": { directoryRead: false },
            "io.modelcontextprotocol/skills": { directoryRead: true },
            "com.example/last": {},
          },
        },
      },
    );
    expect(await (await loadSkill(client, uri)).directory()).toMatchObject([
      { name: "a.md" },
    ]);
  });

  const good = entryOf("refunds", plain);
  const [md, a] = good.resources as readonly [object, object];
  const described = (fields: object): object => ({
    frontmatter: { ...good.frontmatter, ...fields },
  });
  it.each([
    [
      "a URI that is not that of a SKILL.md",
      { uri: "skill://refunds/README.md" },
      "uri: expected the URI of a SKILL.md in a folder.",
    ],
    [
      "a URI without a folder",
      { uri: "skill:///SKILL.md" },
      "uri: expected the URI of a SKILL.md in a folder.",
    ],
    [
      "a URI that leads up",
      { uri: "skill://a/../refunds/SKILL.md" },
      "uri: expected the URI of a SKILL.md in a folder.",
    ],
    [
      "the name of another folder",
      { uri: "skill://refund/SKILL.md" },
      'frontmatter.name: expected the name of its folder, in a-z, 0-9 and hyphens, got "refunds"',
    ],
    [
      "a name in upper case",
      {
        uri: "skill://R/SKILL.md",
        frontmatter: { name: "R", description: "" },
      },
      "frontmatter.name: expected",
    ],
    [
      "an empty description",
      described({ description: "" }),
      "frontmatter.description: expected",
    ],
    [
      "too long a description",
      described({ description: "x".repeat(1025) }),
      "frontmatter.description: expected text of 1 to 1024 characters, got 1025",
    ],
    [
      "too long a compatibility",
      described({ compatibility: "x".repeat(501) }),
      "frontmatter.compatibility: expected text of 1 to 500 characters, got 501",
    ],
    [
      "a number as compatibility",
      described({ compatibility: 1 }),
      "frontmatter.compatibility: expected",
    ],
    [
      "no SKILL.md among its files",
      { resources: [a] },
      "resources: SKILL.md is missing",
    ],
    [
      "a file twice",
      { resources: [md, a, { ...a, uri: file("%61.md") }] },
      "resources: a file is listed twice",
    ],
    [
      "a file of another skill",
      { resources: [md, { ...a, uri: "skill://other/a.md" }] },
      "resources[1].uri: expected",
    ],
    [
      "a file that leads up",
      { resources: [md, { ...a, uri: file("../a.md") }] },
      "resources[1].uri: expected",
    ],
    [
      "a file that leads up when it is decoded",
      { resources: [md, { ...a, uri: file("%2E%2e/a.md") }] },
      "resources[1].uri: expected",
    ],
    [
      "a file with an escaped slash",
      { resources: [md, { ...a, uri: file("..%2Fa.md") }] },
      "resources[1].uri: expected",
    ],
    [
      "the folder itself as a file",
      { resources: [md, { ...a, uri: "skill://refunds/" }] },
      "resources[1].uri: expected",
    ],
    [
      "a digest of another kind",
      { resources: [md, { ...a, digest: "md5:00" }] },
      "resources[1].digest: expected",
    ],
    [
      "a digest in upper case",
      { resources: [md, { ...a, digest: digestOf("a").toUpperCase() }] },
      "resources[1].digest: expected",
    ],
  ])(
    "SKILL-20 leaves out an entry with %s, warns, and does not load it",
    async (_, wrong, message) => {
      const bad = { ...good, ...wrong } as SkillEntry;
      const other = entryOf("other", { "SKILL.md": skillText("other") });
      const { client, received } = await connect(
        scripted([bad, other], {}),
        revision,
      );
      const warnings: string[] = [];
      const uris: string[] = [];
      const onWarning = (warning: string): void => void warnings.push(warning);
      for await (const entry of listSkills(client, { onWarning }))
        uris.push(entry.uri);
      expect(uris).toEqual([other.uri]);
      await expect(loadSkill(client, bad)).rejects.toMatchObject({
        name: "SkillError",
        reason: "entry",
      });
      expect(received.filter((one) => one.startsWith("resources/"))).toEqual(
        [],
      );
      expect(warnings.join()).toContain(message);
    },
  );

  it("SKILL-20 refuses a skill with another URI than the one it asked for", async () => {
    const { client } = await connect(served(), revision);
    await expect(
      loadSkill(client, "skill://other/SKILL.md"),
    ).rejects.toMatchObject(
      failed(
        "entry",
        'answered with "skill://refunds/SKILL.md" for the skill "skill://other/SKILL.md"',
      ),
    );
  });

  it("SKILL-20 refuses an entry without a list of files, and one with a size that is no number of bytes", async () => {
    const { client } = await connect(served(), revision);
    for (const resources of [undefined, null, "static", {}])
      await expect(
        loadSkill(client, { ...good, resources } as never),
      ).rejects.toMatchObject(
        failed("entry", 'resources: expected a list or "dynamic"'),
      );
    for (const size of [0.5, -1, "1", Infinity])
      await expect(
        loadSkill(client, {
          ...good,
          resources: [md, { ...a, size }],
        } as never),
      ).rejects.toMatchObject(
        failed("entry", "resources[1].size: expected a number of bytes"),
      );
  });

  it("SKILL-21 accepts a skill of 512 files and of 16 MiB, and says why it declines a larger one", async () => {
    const many = (count: number): SkillEntry => ({
      ...good,
      resources: [
        md,
        ...Array.from({ length: count - 1 }, (_, i) => ({
          ...a,
          uri: file(`${i}.md`),
        })),
      ] as never,
    });
    const large = (bytes: number): SkillEntry => ({
      ...good,
      resources: [
        md,
        { ...a, size: bytes - plain["SKILL.md"].length },
      ] as never,
    });
    const { client } = await connect(served(), revision);
    for (const entry of [many(512), large(16_777_216)])
      expect((await loadSkill(client, entry)).entry).toBe(entry);
    await expect(loadSkill(client, many(513))).rejects.toMatchObject(
      failed("limit", "has 513 files; a skill has at most 512."),
    );
    await expect(loadSkill(client, large(16_777_217))).rejects.toMatchObject(
      failed("limit", "has 16777217 bytes"),
    );
  });
});

describe("a skill", () => {
  it("is read from the server where it was found, although another server has one with its URI", async () => {
    const one = await connect(refunds);
    const two = await connect(served());
    const skill = await loadSkill(one.client, uri);
    expect((await loadSkill(two.client, uri)).body).toBe("\nHow to refunds.\n");
    expect(skill.body).toBe("\nSee [the mail](examples/mail.md).\n");
    two.received.length = 0;
    expect(await skill.read("examples/mail.md")).toBe("Dear customer\n");
    expect(two.received).toEqual([]);
  });
});
