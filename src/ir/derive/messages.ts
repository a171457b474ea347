import * as facts from "../facts.js";
import { resolve } from "../lookup.js";
import type { Message, Params } from "../model.js";
import { candidates, isDeprecated, type Candidate } from "./candidates.js";
import { audienceOf } from "./audience.js";
import { capabilityOf, conditionsOf } from "./capability.js";
import { factId, type Deriving } from "./deriving.js";
import { paramsOf } from "./params.js";
import { resultFactsOf, prefixesOf, objectsOf } from "./results.js";
import { directions, type Direction, statedDirections } from "./senders.js";

/** Every request and notification, in the order of their declarations. */
export function messagesOf(deriving: Deriving): Message[] {
  const stated = statedDirections(deriving);
  const all = candidates(deriving, stated);
  const byMethod = directions(deriving, all, stated);
  return all.flatMap((candidate) => {
    const direction = byMethod.get(candidate.method);
    return direction === undefined ? [] : [message(deriving, candidate, direction)];
  });
}

function message(deriving: Deriving, candidate: Candidate, { kind, sender, carriage }: Direction): Message {
  const { method, name, declaration } = candidate;
  const params = paramsOf(deriving, candidate);
  const base = {
    method,
    name,
    sender,
    params,
    capability: capabilityOf(deriving, method, kind, sender),
    deprecated: isDeprecated(declaration),
  };
  if (kind === "notification") return { kind, ...base, ...audienceOf(deriving, method, params) };
  const opens = facts.wellKnownMethods.some((row) => row.role === "initialize" && row.method === method);
  const answer = resultFactsOf(deriving, candidate, params);
  return {
    kind,
    ...base,
    ...answer,
    carriage,
    cancellable: !opens && carriage === "wire",
    headerMember: null,
    conditions: conditionsOf(deriving, method, sender, params),
    prefixes: prefixesOf(deriving, method, answer.results),
  };
}

/** The required string member of the params that the "name" header repeats; null if there is none. */
export function headerMemberOf(deriving: Deriving, params: Params): string | null {
  const shapes =
    params.type === null || params.presence !== "required" ? [] : objectsOf(deriving, params.type);
  for (const member of facts.headerMembers) {
    const everywhere =
      shapes.length > 0 &&
      shapes.every(({ properties }) =>
        properties.some(
          ({ name, optional, type }) =>
            name === member && !optional && resolve(deriving.declarations, type).kind === "string",
        ),
      );
    if (!everywhere) continue;
    deriving.used.add(factId("headerMembers", member));
    return member;
  }
  return null;
}
