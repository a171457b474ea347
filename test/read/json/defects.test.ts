import { describe, expect, it } from "vitest";
import { formatDiagnostic } from "../../../src/generator/diagnostics.js";
import type { Schema } from "../../../src/generator/ir/constraint.js";
import { project } from "../../../src/generator/ir/projection.js";
import { defectsOf, officialText, revisions } from "../../oracle/index.js";
import {
  literal,
  member,
  number,
  object,
  text,
  typed,
} from "../../ir/schemas.js";
import { revision } from "../typescript/reading.js";
import { declarationOf, file, official, read } from "./reading.js";

const schemaFile = file({
  Count: { type: "integer" },
  RequestId: { type: ["string", "integer"] },
  Bag: {
    type: "object",
    properties: {
      "a/b": { type: ["integer", "null"] },
      type: { const: "integer" },
    },
  },
});

/**
 * The schema of a definition without the known defects, and the diagnostics.
 */
function corrected(
  defects: unknown,
  name = "Count",
): { schema: Schema | null; reports: string[] } {
  const { protocol, reports } = read(schemaFile, {
    defects: JSON.stringify(defects),
  });
  return {
    schema: protocol === null ? null : declarationOf(protocol, name).schema,
    reports: reports.map(formatDiagnostic),
  };
}

/** The schema of `Bag` if its first member has this schema. */
const bagOf = (first: Schema): Schema =>
  object([
    member("a/b", first, true),
    member("type", literal("integer"), true),
  ]);

describe("a known defect", () => {
  it("replaces the fragment `found` by `right`", () => {
    const row = {
      pointer: "/$defs/Count/type",
      found: "integer",
      right: "string",
      reason: "It is a text.",
    };
    expect(corrected([row])).toEqual({ schema: text, reports: [] });
  });

  it("has the place of what it replaces, at any depth", () => {
    const right = {
      type: "object",
      properties: { b: { enum: [] }, c: { type: ["x"] } },
      required: 1,
    };
    const { schema, reports } = corrected([
      {
        pointer: "/$defs/Bag",
        found: (JSON.parse(schemaFile) as { $defs: { Bag: object } }).$defs.Bag,
        right,
        reason: "It is another bag.",
      },
    ]);
    const column = schemaFile.indexOf('{"type":"object"') + 1;
    expect(schema).toBeNull();
    expect(reports.map((report) => report.replace(/ MG[^]*/, ""))).toEqual(
      reports.map(() => `notes/schema.json:1:${column}`),
    );
    expect(reports).toHaveLength(3);
  });

  it("may point into lists and escaped names, and applies after the row before it", () => {
    const pointer = "/$defs/Bag/properties/a~1b/type";
    const rows = [
      {
        pointer: `${pointer}/0`,
        found: "integer",
        right: "string",
        reason: "It is a text.",
      },
      {
        pointer: `${pointer}/1`,
        found: "null",
        right: "integer",
        reason: "It is never null.",
      },
      {
        pointer: `${pointer}/1`,
        found: "integer",
        right: "boolean",
        reason: "Or it is a flag.",
      },
    ];
    const either = typed("string", "boolean");
    expect(corrected(rows, "Bag")).toEqual({
      schema: bagOf(either),
      reports: [],
    });
  });
});

describe("the rule untagged-number-is-integer", () => {
  const rule = [
    {
      rule: "untagged-number-is-integer",
      reason: "Only tagged numbers are printed right.",
    },
  ];

  it("makes every integer a number, also in lists of types", () => {
    expect(corrected(rule)).toEqual({ schema: number, reports: [] });
    expect(corrected(rule, "Bag")).toEqual({
      schema: bagOf(typed("number", "null")),
      reports: [],
    });
  });

  it("does not change RequestId, and values and names that are spelt the same", () => {
    expect(corrected(rule, "RequestId").schema).toEqual(
      typed("string", "integer"),
    );
    expect(corrected(rule, "Bag").schema).toEqual(
      bagOf(typed("number", "null")),
    );
  });
});

