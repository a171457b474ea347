import { rpcError } from "../../errors.js";
import { isObject, type JsonObject } from "../../message.js";
import type { Awaitable } from "../../timing.js";
import type { SideTable } from "../../tables.js";
import type { Feature } from "../config.js";
import type { FeatureContext, FeatureSet, Listable } from "./feature.js";

/**
 * Completes an argument: a list of all values, of which those that begin with the typed text are suggested, or a function that returns
 * suggestions, the best first. `others` holds the values of other arguments.
 */
export type Completer =
  | readonly string[]
  | ((
      typed: string,
      others: Readonly<Record<string, string>>,
      context: FeatureContext,
    ) => Awaitable<readonly string[] | Completion>);

/** Suggested values, and how many more there are. */
export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** A prompt or template that a completion request refers to: its arguments, each with its completer, if any. */
export interface Referred extends Listable {
  readonly arguments: ReadonlyMap<string, Completer | undefined>;
}

/** A feature with entries that completion requests refer to, by this member of the reference. */
export interface Referable extends FeatureSet<Referred> {
  readonly refersTo: "name" | "uri";
}

/** Maximum number of values in one result (COMP-02). */
const maxValues = 100;

/** Maximum length of the typed value and of each other argument, in characters (COMP-06). */
const maxLength = 10_000;

/**
 * The handler that completes arguments of prompts and variables of templates, of all features together. No handler if no feature
 * has completers.
 */
export function completing(
  features: readonly Feature[],
  side: SideTable,
): Readonly<Record<string, (params: never, context: FeatureContext) => Promise<JsonObject>>> {
  const { complete: method = "" } = side.revision.wellKnown;
  const referables = features.filter((feature): feature is Referable => "refersTo" in feature);
  if (!referables.some(hasCompleters)) return {};
  return {
    async [method]({ ref, argument, context: before }: CompleteParams, context: FeatureContext) {
      const { name, value } = argument;
      if ([value, ...Object.values(before?.arguments ?? {})].some((one) => one.length > maxLength)) {
        throw rpcError("INVALID_PARAMS", `${method}: a value has more than ${maxLength} characters.`);
      }
      const kind = "uri" in ref ? "uri" : "name";
      const target = String(ref[kind]);
      for (const feature of referables) {
        const entry = feature.refersTo === kind ? (await feature.look(context)).get(target) : undefined;
        if (!entry) continue;
        // The URI of a resource without variables is allowed, and completes to nothing.
        const isPlain = kind === "uri" && entry.arguments.size === 0;
        if (!isPlain && !entry.arguments.has(name)) break;
        return { completion: await complete(entry.arguments.get(name) ?? [], value, before, context) };
      }
      // An unknown prompt, template or argument is an error (COMP-03).
      throw rpcError(
        "INVALID_PARAMS",
        `There is no argument ${JSON.stringify(name)} of ${JSON.stringify(target)}.`,
      );
    },
  };
}

interface CompleteParams {
  readonly ref: JsonObject;
  readonly argument: { readonly name: string; readonly value: string };
  /** The values of other arguments (COMP-04). */
  readonly context?: { readonly arguments?: Readonly<Record<string, string>> };
}

/** True if a feature may have completers. A set that changes may have some later. */
const hasCompleters = ({ fixed }: Referable): boolean =>
  !fixed || [...fixed.values()].some((one) => [...one.arguments.values()].some((completer) => completer));

async function complete(
  completer: Completer,
  typed: string,
  before: CompleteParams["context"],
  context: FeatureContext,
): Promise<Completion> {
  const suggestions =
    typeof completer === "function"
      ? await completer(typed, before?.arguments ?? {}, context)
      : completer.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
  const completion: Completion = isObject(suggestions)
    ? (suggestions as Completion)
    : { values: suggestions as readonly string[] };
  const { values } = completion;
  if (values.length <= maxValues) return completion;
  return { total: values.length, ...completion, values: values.slice(0, maxValues), hasMore: true };
}
