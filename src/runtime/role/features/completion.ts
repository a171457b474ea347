import { rpcError } from "../../errors.js";
import { isObject, type JsonObject } from "../../message.js";
import type { Awaitable } from "../../timing.js";
import type { SideTable } from "../../tables.js";
import type { Feature } from "../config.js";
import type { FeatureContext, FeatureSet, Listable } from "./feature.js";

/**
 * Tells what can stand for an argument: all values there are, of which those that begin with what has been typed are
 * offered, or a function that finds the fitting ones, the best first. `others` holds the arguments that are known already.
 */
export type Completer =
  | readonly string[]
  | ((
      typed: string,
      others: Readonly<Record<string, string>>,
      context: FeatureContext,
    ) => Awaitable<readonly string[] | Completion>);

/** Values, and how many there are beside them. */
export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** What a completion can refer to: its arguments, each with what completes it, if anything does. */
export interface Referred extends Listable {
  readonly arguments: ReadonlyMap<string, Completer | undefined>;
}

/** A feature whose parts completions refer to, by this member of the reference. */
export interface Referable extends FeatureSet<Referred> {
  readonly refersTo: "name" | "uri";
}

/** Most values in one answer (COMP-02). */
const maxValues = 100;

/** Most characters of a value that is being typed, and of each argument before it (COMP-06). */
const maxLength = 10_000;

/**
 * The handler that completes arguments of prompts and variables of templates, all features' together; none where nothing
 * can be completed.
 */
export function completing(
  features: readonly Feature[],
  side: SideTable,
): Readonly<Record<string, (params: never, context: FeatureContext) => Promise<JsonObject>>> {
  const { complete: method = "" } = side.revision.wellKnown;
  const known = features.filter((feature): feature is Referable => "refersTo" in feature);
  if (!known.some(hasCompleters)) return {};
  return {
    async [method]({ ref, argument, context: before }: Asked, context: FeatureContext) {
      const { name, value } = argument;
      if ([value, ...Object.values(before?.arguments ?? {})].some((one) => one.length > maxLength)) {
        throw rpcError("INVALID_PARAMS", `${method}: a value has more than ${maxLength} characters.`);
      }
      const kind = "uri" in ref ? "uri" : "name";
      const what = String(ref[kind]);
      for (const feature of known) {
        const found = feature.refersTo === kind ? (await feature.look(context)).get(what) : undefined;
        if (!found) continue;
        // A reference by URI may be a plain one, which has no variables at all.
        const isPlain = kind === "uri" && found.arguments.size === 0;
        if (!isPlain && !found.arguments.has(name)) break;
        return { completion: await complete(found.arguments.get(name) ?? [], value, before, context) };
      }
      // COMP-03
      throw rpcError(
        "INVALID_PARAMS",
        `There is no argument ${JSON.stringify(name)} of ${JSON.stringify(what)}.`,
      );
    },
  };
}

interface Asked {
  readonly ref: JsonObject;
  readonly argument: { readonly name: string; readonly value: string };
  /** COMP-04 */
  readonly context?: { readonly arguments?: Readonly<Record<string, string>> };
}

/** What a set that changes will have to complete, nobody knows. */
const hasCompleters = ({ fixed }: Referable): boolean =>
  !fixed || [...fixed.values()].some((one) => [...one.arguments.values()].some((completer) => completer));

async function complete(
  completer: Completer,
  typed: string,
  before: Asked["context"],
  context: FeatureContext,
): Promise<Completion> {
  const found =
    typeof completer === "function"
      ? await completer(typed, before?.arguments ?? {}, context)
      : completer.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
  const given: Completion = isObject(found) ? (found as Completion) : { values: found as readonly string[] };
  if (given.values.length <= maxValues) return given;
  return { total: given.values.length, ...given, values: given.values.slice(0, maxValues), hasMore: true };
}
