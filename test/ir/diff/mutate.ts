import fc from "fast-check";
import type { Schema } from "../../../src/generator/ir/constraint.js";
import {
  alternativesIn,
  constantIn,
  onlyOf,
  type Property,
  propertiesIn,
  restIn,
  typeIn,
} from "../../../src/generator/ir/constraint/form.js";
import { union } from "../../../src/generator/ir/combine.js";
import type {
  Declaration,
  Message,
  Protocol,
} from "../../../src/generator/ir/model.js";
import * as schemas from "../schemas.js";

/**
 * One structural change of a protocol and its name. The result always differs
 * from the original.
 */
export interface Mutation {
  readonly name: string;
  /** Whether a JSON Schema can express the change. */
  readonly onWire: boolean;
  readonly apply: (protocol: Protocol, pick: Pick) => Protocol | null;
}

/** A random element; null for an empty list. */
export type Pick = <T>(from: readonly T[]) => T | null;

const fresh = schemas.member("never-there-before", schemas.boolean, true);
/** A schema that no schema of the protocol has. */
const odd = schemas.array(schemas.literal("never-there-before"), 7);

export const mutations: readonly Mutation[] = [
  ownMembers("an optional member is added", true, (properties) => [
    [...properties, fresh],
  ]),
  ownMembers("a required member is added", true, (properties) => [
    [...properties, { ...fresh, optional: false }],
  ]),
  ownMembers("a member is removed", true, (properties) =>
    properties
      .filter(isFree)
      .map((removed) => properties.filter((property) => property !== removed)),
  ),
  oneMember("the optionality of a member changes", true, (property) => ({
    ...property,
    optional: !property.optional,
  })),
  oneType("the type of a member changes", true, () => odd),
  oneType("a member may become null", true, (schema) =>
    schema.checks.length === 0 ||
    alternativesIn(schema).length > 1 ||
    constantIn(schema) !== undefined
      ? null
      : schemas.union(schema, schemas.literal(null)),
  ),
  oneType("a member becomes an array", true, (schema) => schemas.array(schema)),
  oneMember("a member is deprecated", false, (property) => {
    const schema = deprecated(property.schema);
    return schema === null ? null : { ...property, schema };
  }),
  oneType("a format changes", true, (schema) =>
    typeIn(schema) === "string"
      ? {
          ...schema,
          notes: schemas.formatted("never-there-before").notes ?? [],
        }
      : null,
  ),
  oneType("a limit changes", true, (schema) =>
    typeIn(schema) === "number" || typeIn(schema) === "integer"
      ? schemas.bounded(schema, 1_000_007)
      : null,
  ),
  oneType("a number becomes an integer", true, (schema) =>
    typeIn(schema) === "number"
      ? {
          ...schema,
          checks: schema.checks.map((check) =>
            check.kind === "type" ? { ...check, types: ["integer"] } : check,
          ),
        }
      : null,
  ),
  oneType("an open enumeration gains a known value", false, (schema) =>
    alternativesIn(schema).some((part) => typeIn(part) === "string")
      ? union([schema, schemas.literal("never-there-before")])
      : null,
  ),
  alias("an alias gains an alternative", true, (schema) =>
    union([schema, odd]),
  ),
  alias("an alias loses an alternative", true, (schema) => {
    const [first, ...others] = alternativesIn(schema);
    const isOpen = others.some((part) => typeIn(part) === "string");
    return first === undefined || others.length < 2 || isOpen
      ? null
      : union(others);
  }),
  declaration("a type is deprecated", false, (from) => {
    const schema = deprecated(from.schema);
    return schema === null ? [] : [{ ...from, schema }];
  }),
  declaration("a constant changes", false, (from) =>
    from.kind === "constant"
      ? [{ ...from, schema: schemas.literal("changed") }]
      : [],
  ),
  {
    name: "a type is added",
    onWire: true,
    apply: (protocol) => ({
      ...protocol,
      declarations: [
        ...protocol.declarations,
        schemas.alias("NeverThereBefore", odd),
      ],
    }),
  },
  message("the sender of a message changes", true, (from) => ({
    ...from,
    sender: from.sender === "client" ? "server" : "client",
  })),
  message("a method is renamed", true, (from) => ({
    ...from,
    method: `${from.method}/again`,
  })),
  message("a message needs another capability", true, (from) => ({
    ...from,
    capability: { side: "client", path: "never.there.before", flag: false },
  })),
  message("the results of a request change", true, (from) =>
    from.kind === "request"
      ? { ...from, results: [...from.results, "InitializeRequest"] }
      : null,
  ),
  message("the carriage of a request changes", true, (from) =>
    from.kind === "request"
      ? { ...from, carriage: from.carriage === "wire" ? "embedded" : "wire" }
      : null,
  ),
  message("a request becomes cancellable or no longer is", true, (from) =>
    from.kind === "request"
      ? { ...from, cancellable: !from.cancellable }
      : null,
  ),
  {
    name: "a message is removed",
    onWire: true,
    apply: (protocol, pick) => {
      const removed = pick(protocol.messages);
      return removed === null
        ? null
        : {
            ...protocol,
            messages: protocol.messages.filter((entry) => entry !== removed),
          };
    },
  },
  {
    name: "batches change",
    onWire: true,
    apply: (protocol) => ({ ...protocol, batches: !protocol.batches }),
  },
  {
    name: "a header is renamed",
    onWire: true,
    apply: (protocol) => ({
      ...protocol,
      headers: { ...protocol.headers, version: "Never-There-Before" },
    }),
  },
];

