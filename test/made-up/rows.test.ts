import { readFileSync } from "node:fs";
import { join } from "node:path";
import { prompts, resources, tools } from "@mcpgen/runtime/features";
import { beforeAll, describe, expect, it } from "vitest";
import { root } from "../repository.js";
import {
  type Generated,
  generated,
  type Handlers,
  info,
  joined,
  write,
} from "./made-up.js";

/** The newest revision, in which each row of a list has an owner. */
const schema = readFileSync(join(root, "schema/2026-07-28/schema.ts"), "utf8")
  .replaceAll('"2026-07-28"', '"2027-03-01"')
  .replaceAll(
    /^export interface (?:Tool|Prompt|Resource|ResourceTemplate) .*\{$/gm,
    "$&\n  owner: string;",
  );

const text = (): string => "";
const owner = { owner: "us" };
const [uri, uriTemplate] = ["a:b", "a:{b}"];

describe("a row that the list of the revision cannot have", () => {
  let sides: Generated;
  beforeAll(async () => {
    sides = await generated(write("2027-03-01/schema.ts", schema));
  });
  const create = (handlers: object): unknown =>
    sides.createServer({ info, handlers: handlers as Handlers });

  it.each([
    ["tool find", tools([{ name: "find", handler: text }])],
    [
      "tool find",
      tools([], {
        listed: [{ name: "find", inputSchema: { type: "object" } }],
      }),
    ],
    ["prompt find", prompts([{ name: "find", get: text }])],
    ["resource a:b", resources([{ uri, name: "b", read: text }])],
    ["resource a:{b}", resources([{ uriTemplate, name: "b", read: text }])],
  ])(
    "is an error when the server is created, which names the %s",
    (row, list) => {
      const [what = "", name = ""] = row.split(" ");
      expect(() => create(list)).toThrow(
        new RegExp(
          `^The ${what} ${name.replace(/[{}]/g, "\\$&")} does not fit revision 2027-03-01: .*owner: expected a string`,
        ),
      );
    },
  );

  it("is none with the members that the revision requires", async () => {
    const list = tools([{ name: "find", handler: text, ...owner }]);
    const { client } = await joined(sides, list as never);
    expect(await client["listTools"]?.()).toMatchObject({ tools: [owner] });
    await client.close();
  });
});
