import { describe, expect, it } from "vitest";
import { diff, type Difference } from "../../src/ir/diff/index.js";
import { notes, protocolOf } from "./made.js";

type Parts = Parameters<typeof notes>[0];

/** "path change: impact who-breaks", in the order of the comparison. */
function lines(differences: readonly Difference[]): string[] {
  return differences.map(({ subject, path, change, impact, breaks }) => {
    const place = [subject.name, path, change].filter((part) => part !== "").join(" ");
    const who = breaks.map(({ side, when }) => `${side} ${when}`).join(", ");
    return `${place}: ${impact}${who === "" ? "" : `: ${who}`}`;
  });
}

async function between(was: Parts, is: Parts): Promise<string[]> {
  return lines(diff(await protocolOf(notes(was)), await protocolOf(notes(is))).differences);
}

/**
 * What is done to a type, and who breaks when the client sends it, when the server does, and when both do. "-" stands for
 * nobody.
 */
interface Row {
  readonly name: string;
  readonly was: string;
  readonly is: string;
  readonly path: string;
  readonly change: string;
  readonly client: string;
  readonly server: string;
  readonly both: string;
}

const narrower = { client: "client sends", server: "server sends", both: "client sends, server sends" };
const wider = {
  client: "server receives",
  server: "client receives",
  both: "client receives, server receives",
};
const other = {
  client: "client sends, server receives",
  server: "client receives, server sends",
  both: "client sends, client receives, server sends, server receives",
};
const harmless = { client: "-", server: "-", both: "-" };

const rows: readonly Row[] = [
  {
    name: "an optional member comes",
    was: "a: string",
    is: "a: string; b?: string",
    path: "b",
    change: "optional-member-added",
    ...harmless,
  },
  {
    name: "an optional member goes",
    was: "a: string; b?: string",
    is: "a: string",
    path: "b",
    change: "optional-member-removed",
    ...harmless,
  },
  {
    name: "a required member comes",
    was: "a: string",
    is: "a: string; b: string",
    path: "b",
    change: "required-member-added",
    ...narrower,
  },
  {
    name: "a required member goes",
    was: "a: string; b: string",
    is: "a: string",
    path: "b",
    change: "required-member-removed",
    ...wider,
  },
  {
    name: "a member becomes required",
    was: "a?: string",
    is: "a: string",
    path: "a",
    change: "member-made-required",
    ...narrower,
  },
  {
    name: "a member becomes optional",
    was: "a: string",
    is: "a?: string",
    path: "a",
    change: "member-made-optional",
    ...wider,
  },
  {
    name: "an enumeration gains a value",
    was: 'a: "x"',
    is: 'a: "x" | "y"',
    path: "a",
    change: "value-added",
    ...wider,
  },
  {
    name: "an enumeration loses a value",
    was: 'a: "x" | "y"',
    is: 'a: "x"',
    path: "a",
    change: "value-removed",
    ...narrower,
  },
  {
    name: "a literal becomes another",
    was: 'a: "x"',
    is: 'a: "y"',
    path: "a",
    change: "type-replaced",
    ...other,
  },
  {
    name: "an enumeration opens",
    was: 'a: "x" | "y"',
    is: "a: string",
    path: "a",
    change: "alternative-added",
    ...wider,
  },
  {
    name: "an enumeration closes",
    was: "a: string",
    is: 'a: "x" | "y"',
    path: "a",
    change: "alternative-removed",
    ...narrower,
  },
  {
    name: "an open enumeration names another value",
    was: 'a: "x" | string',
    is: 'a: "x" | "y" | string',
    path: "a",
    change: "known-value-added",
    ...harmless,
  },
  {
    name: "a union gains a member",
    was: "a: string",
    is: "a: string | number",
    path: "a",
    change: "alternative-added",
    ...wider,
  },
  {
    name: "a union loses a member",
    was: "a: string | null",
    is: "a: string",
    path: "a",
    change: "value-removed",
    ...narrower,
  },
  {
    name: "a type becomes another",
    was: "a: string",
    is: "a: number",
    path: "a",
    change: "type-replaced",
    ...other,
  },
  {
    name: "a type becomes anything",
    was: "a: string",
    is: "a: unknown",
    path: "a",
    change: "type-widened",
    ...wider,
  },
  {
    name: "anything becomes a type",
    was: "a: unknown",
    is: "a: string",
    path: "a",
    change: "type-narrowed",
    ...narrower,
  },
  {
    name: "a number gains a bound",
    was: "a: number",
    is: "/** @minimum 0 */ a: number",
    path: "a",
    change: "bound-tightened",
    ...narrower,
  },
  {
    name: "an upper bound rises",
    was: "/** @maximum 1 */ a: number",
    is: "/** @maximum 2 */ a: number",
    path: "a",
    change: "bound-loosened",
    ...wider,
  },
  {
    name: "a number becomes whole",
    was: "a: number",
    is: "/** @TJS-type integer */ a: number",
    path: "a",
    change: "type-narrowed",
    ...narrower,
  },
  {
    name: "a list gains a limit",
    was: "a: string[]",
    is: "/** @maxItems 3 */ a: string[]",
    path: "a",
    change: "bound-tightened",
    ...narrower,
  },
  {
    name: "a list's elements gain an alternative",
    was: "a: string[]",
    is: "a: (string | number)[]",
    path: "a[]",
    change: "alternative-added",
    ...wider,
  },
  {
    name: "a map's values lose an alternative",
    was: "a: { [key: string]: string | boolean }",
    is: "a: { [key: string]: string }",
    path: "a{}",
    change: "alternative-removed",
    ...narrower,
  },
  {
    name: "a member comes deep inside",
    was: "a: { b: { c?: string }[] }",
    is: "a: { b: { c?: string; d: string }[] }",
    path: "a.b[].d",
    change: "required-member-added",
    ...narrower,
  },
  {
    name: "any object becomes a map of texts",
    was: "a: object",
    is: "a: { [key: string]: string }",
    path: "a{}",
    change: "type-narrowed",
    ...narrower,
  },
  {
    name: "a member with an odd name comes",
    was: "a: string",
    is: 'a: string; "x/y"?: string',
    path: '["x/y"]',
    change: "optional-member-added",
    ...harmless,
  },
];

