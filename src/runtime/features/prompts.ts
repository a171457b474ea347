import { rpcError } from "../core/errors.js";
import { isObject } from "../../common/object.js";
import type { HandlerContext } from "../core/session/config.js";
import type { SideTable } from "../core/tables.js";
import type { Feature, Provided } from "../core/ports/feature.js";
import { type Asked, asking } from "./ask.js";
import {
  completionHandlers,
  type Completer,
  type CompletableSet,
  type Completable,
} from "./completion.js";
import { withTypes } from "./contents.js";
import {
  checkScopes,
  entriesFor,
  type FeatureContext,
  type FeatureOptions,
  type Features,
  type FeaturesFor,
  groupEntries,
  type ListEntry,
  read,
  readyOf,
  type Source,
} from "./feature.js";

/** An argument of a prompt. */
export interface PromptArgument<Context = FeatureContext> {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  /** Suggests values while a user types. */
  readonly complete?: Completer<Context> | undefined;
}

/** A prompt. Other members are copied to the list entry. */
export interface Prompt<Context = FeatureContext> extends ListEntry<Context> {
  /** Unique in the server. */
  readonly name: string;
  readonly arguments?: readonly PromptArgument<Context>[] | undefined;
  /**
   * Returns the text of one user message, a list of messages, or a complete
   * result with `messages`.
   */
  get(args: Readonly<Record<string, string>>, context: Context): unknown;
}

interface ReadyPrompt extends Completable {
  readonly prompt: Prompt;
}

/**
 * Handles the requests that list prompts, get a prompt and complete its
 * arguments.
 *
 * @throws TypeError for two prompts, or two arguments of a prompt, with the
 *   same name.
 */
export function prompts<Context extends HandlerContext = FeatureContext>(
  source: Source<Prompt<Asked<NoInfer<Context>>>, NoInfer<Context>>,
  options?: FeatureOptions<NoInfer<Context>>,
): FeaturesFor<Context>;
export function prompts(
  source: Source<Prompt>,
  options: FeatureOptions = {},
): Features {
  const entries = read(source, (prompt) => prepare(prompt, options));
  const set = {
    provide,
    options,
    refersTo: "name",
    entries,
  } satisfies CompletableSet;
  return { [Symbol("prompts")]: set };
}

function prepare(
  prompt: Prompt,
  options: FeatureOptions,
): readonly [string, ReadyPrompt] {
  const {
    get: _,
    visible: _visible,
    arguments: list,
    scopes: _scopes,
    ...rest
  } = prompt;
  const where = `The prompt ${JSON.stringify(prompt.name)}`;
  const ready = readyOf(
    prompt,
    where,
    "get",
    (_name, args, context) => prompt.get(args, context),
    options,
  );
  const completers = new Map(
    (list ?? []).map(({ name, complete }) => [name, complete]),
  );
  if (completers.size < (list ?? []).length) {
    throw new TypeError(`${where} has two arguments with the same name.`);
  }
  const listedArguments = list?.map(
    ({ complete: _complete, ...argument }) => argument,
  );
  const entry = {
    ...rest,
    ...(listedArguments && { arguments: listedArguments }),
  };
  return [
    prompt.name,
    {
      ...ready,
      prompt,
      arguments: completers,
      listed: options.listed ? undefined : entry,
    },
  ];
}

function provide(features: readonly Feature[], side: SideTable): Provided {
  const { listPrompts = "", getPrompt = "" } = side.revision.wellKnown;
  const group = groupEntries<ReadyPrompt>(
    "prompt",
    features,
    provide,
    side,
    listPrompts,
  );
  return {
    handlers: asking({
      [listPrompts]: group.list(listPrompts, (listed) => listed),
      async [getPrompt](
        { name, arguments: args = {} }: GetParams,
        context: FeatureContext,
      ) {
        const ready = (await entriesFor(group.entries, context)).get(name);
        // An unknown prompt and a missing argument are errors (PROMPT-02).
        if (!ready)
          throw rpcError(
            "INVALID_PARAMS",
            `There is no prompt ${JSON.stringify(name)}.`,
          );
        const { prompt } = ready;
        checkScopes(prompt, context);
        const missing = prompt.arguments?.find(
          (item) => item.required && !Object.hasOwn(args, item.name),
        );
        if (missing) {
          const message = `The prompt ${JSON.stringify(name)} needs the argument ${JSON.stringify(missing.name)}.`;
          throw rpcError("INVALID_PARAMS", message);
        }
        return resultOf(prompt, await ready.work(name, args as never, context));
      },
      ...completionHandlers(features, side),
    }),
    ...group.provided,
  };
}

interface GetParams {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>>;
}

function resultOf({ name, description }: Prompt, value: unknown): unknown {
  if (typeof value === "string") {
    return {
      description,
      messages: [{ role: "user", content: { type: "text", text: value } }],
    };
  }
  const result = Array.isArray(value)
    ? { description, messages: value as unknown[] }
    : value;
  if (isObject(result) && Array.isArray(result["messages"]))
    return {
      ...result,
      messages: withTypes(
        result["messages"],
        `The prompt ${JSON.stringify(name)}`,
      ),
    };
  if (isObject(value) && "resultType" in value) return value;
  throw new TypeError(
    `The prompt ${name}: expected text, a list of messages, or a result with messages.`,
  );
}
