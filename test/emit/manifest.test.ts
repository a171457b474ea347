import { describe, expect, it } from "vitest";
import {
  digestOf,
  hasDigest,
  type Manifest,
  meetsExpectation,
  parseManifest,
  renderManifest,
} from "../../src/generator/emit/manifest.js";

const whole = {
  format: 1,
  generator: "mcpgen 1.2.3",
  sources: [{ revision: "a", name: "a.ts", sha256: "1" }],
  options: {
    emit: ["types"],
    runtime: "r",
    importExtension: ".js",
    templates: null,
  },
  files: { "b.ts": "2", "a.ts": "1" },
};
const options = {
  emit: ["types"],
  runtime: "r",
  importExtension: ".js",
  templates: null,
  extensions: null,
  facts: null,
  choices: null,
  protocol: null,
};

/** A manifest of the text; throws if it is none. */
function read(members: object = {}): Manifest {
  const manifest = parseManifest(JSON.stringify({ ...whole, ...members }));
  if (typeof manifest === "string") throw new Error(manifest);
  return manifest;
}

describe("a manifest", () => {
  it.each<[text: string, reason: string]>([
    ["", "it is not JSON"],
    ["[]", "it is not a JSON object"],
    ["null", "it is not a JSON object"],
    ["{}", "its format is missing, but this version of mcpgen reads format 1"],
    [
      '{"format":2}',
      "its format is 2, but this version of mcpgen reads format 1",
    ],
    [
      '{"format":"1"}',
      'its format is "1", but this version of mcpgen reads format 1',
    ],
  ])("is not the text %s", (text, reason) => {
    expect(parseManifest(text)).toBe(reason);
  });

  it.each<[reason: string, members: readonly object[]]>([
    [
      "it has no generator",
      [{ generator: undefined }, { generator: 1 }, { generator: "other 1" }],
    ],
    [
      "its sources cannot be read",
      [
        { sources: undefined },
        { sources: {} },
        { sources: [null] },
        { sources: [{ revision: "a", name: "a.ts" }] },
        { sources: [...whole.sources, { revision: 1, name: "", sha256: "" }] },
      ],
    ],
    [
      "its options cannot be read",
      [
        { options: undefined },
        { options: [] },
        { options: { ...whole.options, emit: "types" } },
        { options: { ...whole.options, emit: ["types", 1] } },
        { options: { ...whole.options, runtime: undefined } },
        { options: { ...whole.options, importExtension: 1 } },
        ...["templates", "extensions", "facts", "choices", "protocol"].map(
          (name) => ({
            options: { ...whole.options, [name]: 1 },
          }),
        ),
      ],
    ],
    [
      "its list of files cannot be read",
      [
        { files: undefined },
        { files: [] },
        { files: { "a.ts": 1 } },
        { once: { "a.ts": 1 } },
        { once: [1] },
        { leftovers: ["a.ts"] },
        { replaced: null },
      ],
    ],
    [
      "its names cannot be read",
      [{ names: [] }, { names: { tools: [] } }, { names: { tools: { a: 1 } } }],
    ],
  ])("is refused because %s", (reason, rows) => {
    for (const members of rows)
      expect(parseManifest(JSON.stringify({ ...whole, ...members }))).toBe(
        reason,
      );
  });

  it("has no member that its text leaves out, and the names of files without digests", () => {
    const empty = new Map();
    expect(read()).toEqual({
      ...whole,
      generator: "1.2.3",
      options,
      files: new Map(Object.entries(whole.files)),
      once: empty,
      leftovers: empty,
      replaced: empty,
      names: {},
    });
    expect(read({ once: ["x.ts"] }).once).toEqual(new Map([["x.ts", ""]]));
  });

  it("is sorted by path in its text, which gives the same manifest", () => {
    const all = {
      options: { ...options, templates: "t", facts: "f", protocol: "../p" },
      once: { z: "1", B: "2", a: "3", ["__proto__"]: "4" },
      leftovers: { b: "1", a: "2" },
      replaced: { d: "1", c: "2" },
      names: { tools: { z: "Z", a: "A" } },
    };
    const manifest = read(all);
    const text = renderManifest(manifest);
    expect(parseManifest(text)).toEqual(manifest);
    const members = JSON.parse(text) as Record<string, object>;
    expect(Object.keys(members)).toEqual([
      "format",
      "generator",
      "sources",
      "options",
      "files",
      "once",
      "leftovers",
      "replaced",
      "names",
    ]);
    expect(
      ["options", "files", "leftovers", "replaced"].map((name) =>
        Object.keys(members[name] ?? {}).join(),
      ),
    ).toEqual([
      "emit,runtime,importExtension,templates,facts,protocol",
      "a.ts,b.ts",
      "a,b",
      "c,d",
    ]);
    expect(Object.keys(members["once"] ?? {})).toEqual([
      "B",
      "__proto__",
      "a",
      "z",
    ]);
    expect(Object.keys(JSON.parse(renderManifest(read())) as object)).toEqual([
      "format",
      "generator",
      "sources",
      "options",
      "files",
    ]);
  });
});

describe("a run", () => {
  const expected = read();
  const [source] = expected.sources;
  it.each<[isMet: boolean, members: object]>([
    [true, {}],
    [true, { sources: [{ ...source, revision: null }] }],
    [true, { files: {}, options: { ...options, facts: undefined } }],
    [false, { generator: "1.2.4" }],
    [false, { sources: [] }],
    [false, { sources: [{ ...source, revision: "b" }] }],
    [false, { sources: [{ ...source, name: "b.ts" }] }],
    [false, { sources: [{ ...source, sha256: "2" }] }],
    [false, { sources: [source, { ...source, revision: null }] }],
    [false, { options: { ...options, emit: [] } }],
    [false, { options: { ...options, runtime: "s" } }],
    [false, { options: { ...options, importExtension: "" } }],
    ...["templates", "extensions", "facts", "choices", "protocol"].map(
      (name): [boolean, object] => [
        false,
        { options: { ...options, [name]: "x" } },
      ],
    ),
  ])("meets what is expected: %s for %j", (isMet, members) => {
    expect(meetsExpectation(expected, { ...expected, ...members })).toBe(isMet);
  });
});

describe("the digest of a file", () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const text = "const a = 1;\nconst b = [a, 2];\n";
  it.each([
    ["a.ts", text, true],
    ["a.ts", text.replaceAll("\n", "\r\n"), true],
    ["a.ts", text.replaceAll(" ", "  "), true],
    ["a.ts", text.replaceAll("1", "3"), false],
    ["a.md", text, true],
    ["a.md", text.replaceAll("\n", "\r\n"), true],
    ["a.md", text.replaceAll(" ", "  "), false],
  ])("of %s is that of %j: %s", (path, other, isSame) => {
    expect(hasDigest(bytes(other), digestOf(path, text))).toBe(isSame);
    const [ofBytes = ""] = digestOf(path, text).split(" ");
    expect(hasDigest(bytes(text.replaceAll(" ", "  ")), ofBytes)).toBe(false);
    expect(hasDigest(bytes(text), ofBytes)).toBe(true);
  });
});
