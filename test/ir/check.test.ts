import { beforeAll, describe, expect, it } from "vitest";
import { Diagnostics } from "../../src/diagnostics.js";
import { check, checkDeclarations } from "../../src/ir/check/index.js";
import type { Declaration, Message, Protocol, Type } from "../../src/ir/model.js";
import { revision, revisions } from "../read/typescript/reading.js";

const doc = { text: "", tags: [] };
const text: Type = { kind: "string", format: null, known: [] };
const one: Type = { kind: "literal", value: 1, constant: null };
const alias = (name: string, type: Type): Declaration => ({ kind: "alias", name, doc, type });

let valid: Protocol;

beforeAll(async () => {
  valid = await revision("2025-11-25");
});

function faults(protocol: Protocol): string[] {
  const diagnostics = new Diagnostics();
  const passed = check(protocol, diagnostics);
  expect(passed).toBe(diagnostics.list.length === 0);
  return diagnostics.list.map(({ code, message }) => `${code} ${message}`);
}

/** The valid protocol with more declarations. */
const withDeclarations = (...more: Declaration[]): Protocol => ({
  ...valid,
  declarations: [...valid.declarations, ...more],
});

/** The valid protocol with one changed message. */
const withMessage = (method: string, change: (message: Message) => unknown): Protocol => ({
  ...valid,
  messages: valid.messages.map((message) =>
    message.method === method ? (change(message) as Message) : message,
  ),
});

describe("a protocol from a reader", () => {
  it("satisfies every invariant for each revision", async () => {
    for (const protocol of await revisions()) expect(faults(protocol)).toEqual([]);
  });

  it("is equal after it is written as JSON and parsed", async () => {
    for (const protocol of await revisions()) expect(JSON.parse(JSON.stringify(protocol))).toEqual(protocol);
  });
});

