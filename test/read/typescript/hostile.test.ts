import { describe, expect, it } from "vitest";
import { propertiesIn } from "../../../src/ir/constraint/form.js";
import { unknown } from "../../ir/schemas.js";
import { read } from "./reading.js";

describe("a hostile schema.ts", () => {
  it("that nests too deep for the parser is refused without a stack overflow", async () => {
    const { protocol, reports } = await read(
      `export type X = ${"(".repeat(50_000)}string${")".repeat(50_000)};`,
    );
    expect(protocol).toBeNull();
    expect(reports.map(({ code }) => code)).toEqual(["MG116"]);
  });

  it("that nests deeper than the limit is refused at that location", async () => {
    const { protocol, reports } = await read(
      `export type X = ${"{ a: ".repeat(100)}string${" }".repeat(100)};`,
    );
    expect(protocol).toBeNull();
    expect(reports).toMatchObject([{ code: "MG116", location: { line: 1, column: 17 + 5 * 51 } }]);
  });

  it("that is not TypeScript is refused with few diagnostics", async () => {
    const { protocol, reports } = await read("]} \u0001 ".repeat(10_000));
    expect(protocol).toBeNull();
    expect(reports.length).toBe(51);
    expect(reports.at(-1)?.message).toMatch(/^\d+ more syntax errors are not shown$/);
  });

  it("with a chain of ten thousand bases is refused with one diagnostic", async () => {
    const chain = Array.from(
      { length: 10_000 },
      (_, index) => `export interface A${index} extends A${index + 1} {}`,
    );
    const { protocol, reports } = await read(`${chain.join("\n")}\nexport interface A10000 {}`);
    expect(protocol).toBeNull();
    expect(reports.map(({ code }) => code)).toEqual(["MG504"]);
  });

  it("with bases that double at every step is read in a short time", async () => {
    const steps = Array.from({ length: 60 }, (_, index) => [
      `export interface L${index} extends M${index} {}`,
      `export interface R${index} extends M${index} {}`,
      `export interface M${index + 1} extends L${index}, R${index} {}`,
    ]);
    const { protocol } = await read(`export interface M0 { a: string }\n${steps.flat().join("\n")}`);
    expect(protocol).toBeNull(); // A chain of 121 steps is over the limit.
    const short = await read(`export interface M0 { a: string }\n${steps.slice(0, 45).flat().join("\n")}`);
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
    expect(protocol?.messages.map(({ method, sender }) => [method, sender])).toEqual([["a", "client"]]);
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
    expect((await read(other)).reports.map(({ code }) => code)).toEqual(["MG510"]);
  });

  it("with a cycle of ten thousand bases is refused with one short diagnostic", async () => {
    const circle = Array.from(
      { length: 10_000 },
      (_, index) => `export interface I${index} extends I${(index + 1) % 10_000} {}`,
    );
    const { reports } = await read(circle.join("\n"));
    expect(reports.map(({ message }) => message)).toEqual([
      '"I0" contains itself: I0 → I1 → I2 → I3 → I4 → I5 → … → I0',
    ]);
  });

  it("with thousands of unknown names gets suggestions for the first 100 only", async () => {
    const members = Array.from({ length: 3000 }, (_, index) => `m${index}: Tol`);
    const { reports } = await read(`export interface Tool { ${members.join("; ")} }`);
    expect(reports).toHaveLength(3000);
    expect(reports.filter(({ hint }) => hint === "did you mean Tool?")).toHaveLength(100);
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
    expect(propertiesIn(params).map((property) => property.name)).toEqual([expected]);
  });
});
