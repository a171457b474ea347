import { describe, expect, it } from "vitest";
import { FromFile } from "../../src/generator/inputs/from-file.js";
import {
  isCommit,
  isEtag,
  isPinName,
  type Lock,
  lockName,
  readLock,
  renderLock,
} from "../../src/generator/inputs/lock.js";
import { directory } from "../cli/support.js";

const commit = "0123456789abcdef0123456789abcdef01234567";
const sha256 = "a".repeat(64);
const pin = {
  file: "mcp/2030/schema.ts",
  source: "https://example.com/schema.ts",
  sha256,
};

const textOf = (members: object): string =>
  JSON.stringify({ format: 1, ...members });

/** What is read from a folder whose lock file is this text. */
const lockOf = (text: string): Promise<Lock> =>
  readLock(directory({ [lockName]: text }));

const pinned = (members: object): string =>
  textOf({ revisions: { draft: { ...pin, ...members } } });
const versions: readonly object[] = [
  { commit: 1 },
  { commit: "0123" },
  { commit: commit.toUpperCase() },
  { etag: 1 },
  { etag: "abc" },
  { commit, etag: 'w/"a"' },
];

/** The reasons why a lock file cannot be used. */
const refused: Readonly<Record<string, readonly string[]>> = {
  "it is not JSON": ["{"],
  "it is not a JSON object": ["[]"],
  "its format is missing, but this version of mcpgen reads format 1": ["{}"],
  "its sources are not an object": [textOf({ sources: [] })],
  "its revisions are not an object": [textOf({ revisions: "a" })],
  "its extensions are not an object": [textOf({ extensions: 1 })],
  'the source "s" has no valid commit or etag': [3, null, ...versions].map(
    (entry) => textOf({ sources: { s: entry } }),
  ),
  '"latest" is not a name of a revision or an extension': [
    textOf({ revisions: { latest: pin } }),
  ],
  [`"${"x".repeat(80)}" is not a name of a revision or an extension`]: [
    textOf({ extensions: { ["x".repeat(81)]: pin } }),
  ],
  'the entry "draft" is not an object': [textOf({ revisions: { draft: [] } })],
  'the entry "draft" has no file': [pinned({ file: 1 })],
  "the file of \"draft\" cannot be used: it is absolute, or has an empty, '.' or '..' part":
    [pinned({ file: "/schema.ts" }), pinned({ file: "../schema.ts" })],
  'the file of "draft" is not a .ts or .json file': [
    pinned({ file: "schema.js" }),
    pinned({ file: "schema.ts.sh" }),
  ],
  'the entry "draft" has no source': [pinned({ source: null })],
  'the entry "draft" has no valid sha256': [
    pinned({ sha256: 1 }),
    pinned({ sha256: `${sha256}a` }),
    pinned({ sha256: "A".repeat(64) }),
  ],
  'the entry "draft" has no valid commit or etag': versions.map(pinned),
  'the id of "draft" is not that of an extension': [
    pinned({ id: 1 }),
    pinned({ id: "notes" }),
  ],
  'the entry "draft" has no valid digest of its tokens': [
    pinned({ tokens: 1 }),
    pinned({ tokens: `${sha256}a` }),
    pinned({ tokens: `a${sha256}` }),
  ],
  'the revision of "draft" is not a name': [
    pinned({ revision: 1 }),
    pinned({ revision: "a/b" }),
  ],
};

const restore =
  "restore it from version control, or delete it and run mcpgen update";

describe("a lock file", () => {
  it.each(Object.entries(refused))(
    "cannot be used because %s",
    async (reason, texts) => {
      for (const text of texts)
        await expect(lockOf(text)).rejects.toMatchObject({
          diagnostics: [
            {
              code: "MG753",
              message: expect.stringMatching(/mcpgen\.lock\.json /) as string,
              hint: restore,
            },
          ],
        });
      for (const text of texts)
        await expect(lockOf(text)).rejects.toThrow(
          `mcpgen.lock.json cannot be used: ${reason}\n    hint: ${restore}`,
        );
    },
  );

  it("of a later version needs a later mcpgen", async () => {
    await expect(lockOf('{"format":2}')).rejects.toThrow(
      "cannot be used: its format is 2, but this version of mcpgen reads format 1\n    hint: update mcpgen",
    );
  });

  it("is empty where there is none", async () => {
    const none = {
      sources: new Map(),
      revisions: new Map(),
      extensions: new Map(),
    };
    expect(await readLock(directory({}))).toEqual(none);
    expect(await readLock(`${directory({ a: "" })}/a`)).toEqual(none);
    expect(await lockOf(textOf({}))).toEqual(none);
  });

  it("has the same bytes for the same content, and keeps what others have written", async () => {
    const source = new FromFile(pin.source);
    const entry = { file: "a/b.json", source, sha256 };
    const long = "0".repeat(64);
    const lock: Lock = {
      sources: new Map([
        ["b", { etag: 'W/""' }],
        ["B", { commit: long }],
        ["a", {}],
      ]),
      revisions: new Map([
        ["draft", { ...entry, commit, etag: '"e"' }],
        ["2030-01-01", { ...entry, tokens: long, revision: "draft" }],
      ]),
      extensions: new Map([["notes", { ...entry, id: "com.example/notes" }]]),
    };
    const text = renderLock(lock, '{"own": [1], "sources": {"old": {}}}');
    expect(await lockOf(text)).toEqual(lock);
    expect(renderLock(await lockOf(text), text)).toBe(text);
    const members = JSON.parse(text) as Record<string, object>;
    expect(members["own"]).toEqual([1]);
    expect(Object.keys(members["sources"] ?? {})).toEqual(["B", "a", "b"]);
    expect(Object.keys(members["revisions"] ?? {})).toEqual([
      "2030-01-01",
      "draft",
    ]);
    expect(renderLock(lock, null)).toBe(
      renderLock(
        { ...lock, sources: new Map([...lock.sources].reverse()) },
        null,
      ),
    );
  });
});

describe("a name in a lock file", () => {
  it.each([
    ["draft", true],
    ["2030-01-01", true],
    ["a", true],
    [`A${"_".repeat(63)}`, true],
    [`A${"_".repeat(64)}`, false],
    ["", false],
    ["-a", false],
    ["_a", false],
    ["a.b", false],
    ["a/b", false],
    ["all", false],
    ["extensions", false],
    ["latest", false],
    ["con", false],
  ])("is a word that is no path and not reserved: %j", (name, isOne) => {
    expect(isPinName(name)).toBe(isOne);
  });

  it.each([
    [39, false],
    [40, true],
    [41, false],
    [63, false],
    [64, true],
    [65, false],
  ])("is a commit with %i digits: %s", (length, isOne) => {
    expect(isCommit("a".repeat(length))).toBe(isOne);
    expect(isCommit(`${"a".repeat(length - 1)}g`)).toBe(false);
  });

  it.each([
    ['""', true],
    ['"!~"', true],
    ['W/"a"', true],
    [`"${"a".repeat(200)}"`, true],
    [`"${"a".repeat(201)}"`, false],
    ['"a b"', false],
    ['"a"b"', false],
    ['"\n"', false],
    ["a", false],
    ["W/a", false],
  ])("is an entity tag as HTTP has it: %j", (text, isOne) => {
    expect(isEtag(text)).toBe(isOne);
  });
});
