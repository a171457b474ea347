import { selectedResults } from "../facts.js";
import { constantIn, reference } from "../constraint/form.js";
import { flatten, propertyOf } from "../flatten.js";
import type {
  Capability,
  Condition,
  Message,
  Params,
  RequestMessage,
  Side,
} from "../model.js";
import { changed, deltaOf } from "../change/delta.js";
import { peerOf } from "../change/effects.js";
import type { Delta } from "../change/model.js";
import { receiversOf, commonRoles, sendersOf } from "./roles.js";
import { showSchema } from "./show.js";
import { compareFacts } from "./protocol-facts.js";
import { schemaDeltas, type Pair } from "./schemas.js";
import { under } from "../compare/model.js";

/**
 * The differences between two messages with the same method, or with the same
 * declaration and a renamed method.
 */
export function compareMessages(
  pair: Pair,
  before: Message,
  after: Message,
): Delta[] {
  const deltas = [
    ...changed("method-renamed", before.method, after.method),
    ...changed("declaration-changed", before.name, after.name),
    ...compareSenders(before, after),
    ...compareCapability(before, after),
  ];
  for (const each of compareParams(pair, before, after)) {
    deltas.push(
      after.kind === "request" ? withConditions(pair, after, each) : each,
    );
  }
  if (before.kind === "request" && after.kind === "request") {
    const receivers = commonRoles(receiversOf(before), receiversOf(after));
    for (const each of compareResults(pair, before, after))
      deltas.push({ ...each, senders: receivers });
    for (const each of compareWire(before, after)) deltas.push(each);
    for (const each of compareCapabilityConditions(before, after))
      deltas.push(each);
  }
  for (const each of compareFacts(before, after, comparedMembers))
    deltas.push(each);
  return deltas;
}

function compareSenders(before: Message, after: Message): Delta[] {
  if (before.sender === after.sender) return [];
  const [old, fresh] = [sendersOf(before), sendersOf(after)];
  const removedSides = new Set([...old].filter((side) => !fresh.has(side)));
  const addedSides = new Set([...fresh].filter((side) => !old.has(side)));
  const values = { path: "", before: before.sender, after: after.sender };
  const deltas: Delta[] = [];
  if (removedSides.size > 0) {
    const removed: Delta = {
      change: "sender-removed",
      ...values,
      senders: removedSides,
    };
    // A receiver ignores an unknown notification.
    deltas.push(
      after.kind === "notification"
        ? { ...removed, shift: "harmless" }
        : removed,
    );
  }
  if (addedSides.size > 0)
    deltas.push({ change: "sender-added", ...values, senders: addedSides });
  return deltas;
}

function compareCapability(before: Message, after: Message): Delta[] {
  const [old, fresh] = [before.capability, after.capability];
  if (old?.path === fresh?.path && old?.side === fresh?.side) return [];
  const values = {
    path: "",
    before: old && showCapability(old),
    after: fresh && showCapability(fresh),
  };
  if (fresh === null) return [{ change: "capability-released", ...values }];
  // The same capability, now required of one side only: no side has to declare
  // anything new.
  if (old?.path === fresh.path)
    return [{ change: "capability-released", ...values, shift: "none" }];
  return [...sendersOf(after)].map((sender): Delta => {
    const owner = fresh.side === "receiver" ? peerOf(sender) : fresh.side;
    const senders: ReadonlySet<Side> = new Set([sender]);
    // If an older peer does not declare the capability, it no longer receives
    // the message, or it sends a message that is no longer allowed.
    return {
      change: "capability-required",
      ...values,
      senders,
      shift: owner === sender ? "narrower" : "wider",
    };
  });
}

function showCapability({ side, path }: Capability): string {
  return `${side} ${path}`;
}