/** Seeds for `pick`, so that a failing choice shrinks. */
export const picks: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(), {
  minLength: 4,
  maxLength: 4,
});

export function picker(seeds: readonly number[]): Pick {
  let next = 0;
  return (from) => {
    const seed = seeds[next % seeds.length] ?? 0;
    next += 1;
    return from[seed % Math.max(1, from.length)] ?? null;
  };
}

/** Picks one of the declarations to which the change applies. */
function declaration(
  name: string,
  onWire: boolean,
  change: (from: Declaration) => readonly Declaration[],
): Mutation {
  return {
    name,
    onWire,
    apply: (protocol, pick) => {
      const choices = protocol.declarations.flatMap((from) =>
        change(from).map((to) => ({ from, to })),
      );
      const choice = pick(choices);
      if (choice === null) return null;
      const { from, to } = choice;
      return {
        ...protocol,
        declarations: protocol.declarations.map((entry) =>
          entry === from ? to : entry,
        ),
      };
    },
  };
}

/** Every change of the own members of an interface. */
function ownMembers(
  name: string,
  onWire: boolean,
  change: (properties: readonly Property[]) => readonly (readonly Property[])[],
): Mutation {
  return declaration(name, onWire, (from) => {
    if (from.kind !== "interface") return [];
    const { doc } = from.schema;
    return change(propertiesIn(from.schema)).map((properties) => ({
      ...from,
      schema: { ...schemas.object(properties, restIn(from.schema)), doc },
    }));
  });
}

function oneMember(
  name: string,
  onWire: boolean,
  change: (property: Property) => Property | null,
): Mutation {
  return ownMembers(name, onWire, (properties) =>
    properties.filter(isFree).flatMap((chosen) => {
      const changed = change(chosen);
      return changed === null
        ? []
        : [
            properties.map((property) =>
              property === chosen ? changed : property,
            ),
          ];
    }),
  );
}

/** A change of a member's schema apart from its doc. */
function oneType(
  name: string,
  onWire: boolean,
  change: (schema: Schema) => Schema | null,
): Mutation {
  return oneMember(name, onWire, (property) => {
    const schema = change({ ...property.schema, doc: schemas.noDoc });
    return schema === null
      ? null
      : { ...property, schema: { ...schema, doc: property.schema.doc } };
  });
}

/**
 * The method and the params in a message's declaration also belong to the
 * message, which is not changed here.
 */
function isFree({ name }: Property): boolean {
  return name !== "method" && name !== "params";
}

function alias(
  name: string,
  onWire: boolean,
  change: (schema: Schema) => Schema | null,
): Mutation {
  return declaration(name, onWire, (from) => {
    const { doc, checks } = from.schema;
    if (
      from.kind !== "alias" ||
      checks.length === 0 ||
      onlyOf(checks, "all") !== null
    )
      return [];
    const schema = change({ ...from.schema, doc: schemas.noDoc });
    return schema === null ? [] : [{ ...from, schema: { ...schema, doc } }];
  });
}

/** The schema with the tag `deprecated`; null if it has it. */
function deprecated({ doc, ...schema }: Schema): Schema | null {
  if (doc.tags.some(({ name }) => name === "deprecated")) return null;
  return {
    ...schema,
    doc: { ...doc, tags: [...doc.tags, { name: "deprecated", text: "" }] },
  };
}

function message(
  name: string,
  onWire: boolean,
  change: (from: Message) => Message | null,
): Mutation {
  return {
    name,
    onWire,
    apply: (protocol, pick) => {
      const choices = protocol.messages.flatMap((from) => {
        const to = change(from);
        return to === null ? [] : [{ from, to }];
      });
      const choice = pick(choices);
      if (choice === null) return null;
      const { from, to } = choice;
      return {
        ...protocol,
        messages: protocol.messages.map((entry) =>
          entry === from ? to : entry,
        ),
      };
    },
  };
}
