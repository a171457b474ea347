import type { Capability, Message, Protocol, RequestMessage } from "../../ir/model.js";
import { type Code, jsonCode } from "../code.js";
import { augmentOf, type Chosen, extensionOf, fillsOf, variantsOf } from "./messages.js";

/** The capability under which extensions are declared. */
const EXTENSIONS = "extensions";

/** What is true of a revision as a whole, as the runtime reads it. */
export function revisionFacts(protocol: Protocol): Code {
  const errors = protocol.declarations.flatMap((entry): [string, number][] =>
    entry.kind === "constant" && typeof entry.value === "number" ? [[entry.name, entry.value]] : [],
  );
  return jsonCode({
    format: 1,
    revision: protocol.revision,
    opening: protocol.opening,
    batches: protocol.batches,
    ...(protocol.idlessErrors && { idlessErrors: true }),
    jobs: protocol.jobs,
    meta: protocol.meta,
    headers: protocol.headers,
    errors: Object.fromEntries(errors),
    levels: protocol.levels,
  });
}

/** What the engine must know of one message. */
export function messageFacts(choice: Chosen, message: Message): Code {
  const { kind, method, sender, capability } = message;
  const extension = extensionOf(choice, message.name);
  const needs = extension
    ? { needs: { [EXTENSIONS]: { [extension]: {} } } }
    : capability !== null && { needs: tree(capability) };
  const base = { kind, method, sender, ...needs, ...(extension && { extension }) };
  if (message.kind === "request") return jsonCode({ ...base, ...requestFacts(choice, message) });
  const { filter, subject } = message;
  const needsOf = capability !== null && capability.side !== "receiver" && { needsOf: capability.side };
  return jsonCode({
    ...base,
    ...needsOf,
    ...(filter !== null && { filter }),
    ...(subject !== null && { subject }),
  });
}

function requestFacts(choice: Chosen, message: RequestMessage): object {
  const variants = variantsOf(choice, message);
  const { conditions, items, carriage, cancellable, cacheable, asksInput, headerMember, results } = message;
  const augments = augmentOf(choice, message);
  const fills = fillsOf(choice, results[0] ?? "").filter(({ value }) => value !== null);
  return {
    ...(conditions.length > 0 && { conditions: conditions.map(conditionFacts) }),
    ...(items !== null && { items }),
    ...(carriage === "embedded" && { embedded: true }),
    ...(!cancellable && carriage === "wire" && { uncancellable: true }),
    ...(cacheable && { cacheable: true }),
    ...(asksInput && { asksInput: true }),
    ...(augments && { augments: augments.member }),
    ...(variants.length > 0 && {
      variants: Object.fromEntries(variants.map(({ kind, extension }) => [kind, extension])),
    }),
    ...(headerMember !== null && { header: headerMember }),
    ...(fills.length > 0 && { fills: Object.fromEntries(fills.map(({ member, value }) => [member, value])) }),
  };
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
    needs: tree(capability),
    ...(implied && { implied: true }),
  };
}

/** `resources.subscribe` as it is declared: `{ resources: { subscribe: true } }`. */
function tree({ path, flag }: Capability): object {
  const steps = path.split(".").reverse();
  return steps.reduce<unknown>((inner, step) => ({ [step]: inner }), flag ? true : {}) as object;
}
