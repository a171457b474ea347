import { rpcError } from "../core/errors.js";
import { isObject, type JsonObject } from "../../common/object.js";
import { normalizeUri } from "../core/session/uri.js";
import type { Awaitable } from "../../common/timing.js";
import type { SideTable } from "../core/tables.js";
import type { Feature } from "../core/ports/feature.js";
import {
  checkScopes,
  entriesFor,
  type FeatureContext,
  type FeatureSet,
  type Ready,
} from "./feature.js";

/**
 * Completes an argument: a list of all values, of which those that begin with
 * the typed text are suggested, or a function that returns suggestions, the
 * best first. `others` holds the values of other arguments.
 */
export type Completer<Context = FeatureContext> =
  | readonly string[]
  // A method, so that a list for any context fits a server of one revision.
  | {
      complete(
        text: string,
        others: Readonly<Record<string, string>>,
        context: Context,
      ): Awaitable<readonly string[] | Completion | undefined>;
    }["complete"];

/** Suggested values, the total number of values, and whether there are more. */
export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** A prompt or template, whose arguments may have completers. */
export interface Completable extends Ready {
  readonly arguments: ReadonlyMap<string, Completer | undefined>;
}

/**
 * A feature whose entries can be completed. `refersTo` is the member of the
 * request's reference that holds the key of an entry.
 */
export interface CompletableSet extends FeatureSet<Completable> {
  readonly refersTo: "name" | "uri";
}

/** Maximum number of values in one result (COMP-02). */
const maxValues = 100;

/**
 * Maximum length of the typed value and of each other argument, in characters
 * (COMP-06).
 */
const maxLength = 10_000;

/**
 * The handler that completes arguments of prompts and variables of templates,
 * of all features together. No handler if no feature has completers.
 */
export function completionHandlers(
  features: readonly Feature[],
  side: SideTable,
): Readonly<
  Record<
    string,
    (params: never, context: FeatureContext) => Promise<JsonObject>
  >
> {
  const { complete: method = "" } = side.revision.wellKnown;
  const referables = features.filter(
    (feature): feature is CompletableSet => "refersTo" in feature,
  );
  if (!referables.some(hasCompleters)) return {};
  return {
    async [method](
      { ref, argument, context: others }: CompleteParams,
      context: FeatureContext,
    ) {
      const { name, value } = argument;
      const otherValues = others?.arguments ?? {};
      if (
        [value, ...Object.values(otherValues)].some(
          (one) => one.length > maxLength,
        )
      )
        throw rpcError(
          "INVALID_PARAMS",
          `${method}: a value has more than ${maxLength} characters.`,
        );
      const kind = "uri" in ref ? "uri" : "name";
      const target = String(ref[kind]);
      for (const feature of referables) {
        if (feature.refersTo !== kind) continue;
        const entries = await entriesFor(feature.entries, context);
        const entry =
          entries.get(target) ??
          (kind === "uri" ? entries.get(normalizeUri(target)) : undefined);
        if (!entry) continue;
        checkScopes(entry, context);
        // The URI of a resource without variables is allowed; it has no
        // completions.
        const isPlain = kind === "uri" && entry.arguments.size === 0;
        if (!isPlain && !entry.arguments.has(name)) break;
        const completer = entry.arguments.get(name) ?? [];
        const suggestions =
          typeof completer === "function"
            ? await completer(value, otherValues, context)
            : completer.filter((one) =>
                one.toLowerCase().startsWith(value.toLowerCase()),
              );
        return { completion: completionOf(suggestions) };
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

/**
 * True if a feature may have completers. A function may return entries with
 * completers later; a list that is known later has none.
 */
const hasCompleters = ({ entries }: CompletableSet): boolean =>
  typeof entries === "function" ||
  [
    ...(entries instanceof Map
      ? (entries as ReadonlyMap<string, Completable>).values()
      : []),
  ].some((one) => [...one.arguments.values()].some((completer) => completer));

/** The completion that is sent. A completer may return nothing. */
function completionOf(
  suggestions: readonly string[] | Completion | undefined,
): Completion {
  const completion: Completion = isObject(suggestions)
    ? (suggestions as Completion)
    : { values: (suggestions ?? []) as readonly string[] };
  const { values } = completion;
  if (values.length <= maxValues) return completion;
  return {
    total: values.length,
    ...completion,
    values: values.slice(0, maxValues),
    hasMore: true,
  };
}
