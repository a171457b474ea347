import { describe, expect, it } from "vitest";
import { diff } from "../../../src/generator/ir/diff/index.js";
import { notes, protocolOf } from "../made.js";
import { between, type Parts } from "./between.js";

/** Changes that no message shows. */
const silent: readonly (readonly [string, Parts, Parts, string[]])[] = [
  [
    "a format",
    { sent: "/** @format uri */ a: string" },
    { sent: "a: string" },
    ["Sent a format-changed: neither"],
  ],
  [
    "a tag on a member",
    { sent: "a: string" },
    { sent: "/** @deprecated Use b. */ a: string" },
    ["Sent a tag-added: neither"],
  ],
  [
    "prose",
    { sent: "a: string" },
    { sent: "/** Another sentence. */ a: string" },
    [],
  ],
  [
    "the reason of a deprecation",
    { sent: "/** @deprecated Old. */ a: string" },
    { sent: "/** @deprecated New. */ a: string" },
    [],
  ],
  [
    "the order of members",
    { sent: "a: string; b: string" },
    { sent: "b: string; a: string" },
    [],
  ],
  [
    "the order of a union",
    { sent: 'a: "x" | "y"' },
    { sent: 'a: "y" | "x"' },
    [],
  ],
  [
    "a named type in place of an inline object",
    { sent: "a: { b: string }" },
    { sent: "a: Named", beside: "export interface Named { b: string }" },
    ["Sent a restated: neither", "Named type-added: neither"],
  ],
  [
    "an alias in place of its target",
    { sent: 'a: "x" | "y"' },
    { sent: "a: Named", beside: 'export type Named = "x" | "y";' },
    ["Sent a restated: neither", "Named type-added: neither"],
  ],
  [
    "any object written as a map of any JSON",
    { sent: "a: object", beside: json("Json") },
    { sent: "a: { [key: string]: Json }", beside: json("Json") },
    ["Sent a{} openness-changed: neither"],
  ],
  [
    "a constant in place of its value",
    { sent: "a: -1", beside: "export const CODE = -1;" },
    { sent: "a: typeof CODE", beside: "export const CODE = -1;" },
    ["Sent a restated: neither"],
  ],
  ...[
    ["{ [key: string]: X }", "a{}"],
    ["X[]", "a[]"],
    ["{ b: X; bc: string }", "a.b"],
    ["{ [key: string]: { b: X[] } }", "a{}.b[]"],
  ].map(([type = "", path = ""]): (typeof silent)[number] => [
    `a constant in place of its value in ${type}`,
    {
      sent: `a: ${type.replace("X", "-1")}`,
      beside: "export const CODE = -1;",
    },
    {
      sent: `a: ${type.replace("X", "typeof CODE")}`,
      beside: "export const CODE = -1;",
    },
    [`Sent ${path} restated: neither`],
  ]),
  [
    "an interface in place of an alias",
    { beside: "export type Lone = { a: string };" },
    { beside: "export interface Lone { a: string }" },
    ["Lone kind-changed: neither"],
  ],
  [
    "the text of a constant",
    { beside: 'export const A = "x";' },
    { beside: 'export const A = "y";' },
    ["A constant-changed: neither"],
  ],
];

function json(name: string): string {
  return `export type ${name} = string | number | boolean | null | ${name}[] | { [key: string]: ${name} };`;
}

describe("a change that no message shows", () => {
  it.each(silent)("breaks no side: %s", async (_, was, is, want) => {
    expect(await between(was, is)).toEqual(want);
  });
});

describe("a constant that was or is a number, which peers may compare", () => {
  it.each([
    ["-6", "-5"],
    ["-6", '"x"'],
    ['"x"', "-5"],
  ])("breaks all sides if it changes: %s to %s", async (old, fresh) => {
    const constant = (value: string): Parts => ({
      beside: `export const A = ${value};`,
    });
    expect(await between(constant(old), constant(fresh))).toEqual([
      "A constant-changed: breaking: client sends, client receives, server sends, server receives",
    ]);
  });
});