describe("the check of a protocol", () => {
  const rows: { idea: string; given: () => Protocol; want: string[] }[] = [
    {
      idea: "a reference that names nothing",
      given: () =>
        withDeclarations(
          alias("X", { kind: "array", element: { kind: "reference", name: "Nope" }, maxItems: null }),
        ),
      want: ['MG502 a reference names "Nope", which is not declared'],
    },
    {
      idea: "a reference to a constant",
      given: () => withDeclarations(alias("X", { kind: "reference", name: "PARSE_ERROR" })),
      want: ['MG502 a reference names "PARSE_ERROR", which is a constant, not a type'],
    },
    {
      idea: "a base that names nothing",
      given: () =>
        withDeclarations({
          kind: "interface",
          name: "X",
          doc,
          bases: [{ name: "Nope", omit: [] }],
          properties: [],
          rest: null,
        }),
      want: ['MG502 a base names "Nope", which is not declared'],
    },
    {
      idea: "a literal written as a constant of another value",
      given: () => withDeclarations(alias("X", { kind: "literal", value: 1, constant: "PARSE_ERROR" })),
      want: [
        'MG502 a literal is written as the constant "PARSE_ERROR", but no constant of that name has the value 1',
      ],
    },
    {
      idea: "a result that names nothing",
      given: () => withMessage("ping", (message) => ({ ...message, results: ["Nope"] })),
      want: ['MG502 a result names "Nope", which is not declared'],
    },
    {
      idea: "a well-known method that no message has",
      given: () => ({ ...valid, wellKnown: { ping: "pong" } }),
      want: ['MG502 the well-known method "ping" names the method "pong", which no message has'],
    },
    {
      idea: "a name declared twice",
      given: () => withDeclarations(alias("Tool", text)),
      want: ['MG501 the declaration "Tool" is declared twice'],
    },
    {
      idea: "a method declared twice",
      given: () => ({ ...valid, messages: [...valid.messages, ...valid.messages.slice(0, 1)] }),
      want: ['MG501 the method "notifications/cancelled" is declared twice'],
    },
    {
      idea: "a member declared twice",
      given: () => {
        const member = { name: "a", optional: false, type: text, doc };
        return withDeclarations(alias("X", { kind: "object", properties: [member, member], rest: null }));
      },
      want: ['MG501 the member "a" is declared twice'],
    },
    {
      idea: "a union in a union",
      given: () =>
        withDeclarations(
          alias("X", {
            kind: "union",
            members: [{ kind: "union", members: [text, one] }, { kind: "boolean" }],
          }),
        ),
      want: ["MG505 a union contains a union"],
    },
    {
      idea: "a union of one member",
      given: () => withDeclarations(alias("X", { kind: "union", members: [text] })),
      want: ["MG505 a union has fewer than two members"],
    },
    {
      idea: "a union with the same member twice",
      given: () => withDeclarations(alias("X", { kind: "union", members: [text, text] })),
      want: ["MG505 a union contains the same member twice"],
    },
    {
      idea: "a union with any value as a member",
      given: () => withDeclarations(alias("X", { kind: "union", members: [text, { kind: "unknown" }] })),
      want: ['MG505 a union contains "unknown", which includes all other members'],
    },
    {
      idea: "an intersection of strings",
      given: () =>
        withDeclarations(
          alias("X", { kind: "intersection", members: [{ kind: "reference", name: "Tool" }, text] }),
        ),
      want: ["MG505 an intersection contains a type that is neither a named type nor an object"],
    },
    {
      idea: "a type that is nested too deep",
      given: () => {
        let type: Type = text;
        for (let level = 0; level < 60; level++) type = { kind: "array", element: type, maxItems: null };
        return withDeclarations(alias("X", type));
      },
      want: ["MG504 a type is nested more than 50 levels deep"],
    },
    {
      idea: "a number that JSON cannot express",
      given: () =>
        withDeclarations(alias("X", { kind: "number", integer: false, minimum: Number.NaN, maximum: null })),
      want: [
        "MG506 the protocol.declarations[153].type.minimum holds the number NaN, which JSON cannot hold",
      ],
    },
    {
      idea: "an undefined member",
      given: () => ({ ...valid, revision: undefined as unknown as string }),
      want: ["MG506 the protocol.revision holds a value of type undefined, which JSON cannot hold"],
    },
    {
      idea: "params with the presence none and a type",
      given: () =>
        withMessage("ping", (message) => ({ ...message, params: { ...message.params, presence: "none" } })),
      want: ['MG507 the presence of the params is "none", but they have a type'],
    },
    {
      idea: "an embedded request that may be cancelled",
      given: () => withMessage("ping", (message) => ({ ...message, carriage: "embedded" })),
      want: ["MG507 the request is embedded in a result, but is marked as cancellable"],
    },
  ];

  it.each(rows)("reports $idea", ({ given, want }) => {
    expect(faults(given())).toEqual(want);
  });
});

describe("the check of declarations", () => {
  it("reports a cycle at the location from the reader", () => {
    const diagnostics = new Diagnostics();
    const place = { file: "a.ts", line: 7, column: 3 };
    const cycle = [
      alias("A", { kind: "reference", name: "B" }),
      alias("B", { kind: "reference", name: "A" }),
    ];
    expect(checkDeclarations(cycle, (name) => (name === "A" ? place : null), diagnostics)).toBe(false);
    expect(diagnostics.list).toMatchObject([
      { code: "MG503", location: place, message: '"A" contains itself: A → B → A' },
    ]);
  });

  it("allows a type that contains itself in a member, an array or a map", () => {
    const diagnostics = new Diagnostics();
    const self: Type = { kind: "reference", name: "A" };
    const types: Type[] = [
      { kind: "array", element: self, maxItems: null },
      { kind: "record", member: self },
      { kind: "object", properties: [{ name: "a", optional: true, type: self, doc }], rest: null },
    ];
    for (const type of types)
      expect(checkDeclarations([alias("A", type)], () => null, diagnostics)).toBe(true);
    expect(diagnostics.list).toEqual([]);
  });
});