describe("a list of known defects that does not match its schema", () => {
  const row = {
    pointer: "/$defs/Count/type",
    found: "integer",
    right: "number",
    reason: "It is any number.",
  };
  const at = "notes/json-defects.json:1:2 MG209 ";
  it.each<[defects: unknown, want: string]>([
    [
      [{ ...row, found: "string" }],
      `${at}the row for /$defs/Count/type matches nothing: expected "string" there, got "integer"`,
    ],
    [
      [{ ...row, pointer: "/$defs/Nope" }],
      `${at}the row for /$defs/Nope matches nothing: expected "integer" there, got nothing`,
    ],
    [
      [{ ...row, pointer: "/$defs/RequestId/type/7" }],
      `${at}the row for /$defs/RequestId/type/7 matches nothing: expected "integer" there, got nothing`,
    ],
    [
      [{ pointer: row.pointer, right: 1, reason: "r" }],
      `${at}cannot read the row`,
    ],
    [
      [{ pointer: row.pointer, found: "integer", reason: "r" }],
      `${at}cannot read the row`,
    ],
    [
      [{ ...row, pointer: "Count" }],
      `${at}the row for Count matches nothing: it is not a JSON pointer`,
    ],
    [
      [{ rule: "no-such-rule", reason: "r" }],
      `${at}unknown rule "no-such-rule"`,
    ],
    [[{ rule: "toString", reason: "r" }], `${at}unknown rule "toString"`],
    [[{ pointer: "/a", reason: "r" }], `${at}cannot read the row`],
    [[{ pointer: "/a", found: 1 }], `${at}cannot read the row`],
    [[{ ...row, why: "?" }], `${at}cannot read the row`],
    ...Object.keys(row).map((name): [unknown, string] => [
      [{ ...row, [name]: undefined, why: "?" }],
      `${at}cannot read the row`,
    ]),
    [
      [{ rule: "untagged-number-is-integer", why: "?" }],
      `${at}cannot read the row`,
    ],
    [
      ["x".repeat(58)],
      `${at}cannot read the row "${"x".repeat(58)}": a row is { "pointer", "found", "right", "reason" } or { "rule", "reason" }\n    hint: correct or remove the row`,
    ],
    [["x".repeat(59)], `${at}cannot read the row "${"x".repeat(59)}…: a row`],
    [
      [[..."x".repeat(16)]],
      `${at}cannot read the row [${'"x",'.repeat(14)}"x"…: a row`,
    ],
    [["row"], `${at}cannot read the row "row"`],
    [
      {},
      "notes/json-defects.json:1:1 MG209 expected a list of defects, got {}",
    ],
  ])("is reported: %j", (defects, want) => {
    const { schema, reports } = corrected(defects);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain(want);
    expect(schema).toBeNull();
  });

  it("is reported if a rule corrects nothing", () => {
    const defects = JSON.stringify([
      { rule: "untagged-number-is-integer", reason: "r" },
    ]);
    const { protocol, reports } = read(file({ A: { type: "number" } }), {
      defects,
    });
    expect(protocol).toBeNull();
    expect(reports.map(({ message }) => message)).toEqual([
      'the rule "untagged-number-is-integer" found nothing to correct',
    ]);
  });

  it("is reported with the location if it is not JSON", () => {
    const { reports } = read(schemaFile, { defects: "[\n{" });
    expect(reports.map(formatDiagnostic)[0]).toContain(
      "notes/json-defects.json:2:2 MG201 ",
    );
  });
});

describe.each(revisions)("the list of known defects of revision %s", (name) => {
  it("makes the wire projection of schema.json equal to that of schema.ts", async () => {
    expect(project(official(name))).toEqual(project(await revision(name)));
  });

  it("is needed, because the projections differ without it", async () => {
    expect(project(official(name, false))).not.toEqual(
      project(await revision(name)),
    );
  });

  it("needs each of its rows, because the projections differ without any one of them", async () => {
    const rows = JSON.parse(defectsOf(name).text) as unknown[];
    const want = project(await revision(name));
    for (const row of rows) {
      const defects = JSON.stringify(rows.filter((other) => other !== row));
      const path = `schema/${name}/schema.json`;
      const { protocol } = read(officialText(name), { file: path, defects });
      expect(protocol === null ? null : project(protocol)).not.toEqual(want);
    }
  });
});
