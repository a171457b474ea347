import { constantIn } from "../../ir/constraint/form.js";
import { names } from "../../ir/facts.js";
import type {
  Capability,
  Message,
  Protocol,
  RequestMessage,
} from "../../ir/model.js";
import { type Code, jsonCode } from "../typescript/code.js";
import {
  augmentOf,
  type RevisionContext,
  extensionOf,
  engineDefaultsOf,
  variantsOf,
} from "./messages.js";

/** The facts of a revision as a whole, in the runtime's format. */
export function revisionFacts(protocol: Protocol): Code {
  const codes = protocol.declarations.flatMap(
    ({ kind, name, schema }): [string, number][] => {
      const value = constantIn(schema);
      return kind === "constant" && typeof value === "number"
        ? [[name, value]]
        : [];
    },
  );
  const replacedCodes = protocol.replacedCodes.map(({ from, to, becomes }) => [
    from,
    to,
    becomes,
  ]);
  return jsonCode({
    format: 1,
    revision: protocol.revision,
    opening: protocol.opening,
    batches: protocol.batches,
    ...(protocol.idlessErrors && { idlessErrors: true }),
    ...(protocol.primedStreams && { primedStreams: true }),
    wellKnown: protocol.wellKnown,
    meta: protocol.meta,
    headers: protocol.headers,
    errors: { ...protocol.errors, ...Object.fromEntries(codes) },
    replacedCodes,
  });
}

/** The facts of one message that the engine needs. */
export function messageFacts(
  context: RevisionContext,
  message: Message,
): object {
  const { kind, method, sender, capability } = message;
  const { id, declaredBy } = extensionOf(context, message.name) ?? {};
  const extension = id === undefined ? undefined : extensionCapability(id);
  const needs = {
    ...(capability !== null && capabilityTree(capability)),
    ...extension,
  };
  const base = {
    kind,
    method,
    sender,
    ...(Object.keys(needs).length > 0 && { needs }),
    ...(extension && { extension }),
    ...(declaredBy && { declaredBy }),
  };
  if (message.kind === "request")
    return { ...base, ...requestFacts(context, message) };
  const { filter, subject } = message;
  const owner =
    capability === null
      ? id !== undefined && (declaredBy ?? sender)
      : capability.side;
  const needsOf = (owner === "client" || owner === "server") && {
    needsOf: owner,
  };
  return {
    ...base,
    ...needsOf,
    ...(filter !== null && { filter }),
    ...(subject !== null && { subject }),
  };
}

function requestFacts(
  context: RevisionContext,
  message: RequestMessage,
): object {
  const variants = variantsOf(context, message);
  const {
    conditions,
    items,
    carriage,
    cancellable,
    cacheable,
    asksInput,
    headerMember,
    prefixes,
    results,
  } = message;
  const augments = augmentOf(context, message);
  const engineDefaults = engineDefaultsOf(context, results[0] ?? "").filter(
    ({ value }) => value !== null,
  );
  const facts = {
    ...(conditions.length > 0 && {
      conditions: conditions.map(conditionFacts),
    }),
    ...(items !== null && { items }),
    ...(carriage === "embedded" && { embedded: true }),
    ...(!cancellable && carriage === "wire" && { uncancellable: true }),
    ...(cacheable && { cacheable: true }),
    ...(asksInput && { asksInput: true }),
    ...(augments && { augments: augments.member }),
  };
  const needsOfVariants = variants.map(({ kind, extension }) => [
    kind,
    extension === undefined ? {} : extensionCapability(extension),
  ]);
  const defaults = engineDefaults.map(({ member, value }) => [member, value]);
  return {
    ...facts,
    ...(variants.length > 0 && {
      variants: Object.fromEntries(needsOfVariants),
    }),
    ...(prefixes.length > 0 && { prefixes }),
    ...(headerMember !== null && { header: headerMember }),
    ...(defaults.length > 0 && {
      engineDefaults: Object.fromEntries(defaults),
    }),
  };
}

/** An extension as a side declares it. */
function extensionCapability(extension: string): object {
  return { [names.extensions]: { [extension]: {} } };
}

function conditionFacts({
  member,
  values,
  capability,
  implied,
}: RequestMessage["conditions"][number]): object {
  return {
    member,
    ...(values !== null && { values }),
    needs: capabilityTree(capability),
    ...(implied && { implied: true }),
  };
}

/**
 * `resources.subscribe` as a declared capability:
 * `{ resources: { subscribe: true } }`.
 */
function capabilityTree({ path, flag }: Capability): object {
  const steps = path.split(".").reverse();
  return steps.reduce<unknown>(
    (inner, step) => ({ [step]: inner }),
    flag ? true : {},
  ) as object;
}
