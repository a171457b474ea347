import { answers } from "../facts.js";
import { flatten } from "../flatten.js";
import type { Capability, Condition, Message, Params, RequestMessage } from "../model.js";
import type { Pair } from "./context.js";
import type { Change, Side } from "./model.js";
import { answerersOf, commonRoles, sendersOf } from "./roles.js";
import { showType } from "./show.js";
import { compareTraits } from "./traits.js";
import { compareTypes } from "./type.js";
import { under } from "./place.js";
import { peerOf, type Finding } from "./variance.js";

/** What sets two messages apart: of one method, or of one declaration whose method was renamed. */
export function compareMessages(pair: Pair, was: Message, is: Message): Finding[] {
  const found: Finding[] = [];
  if (was.method !== is.method)
    found.push({ change: "method-renamed", path: "", was: was.method, is: is.method });
  if (was.name !== is.name)
    found.push({ change: "declaration-changed", path: "", was: was.name, is: is.name });
  found.push(...compareSenders(was, is), ...compareCapability(was, is));
  for (const each of compareParams(pair, was, is)) {
    found.push(is.kind === "request" ? withConditions(pair, is, each) : each);
  }
  if (was.kind === "request" && is.kind === "request") {
    const answerers = commonRoles(answerersOf(was), answerersOf(is));
    for (const each of compareResults(pair, was, is)) found.push({ ...each, senders: answerers });
    for (const each of compareWire(was, is)) found.push(each);
    for (const each of compareConditions(was, is)) found.push(each);
  }
  for (const each of compareTraits(was, is, told)) found.push(each);
  return found;
}

function compareSenders(was: Message, is: Message): Finding[] {
  if (was.sender === is.sender) return [];
  const [old, fresh] = [sendersOf(was), sendersOf(is)];
  const lost = new Set([...old].filter((side) => !fresh.has(side)));
  const gained = new Set([...fresh].filter((side) => !old.has(side)));
  const shown = { path: "", was: was.sender, is: is.sender };
  const found: Finding[] = [];
  if (lost.size > 0) {
    const removed: Finding = { change: "sender-removed", ...shown, senders: lost };
    // A notification that nobody expects is passed over.
    found.push(is.kind === "notification" ? { ...removed, shift: "harmless" } : removed);
  }
  if (gained.size > 0) found.push({ change: "sender-added", ...shown, senders: gained });
  return found;
}

function compareCapability(was: Message, is: Message): Finding[] {
  const [old, fresh] = [was.capability, is.capability];
  if (old?.path === fresh?.path && old?.side === fresh?.side) return [];
  const shown = { path: "", was: old && showCapability(old), is: fresh && showCapability(fresh) };
  if (fresh === null) return [{ change: "capability-released", ...shown }];
  // The same path, asked of one side where it was asked of either receiver: nobody has to declare anything new.
  if (old?.path === fresh.path) return [{ change: "capability-released", ...shown, shift: "none" }];
  return [...sendersOf(is)].map((sender): Finding => {
    const owner = fresh.side === "receiver" ? peerOf(sender) : fresh.side;
    const senders: ReadonlySet<Side> = new Set([sender]);
    // Whoever must declare it now, and is too old to, is no longer asked, or sends what is not expected.
    return {
      change: "capability-required",
      ...shown,
      senders,
      shift: owner === sender ? "narrower" : "wider",
    };
  });
}

function showCapability({ side, path }: Capability): string {
  return `${side} ${path}`;
}

function compareParams(pair: Pair, was: Message, is: Message): Finding[] {
  const [old, fresh] = [was.params, is.params];
  const inherited =
    old.declaredBy === fresh.declaredBy && old.declaredBy !== null && old.declaredBy !== is.name;
  // Told at the base that both inherit them from.
  if (inherited) return [];
  const shown = { path: ".params", was: showParams(old), is: showParams(fresh) };
  if (old.type === null || fresh.type === null) {
    if (old.type === fresh.type) return [];
    const presence = (old.type === null ? fresh : old).presence === "required" ? "required" : "optional";
    return [{ change: `${presence}-member-${old.type === null ? "added" : "removed"}`, ...shown }];
  }
  const types = under(".params", compareTypes(pair, old.type, fresh.type));
  if (old.presence === fresh.presence) return types;
  const change = fresh.presence === "optional" ? "member-made-optional" : "member-made-required";
  return [{ change, ...shown }, ...types];
}

