import { beforeAll, describe, expect, it } from "vitest";
import { Diagnostics } from "../../src/diagnostics.js";
import { check, checkDeclarations } from "../../src/ir/check/index.js";
import type { Schema } from "../../src/ir/constraint.js";
import type { Declaration, Message, Protocol } from "../../src/ir/model.js";
import { revision, revisions } from "../read/typescript/reading.js";
import {
  alias,
  array,
  bounded,
  constant,
  iface,
  map,
  member,
  number,
  object,
  reference,
  text,
} from "./schemas.js";

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
      given: () => withDeclarations(alias("X", array(reference("Nope")))),
      want: ['MG502 a reference names "Nope", which is not declared'],
    },
    {
      idea: "a reference to a constant",
      given: () => withDeclarations(alias("X", reference("PARSE_ERROR"))),
      want: ['MG502 a reference names "PARSE_ERROR", which is a constant, not a type'],
    },
    {
      idea: "a base that names nothing",
      given: () => withDeclarations(iface("X", ["Nope"])),
      want: ['MG502 a base names "Nope", which is not declared'],
    },
    {
      idea: "a value written as a constant of another value",
      given: () => withDeclarations(alias("X", constant(1, "PARSE_ERROR"))),
      want: [
        'MG502 a value is written as the constant "PARSE_ERROR", but no constant of that name has the value 1',
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
      idea: "a type that is nested too deep",
      given: () => {
        let nested: Schema = text;
        for (let level = 0; level < 120; level++) nested = array(nested);
        return withDeclarations(alias("X", nested));
      },
      want: ["MG504 a type is nested more than 100 levels deep"],
    },
    {
      idea: "a number that JSON cannot express",
      given: () => withDeclarations(alias("X", bounded(number, Number.NaN))),
      want: [
        "MG506 the protocol.declarations[153].schema.checks[1].value holds the number NaN, which JSON cannot hold",
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
    const cycle = [alias("A", reference("B")), alias("B", reference("A"))];
    expect(checkDeclarations(cycle, (name) => (name === "A" ? place : null), diagnostics)).toBe(false);
    expect(diagnostics.list).toMatchObject([
      { code: "MG503", location: place, message: '"A" contains itself: A → B → A' },
    ]);
  });

  it("allows a type that contains itself in a member, an array or a map", () => {
    const diagnostics = new Diagnostics();
    const self = reference("A");
    for (const schema of [array(self), map(self), object([member("a", self, true)])])
      expect(checkDeclarations([alias("A", schema)], () => null, diagnostics)).toBe(true);
    expect(diagnostics.list).toEqual([]);
  });
});
