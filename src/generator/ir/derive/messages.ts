import * as facts from "../facts.js";
import { constantIn, typeIn } from "../constraint/form.js";
import { propertyOf } from "../flatten.js";
import { resolve } from "../lookup.js";
import type { Message, Params } from "../model.js";
import { factMethod } from "../renamed.js";
import { candidates, isDeprecated, type Candidate } from "./candidates.js";
import { audienceOf } from "./audience.js";
import { capabilityOf, conditionsOf } from "./capability.js";
import type { DeriveContext } from "./context.js";
import { resultFactsOf, prefixesOf, objectsOf } from "./results.js";
import {
  assume,
  checkUnions,
  type Direction,
  declaredDirections,
} from "./senders.js";

/** Every request and notification, in the order of their declarations. */
export function messagesOf(context: DeriveContext): Message[] {
  const declared = declaredDirections(context);
  const all = candidates(context, declared);
  checkUnions(context, all);
  const byMethod = new Map(declared);
  const directed = all.map((candidate) => {
    const direction =
      byMethod.get(candidate.method) ?? assume(context, candidate, byMethod);
    byMethod.set(candidate.method, direction);
    return { candidate, direction };
  });
  return directed.map(({ candidate, direction }) => {
    const known = factMethod(candidate, all);
    if (known !== candidate.method) reportRenamed(context, candidate, known);
    return message(context, candidate, direction, known);
  });
}

function reportRenamed(
  { scope, locationOf }: DeriveContext,
  { method, name }: Candidate,
  known: string,
): void {
  scope.note(
    "MG410",
    locationOf(name, "method"),
    `"${method}" is taken for "${known}", which has the type ${name} in other revisions, with its header, capability and errors`,
    `check what the prose says about "${method}", or rename ${name} if it is another message`,
  );
}

function message(
  context: DeriveContext,
  candidate: Candidate,
  { kind, sender, carriage }: Direction,
  known: string,
): Message {
  const { method, name, declaration } = candidate;
  const params = paramsOf(context, candidate);
  const base = {
    method,
    name,
    sender,
    params,
    capability: capabilityOf(context, known, kind, sender),
    deprecated: isDeprecated(declaration),
  };
  if (kind === "notification")
    return { kind, ...base, ...audienceOf(context, { method, known }, params) };
  const opens = facts.messages.some(
    (row) => row.role === "initialize" && row.method === known,
  );
  const resultFacts = resultFactsOf(context, candidate, params);
  return {
    kind,
    ...base,
    ...resultFacts,
    carriage,
    cancellable: !opens && carriage === "wire",
    headerMember: null,
    conditions: conditionsOf(context, known, sender, params),
    prefixes: prefixesOf(context, known, resultFacts.results),
  };
}

/** The member `params` of the message, own or inherited. */
function paramsOf(
  context: DeriveContext,
  { name, method, flat }: Candidate,
): Params {
  const member = propertyOf(flat, "params");
  if (member === undefined)
    return { presence: "none", schema: null, declaredBy: null };
  const { schema, optional, declaredBy } = member;
  const type = typeIn(schema);
  if (
    (type !== null && type !== "object") ||
    constantIn(schema) !== undefined
  ) {
    context.scope.error(
      "MG405",
      context.locationOf(name),
      `the params of "${method}" are not an object`,
      "declare them as a named type or an object with members",
    );
  }
  return { presence: optional ? "optional" : "required", schema, declaredBy };
}

/**
 * The required string member of the params that the "name" header repeats, by a
 * row or by its tag; null if there is none.
 */
export function headerMemberOf(
  context: DeriveContext,
  message: Message,
  all: readonly Message[],
): string | null {
  const { method, name, params } = message;
  const known = factMethod(message, all);
  const shapes = objectsOf(context, params.schema);
  const row = facts.headerMembers.find((entry) => entry.method === known);
  const tagged = shapes
    .flatMap(({ properties }) => properties)
    .find(({ schema }) =>
      schema.doc.tags.some((tag) => tag.name === facts.extensionTags.header),
    );
  const member = row?.member ?? tagged?.name;
  if (member === undefined) return null;
  const isRequired =
    params.presence === "required" &&
    shapes.length > 0 &&
    shapes.every((flat) => {
      const entry = propertyOf(flat, member);
      return (
        entry?.optional === false &&
        typeIn(resolve(context.declarations, entry.schema)) === "string"
      );
    });
  if (!isRequired && row === undefined) {
    context.scope.error(
      "MG408",
      context.locationOf(name),
      `"${method}" has @${facts.extensionTags.header} on the member "${member}" of its params, which is not a required string`,
      "make the member a required string in all variants of the params, or remove the tag",
    );
  }
  return isRequired ? member : null;
}
