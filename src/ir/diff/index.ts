import { index } from "../lookup.js";
import type { Declaration, Message, Protocol } from "../model.js";
import { project } from "../projection.js";
import { withoutProse } from "../copies.js";
import { compareDeclarations, showDeclaration, type MessagePart } from "./declarations.js";
import { messageParts } from "./message-parts.js";
import { compareMessages } from "./messages.js";
import type { Comparison, Difference, Subject } from "./model.js";
import { withNames } from "../copies.js";
import { findRenames, messageWithNames } from "./renames.js";
import { commonRoles, rolesOf, sendersOf, type Roles } from "./roles.js";
import { pairOfIndexes, type Pair } from "./schemas.js";
import { bothSides, classify, type Delta } from "./variance.js";
import { compareWholes, type WholeFacts } from "./whole.js";

export type { Break, Change, Compared, Comparison, Difference, Subject } from "./model.js";
export type { Side } from "../model.js";

/**
 * The structural differences between the protocol `a` and the newer protocol `b`. Prose and order do not matter.
 * Pure; both protocols must be closed (see `../model.ts`). Each difference is listed once, at the message or type
 * that declares it.
 */
export function diff(a: Protocol, b: Protocol): Comparison {
  const whole = a.source.language === "typescript" && b.source.language === "typescript";
  const [old, fresh]: [Comparable, Comparable] = whole
    ? [withoutProse(a), withoutProse(b)]
    : [project(a), project(b)];
  return {
    format: 1,
    basis: whole ? "whole" : "projection",
    from: { revision: a.revision, source: a.source.name },
    to: { revision: b.revision, source: b.source.name },
    differences: compare(old, fresh),
  };
}

type Comparable = WholeFacts & Pick<Protocol, "declarations" | "messages">;

function compare(a: Comparable, b: Comparable): readonly Difference[] {
  const renames = findRenames(a.declarations, b.declarations);
  // The older protocol gets the names of the newer one, so that a rename is one difference.
  const old: Comparable = {
    ...a,
    declarations: a.declarations.map((declaration) => withNames(declaration, renames)),
    messages: a.messages.map((message) => messageWithNames(message, renames)),
  };
  const pair = pairOfIndexes(index(old.declarations), index(b.declarations));
  return [
    ...compareWholes(old, b).map((delta) => classify(delta, { kind: "protocol", name: "" }, bothSides)),
    ...compareAllMessages(pair, old.messages, b.messages),
    ...compareAllDeclarations(pair, old, b, new Map([...renames].map(([from, to]) => [to, from]))),
  ];
}

function compareAllMessages(pair: Pair, old: readonly Message[], fresh: readonly Message[]): Difference[] {
  const partners = new Map<Message, Message>();
  const join = (key: (message: Message) => string): void => {
    const matches = new Set(partners.values());
    const candidates = new Map(
      old.filter((before) => !matches.has(before)).map((before) => [key(before), before]),
    );
    for (const after of fresh) {
      const before = partners.has(after) ? undefined : candidates.get(key(after));
      if (before !== undefined) partners.set(after, before);
    }
  };
  join(({ kind, method }) => `${kind} ${method}`);
  join(({ kind, name }) => `${kind} ${name}`);
  const matches = new Set(partners.values());
  const unmatched = (message: Message, change: "added" | "removed"): Difference => {
    const text =
      message.kind === "request"
        ? `${message.name}, answered with ${message.results.join(" or ")}`
        : message.name;
    const base: Delta = { change: `${message.kind}-${change}`, path: "", was: null, is: null };
    const delta = change === "added" ? { ...base, is: text } : { ...base, was: text };
    return classify(delta, { kind: "message", name: message.method }, sendersOf(message));
  };
  return [
    ...old.filter((before) => !matches.has(before)).map((before) => unmatched(before, "removed")),
    ...fresh.flatMap((after) => {
      const before = partners.get(after);
      if (before === undefined) return [unmatched(after, "added")];
      const senders = commonRoles(sendersOf(before), sendersOf(after));
      const subject: Subject = { kind: "message", name: after.method };
      return compareMessages(pair, before, after).map((delta) => classify(delta, subject, senders));
    }),
  ];
}

function compareAllDeclarations(
  pair: Pair,
  old: Comparable,
  fresh: Comparable,
  oldNames: ReadonlyMap<string, string>,
): Difference[] {
  const before: Roles = rolesOf(pair.before, old);
  const after: Roles = rolesOf(pair.after, fresh);
  const parts = messageParts(pair, old.messages, fresh.messages);
  const removed = [...pair.before.values()].filter(({ name }) => !pair.after.has(name));
  return [...removed, ...pair.after.values()].flatMap((declaration) => {
    const { name } = declaration;
    const [oldDeclaration, newDeclaration] = [pair.before.get(name), pair.after.get(name)];
    const subject: Subject = { kind: declaration.kind === "constant" ? "constant" : "type", name };
    const [oldSenders, newSenders] = [before(name), after(name)];
    // A union that only lists messages or results changes no message itself.
    const isList = oldSenders === null || newSenders === null;
    const senders = isList ? bothSides : commonRoles(oldSenders, newSenders);
    return deltasOf(pair, oldDeclaration, newDeclaration, parts(name), oldNames.get(name) ?? null).map(
      (delta) => classify(isList ? { ...delta, shift: "none" } : delta, subject, senders),
    );
  });
}

function deltasOf(
  pair: Pair,
  before: Declaration | undefined,
  after: Declaration | undefined,
  part: MessagePart,
  oldName: string | null,
): Delta[] {
  if (before === undefined || after === undefined) {
    const declaration = before ?? after;
    if (declaration === undefined) return [];
    const word = declaration.kind === "constant" ? "constant" : "type";
    const text = showDeclaration(declaration);
    return after === undefined
      ? [{ change: `${word}-removed`, path: "", was: text, is: null }]
      : [{ change: `${word}-added`, path: "", was: null, is: text }];
  }
  const word = after.kind === "constant" ? "constant" : "type";
  const renamed: Delta[] =
    oldName === null ? [] : [{ change: `${word}-renamed`, path: "", was: oldName, is: after.name }];
  return [...renamed, ...compareDeclarations(pair, before, after, part)];
}
