import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diff } from "../../../src/ir/diff/index.js";
import type { Protocol, Type } from "../../../src/ir/model.js";
import { revisions } from "../../read/typescript/reading.js";
import { mutations, picker, picks, type Mutation } from "./mutate.js";

const all = await revisions();
/** A protocol by its place: what failed is then told in one line. */
const places = fc.nat({ max: all.length - 1 });

function at(place: number): Protocol {
  const protocol = all[place];
  if (protocol === undefined) throw new Error(`there are ${all.length} revisions`);
  return protocol;
}

/** A protocol of no particular order: everything that may stand in another order does. */
function shuffled(protocol: Protocol, seed: number): Protocol {
  const turn = <T>(list: readonly T[]): T[] => {
    const at = list.length === 0 ? 0 : seed % list.length;
    return [...list.slice(at), ...list.slice(0, at)].reverse();
  };
  const type = (from: Type): Type => {
    switch (from.kind) {
      case "array":
        return { ...from, element: type(from.element) };
      case "record":
        return { ...from, member: type(from.member) };
      case "object":
        return {
          ...from,
          properties: turn(from.properties).map((property) => ({ ...property, type: type(property.type) })),
        };
      case "union":
        return { ...from, members: turn(from.members).map(type) };
      default:
        return from;
    }
  };
  return {
    ...protocol,
    messages: turn(protocol.messages),
    declarations: turn(protocol.declarations).map((declaration) => {
      if (declaration.kind === "alias") return { ...declaration, type: type(declaration.type) };
      if (declaration.kind === "constant") return declaration;
      const properties = turn(declaration.properties).map((property) => ({
        ...property,
        type: type(property.type),
      }));
      return { ...declaration, properties };
    }),
  };
}

/** The same protocol as if a JSON Schema had told it, so that projections are compared. */
function printed(protocol: Protocol): Protocol {
  return { ...protocol, source: { ...protocol.source, language: "json-schema" } };
}

describe("a protocol", () => {
  it("does not differ from itself, from its JSON copy, or from itself in another order", () => {
    fc.assert(
      fc.property(places, fc.nat(), (place, seed) => {
        const protocol = at(place);
        const copy = JSON.parse(JSON.stringify(protocol)) as Protocol;
        for (const other of [protocol, copy, shuffled(protocol, seed)]) {
          expect(diff(protocol, other).differences).toEqual([]);
          expect(diff(printed(protocol), other).differences).toEqual([]);
        }
      }),
      { numRuns: 6 },
    );
  });
});

/** How often a mutation could be applied; each time the two differed, in one direction and the other by turns. */
function timesDifferent(mutation: Mutation, view: (protocol: Protocol) => Protocol): number {
  let applied = 0;
  fc.assert(
    fc.property(places, picks, (place, seeds) => {
      const protocol = at(place);
      const changed = mutation.apply(protocol, picker(seeds));
      if (changed === null) return;
      applied += 1;
      const [was, is] = applied % 2 === 1 ? [protocol, changed] : [changed, protocol];
      expect(diff(view(was), is).differences).not.toEqual([]);
    }),
    { numRuns: 12 },
  );
  return applied;
}

describe("a protocol differs from itself once", () => {
  it.each(mutations)("$name", (mutation) => {
    // A change that fits nowhere would prove nothing.
    expect(timesDifferent(mutation, (protocol) => protocol)).toBeGreaterThan(0);
  });

  it.each(mutations.filter(({ onWire }) => onWire))("by its projection too, when $name", (mutation) => {
    expect(timesDifferent(mutation, printed)).toBeGreaterThan(0);
  });
});

describe("the impact of a change", () => {
  it("is breaking exactly when somebody breaks", () => {
    fc.assert(
      fc.property(places, fc.nat({ max: mutations.length - 1 }), picks, (place, which, seeds) => {
        const protocol = at(place);
        const changed = mutations[which]?.apply(protocol, picker(seeds)) ?? protocol;
        for (const { impact, breaks } of diff(protocol, changed).differences) {
          expect(impact === "breaking").toBe(breaks.length > 0);
        }
      }),
      { numRuns: 50 },
    );
  });
});
