import { describe, expect, it } from "vitest";
import { propertiesIn } from "../../src/generator/ir/constraint/form.js";
import { flatten } from "../../src/generator/ir/flatten.js";
import { index } from "../../src/generator/ir/lookup.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { planParams } from "../../src/generator/view/plan/params.js";
import { revisions } from "../read/typescript/reading.js";

const protocols = (await revisions()).map(
  (protocol): readonly [string, Protocol] => [protocol.revision, protocol],
);

describe("the types of callers and handlers", () => {
  it.each(protocols)(
    "have the members of the schema, and only those that the engine supplies are optional besides: %s",
    (_, protocol) => {
      const declarations = index(protocol);
      const { types } = planParams(protocol).roleTypes;
      const supplied = (object: string): readonly string[] =>
        protocol.engineDefaults
          .filter((entry) => entry.object === object)
          .map(({ member }) => member);
      const ordinary = new Set(
        protocol.messages.flatMap((message) =>
          message.kind === "request" ? message.results.slice(0, 1) : [],
        ),
      );
      const optionalIn = (name: string, source: string): readonly string[] =>
        name.endsWith("CallParams")
          ? supplied("params")
          : ordinary.has(source)
            ? supplied("result")
            : [];
      for (const { schema, name } of types) {
        const [, source = ""] = /^`(\w+)`/.exec(schema.doc.text) ?? [];
        const optional = optionalIn(name, source);
        const isPartial = name.startsWith("Partial");
        const want = flatten(declarations, source)?.properties.map((member) => [
          member.name,
          member.optional || isPartial || optional.includes(member.name),
        ]);
        expect(
          propertiesIn(schema).map((member) => [member.name, member.optional]),
        ).toEqual(want);
      }
      expect(types.length > 0).toBe(protocol.engineDefaults.length > 0);
    },
  );
});
