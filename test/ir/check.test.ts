import { finished } from "../finished.js";
import { beforeAll, describe, expect, it } from "vitest";
import { readSchema } from "../../src/api.js";
import { Diagnostics } from "../../src/generator/diagnostics.js";
import { checkDeclarations } from "../../src/generator/ir/check/index.js";
import type { Schema } from "../../src/generator/ir/constraint.js";
import type {
  Declaration,
  Message,
  Protocol,
} from "../../src/generator/ir/model.js";
import { bundled } from "../../src/generator/read/index.js";
import { official } from "../read/json/reading.js";
import { revision, revisions } from "../read/typescript/reading.js";
import { brokenInvariants } from "./invariants.js";
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

const madeUp = [
  "test/fixtures/made-up/schema.ts",
  "test/fixtures/2024-10-07-alike/schema.ts",
  "test/made-up/schema/lantern-2.ts",
  "test/made-up/schema/outline-1.ts",
];

let valid: Protocol;

beforeAll(async () => {
  valid = await revision("2025-11-25");
});

/** The valid protocol with more declarations. */
const withDeclarations = (...more: Declaration[]): Protocol => ({
  ...valid,
  declarations: [...valid.declarations, ...more],
});

/** The valid protocol with one changed message. */
const withMessage = (
  method: string,
  change: (message: Message) => unknown,
): Protocol => ({
  ...valid,
  messages: valid.messages.map((message) =>
    message.method === method ? (change(message) as Message) : message,
  ),
});

describe("a protocol from a reader", () => {
  it("keeps every invariant: each revision, each official schema.json, made-up schemas, and extensions", async () => {
    const names = (await bundled()).map((entry) => entry.revision);
    const extensions = [
      "tasks",
      "skills",
      "apps",
      "./test/made-up/schema/errands.ts",
      "./test/made-up/schema/gallery.ts",
    ];
    const protocols = await Promise.all([
      ...(await revisions()),
      ...names.map((name) => official(name)),
      ...madeUp.map((path) => readSchema(path)),
      ...names.flatMap((name) =>
        extensions.map((path) =>
          readSchema(name, { extensions: [path] }).catch(() => null),
        ),
      ),
    ]);
    const read = protocols.filter((protocol) => protocol !== null);
    expect(read.length).toBeGreaterThan(2 * names.length + madeUp.length);
    for (const protocol of read) {
      expect(brokenInvariants(protocol)).toEqual([]);
      expect(JSON.parse(JSON.stringify(protocol))).toStrictEqual(protocol);
    }
  });
});

describe("the assertion of the invariants finds", () => {
  const rows: { idea: string; given: () => Protocol; want: string[] }[] = [
    {
      idea: "a reference that names nothing",
      given: () => withDeclarations(alias("X", array(reference("Nope")))),
      want: ["X names Nope, which is not a type"],
    },
    {
      idea: "a reference to a constant",
      given: () => withDeclarations(alias("X", reference("PARSE_ERROR"))),
      want: ["X names PARSE_ERROR, which is not a type"],
    },
    {
      idea: "a base that names nothing",
      given: () => withDeclarations(iface("X", ["Nope"])),
      want: ["X names Nope, which is not a type"],
    },
    {
      idea: "a value written as a constant of another value",
      given: () => withDeclarations(alias("X", constant(1, "PARSE_ERROR"))),
      want: ["X has a value 1 as the constant PARSE_ERROR"],
    },
    {
      idea: "a result that names nothing",
      given: () =>
        withMessage("ping", (message) => ({ ...message, results: ["Nope"] })),
      want: ["ping names Nope, which is not a type"],
    },
    {
      idea: "a well-known method without a message",
      given: () => ({
        ...valid,
        wellKnown: { ...valid.wellKnown, ping: "pong" },
      }),
      want: ["ping has no message pong"],
    },
    {
      idea: "a declaration that is declared twice",
      given: () => withDeclarations(iface("Tool", [])),
      want: ["Tool is declared twice"],
    },
    {
      idea: "a method of two messages",
      given: () =>
        withMessage("ping", (message) => ({
          ...message,
          method: "notifications/cancelled",
        })),
      want: [
        "ping has no message ping",
        "notifications/cancelled is declared twice",
      ],
    },
    {
      idea: "a number that JSON cannot express",
      given: () => withDeclarations(alias("X", bounded(number, Number.NaN))),
      want: ["protocol.declarations[153].schema.checks[1].value is not JSON"],
    },
    {
      idea: "an undefined member",
      given: () => ({ ...valid, revision: undefined as unknown as string }),
      want: ["protocol.revision is not JSON"],
    },
    {
      idea: "params with the presence none and a type",
      given: () =>
        withMessage("ping", (message) => ({
          ...message,
          params: { ...message.params, presence: "none" },
        })),
      want: ['ping has params of presence "none" and a schema'],
    },
    {
      idea: "an embedded request that may be cancelled",
      given: () =>
        withMessage("ping", (message) => ({
          ...message,
          carriage: "embedded",
        })),
      want: ["ping is embedded and cancellable"],
    },
  ];

  it.each(rows)("$idea", ({ given, want }) => {
    expect(brokenInvariants(given())).toEqual(want);
  });
});

