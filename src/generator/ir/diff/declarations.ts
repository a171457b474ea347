import { flatten, type Flat, type FlatProperty } from "../flatten.js";
import { constantIn, objectSchema, restIn } from "../constraint/form.js";
import { wholeSchema } from "../definitions.js";
import type { Base, Declaration } from "../model.js";
import { comparedInBase, type SkipMember } from "./inherited.js";
import { changed, deltaOf } from "../change/delta.js";
import { changes } from "../change/kinds.js";
import type { Delta } from "../change/model.js";
import { showSchema } from "./show.js";
import { compareTags, schemaDeltas, type Pair } from "./schemas.js";

/**
 * What a declaration is for messages: it declares a request or notification, it
 * is a base of one, or neither. JSON-RPC defines the members of a message
 * beside method and params, so a change of these members in a type changes no
 * message.
 */
export type MessagePart = "message" | "base" | "none";

/** The differences between two declarations of the same name. */
export function compareDeclarations(
  pair: Pair,
  before: Declaration,
  after: Declaration,
  part: MessagePart,
): Delta[] {
  const tags = compareTags(before.schema.doc, after.schema.doc);
  if (before.kind === "constant" || after.kind === "constant")
    return [...tags, ...compareConstants(before, after)];
  if (before.kind === "interface" && after.kind === "interface")
    return [...tags, ...compareInterfaces(pair, before, after, part)];
  if (before.kind === "alias" && after.kind === "alias")
    return [...tags, ...schemaDeltas(pair, before.schema, after.schema)];
  const kinds = deltaOf("kind-changed", before.kind, after.kind);
  const deltas = schemaDeltas(
    pair,
    wholeSchema(pair.before, before),
    wholeSchema(pair.after, after),
  );
  return [
    ...tags,
    kinds,
    ...deltas.filter(({ change }) => change !== "restated"),
  ];
}

function compareConstants(before: Declaration, after: Declaration): Delta[] {
  if (before.kind !== after.kind)
    return changed("kind-changed", before.kind, after.kind);
  const values = [before, after].map(({ schema }) => constantIn(schema));
  const [old = "", fresh = ""] = values.map((value) => JSON.stringify(value));
  const isCode = values.some((value) => typeof value === "number");
  return changed("constant-changed", old, fresh).map((delta) =>
    isCode ? delta : { ...delta, shift: "none" },
  );
}

function compareInterfaces(
  pair: Pair,
  oldDeclaration: Declaration,
  newDeclaration: Declaration,
  part: MessagePart,
): Delta[] {
  const { name } = newDeclaration;
  const deltas = changed(
    "bases-changed",
    showBases(oldDeclaration.bases),
    showBases(newDeclaration.bases),
  );
  const isRebased = deltas.length > 0;
  const before = ownRest(flatten(pair.before, name), oldDeclaration, isRebased);
  const after = ownRest(flatten(pair.after, name), newDeclaration, isRebased);
  if (before === null || after === null) return deltas;
  const isComparedInBase = comparedInBase(pair, name);
  const skip: SkipMember = (member, old, fresh) => {
    if (isComparedInBase(member, old, fresh)) return true;
    if (part === "none") return false;
    // The method and the params are compared with the message, and its other
    // members with its base.
    if (member === "method" || member === "params") return part === "message";
    return (
      isRebased &&
      [old, fresh].every(
        (property) => property === null || property.declaredBy !== name,
      )
    );
  };
  const [old, fresh] = withoutSkipped(before, after, skip);
  const members = schemaDeltas(
    pair,
    objectSchema(old.properties, old.rest),
    objectSchema(fresh.properties, fresh.rest),
  );
  const moves = isRebased ? [] : movedMembers(before, after, name, skip);
  const memberDeltas = members.map((delta): Delta => {
    const isOfMessage =
      part !== "none" &&
      /^\.(?!params\b)/.test(delta.path) &&
      changes[delta.change][0] !== "none";
    return isOfMessage ? { ...delta, change: "message-member-changed" } : delta;
  });
  return [...deltas, ...memberDeltas, ...moves];
}

/** Both objects without the members that are compared elsewhere. */
function withoutSkipped(
  before: Flat,
  after: Flat,
  skip: SkipMember,
): readonly [Flat, Flat] {
  const [old, fresh] = [byName(before), byName(after)];
  const kept = (flat: Flat): Flat => ({
    ...flat,
    properties: flat.properties.filter(
      ({ name }) => !skip(name, old.get(name) ?? null, fresh.get(name) ?? null),
    ),
  });
  return [kept(before), kept(after)];
}

const byName = ({ properties }: Flat): ReadonlyMap<string, FlatProperty> =>
  new Map(properties.map((property) => [property.name, property]));

/** Members that another declaration declares now. */
function movedMembers(
  before: Flat,
  after: Flat,
  name: string,
  skip: SkipMember,
): Delta[] {
  const members = byName(after);
  return before.properties.flatMap((oldMember): Delta[] => {
    const newMember = members.get(oldMember.name);
    if (
      newMember === undefined ||
      oldMember.declaredBy === newMember.declaredBy ||
      skip(oldMember.name, oldMember, newMember)
    )
      return [];
    const textOf = (property: FlatProperty): string =>
      `${property.name} of ${property.declaredBy ?? name}`;
    return [deltaOf("restated", textOf(oldMember), textOf(newMember))];
  });
}

/**
 * Leaves out an index signature that comes from an unchanged base, because it
 * is compared there.
 */
function ownRest(
  flat: Flat | null,
  { schema }: Declaration,
  isRebased: boolean,
): Flat | null {
  return flat === null || isRebased ? flat : { ...flat, rest: restIn(schema) };
}

function showBases(bases: readonly Base[]): string {
  const names = bases.map(({ name, omit }) =>
    omit.length === 0
      ? name
      : `Omit<${name}, ${omit.map((member) => JSON.stringify(member)).join(" | ")}>`,
  );
  return names.length === 0 ? "nothing" : names.join(", ");
}

/** A whole declaration on one line. */
export function showDeclaration({ bases, schema }: Declaration): string {
  const own = showSchema(schema);
  return bases.length === 0 ? own : `${showBases(bases)} & ${own}`;
}
