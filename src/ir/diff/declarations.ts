import { flatten, type Flat, type FlatProperty } from "../flatten.js";
import type { AliasDeclaration, Base, Declaration, InterfaceDeclaration, Type } from "../model.js";
import { objectOf } from "../projection/type.js";
import type { Pair } from "./context.js";
import { toldByBase } from "./inherited.js";
import { shifts } from "./model.js";
import { compareObjects, compareTags } from "./object.js";
import { showType } from "./show.js";
import { compareTypes } from "./type.js";
import type { Finding } from "./variance.js";

/**
 * What a declaration has to do with the envelope of messages: it declares a request or notification, it is a base of
 * some, or neither. What an envelope holds beside method and params is settled by JSON-RPC, whether or not a type says so.
 */
export type EnvelopePart = "message" | "base" | "none";

/** What sets two declarations of one name apart. */
export function compareDeclarations(
  pair: Pair,
  was: Declaration,
  is: Declaration,
  part: EnvelopePart,
): Finding[] {
  const tags = compareTags(was.doc, is.doc);
  if (was.kind === "constant" || is.kind === "constant") return [...tags, ...compareConstants(was, is)];
  if (was.kind === "interface" && is.kind === "interface") {
    return [...tags, ...compareInterfaces(pair, was, is, part)];
  }
  if (was.kind === "alias" && is.kind === "alias") return [...tags, ...compareTypes(pair, was.type, is.type)];
  const kinds: Finding = { change: "kind-changed", path: "", was: was.kind, is: is.kind };
  const [old, fresh] = [typeOf(pair.before, was), typeOf(pair.after, is)];
  const found = compareTypes(pair, old, fresh).filter(({ change }) => change !== "restated");
  return [...tags, kinds, ...found];
}

function compareConstants(was: Declaration, is: Declaration): Finding[] {
  if (was.kind !== "constant" || is.kind !== "constant") {
    return [{ change: "kind-changed", path: "", was: was.kind, is: is.kind }];
  }
  if (was.value === is.value) return [];
  const isCode = typeof was.value === "number" || typeof is.value === "number";
  const shown = { was: JSON.stringify(was.value), is: JSON.stringify(is.value) };
  return [
    { change: "constant-changed", path: "", ...shown, shift: isCode ? shifts["constant-changed"] : "none" },
  ];
}

function compareInterfaces(
  pair: Pair,
  was: InterfaceDeclaration,
  is: InterfaceDeclaration,
  part: EnvelopePart,
): Finding[] {
  const { name } = is;
  const rebased = showBases(was.bases) !== showBases(is.bases);
  const found: Finding[] = rebased
    ? [{ change: "bases-changed", path: "", was: showBases(was.bases), is: showBases(is.bases) }]
    : [];
  const before = ownRest(flatten(pair.before, name), was, rebased);
  const after = ownRest(flatten(pair.after, name), is, rebased);
  if (before === null || after === null) return found;
  const elsewhere = toldByBase(pair, name);
  const skip = (old: FlatProperty | null, fresh: FlatProperty | null): boolean => {
    if (elsewhere(old, fresh)) return true;
    if (part === "none") return false;
    // The method is the message's own name, its params are told with it, and the rest of an envelope comes with its base.
    const member = (old ?? fresh)?.name;
    if (member === "method" || member === "params") return part === "message";
    return rebased && [old, fresh].every((property) => property === null || property.declaredBy !== name);
  };
  const members = compareObjects(pair, before, after, skip);
  const own = rebased ? [] : moved(before, after, name, skip);
  const told = members.map((finding): Finding => {
    const settled =
      part !== "none" && /^\.(?!params\b)/.test(finding.path) && shifts[finding.change] !== "none";
    return settled ? { ...finding, change: "envelope-changed" } : finding;
  });
  return [...found, ...told, ...own];
}

/** A member that became an interface's own, or stopped being, and is otherwise the same. */
function moved(
  before: Flat,
  after: Flat,
  name: string,
  skip: (old: FlatProperty, fresh: FlatProperty) => boolean,
): Finding[] {
  const fresh = new Map(after.properties.map((property) => [property.name, property]));
  return before.properties.flatMap((was): Finding[] => {
    const is = fresh.get(was.name);
    if (is === undefined || was.declaredBy === is.declaredBy || skip(was, is)) return [];
    if (was.declaredBy !== name && is.declaredBy !== name) return [];
    const shown = (property: FlatProperty): string => `${property.name} of ${property.declaredBy ?? name}`;
    return [{ change: "restated", path: "", was: shown(was), is: shown(is) }];
  });
}

/** An index signature that comes from an unchanged base is told there. */
function ownRest(flat: Flat | null, declaration: InterfaceDeclaration, rebased: boolean): Flat | null {
  return flat === null || rebased ? flat : { ...flat, rest: declaration.rest };
}

function typeOf(declarations: Pair["before"], declaration: InterfaceDeclaration | AliasDeclaration): Type {
  if (declaration.kind === "alias") return declaration.type;
  const flat = flatten(declarations, declaration.name);
  const { properties, rest } = declaration;
  return flat === null ? { kind: "object", properties, rest } : objectOf(flat);
}

function showBases(bases: readonly Base[]): string {
  const shown = bases.map(({ name, omit }) =>
    omit.length === 0 ? name : `Omit<${name}, ${omit.map((member) => JSON.stringify(member)).join(" | ")}>`,
  );
  return shown.length === 0 ? "nothing" : shown.join(", ");
}

/** A whole declaration on one line. */
export function showDeclaration(declaration: Declaration): string {
  switch (declaration.kind) {
    case "constant":
      return JSON.stringify(declaration.value);
    case "alias":
      return showType(declaration.type);
    case "interface": {
      const { bases, properties, rest } = declaration;
      const own = showType({ kind: "object", properties, rest });
      return bases.length === 0 ? own : `${showBases(bases)} & ${own}`;
    }
    default:
      return declaration satisfies never;
  }
}