describe("who breaks depends on who sends", () => {
  const want = (row: Row, type: string, who: string): string =>
    `${type} ${row.path} ${row.change}: ${who === "-" ? "compatible" : `breaking: ${who}`}`;
  it.each(rows)("when $name", async (row) => {
    const { was, is } = row;
    expect(await between({ sent: was }, { sent: is })).toContain(want(row, "Sent", row.client));
    expect(await between({ answered: was }, { answered: is })).toContain(
      want(row, "GetNoteResult", row.server),
    );
    expect(await between({ shared: was }, { shared: is })).toContain(want(row, "Shared", row.both));
  });

  it.each(rows)("and the way back is the mirror of it, when $name", async ({ was, is }) => {
    const forth = await between({ sent: was }, { sent: is });
    const back = await between({ sent: is }, { sent: was });
    const mirrored = (line: string): string =>
      line.replace(/client sends|server receives/g, (who) =>
        who === "client sends" ? "server receives" : "client sends",
      );
    const whoBreaks = (line: string): string[] => (line.split(": ")[2] ?? "").split(", ").sort();
    expect(back.flatMap(whoBreaks).sort()).toEqual(forth.map(mirrored).flatMap(whoBreaks).sort());
  });
});

/** What no message shows. */
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
  ["prose", { sent: "a: string" }, { sent: "/** Another sentence. */ a: string" }, []],
  [
    "why something is deprecated",
    { sent: "/** @deprecated Old. */ a: string" },
    { sent: "/** @deprecated New. */ a: string" },
    [],
  ],
  ["the order of members", { sent: "a: string; b: string" }, { sent: "b: string; a: string" }, []],
  ["the order of a union", { sent: 'a: "x" | "y"' }, { sent: 'a: "y" | "x"' }, []],
  [
    "a name for what was written out",
    { sent: "a: { b: string }" },
    { sent: "a: Named", beside: "export interface Named { b: string }" },
    ["Sent a restated: neither", "Named type-added: neither"],
  ],
  [
    "an alias in place of its meaning",
    { sent: 'a: "x" | "y"' },
    { sent: "a: Named", beside: 'export type Named = "x" | "y";' },
    ["Sent a restated: neither", "Named type-added: neither"],
  ],
  [
    "any object, written as a map of any JSON",
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
  [
    "an interface in place of an alias",
    { beside: "export type Lone = { a: string };" },
    { beside: "export interface Lone { a: string }" },
    ["Lone kind-changed: neither"],
  ],
];

function json(name: string): string {
  return `export type ${name} = string | number | boolean | null | ${name}[] | { [key: string]: ${name} };`;
}

describe("nobody breaks", () => {
  it.each(silent)("from %s", async (_, was, is, want) => {
    expect(await between(was, is)).toEqual(want);
  });
});

