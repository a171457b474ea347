import { index } from "../lookup.js";
import type { Declaration, Message, Protocol } from "../model.js";
import { project } from "../projection.js";
import { withoutProse } from "../copies.js";
import {
  compareDeclarations,
  showDeclaration,
  type MessagePart,
} from "./declarations.js";
import { messageParts } from "./message-parts.js";
import { compareMessages } from "./messages.js";
import { changed, deltaOf } from "../change/delta.js";
import { bothSides, classify } from "../change/effects.js";
import type {
  Comparison,
  Delta,
  Difference,
  Subject,
} from "../change/model.js";
import { pairBy } from "../change/pairs.js";
import { withNames } from "../copies.js";
import { findRenames, messageWithNames } from "./renames.js";
import { commonRoles, rolesOf, sendersOf, type Roles } from "./roles.js";
import { pairOfIndexes, type Pair } from "./schemas.js";
import { compareProtocolFacts, type ProtocolFacts } from "./protocol-facts.js";

/**
 * The structural differences between the protocol `a` and the newer protocol
 * `b`. Prose and order do not matter. Pure; both protocols must be closed (see
 * `../model.ts`). Each difference is listed once, at the message or type that
 * declares it.
 */
export function diff(a: Protocol, b: Protocol): Comparison {
  const whole =
    a.source.language === "typescript" && b.source.language === "typescript";
  const [old, fresh]: [Comparable, Comparable] = whole
    ? [withoutProse(a), withoutProse(b)]
    : [project(a), project(b)];
  return {
    format: 2,
    basis: whole ? "whole" : "projection",
    from: { server: null, revision: a.revision, source: a.source.name },
    to: { server: null, revision: b.revision, source: b.source.name },
    differences: compare(old, fresh),
  };
}

type Comparable = ProtocolFacts & Pick<Protocol, "declarations" | "messages">;

function compare(a: Comparable, b: Comparable): readonly Difference[] {
  const renames = findRenames(a.declarations, b.declarations);
  // The older protocol gets the names of the newer one, so that a rename is one
  // difference.
  const old: Comparable = {
    ...a,
    declarations: a.declarations.map((declaration) =>
      withNames(declaration, renames),
    ),
    messages: a.messages.map((message) => messageWithNames(message, renames)),
  };
  const pair = pairOfIndexes(index(old.declarations), index(b.declarations));
  return [
    ...compareProtocolFacts(old, b).map((delta) =>
      classify(delta, { kind: "protocol", name: "" }, bothSides),
    ),
    ...compareAllMessages(pair, old.messages, b.messages),
    ...compareAllDeclarations(
      pair,
      old,
      b,
      new Map([...renames].map(([from, to]) => [to, from])),
    ),
  ];
}

function compareAllMessages(
  pair: Pair,
  old: readonly Message[],
  fresh: readonly Message[],
): Difference[] {
  const pairs = pairBy(old, fresh, [
    ({ kind, method }) => `${kind} ${method}`,
    ({ kind, name }) => `${kind} ${name}`,
  ]);
  const unmatched = (
    message: Message,
    change: "added" | "removed",
  ): Difference => {
    const results =
      message.kind === "request"
        ? `, answered with ${message.results.join(" or ")}`
        : "";
    const text = message.name + results;
    const [before, after] = change === "added" ? [null, text] : [text, null];
    const delta = deltaOf(`${message.kind}-${change}`, before, after);
    return classify(
      delta,
      { kind: "method", name: message.method },
      sendersOf(message),
    );
  };
  return [
    ...pairs.removed.map((before) => unmatched(before, "removed")),
    ...fresh.flatMap((after) => {
      const before = pairs.before.get(after);
      if (before === undefined) return [unmatched(after, "added")];
      const senders = commonRoles(sendersOf(before), sendersOf(after));
      const subject: Subject = { kind: "method", name: after.method };
      return compareMessages(pair, before, after).map((delta) =>
        classify(delta, subject, senders),
      );
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
  const removed = [...pair.before.values()].filter(
    ({ name }) => !pair.after.has(name),
  );
  return [...removed, ...pair.after.values()].flatMap((declaration) => {
    const { name } = declaration;
    const [oldDeclaration, newDeclaration] = [
      pair.before.get(name),
      pair.after.get(name),
    ];
    const subject: Subject = {
      kind: declaration.kind === "constant" ? "constant" : "type",
      name,
    };
    const [oldSenders, newSenders] = [before(name), after(name)];
    // A union that only lists messages or results changes no message itself.
    const isList = oldSenders === null || newSenders === null;
    const senders = isList ? bothSides : commonRoles(oldSenders, newSenders);
    return deltasOf(
      pair,
      oldDeclaration,
      newDeclaration,
      parts(name),
      oldNames.get(name) ?? null,
    ).map((delta) =>
      classify(isList ? { ...delta, shift: "none" } : delta, subject, senders),
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
      ? changed(`${word}-removed`, text, null)
      : changed(`${word}-added`, null, text);
  }
  const word = after.kind === "constant" ? "constant" : "type";
  const renamed = changed(`${word}-renamed`, oldName ?? after.name, after.name);
  return [...renamed, ...compareDeclarations(pair, before, after, part)];
}