function showParams({ presence, type }: Params): string | null {
  return type === null ? null : `params${presence === "optional" ? "?" : ""}: ${showType(type)}`;
}

function compareResults(pair: Pair, was: RequestMessage, is: RequestMessage): Finding[] {
  const gone = was.results.filter((name) => !is.results.includes(name));
  const come = is.results.filter((name) => !was.results.includes(name));
  const [from, to] = [gone[0], come[0]];
  // One result in place of another: told by their members. With several, which became which is anyone's guess.
  if (from !== undefined && to !== undefined && was.results.length === 1 && is.results.length === 1) {
    return under(
      ".result",
      compareTypes(pair, { kind: "reference", name: from }, { kind: "reference", name: to }),
    );
  }
  return [
    ...gone.map((name): Finding => ({ change: "result-removed", path: ".result", was: name, is: null })),
    ...come.map((name): Finding => {
      const found: Finding = { change: "result-added", path: ".result", was: null, is: name };
      // Only a peer that asks for it in the params receives it.
      return answers.some(({ result }) => result === name) ? { ...found, shift: "harmless" } : found;
    }),
  ];
}

function compareConditions(was: RequestMessage, is: RequestMessage): Finding[] {
  const keyOf = (one: Condition): string => `${one.member} ${showCondition(one)}`;
  const only = (these: RequestMessage, those: RequestMessage): readonly Condition[] => {
    const known = new Set(those.conditions.map(keyOf));
    return these.conditions.filter((one) => !known.has(keyOf(one)));
  };
  const shown = (change: Change, one: Condition): Omit<Finding, "was" | "is"> => ({
    change,
    path: `.params.${one.member}`,
  });
  return [
    ...only(was, is).map((one): Finding => ({
      ...shown("condition-removed", one),
      was: showCondition(one),
      is: null,
    })),
    ...only(is, was).map((one): Finding => ({
      ...shown("condition-added", one),
      was: null,
      is: showCondition(one),
    })),
  ];
}

/**
 * Params that need a capability which older peers do not declare never reach these peers, and so do not break them. This is the case for
 * an added alternative whose distinguishing value has such a condition.
 */
function withConditions({ after }: Pair, { conditions }: RequestMessage, finding: Finding): Finding {
  if (finding.change !== "alternative-added" || finding.path !== ".params") return finding;
  const members = (finding.is === null ? null : flatten(after, finding.is))?.properties ?? [];
  const isGuarded = conditions.some(({ member, values }) => {
    const type = members.find(({ name }) => name === member)?.type;
    return type?.kind === "literal" && values?.includes(type.value as string | null) === true;
  });
  return isGuarded ? { ...finding, shift: "harmless" } : finding;
}

/** "client elicitation.form for "form" or no value". */
function showCondition({ capability, values }: Condition): string {
  const shown = values?.map((value) => (value === null ? "no value" : JSON.stringify(value))).join(" or ");
  return `${showCapability(capability)}${shown === undefined ? "" : ` for ${shown}`}`;
}

/** What the comparisons above tell, or what is told with a declaration. All else that is known of a message is a trait. */
const told: ReadonlySet<string> = new Set([
  "kind",
  "method",
  "name",
  "sender",
  "params",
  "capability",
  "deprecated",
  "results",
  "carriage",
  "conditions",
  "headerMember",
]);

function compareWire(was: RequestMessage, is: RequestMessage): Finding[] {
  const found: Finding[] = [];
  if (was.carriage !== is.carriage) {
    found.push({ change: "carriage-changed", path: "", was: was.carriage, is: is.carriage });
  }
  if (was.headerMember !== is.headerMember) {
    const change = is.headerMember === null ? "header-member-removed" : "header-member-added";
    found.push({ change, path: "", was: was.headerMember, is: is.headerMember });
  }
  return found;
}