describe("a change is told once", () => {
  const bases = (base: string): string => `
    export interface Base { ${base} }
    export interface Middle extends Base { m: string }
    export interface Leaf extends Middle { l: string }`;

  it("at the base, and not at what derives from it", async () => {
    const got = await between(
      { sent: "x: Leaf", beside: bases("a: string") },
      { sent: "x: Leaf", beside: bases("a: string; b: string") },
    );
    expect(got).toEqual(["Base b required-member-added: breaking: client sends"]);
  });

  it("at the interface, when it gains a base", async () => {
    const beside = "export interface Extra { e: string }";
    const got = await between(
      { sent: "x: Leaf", beside: `${beside} export interface Leaf { l: string }` },
      { sent: "x: Leaf", beside: `${beside} export interface Leaf extends Extra { l: string }` },
    );
    expect(got).toEqual([
      "Leaf bases-changed: neither",
      "Leaf e required-member-added: breaking: client sends",
    ]);
  });

  it("with the members left out by Omit", async () => {
    const beside = "export interface Base { a: string; b: string }";
    const got = await between(
      { sent: "x: Leaf", beside: `${beside} export interface Leaf extends Base {}` },
      { sent: "x: Leaf", beside: `${beside} export interface Leaf extends Omit<Base, "b"> {}` },
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

  it("at the method, when the params are written inline", async () => {
    const inline = (members: string): Parts => ({
      beside: `export interface ListRequest extends Request { method: "notes/list"; params: { ${members} } }
        export interface ListResult extends Result { notes: string[] } export type ServerRequest = ListRequest;`,
    });
    expect(await between(inline("a?: string"), inline("a?: string; b: string"))).toEqual([
      "notes/list params.b required-member-added: breaking: server sends",
    ]);
  });
});

describe("a rename", () => {
  const named = (name: string, members = "a: string; next?: Self"): Parts => ({
    sent: `x: ${name}; y: ${name}[]`,
    beside: `export interface ${name} { ${members.replaceAll("Self", name)} }`,
  });

  it("of a type is told once, and its uses are not", async () => {
    expect(await between(named("Old"), named("New"))).toEqual(["New type-renamed: neither"]);
  });

  it("is none when the structure changed too", async () => {
    const got = await between(named("Old"), named("New", "a: number"));
    expect(got).toContain("Old type-removed: neither");
    expect(got).toContain("New type-added: neither");
    expect(got.some((line) => line.includes("type-renamed"))).toBe(false);
  });

  it("is none when two types could be meant", async () => {
    const two = {
      ...named("New"),
      beside: `${named("New").beside ?? ""} export interface Too { a: string; next?: Too }`,
    };
    const got = await between(named("Old"), two);
    expect(got.some((line) => line.includes("type-renamed"))).toBe(false);
  });

  it("shows through another rename", async () => {
    const pair = (one: string, other: string): Parts => ({
      sent: `x: ${one}`,
      beside: `export interface ${one} { inner: ${other} } export interface ${other} { a: string; b?: boolean }`,
    });
    expect(await between(pair("OuterOld", "InnerOld"), pair("OuterNew", "InnerNew"))).toEqual([
      "OuterNew type-renamed: neither",
      "InnerNew type-renamed: neither",
    ]);
  });

  it("of a method breaks both sides", async () => {
    const method = (name: string): Parts => ({
      beside: `export interface ListRequest extends Request { method: "${name}" } export type ServerRequest = ListRequest;`,
    });
    expect(await between(method("notes/list"), method("notes/all"))).toEqual([
      "notes/all method-renamed: breaking: client receives, server sends",
    ]);
  });

  it("of a constant is told by its value", async () => {
    expect(await between({ beside: "export const A = -5;" }, { beside: "export const B = -5;" })).toEqual([
      "B constant-renamed: neither",
    ]);
  });
});

const messages = (list: string, sender: string, result = "EmptyResult"): Parts => ({
  beside: `export interface ListRequest extends Request { ${list} }
    ${result === "EmptyResult" ? "" : `export interface ListResult extends Result { ${result} }`}
    ${sender}`,
});
const list = 'method: "notes/list"';
const byServer = "export type ServerRequest = ListRequest;";

describe("a message", () => {
  it.each<[string, Parts, Parts, string[]]>([
    [
      "that comes is compatible, its declaration and union told beside it",
      {},
      messages(list, byServer),
      [
        "notes/list request-added: compatible",
        "ListRequest type-added: neither",
        "ServerRequest type-added: neither",
      ],
    ],
    [
      "that goes breaks whoever sent it",
      messages(list, byServer),
      {},
      [
        "notes/list request-removed: breaking: server sends",
        "ListRequest type-removed: neither",
        "ServerRequest type-removed: neither",
      ],
    ],
    [
      "whose params become required breaks the sender",
      messages(`${list}; params?: { a?: string }`, byServer),
      messages(`${list}; params: { a?: string }`, byServer),
      ["notes/list params member-made-required: breaking: server sends"],
    ],
    [
      "whose result gains a required member breaks whoever answers",
      messages(list, byServer, "a: string"),
      messages(list, byServer, "a: string; b: string"),
      ["ListResult b required-member-added: breaking: client sends"],
    ],
  ])("%s", async (_, was, is, want) => {
    expect(await between(was, is)).toEqual(want);
  });

  it("that a side may no longer send breaks that side, and one that it may send now breaks nobody", async () => {
    const either: Parts = { beside: "export type ServerRequest = GetNoteRequest;" };
    expect(await between(either, {})).toContain("notes/get sender-removed: breaking: server sends");
    expect(await between({}, either)).toContain("notes/get sender-added: compatible");
  });

  it("that rides inside a result now breaks whoever knew it on the wire", async () => {
    const sender = (union: string): Parts => messages(list, `export type ${union} = ListRequest;`);
    expect(await between(sender("ServerRequest"), sender("InputRequest"))).toContain(
      "notes/list carriage-changed: breaking: client receives, server sends",
    );
  });

  it("as a notification is passed over by whoever does not know it", async () => {
    const told: Parts = {
      beside: `export interface TickNotification extends Notification { method: "notifications/tick" }
        export type ServerNotification = TickNotification;`,
    };
    expect((await between({}, told))[0]).toBe("notifications/tick notification-added: compatible");
    expect((await between(told, {}))[0]).toBe("notifications/tick notification-removed: compatible");
  });

  it("that needs a capability now breaks an old side that never declared one", async () => {
    const capable = (members: string): Parts => ({
      beside: `export interface ServerCapabilities { ${members} } export interface ClientCapabilities {}`,
    });
    expect(await between(capable("other?: object"), capable("other?: object; notes?: object"))).toEqual([
      "notes/get capability-required: breaking: server receives",
      "ServerCapabilities notes optional-member-added: compatible",
    ]);
  });
});

describe("the protocol as a whole", () => {
  it("breaks everyone when it opens another way", async () => {
    const was = await protocolOf(notes({}));
    const is = { ...was, opening: "per-request" as const };
    expect(lines(diff(was, is).differences)).toEqual([
      "opening-changed: breaking: client sends, client receives, server sends, server receives",
    ]);
  });

  it("breaks old receivers when it gains batches and old senders when it loses them", async () => {
    const without = await protocolOf(notes({}));
    const batches = { ...without, batches: true };
    expect(lines(diff(without, batches).differences)).toEqual([
      "batches-added: breaking: client receives, server receives",
    ]);
    expect(lines(diff(batches, without).differences)).toEqual([
      "batches-removed: breaking: client sends, server sends",
    ]);
  });

  it("tells headers, jobs, keys and whatever else is known of it", async () => {
    const was = await protocolOf(notes({}));
    const is = { ...was, headers: { version: "V" }, jobs: {}, meta: { logLevel: "k" }, levels: ["low"] };
    expect(lines(diff(was, is).differences)).toEqual([
      "headers.version header-added: compatible",
      "jobs.initialize job-changed: neither",
      "meta.logLevel meta-key-changed: neither",
      "levels trait-changed: neither",
    ]);
  });

  it("tells constants: an error code matters to peers, a label does not", async () => {
    const got = await between(
      { beside: 'export const CODE = -1; export const LABEL = "a"; export const GONE = 1;' },
      { beside: 'export const CODE = -2; export const LABEL = "b"; export const COME = "c";' },
    );
    expect(got).toEqual([
      "GONE constant-removed: neither",
      "CODE constant-changed: breaking: client sends, client receives, server sends, server receives",
      "LABEL constant-changed: neither",
      "COME constant-added: neither",
    ]);
  });
});

describe("what is compared", () => {
  it("is the whole when both come from TypeScript, and the projection when one does not", async () => {
    const was = await protocolOf(notes({}));
    const printed = { ...was, source: { ...was.source, language: "json-schema" as const } };
    expect(diff(was, was).basis).toBe("whole");
    expect(diff(was, printed).basis).toBe("projection");
    expect(diff(printed, printed).basis).toBe("projection");
  });

  it("leaves out of a projection what a JSON Schema cannot say", async () => {
    const was = await protocolOf(
      notes({ sent: 'a: "x" | string', beside: "export interface Base { a: string }" }),
    );
    const other = notes({
      sent: "/** @deprecated */ a: string",
      beside: "export type Base = { a: string };",
    });
    const is = await protocolOf(other);
    const printed = { ...is, source: { ...is.source, language: "json-schema" as const } };
    expect(lines(diff(was, is).differences)).not.toEqual([]);
    expect(lines(diff(was, printed).differences)).toEqual([]);
  });
});
