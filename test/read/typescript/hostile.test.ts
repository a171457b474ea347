import { describe, expect, it } from "vitest";
import { readSchema } from "../../../src/api.js";
import {
  Diagnostics,
  formatDiagnostic,
} from "../../../src/generator/diagnostics.js";
import { propertiesIn } from "../../../src/generator/ir/constraint/form.js";
import { extend, readExtension } from "../../../src/generator/read/index.js";
import { unknown } from "../../ir/schemas.js";
import { read } from "./reading.js";

/** The codes that are reported for the newest revision with an extension. */
async function extended(text: string): Promise<string[]> {
  const diagnostics = new Diagnostics();
  const name = "extension.ts";
  const schema = await readExtension(text, { file: name, name }, diagnostics);
  if (schema) extend(await readSchema("latest"), schema, diagnostics);
  return diagnostics.list.map(({ code }) => code);
}

describe("a hostile schema.ts", () => {
  it("that nests too deep for the parser is refused without a stack overflow", async () => {
    const { protocol, reports } = await read(
      `export type X = ${"(".repeat(50_000)}string${")".repeat(50_000)};`,
    );
    expect(protocol).toBeNull();
    expect(reports.map(formatDiagnostic)).toEqual([
      "notes/schema.ts:1:1 MG116 the file is nested too deeply to be parsed\n    hint: name the inner types and refer to them; or pass the schema.json of this revision instead",
    ]);
  });

  it("that nests deeper than the limit is refused at that location", async () => {
    const { protocol, reports } = await read(
      `export type X = ${"{ a: ".repeat(100)}string${" }".repeat(100)};`,
    );
    expect(protocol).toBeNull();
    expect(reports).toMatchObject([
      { code: "MG116", location: { line: 1, column: 17 + 5 * 51 } },
    ]);
  });

  it.each([
    [50, null],
    [51, "1 more syntax errors are not shown"],
    [10_000, "9950 more syntax errors are not shown"],
  ])(
    "that has %i syntax errors is refused with 50 of them, and the number of the others",
    async (count, others) => {
      const { protocol, reports } = await read(
        "export type X = ;\n".repeat(count),
      );
      expect(protocol).toBeNull();
      expect(
        reports
          .filter(({ code }) => code === "MG100")
          .map(({ message }) => message),
      ).toEqual([
        ...Array<string>(50).fill("syntax error: Type expected."),
        ...(others === null ? [] : [others]),
      ]);
    },
  );

  it("with a chain of ten thousand bases is refused with one diagnostic", async () => {
    const chain = Array.from(
      { length: 10_000 },
      (_, index) => `export interface A${index} extends A${index + 1} {}`,
    );
    const { protocol, reports } = await read(
      `${chain.join("\n")}\nexport interface A10000 {}`,
    );
    expect(protocol).toBeNull();
    expect(reports.map(formatDiagnostic)).toEqual([
      'notes/schema.ts:9900:18 MG504 "A9899" ends a chain of more than 100 bases or aliases\n    in interface A9899\n    hint: flatten the chain',
    ]);
  });

  it("with bases that double at every step is read in a short time", async () => {
    const steps = Array.from({ length: 60 }, (_, index) => [
      `export interface L${index} extends M${index} {}`,
      `export interface R${index} extends M${index} {}`,
      `export interface M${index + 1} extends L${index}, R${index} {}`,
    ]);
    const { protocol } = await read(
      `export interface M0 { a: string }\n${steps.flat().join("\n")}`,
    );
    expect(protocol).toBeNull(); // A chain of 121 steps is over the limit.
    const short = await read(
      `export interface M0 { a: string }\n${steps.slice(0, 45).flat().join("\n")}`,
    );
    expect(short.protocol?.declarations).toHaveLength(136);
  });

  it("with aliases that double at every step is read in a short time", async () => {
    const steps = Array.from({ length: 45 }, (_, index) => [
      `export type L${index} = M${index} | null;`,
      `export type R${index} = M${index} | null;`,
      `export type M${index + 1} = L${index} | R${index};`,
    ]);
    const { protocol } = await read(`
      export interface ARequest { method: "a" }
      export type EmptyResult = { [key: string]: unknown };
      export type M0 = ARequest;
      ${steps.flat().join("\n")}
      export type ClientRequest = M45;
    `);
    expect(
      protocol?.messages.map(({ method, sender }) => [method, sender]),
    ).toEqual([["a", "client"]]);
  });

  it("with many types that refer to each other is compared in a short time", async () => {
    const family = (name: string): string =>
      Array.from(
        { length: 20 },
        (_, index) =>
          `export interface ${name}${index} { l: ${name}${(index + 1) % 20}; r: ${name}${(index + 7) % 20} }`,
      ).join("\n");
    const text = `${family("A")}\n${family("B")}\nexport interface P { x: B0 }\nexport interface Q extends P { x: A0 }`;
    expect((await read(text)).protocol).not.toBeNull();
    const other = text.replace("B19 { l: B0;", "B19 { l: B0; no: string;");
    expect((await read(other)).reports.map(({ code }) => code)).toEqual([
      "MG510",
    ]);
  });

  it.each([
    [
      "redeclares a member",
      (base: string, own: string) =>
        `interface P { x: ${base} }\nexport interface Q extends P { x: ${own} }`,
    ],
    [
      "joins two objects",
      (base: string, own: string) =>
        `interface P { x: ${base} }\nexport type Q = P & { x: ${own} }`,
    ],
    [
      "has an index signature",
      (base: string, own: string) =>
        `interface Q { x: ${own}; [key: string]: ${base} }`,
    ],
  ])(
    "with unions of hundreds of objects in a type that %s is refused where it declares them",
    async (_, declare) => {
      const union = (more: string): string =>
        Array.from(
          { length: 250 },
          (_, index) => `{ a${index}: 1${more} }`,
        ).join(" | ");
      const reversed = union("; b: 2").split(" | ").reverse().join(" | ");
      const { protocol, reports } = await read(
        `export ${declare(union(""), reversed)}`,
      );
      expect(protocol).toBeNull();
      expect(reports).toContainEqual(
        expect.objectContaining({
          code: "MG504",
          message:
            "the types of its members have too many alternatives to be compared",
          hint: "give the members types with fewer alternatives",
        }),
      );
    },
  );

  const unions = (size: number, count: number): string =>
    Array.from({ length: count }, (_, union) => {
      const members = Array.from(
        { length: size },
        (_, index) => `{ a${union}x${index}: 1 }`,
      );
      return `export type U${union} = ${members.join(" | ")};`;
    }).join("\n");

  it.each([
    ["four unions of forty objects", 40, "U0 & U1 & U2 & U3"],
    ["a union in hundreds of types", 250, "U0 & { more: 1 }"],
    [
      "a union and ten thousand objects",
      100,
      `U0${" & { more: 1 }".repeat(10_000)}`,
    ],
  ])(
    "that joins %s is refused, in a revision and in an extension",
    async (_, size, joined) => {
      const types = Array.from(
        { length: 500 },
        (_, index) => `export type X${index} = ${joined};`,
      );
      const text = `${unions(size, 4)}\n${types.slice(0, joined.length > 100 ? 1 : 500).join("\n")}`;
      const { protocol, reports } = await read(text);
      expect(protocol).toBeNull();
      expect(reports.map(({ code }) => code)).toEqual(["MG504"]);
      const extension = `export const EXTENSION_IDENTIFIER = "com.example/a";\n${text}`;
      expect(await extended(extension)).toEqual(["MG504"]);
    },
  );

  it("with dozens of members whose types have a thousand members is refused where it redeclares them", async () => {
    const members = Array.from({ length: 1000 }, (_, index) => `m${index}`);
    const names = members.slice(0, 50);
    const { protocol, reports } = await read(`
      export interface A { ${members.map((name) => `${name}: string`).join("; ")} }
      export interface B { ${members.map((name) => `${name}: string`).join("; ")}; more: 1 }
      export interface P { ${names.map((name) => `${name}: A`).join("; ")} }
      export interface Q extends P { ${names.map((name) => `${name}: B`).join("; ")} }`);
    expect(protocol).toBeNull();
    expect(reports).toMatchObject([{ code: "MG504", location: { line: 5 } }]);
  });

  it("with a member of thousands of values is read if an interface narrows it", async () => {
    const values = Array.from({ length: 3000 }, (_, index) => `"${index}"`);
    const text = `export interface P { x: ${values.join(" | ")} }
      export interface Q extends P { x: ${values.slice(1).reverse().join(" | ")} }`;
    expect((await read(text)).protocol).not.toBeNull();
    const { reports } = await read(text.replace('"2999" | ', '"other" | '));
    expect(reports).toMatchObject([{ code: "MG510" }]);
  });

  it("with thousands of interfaces that each redeclare a dozen members is read", async () => {
    const members = (value: string): string =>
      Array.from({ length: 12 }, (_, index) => `m${index}: ${value}`).join(
        "; ",
      );
    const interfaces = Array.from(
      { length: 2000 },
      (_, index) =>
        `export interface I${index} extends P { ${members(`"${index}"`)} }`,
    );
    const text = `export interface P { ${members("string")} }\n${interfaces.join("\n")}`;
    expect((await read(text)).protocol).not.toBeNull();
  });

  it("with a cycle of ten thousand bases is refused with one short diagnostic", async () => {
    const circle = Array.from(
      { length: 10_000 },
      (_, index) =>
        `export interface I${index} extends I${(index + 1) % 10_000} {}`,
    );
    const { reports } = await read(circle.join("\n"));
    expect(reports.map(({ message }) => message)).toEqual([
      '"I0" contains itself: I0 → I1 → I2 → I3 → I4 → I5 → … → I0',
    ]);
  });

  it("with thousands of unknown names gets suggestions for the first 100 only", async () => {
    const members = Array.from(
      { length: 3000 },
      (_, index) => `m${index}: Tol`,
    );
    const { reports } = await read(
      `export interface Tool { ${members.join("; ")} }`,
    );
    expect(reports).toHaveLength(3000);
    expect(
      reports.filter(({ hint }) => hint === "did you mean Tool?"),
    ).toHaveLength(100);
  });

  it.each([
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "then",
    "",
    "a b",
    "\\u2028",
    "*/",
    "${x}",
  ])("may have a member and a method called %j", async (name) => {
    const { protocol } = await read(`
        export type EmptyResult = { [key: string]: unknown };
        export interface ARequest { method: "${name}"; params?: { "${name}": "${name}" } }
        export type ClientRequest = ARequest;
      `);
    const expected = name === "\\u2028" ? "\u2028" : name;
    expect(protocol?.messages[0]?.method).toBe(expected);
    const params = protocol?.messages[0]?.params.schema ?? unknown;
    expect(propertiesIn(params).map((property) => property.name)).toEqual([
      expected,
    ]);
  });
});
