import type { ts } from "ts-morph";
import type { Difference } from "../ir/diff/index.js";
import { index, tagOf } from "../ir/lookup.js";
import type { Doc, Protocol } from "../ir/model.js";
import type { Compiler } from "./compiler.js";
import { quote } from "./quote.js";
import { lastStep } from "./vocabulary.js";

/** A member with the same type under another name. */
export interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * Renamed members, by both of their differences. A removed and an added member of one object match if they have the same
 * type and no other member of the object that was removed or added has it.
 */
export function findMemberRenames(differences: readonly Difference[]): ReadonlyMap<Difference, Rename> {
  const groups = new Map<string, { removed: Difference[]; added: Difference[] }>();
  for (const difference of differences) {
    const shape = shapeOf(difference);
    if (shape === null) continue;
    const { subject, path } = difference;
    const key = JSON.stringify([subject.kind, subject.name, parentOf(path), shape]);
    const group = groups.get(key) ?? { removed: [], added: [] };
    groups.set(key, group);
    group[difference.was === null ? "added" : "removed"].push(difference);
  }
  const renames = new Map<Difference, Rename>();
  for (const { removed, added } of groups.values()) {
    const [was, is] = [removed[0], added[0]];
    if (removed.length !== 1 || added.length !== 1 || was === undefined || is === undefined) continue;
    const rename = { from: nameIn(was.was ?? ""), to: nameIn(is.is ?? "") };
    renames.set(was, rename);
    renames.set(is, rename);
  }
  return renames;
}

/** The type of an added or removed member as text; null for other changes. */
function shapeOf({ change, was, is }: Difference): string | null {
  if (!/^(optional|required)-member-(added|removed)$/.test(change)) return null;
  const text = was ?? is ?? "";
  const type = text.slice(nameIn(text).length).replace(/^"*\??: /, "");
  return `${text.includes("?: ") ? "optional" : "required"} ${type}`;
}

/** The name in `name?: type`. */
function nameIn(member: string): string {
  const match = /^("(?:[^"\\]|\\.)*")/.exec(member);
  if (match?.[1] !== undefined) return JSON.parse(match[1]) as string;
  return /^[^?:]*/.exec(member)?.[0] ?? "";
}

/** The path of the object that has the last member of a path. */
export function parentOf(path: string): string {
  return path.replace(/(^|\.)[^.[\]{}]+$|\["(?:[^"\\]|\\.)*"\]$/, "");
}

/** What to write instead, as a sentence without its full stop; null if that is not mechanical. */
export function adviceOf(before: Protocol, after: Protocol, difference: Difference): string | null {
  const { change, is, subject } = difference;
  switch (change) {
    case "required-member-added":
    case "member-made-required":
      return is === null ? null : `add ${quote(withValue(after, difference, is))}`;
    case "type-renamed":
    case "constant-renamed":
      return `write ${quote(subject.name)}`;
    case "method-renamed":
      return is === null ? null : `write ${quote(JSON.stringify(is))}`;
    case "type-removed":
    case "constant-removed":
      return successor(after, index(before).get(subject.name)?.doc);
    case "request-removed":
    case "notification-removed": {
      const message = before.messages.find(({ method }) => method === subject.name);
      return successor(after, message && index(before).get(message.name)?.doc);
    }
    case "value-added":
      return is === null ? null : `handle ${quote(is)}`;
    case "constant-changed":
      return is === null ? null : `write the constant ${quote(subject.name)}, or ${quote(is)}`;
    case "tag-added":
      return is?.startsWith("@deprecated") === true ? deprecation(after, difference) : null;
    case "optional-member-removed":
    case "required-member-removed":
      return memberSuccessor(before, after, difference);
    default:
      return null;
  }
}

/** What to write instead of a renamed member. In a shorthand, the variable keeps its name. */
export function renameAt(compiler: Compiler, node: ts.Node, { from, to }: Rename): string {
  const { parent } = node;
  const isVariable =
    compiler.isShorthandPropertyAssignment(parent) ||
    (compiler.isBindingElement(parent) && parent.propertyName === undefined);
  if (!isVariable) return `write ${quote(to)}`;
  const member = /^[A-Za-z_$][\w$]*$/.test(to) ? to : JSON.stringify(to);
  return `write ${quote(`${member}: ${from}`)}`;
}

/** The member with the value that the session engine supplies as a default, if it has one. */
function withValue({ engineDefaults }: Protocol, { path }: Difference, member: string): string {
  const entry = engineDefaults.find(({ member: name, value }) => name === lastStep(path) && value !== null);
  return entry === undefined ? member : `${entry.member}: ${JSON.stringify(entry.value)}`;
}

/** The advice of a schema's deprecation tag. A name in it that the new protocol has is shown as code. */
function successor(after: Protocol, doc: Doc | undefined): string | null {
  const text = doc === undefined ? null : tagOf(doc, "deprecated");
  if (text === null || text === "") return null;
  const words = new Set(text.match(/[\w$]+(?:\/[\w$]+)*/g) ?? []);
  const names = [
    ...after.messages.map(({ method }) => method),
    ...after.declarations.map(({ name }) => name),
  ].filter((name) => words.has(name) && /[A-Z/]/.test(name));
  const only = names.length === 1 ? names[0] : undefined;
  if (only !== undefined) return `use ${quote(only)} (the schema says: ${quote(text)})`;
  return `the schema says: ${quote(text)}`;
}

function deprecation(after: Protocol, { subject, path }: Difference): string | null {
  const message = after.messages.find(({ method }) => method === subject.name);
  const name = subject.kind === "message" ? message?.name : subject.name;
  const doc = docAt(after, name ?? "", path);
  return successor(after, doc);
}

function memberSuccessor(before: Protocol, after: Protocol, { subject, path }: Difference): string | null {
  return subject.kind === "type" ? successor(after, docAt(before, subject.name, path)) : null;
}

/** The doc of a declaration or of one of its own members. */
function docAt(protocol: Protocol, name: string, path: string): Doc | undefined {
  const declaration = index(protocol).get(name);
  if (declaration === undefined || path === "") return declaration?.doc;
  const properties =
    declaration.kind === "interface"
      ? declaration.properties
      : declaration.kind === "alias" && declaration.type.kind === "object"
        ? declaration.type.properties
        : [];
  return properties.find((property) => property.name === path)?.doc;
}