describe("the check of declarations", () => {
  it("reports a type that is nested too deep, at its declaration", () => {
    const diagnostics = new Diagnostics();
    const place = { file: "a.ts", line: 7, column: 3 };
    let nested: Schema = text;
    for (let level = 0; level < 120; level++) nested = array(nested);
    expect(
      checkDeclarations([alias("A", nested)], () => place, diagnostics),
    ).toBeNull();
    expect(finished(diagnostics.list)).toMatchObject([
      {
        code: "MG504",
        location: place,
        message: "the type is nested more than 100 levels deep",
        hint: "split it into named types",
      },
    ]);
  });

  /** The code and the message of each report about these declarations. */
  const reportsOn = (...declarations: Declaration[]): unknown => {
    const diagnostics = new Diagnostics();
    checkDeclarations(declarations, () => null, diagnostics);
    return finished(diagnostics.list).map(
      ({ code, message }) => `${code} ${message}`,
    );
  };
  const deep = (levels: number): Schema =>
    levels === 0 ? text : array(deep(levels - 1));
  /** Names of which each contains the next one, and the last one the first. */
  const ring = (count: number): Declaration[] =>
    Array.from({ length: count }, (_, i) =>
      alias(`A${i}`, reference(`A${(i + 1) % count}`)),
    );
  const chain = (length: number): Declaration[] => [
    ...Array.from({ length }, (_, i) => alias(`A${i}`, reference(`A${i + 1}`))),
    alias(`A${length}`, text),
  ];
  const clash = [
    iface("A", [], [member("a"), member("b")]),
    iface("B", [], [member("a", number), member("b")]),
    iface("C", ["A", "B"]),
  ];
  const clashed = 'MG509 A and B declare the member "a" with different types';
  const shown = (names: readonly string[]): string =>
    `MG503 "A0" contains itself: ${names.join(" → ")}`;
  it.each<[idea: string, declarations: Declaration[], want: string[]]>([
    ["a type of 100 levels", [alias("A", deep(100))], []],
    [
      "a type of 101 levels",
      [alias("A", deep(101))],
      ["MG504 the type is nested more than 100 levels deep"],
    ],
    [
      "a chain of more than 100 names, once",
      chain(103),
      ['MG504 "A2" ends a chain of more than 100 bases or aliases'],
    ],
    ["a chain of 100 names", chain(100), []],
    [
      "a cycle of seven names, which are all listed",
      ring(7),
      [shown(["A0", "A1", "A2", "A3", "A4", "A5", "A6", "A0"])],
    ],
    [
      "a cycle of eight names, of which six are listed",
      ring(8),
      [shown(["A0", "A1", "A2", "A3", "A4", "A5", "…", "A0"])],
    ],
    [
      "a cycle, and not the name that leads into it",
      [alias("B", reference("A0")), ...ring(2)],
      [shown(["A0", "A1", "A0"])],
    ],
    [
      "a member of two bases, and not again where these are a base",
      [...clash, iface("D", ["C"])],
      [clashed],
    ],
    [
      "another member that two bases declare, of which one has such a member itself",
      [...clash, iface("E", [], [member("b", number)]), iface("F", ["C", "E"])],
      [clashed, 'MG509 A and E declare the member "b" with different types'],
    ],
  ])("reports %s", (_, declarations, want) => {
    expect(reportsOn(...declarations)).toEqual(want);
  });

  it("reports a cycle at the location from the reader", () => {
    const diagnostics = new Diagnostics();
    const place = { file: "a.ts", line: 7, column: 3 };
    const cycle = [alias("A", reference("B")), alias("B", reference("A"))];
    expect(
      checkDeclarations(
        cycle,
        (name) => (name === "A" ? place : null),
        diagnostics,
      ),
    ).toBeNull();
    expect(finished(diagnostics.list)).toMatchObject([
      {
        code: "MG503",
        location: place,
        message: '"A" contains itself: A → B → A',
      },
    ]);
  });

  const self = reference("A");
  it.each([
    ["a member", object([member("a", self, true)])],
    ["an array", array(self)],
    ["a map", map(self)],
  ])("allows a type that contains itself in %s", (_, schema) => {
    const diagnostics = new Diagnostics();
    expect(
      checkDeclarations([alias("A", schema)], () => null, diagnostics),
    ).not.toBeNull();
    expect(diagnostics.list).toEqual([]);
  });
});