describe("a type that becomes another kind of type", () => {
  it.each([
    ["string[]", "{ b: string }"],
    ["{ b: string }", "string[]"],
    ["/** @format uri */ string", "number"],
    ["number", "/** @format uri */ string"],
  ])("is reported as one change: %s to %s", async (was, is) => {
    const sent = (type: string): Parts => {
      const [, tag = "", name = ""] = /^(\/\*.*\*\/ )?(.*)$/.exec(type) ?? [];
      return { sent: `${tag}a: ${name}` };
    };
    expect(await between(sent(was), sent(is))).toEqual([
      "Sent a type-replaced: breaking: client sends, server receives",
    ]);
  });
});

/** What each difference was and is. */
async function shown(was: Parts, is: Parts): Promise<string[]> {
  const { differences } = diff(
    await protocolOf(notes(was)),
    await protocolOf(notes(is)),
  );
  return differences.map(({ before, after }) => `${before} → ${after}`);
}

describe("a change is reported once", () => {
  const bases = (base: string): string => `
    export interface Base { ${base} }
    export interface Middle extends Base { m: string }
    export interface Leaf extends Middle { l: string }`;

  it("at the base, and not at interfaces that extend it", async () => {
    const got = await between(
      { sent: "x: Leaf", beside: bases("a: string") },
      { sent: "x: Leaf", beside: bases("a: string; b: string") },
    );
    expect(got).toEqual([
      "Base b required-member-added: breaking: client sends",
    ]);
  });

  it("at the interface, if it gains a base", async () => {
    const beside = "export interface Extra { e: string }";
    const got = await between(
      {
        sent: "x: Leaf",
        beside: `${beside} export interface Leaf { l: string }`,
      },
      {
        sent: "x: Leaf",
        beside: `${beside} export interface Leaf extends Extra { l: string }`,
      },
    );
    expect(got).toEqual([
      "Leaf bases-changed: neither",
      "Leaf e required-member-added: breaking: client sends",
    ]);
  });

  it("at the base, for its index signature", async () => {
    const open = (type: string): Parts => ({
      sent: "x: Leaf",
      beside: `export interface Base { [key: string]: ${type} }
        export interface Leaf extends Base { l: string }`,
    });
    expect(await between(open("string"), open("string | number"))).toEqual([
      "Base {} alternative-added: breaking: server receives",
    ]);
  });

  it("at the interface that declares a member of its base itself", async () => {
    const middle = (own: string): Parts => ({
      sent: "x: Leaf",
      beside: `export interface Base { a: string; b: number }
        export interface Middle extends Base { ${own} }
        export interface Leaf extends Middle { l: string }`,
    });
    const [one, other] = [middle("m: string"), middle("m: string; a: string")];
    expect(await between(one, other)).toEqual(["Middle restated: neither"]);
    expect(await between(other, one)).toEqual(["Middle restated: neither"]);
    expect(await shown(one, other)).toEqual(["a of Base → a of Middle"]);
  });

  it.each([
    ["gains a base", "", "Request", "Request, Stamped"],
    ["loses a base", "", "Request, Stamped", "Request"],
    [
      "takes a member of its own from a new base",
      "stamp: string",
      "Request",
      "Request, Stamped",
    ],
  ])(
    "at the message that %s, without the members of the base",
    async (_, own, old, fresh) => {
      const stamped = (bases: string, member: string): Parts => ({
        beside: `export interface Stamped { stamp: string; mark: string }
          export interface ListRequest extends ${bases} { method: "notes/list"; ${member} }
          export type ServerRequest = ListRequest;`,
      });
      expect(await between(stamped(old, own), stamped(fresh, ""))).toEqual([
        "ListRequest bases-changed: neither",
      ]);
    },
  );

  it("at the message that gains a base, for a member of its own that changes", async () => {
    const stamped = (bases: string, own: string): Parts => ({
      beside: `export interface Stamped { stamp: string }
        export interface ListRequest extends ${bases} { method: "notes/list"; ${own} }
        export type ServerRequest = ListRequest;`,
    });
    const got = await between(
      stamped("Request", "own: string; gone: string; stamp: number"),
      stamped("Request, Stamped", "own: number; came: string; stamp: string"),
    );
    expect([...got].sort()).toEqual([
      "ListRequest bases-changed: neither",
      "ListRequest came message-member-changed: neither",
      "ListRequest gone message-member-changed: neither",
      "ListRequest own message-member-changed: neither",
      "ListRequest stamp message-member-changed: neither",
    ]);
  });

  it("at the message, for a tag of a member of its own", async () => {
    const tagged = (tag: string): Parts => ({
      beside: `export interface ListRequest extends Request { method: "notes/list"; ${tag} own: string }
        export type ServerRequest = ListRequest;`,
    });
    expect(await between(tagged(""), tagged("/** @internal */"))).toEqual([
      "ListRequest own tag-added: neither",
    ]);
  });

  it("with the bases before and after it", async () => {
    const based = (bases: string): Parts => ({
      beside: `export interface Base { a: string; b: string } export interface Other {}
        export interface Leaf ${bases} {}`,
    });
    const all = [
      ["", "nothing"],
      ["extends Base, Other", "Base, Other"],
      ['extends Omit<Base, "a" | "b">, Other', 'Omit<Base, "a" | "b">, Other'],
    ] as const;
    for (const [old, before] of all)
      for (const [fresh, after] of all)
        if (old !== fresh)
          expect((await shown(based(old), based(fresh)))[0]).toBe(
            `${before} → ${after}`,
          );
  });

  it("as a whole, if the type is new or gone", async () => {
    const base = "export interface Base { a: string }";
    const all = `${base} export interface Leaf extends Base { l: string }`;
    const leaf = "Base & { l: string }";
    expect(await shown({ beside: base }, { beside: all })).toEqual([
      `null → ${leaf}`,
    ]);
    expect(await shown({ beside: all }, {})).toEqual([
      "{ a: string } → null",
      `${leaf} → null`,
    ]);
  });

  it("at the interface, for each member that Omit leaves out", async () => {
    const beside = "export interface Base { a: string; b: string }";
    const got = await between(
      {
        sent: "x: Leaf",
        beside: `${beside} export interface Leaf extends Base {}`,
      },
      {
        sent: "x: Leaf",
        beside: `${beside} export interface Leaf extends Omit<Base, "b"> {}`,
      },
    );
    expect(got).toEqual([
      "Leaf bases-changed: neither",
      "Leaf b required-member-removed: breaking: server receives",
    ]);
  });

  it("at the alias, and not where it is used", async () => {
    const got = await between(
      { sent: "x: Kind; y: Kind[]", beside: 'export type Kind = "a";' },
      { sent: "x: Kind; y: Kind[]", beside: 'export type Kind = "a" | "b";' },
    );
    expect(got).toEqual(["Kind value-added: breaking: server receives"]);
  });

  it("at the type, if a union is written out where an alias was", async () => {
    const types = (member: string): string =>
      `export interface A { ${member}: string } export interface B { y: string }`;
    const got = await between(
      {
        sent: "m: Either",
        beside: `${types("x")} export type Either = A | B;`,
      },
      { sent: "m: A | B | string", beside: types("p") },
    );
    expect(got.filter((line) => line.startsWith("Sent"))).toEqual([
      "Sent m alternative-added: breaking: server receives",
    ]);
  });

  it("at the types of the items, whatever the order of a union of arrays", async () => {
    const types = (b: string, c: string): string =>
      `export interface B { ${b} } export interface C { ${c} }`;
    const got = await between(
      {
        sent: "m: B[] | C[]",
        beside: types("x: string; y?: string", "z: string; w?: string"),
      },
      { sent: "m: C[] | B[]", beside: types("x: string", "z: string") },
    );
    expect(got).toEqual([
      "B y optional-member-removed: compatible",
      "C w optional-member-removed: compatible",
    ]);
  });

  it("also if a member beside it is only written in another way", async () => {
    const beside = "export const CODE = -1;";
    const got = await between(
      { sent: "a: { b: -1; bc: string; c: -1 | string }", beside },
      {
        sent: "a: { b: typeof CODE; bc: number; c: typeof CODE | number }",
        beside,
      },
    );
    expect(got.map((line) => line.split(":")[0])).toEqual([
      "Sent a.bc type-replaced",
      "Sent a.c alternative-removed",
      "Sent a.c alternative-added",
      "Sent a.b restated",
    ]);
  });

  it("once, if both types contain themselves", async () => {
    const beside =
      "export interface A { v: string; next?: A } export interface B { v: number; next?: B }";
    const got = await between(
      { sent: "m: A; n: B", beside },
      { sent: "m: B; n: B", beside },
    );
    expect(got).toEqual([
      "Sent m.v type-replaced: breaking: client sends, server receives",
    ]);
  });

  it("at each use of a type that another one with very many differences replaces", async () => {
    const members = (type: string): string =>
      Array.from({ length: 61 }, (_, i) => `m${i}: ${type}`).join("; ");
    const got = await between(
      {
        sent: "x: Old",
        answered: "y: Old",
        beside: `export interface Old { ${members("string")} }`,
      },
      {
        sent: "x: New",
        answered: "y: New",
        beside: `export interface New { ${members("number")} }`,
      },
    );
    expect(got.filter((line) => line.startsWith("GetNoteResult"))).toHaveLength(
      1,
    );
    expect(
      got.some((line) =>
        line.startsWith("GetNoteResult y schema-changed: breaking"),
      ),
    ).toBe(true);
    expect(got.filter((line) => line.includes("restated"))).toEqual([]);
  });

  it("at the method, if the params are inline", async () => {
    const inline = (members: string): Parts => ({
      beside: `export interface ListRequest extends Request { method: "notes/list"; params: { ${members} } }
        export interface ListResult extends Result { notes: string[] } export type ServerRequest = ListRequest;`,
    });
    expect(
      await between(inline("a?: string"), inline("a?: string; b: string")),
    ).toEqual([
      "notes/list params.b required-member-added: breaking: server sends",
    ]);
  });
});

