import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diff } from "../../../src/generator/ir/diff/index.js";
import type { Check, Schema } from "../../../src/generator/ir/constraint.js";
import { mapSchema } from "../../../src/generator/ir/constraint/walk.js";
import type { Protocol } from "../../../src/generator/ir/model.js";
import { revisions } from "../../read/typescript/reading.js";
import { boolean, iface, member, unknown } from "../schemas.js";
import { mutations, picker, picks, type Mutation } from "./mutate.js";

const all = await revisions();
/** A protocol by its index, so that a failure is reported in one line. */
const indexes = fc.nat({ max: all.length - 1 });

function protocolAt(place: number): Protocol {
  const protocol = all[place];
  if (protocol === undefined)
    throw new Error(`there are ${all.length} revisions`);
  return protocol;
}

/** The protocol in another order, wherever the order has no meaning. */
function shuffled(protocol: Protocol, seed: number): Protocol {
  const turn = <T>(list: readonly T[]): T[] => {
    const at = list.length === 0 ? 0 : seed % list.length;
    return [...list.slice(at), ...list.slice(0, at)].reverse();
  };
  const turned = (check: Check): Check => {
    switch (check.kind) {
      case "any":
        return { ...check, schemas: turn(check.schemas) };
      case "required":
        return { ...check, names: turn(check.names) };
      case "members":
        return { ...check, properties: turn(check.properties) };
      default:
        return check;
    }
  };
  const change = (schema: Schema): Schema => ({
    ...schema,
    checks: schema.checks.map(turned),
  });
  return {
    ...protocol,
    messages: turn(protocol.messages),
    declarations: turn(protocol.declarations).map((declaration) => ({
      ...declaration,
      schema: mapSchema(declaration.schema, change),
    })),
  };
}

/**
 * The same protocol with JSON Schema as its source, so that projections are
 * compared.
 */
function printed(protocol: Protocol): Protocol {
  return {
    ...protocol,
    source: { ...protocol.source, language: "json-schema" },
  };
}

describe("the comparison of a protocol with itself", () => {
  it("reports nothing, also for a copy and for another order", () => {
    fc.assert(
      fc.property(indexes, fc.nat(), (place, seed) => {
        const protocol = protocolAt(place);
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

/**
 * Applies a mutation several times and expects a difference, in alternating
 * directions. Returns how often it could be applied.
 */
function timesDifferent(
  mutation: Mutation,
  view: (protocol: Protocol) => Protocol,
): number {
  let applied = 0;
  fc.assert(
    fc.property(indexes, picks, (place, seeds) => {
      const protocol = protocolAt(place);
      const changed = mutation.apply(protocol, picker(seeds));
      if (changed === null) return;
      applied += 1;
      const [was, is] =
        applied % 2 === 1 ? [protocol, changed] : [changed, protocol];
      expect(diff(view(was), is).differences).not.toEqual([]);
    }),
    { numRuns: 12 },
  );
  return applied;
}

describe("the comparison of a protocol with a changed copy", () => {
  it.each(mutations)("reports a difference if $name", (mutation) => {
    // A change that cannot be applied would prove nothing.
    expect(timesDifferent(mutation, (protocol) => protocol)).toBeGreaterThan(0);
  });

  it.each(mutations.filter(({ onWire }) => onWire))(
    "reports a difference of the projections if $name",
    (mutation) => {
      expect(timesDifferent(mutation, printed)).toBeGreaterThan(0);
    },
  );
});

describe("the comparison of very large protocols", () => {
  it("reports a change in the last of 300 types with 100 members each in detail", () => {
    const protocol = protocolAt(0);
    const large = (last: Schema): Protocol => ({
      ...protocol,
      declarations: [
        ...protocol.declarations,
        ...Array.from({ length: 300 }, (_, i) => {
          const schema = i === 299 ? last : boolean;
          const members = Array.from({ length: 100 }, (_, place) =>
            member(`m${place}`, schema, true),
          );
          return iface(`T${i}`, [], members);
        }),
      ],
    });
    const { differences } = diff(large(boolean), large(unknown));
    expect(differences).toHaveLength(100);
    expect(differences[99]).toMatchObject({
      change: "type-widened",
      subject: { name: "T299" },
      path: "m99",
    });
  });
});

describe("the effects of a change", () => {
  it("concern both ends of each exchange, each of them once", () => {
    fc.assert(
      fc.property(
        indexes,
        fc.nat({ max: mutations.length - 1 }),
        picks,
        (place, which, seeds) => {
          const protocol = protocolAt(place);
          const changed =
            mutations[which]?.apply(protocol, picker(seeds)) ?? protocol;
          for (const { effects } of diff(protocol, changed).differences) {
            const parties = effects.map(({ who }) => who);
            expect(new Set(parties).size).toBe(parties.length);
            for (const [one, other] of exchanges)
              expect(parties.includes(one)).toBe(parties.includes(other));
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});

const exchanges = [
  ["sending client", "receiving server"],
  ["sending server", "receiving client"],
] as const;
