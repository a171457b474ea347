import { describe, expect, it } from "vitest";
import {
  reference,
  referenceIn,
} from "../../src/generator/ir/constraint/form.js";
import { membersOf } from "../../src/generator/ir/derive/senders.js";
import { unions } from "../../src/generator/ir/facts.js";
import { index } from "../../src/generator/ir/lookup.js";
import { read, revision } from "../read/typescript/reading.js";
import { revisions } from "../repository.js";

/** The codes and texts of the errors in a schema with these types. */
async function errorsIn(types: string): Promise<unknown> {
  const { reports } = await read(`
    export interface Request { method: string; params?: { a: string } }
    export interface PingRequest extends Request { method: "ping" }
    export type EmptyResult = { [key: string]: unknown };
    ${types}`);
  return reports.flatMap(({ code, severity, message }) =>
    severity === "error" ? [[code, message]] : [],
  );
}

describe("each name in a union of messages", () => {
  it.each(revisions)("has a row in revision %s", async (name) => {
    const protocol = await revision(name);
    const declarations = index(protocol);
    const names = unions
      .filter(({ union }) => declarations.has(union))
      .flatMap(({ union }) => membersOf(declarations, reference(union)));
    const rows = new Set(protocol.messages.map((message) => message.name));
    expect(names.length).toBeGreaterThan(10);
    expect(
      names.filter((each) => !rows.has(String(referenceIn(each)))),
    ).toEqual([]);
  });

  it.each([
    [
      'interface X extends Request { method: "a" | "b" }',
      '"X" in ClientRequest has no method that is one string',
    ],
    [
      "interface X extends Request {}",
      '"X" in ClientRequest has no method that is one string',
    ],
    ['interface X extends Request { method?: "a" }', null],
    ['type X = "a"', '"X" in ClientRequest has no method that is one string'],
    [
      "interface X extends PingRequest { more: string }",
      '"X" in ClientRequest has the method "ping" of PingRequest',
    ],
    [
      'interface X extends Request { method: "ping" }',
      'the method "ping" is declared by PingRequest and X',
    ],
  ])("has a row or an error: %s", async (type, message) => {
    const types = `export ${type};
      export type ClientRequest = PingRequest | X;`;
    const errors = await errorsIn(types);
    if (message !== null) expect(errors).toEqual([["MG401", message]]);
    else expect(JSON.stringify(errors)).toContain("MG");
  });
});
