import { describe, expect, it } from "vitest";
import {
  onlyOf,
  propertiesIn,
  restIn,
  typeIn,
} from "../../../src/generator/ir/constraint/form.js";
import { eachSchema } from "../../../src/generator/ir/constraint/walk.js";
import { flatten } from "../../../src/generator/ir/flatten.js";
import { index } from "../../../src/generator/ir/lookup.js";
import type { Protocol } from "../../../src/generator/ir/model.js";
import { revision } from "./reading.js";

/** Counted in the official files without this reader. */
const want = [
  {
    revision: "2024-11-05",
    interfaces: 66,
    aliases: 13,
    constants: 7,
    properties: 177,
    onInterfaces: 125,
    optional: 62,
    flattened: 168,
    indexSignatures: 10,
    anonymousObjects: 33,
    unions: 19,
    requests: 15,
    notifications: 9,
  },
  {
    revision: "2025-03-26",
    interfaces: 68,
    aliases: 15,
    constants: 7,
    properties: 193,
    onInterfaces: 142,
    optional: 75,
    flattened: 180,
    indexSignatures: 10,
    anonymousObjects: 32,
    unions: 21,
    requests: 15,
    notifications: 9,
  },
  {
    revision: "2025-06-18",
    interfaces: 76,
    aliases: 15,
    constants: 7,
    properties: 237,
    onInterfaces: 176,
    optional: 111,
    flattened: 239,
    indexSignatures: 26,
    anonymousObjects: 51,
    unions: 23,
    requests: 16,
    notifications: 9,
  },
  {
    revision: "2025-11-25",
    interfaces: 120,
    aliases: 25,
    constants: 8,
    properties: 357,
    onInterfaces: 303,
    optional: 181,
    flattened: 450,
    indexSignatures: 33,
    anonymousObjects: 59,
    unions: 34,
    requests: 20,
    notifications: 11,
  },
  {
    revision: "2026-07-28",
    interfaces: 128,
    aliases: 27,
    constants: 10,
    properties: 340,
    onInterfaces: 303,
    optional: 165,
    flattened: 477,
    // One more than the 18 in the file: `MetaObject` is written as
    // `Record<string, unknown>`, which is the same map.
    indexSignatures: 19,
    // The same map counts here too, but `{}`, which means the same as `object`,
    // does not: 35 - 1 + 1.
    anonymousObjects: 35,
    unions: 36,
    requests: 13,
    notifications: 8,
  },
];

describe("the reader of schema.ts", () => {
  it.each(want)(
    "reads every declaration, member and union of $revision",
    async (row) => {
      expect(count(await revision(row.revision))).toEqual(row);
    },
  );
});

function count(protocol: Protocol): (typeof want)[number] {
  const declarations = index(protocol);
  const interfaces = protocol.declarations.filter(
    (entry) => entry.kind === "interface",
  );
  const onInterfaces = interfaces.flatMap(({ schema }) => propertiesIn(schema));
  const properties: typeof onInterfaces = [];
  let indexSignatures = 0;
  let anonymousObjects = 0;
  let unions = 0;
  for (const { kind, schema } of protocol.declarations) {
    eachSchema(schema, (part, depth) => {
      const named = propertiesIn(part);
      const hasSignature = restIn(part) !== null;
      properties.push(...named);
      if (hasSignature) indexSignatures++;
      // The keyword `object` has neither braces nor members.
      const isObject =
        typeIn(part) === "object" && (named.length > 0 || hasSignature);
      if (isObject && (kind !== "interface" || depth > 0)) anonymousObjects++;
      if (onlyOf(part.checks, "any") !== null) unions++;
    });
  }
  return {
    revision: protocol.revision,
    interfaces: interfaces.length,
    aliases: protocol.declarations.filter(({ kind }) => kind === "alias")
      .length,
    constants: protocol.declarations.filter(({ kind }) => kind === "constant")
      .length,
    properties: properties.length,
    onInterfaces: onInterfaces.length,
    optional: properties.filter(({ optional }) => optional).length,
    flattened: interfaces.reduce(
      (sum, { name }) =>
        sum + (flatten(declarations, name)?.properties.length ?? 0),
      0,
    ),
    indexSignatures,
    anonymousObjects,
    unions,
    requests: protocol.messages.filter(({ kind }) => kind === "request").length,
    notifications: protocol.messages.filter(
      ({ kind }) => kind === "notification",
    ).length,
  };
}
