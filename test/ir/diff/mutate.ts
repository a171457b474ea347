import fc from "fast-check";
import type {
  Declaration,
  InterfaceDeclaration,
  Message,
  Property,
  Protocol,
  Type,
} from "../../../src/ir/model.js";

/** One structural change of a protocol and its name. The result always differs from the original. */
export interface Mutation {
  readonly name: string;
  /** Whether a JSON Schema can express the change. */
  readonly onWire: boolean;
  readonly apply: (protocol: Protocol, pick: Pick) => Protocol | null;
}

/** A random element; null for an empty list. */
export type Pick = <T>(from: readonly T[]) => T | null;

const noDoc = { text: "", tags: [] };
const fresh: Property = { name: "never-there-before", optional: true, type: { kind: "boolean" }, doc: noDoc };
/** A type that no schema of the protocol has. */
const odd: Type = {
  kind: "array",
  element: { kind: "literal", value: "never-there-before", constant: null },
  maxItems: 7,
};

export const mutations: readonly Mutation[] = [
  ownMembers("an optional member is added", true, (properties) => [[...properties, fresh]]),
  ownMembers("a required member is added", true, (properties) => [
    [...properties, { ...fresh, optional: false }],
  ]),
  ownMembers("a member is removed", true, (properties) =>
    properties.filter(ofType).map((removed) => properties.filter((property) => property !== removed)),
  ),
  oneMember("the optionality of a member changes", true, (property) => ({
    ...property,
    optional: !property.optional,
  })),
  oneMember("the type of a member changes", true, (property) => ({ ...property, type: odd })),
  oneMember("a member may become null", true, (property) => nullable(property)),
  oneMember("a member becomes an array", true, (property) => ({
    ...property,
    type: { kind: "array", element: property.type, maxItems: null },
  })),
  oneMember("a member is deprecated", false, (property) =>
    property.doc.tags.some(({ name }) => name === "deprecated")
      ? null
      : {
          ...property,
          doc: { ...property.doc, tags: [...property.doc.tags, { name: "deprecated", text: "" }] },
        },
  ),
  oneMember("a format changes", true, ({ type, ...property }) =>
    type.kind === "string" ? { ...property, type: { ...type, format: "never-there-before" } } : null,
  ),
  oneMember("a limit changes", true, ({ type, ...property }) =>
    type.kind === "number" ? { ...property, type: { ...type, minimum: (type.minimum ?? 0) + 7 } } : null,
  ),
  oneMember("a number becomes an integer", true, ({ type, ...property }) =>
    type.kind === "number" && !type.integer ? { ...property, type: { ...type, integer: true } } : null,
  ),
  oneMember("an open enumeration gains a known value", false, ({ type, ...property }) =>
    type.kind === "string"
      ? { ...property, type: { ...type, known: [...type.known, "never-there-before"] } }
      : null,
  ),
  alias("an alias gains an alternative", true, (type) =>
    type.kind === "union"
      ? { ...type, members: [...type.members, odd] }
      : { kind: "union", members: [type, odd] },
  ),
  alias("an alias loses an alternative", true, (type) =>
    type.kind === "union" && type.members.length > 2 ? { ...type, members: type.members.slice(1) } : null,
  ),
  declaration("a type is deprecated", false, (from) =>
    from.doc.tags.some(({ name }) => name === "deprecated")
      ? []
      : [{ ...from, doc: { ...from.doc, tags: [...from.doc.tags, { name: "deprecated", text: "" }] } }],
  ),
  declaration("a constant changes", false, (from) =>
    from.kind === "constant" ? [{ ...from, value: "changed" }] : [],
  ),
  {
    name: "a type is added",
    onWire: true,
    apply: (protocol) => ({
      ...protocol,
      declarations: [
        ...protocol.declarations,
        { kind: "alias", name: "NeverThereBefore", doc: noDoc, type: odd },
      ],
    }),
  },
  message("the sender of a message changes", true, (from) => ({
    ...from,
    sender: from.sender === "client" ? "server" : "client",
  })),
  message("a method is renamed", true, (from) => ({ ...from, method: `${from.method}/again` })),
  message("a message needs another capability", true, (from) => ({
    ...from,
    capability: { side: "client", path: "never.there.before", flag: false },
  })),
  message("the results of a request change", true, (from) =>
    from.kind === "request" ? { ...from, results: [...from.results, "InitializeRequest"] } : null,
  ),
  message("the carriage of a request changes", true, (from) =>
    from.kind === "request" ? { ...from, carriage: from.carriage === "wire" ? "embedded" : "wire" } : null,
  ),
  message("a request becomes cancellable or no longer is", true, (from) =>
    from.kind === "request" ? { ...from, cancellable: !from.cancellable } : null,
  ),
  {
    name: "a message is removed",
    onWire: true,
    apply: (protocol, pick) => {
      const removed = pick(protocol.messages);
      return removed === null
        ? null
        : { ...protocol, messages: protocol.messages.filter((entry) => entry !== removed) };
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
    apply: (protocol) => ({ ...protocol, headers: { ...protocol.headers, version: "Never-There-Before" } }),
  },
];

/** Seeds for `pick`, so that a failing choice shrinks. */
export const picks: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(), { minLength: 4, maxLength: 4 });

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
      const choices = protocol.declarations.flatMap((from) => change(from).map((to) => ({ from, to })));
      const choice = pick(choices);
      if (choice === null) return null;
      const { from, to } = choice;
      return {
        ...protocol,
        declarations: protocol.declarations.map((entry) => (entry === from ? to : entry)),
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
    return change(from.properties).map((properties): InterfaceDeclaration => ({ ...from, properties }));
  });
}

function oneMember(name: string, onWire: boolean, change: (property: Property) => Property | null): Mutation {
  return ownMembers(name, onWire, (properties) =>
    properties.filter(ofType).flatMap((chosen) => {
      const changed = change(chosen);
      return changed === null
        ? []
        : [properties.map((property) => (property === chosen ? changed : property))];
    }),
  );
}

/** The method and the params in a message's declaration also belong to the message, which is not changed here. */
function ofType({ name }: Property): boolean {
  return name !== "method" && name !== "params";
}

function alias(name: string, onWire: boolean, change: (type: Type) => Type | null): Mutation {
  return declaration(name, onWire, (from) => {
    if (from.kind !== "alias" || from.type.kind === "intersection") return [];
    const type = change(from.type);
    return type === null ? [] : [{ ...from, type }];
  });
}

function message(name: string, onWire: boolean, change: (from: Message) => Message | null): Mutation {
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
      return { ...protocol, messages: protocol.messages.map((entry) => (entry === from ? to : entry)) };
    },
  };
}

function nullable(property: Property): Property | null {
  const nothing: Type = { kind: "literal", value: null, constant: null };
  const { type } = property;
  if (type.kind === "unknown" || type.kind === "union" || type.kind === "literal") return null;
  return { ...property, type: { kind: "union", members: [type, nothing] } };
}