describe("a rename", () => {
  const named = (name: string, members = "a: string; next?: Self"): Parts => ({
    sent: `x: ${name}; y: ${name}[]`,
    beside: `export interface ${name} { ${members.replaceAll("Self", name)} }`,
  });

  it("of a type is reported once, without its uses", async () => {
    expect(await between(named("Old"), named("New"))).toEqual([
      "New type-renamed: neither",
    ]);
  });

  it("is not reported if the structure changed too", async () => {
    const got = await between(named("Old"), named("New", "a: number"));
    expect(got).toContain("Old type-removed: neither");
    expect(got).toContain("New type-added: neither");
    expect(got.some((line) => line.includes("type-renamed"))).toBe(false);
  });

  it("is not reported if two types match", async () => {
    const two = {
      ...named("New"),
      beside: `${named("New").beside ?? ""} export interface Too { a: string; next?: Too }`,
    };
    const got = await between(named("Old"), two);
    expect(got.some((line) => line.includes("type-renamed"))).toBe(false);
  });

  it("is recognized if the type contains another renamed type", async () => {
    const pair = (one: string, other: string): Parts => ({
      sent: `x: ${one}`,
      beside: `export interface ${one} { inner: ${other} } export interface ${other} { a: string; b?: boolean }`,
    });
    expect(
      await between(pair("OuterOld", "InnerOld"), pair("OuterNew", "InnerNew")),
    ).toEqual([
      "OuterNew type-renamed: neither",
      "InnerNew type-renamed: neither",
    ]);
  });

  it.each([
    "export interface Name {}",
    "export type Name = { [key: string]: string };",
    "export type Name = string;",
    'export type Name = "a";',
    "export type Name = string[];",
  ])("is not reported for a structure that many have: %s", async (text) => {
    const got = await between(
      { beside: text.replace("Name", "Old") },
      { beside: text.replace("Name", "New") },
    );
    expect(got).toEqual([
      "Old type-removed: neither",
      "New type-added: neither",
    ]);
  });

  it.each([
    "export interface Name { a: string }",
    "export interface Name { [key: string]: unknown; a?: Name }",
    'export type Name = "a" | "b";',
    "export type Name = Sent & Shared;",
    "export const Name = 1;",
  ])("is reported for a structure of its own: %s", async (text) => {
    const kind = text.includes("const") ? "constant" : "type";
    const got = await between(
      { beside: text.replaceAll("Name", "Old") },
      { beside: text.replaceAll("Name", "New") },
    );
    expect(got).toEqual([`New ${kind}-renamed: neither`]);
  });

  it("of a method breaks both sides", async () => {
    const method = (name: string): Parts => ({
      beside: `export interface ListRequest extends Request { method: "${name}" } export type ServerRequest = ListRequest;`,
    });
    expect(await between(method("notes/list"), method("notes/all"))).toEqual([
      "notes/all method-renamed: breaking: client receives, server sends",
    ]);
  });

  it("of a constant is recognized by its value", async () => {
    expect(
      await between(
        { beside: "export const A = -5;" },
        { beside: "export const B = -5;" },
      ),
    ).toEqual(["B constant-renamed: neither"]);
  });
});