function compareParams(pair: Pair, before: Message, after: Message): Delta[] {
  const [old, fresh] = [before.params, after.params];
  const inherited =
    old.declaredBy === fresh.declaredBy &&
    old.declaredBy !== null &&
    old.declaredBy !== after.name;
  // The base that both inherit the params from is compared instead.
  if (inherited) return [];
  const values = {
    path: ".params",
    before: showParams(old),
    after: showParams(fresh),
  };
  if (old.schema === null || fresh.schema === null) {
    if (old.schema === fresh.schema) return [];
    const presence =
      (old.schema === null ? fresh : old).presence === "required"
        ? "required"
        : "optional";
    return [
      {
        change: `${presence}-member-${old.schema === null ? "added" : "removed"}`,
        ...values,
      },
    ];
  }
  const types = under(".params", schemaDeltas(pair, old.schema, fresh.schema));
  if (old.presence === fresh.presence) return types;
  const change =
    fresh.presence === "optional"
      ? "member-made-optional"
      : "member-made-required";
  return [{ change, ...values }, ...types];
}

function showParams({ presence, schema }: Params): string | null {
  return schema === null
    ? null
    : `params${presence === "optional" ? "?" : ""}: ${showSchema(schema)}`;
}

function compareResults(
  pair: Pair,
  before: RequestMessage,
  after: RequestMessage,
): Delta[] {
  const removed = before.results.filter(
    (name) => !after.results.includes(name),
  );
  const added = after.results.filter((name) => !before.results.includes(name));
  const [from, to] = [removed[0], added[0]];
  // If one result replaces another, their members are compared. With several
  // results it is unknown which replaces which.
  if (
    from !== undefined &&
    to !== undefined &&
    before.results.length === 1 &&
    after.results.length === 1
  ) {
    return under(".result", schemaDeltas(pair, reference(from), reference(to)));
  }
  return [
    ...removed.map((name) => deltaOf("result-removed", name, null, ".result")),
    ...added.map((name): Delta => {
      const delta = deltaOf("result-added", null, name, ".result");
      // Only a peer that selects this result in the params receives it.
      return selectedResults.some(({ result }) => result === name)
        ? { ...delta, shift: "harmless" }
        : delta;
    }),
  ];
}

function compareCapabilityConditions(
  before: RequestMessage,
  after: RequestMessage,
): Delta[] {
  const keyOf = (one: Condition): string =>
    `${one.member} ${showCondition(one)}`;
  const onlyIn = (
    request: RequestMessage,
    other: RequestMessage,
  ): readonly Condition[] => {
    const keys = new Set(other.conditions.map(keyOf));
    return request.conditions.filter(
      (condition) => !keys.has(keyOf(condition)),
    );
  };
  const pathOf = ({ member }: Condition): string => `.params.${member}`;
  return [
    ...onlyIn(before, after).map((one) =>
      deltaOf(
        "capability-condition-removed",
        showCondition(one),
        null,
        pathOf(one),
      ),
    ),
    ...onlyIn(after, before).map((one) =>
      deltaOf(
        "capability-condition-added",
        null,
        showCondition(one),
        pathOf(one),
      ),
    ),
  ];
}

/**
 * Params that need a capability are never sent to older peers, which do not
 * declare it, and so do not break them. Such params are an added alternative
 * whose distinguishing value has this condition.
 */
function withConditions(
  { after }: Pair,
  { conditions }: RequestMessage,
  delta: Delta,
): Delta {
  if (delta.change !== "alternative-added" || delta.path !== ".params")
    return delta;
  const flat = delta.after === null ? null : flatten(after, delta.after);
  const isGuarded = conditions.some(({ member, values }) => {
    const schema = propertyOf(flat, member)?.schema;
    const value = schema && constantIn(schema);
    return values?.some((other) => other === value) === true;
  });
  return isGuarded ? { ...delta, shift: "harmless" } : delta;
}

/** "client elicitation.form for "form" or no value". */
function showCondition({ capability, values }: Condition): string {
  const list = values
    ?.map((value) => (value === null ? "no value" : JSON.stringify(value)))
    .join(" or ");
  return `${showCapability(capability)}${list === undefined ? "" : ` for ${list}`}`;
}

/**
 * Members that the functions above compare, or that are compared with a
 * declaration. Every other member of a message is compared as JSON.
 */
const comparedMembers: ReadonlySet<string> = new Set([
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

function compareWire(before: RequestMessage, after: RequestMessage): Delta[] {
  const header =
    after.headerMember === null
      ? "header-member-removed"
      : "header-member-added";
  return [
    ...changed("carriage-changed", before.carriage, after.carriage),
    ...changed(header, before.headerMember, after.headerMember),
  ];
}
