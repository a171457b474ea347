import { rpcError } from "../../errors.js";
import { isObject } from "../../message.js";
import type { SideTable } from "../../tables.js";
import type { Feature, Provided } from "../config.js";
import { completing, type Completer, type Referable, type Referred } from "./completion.js";
import { withTypes } from "./contents.js";
import {
  type FeatureContext,
  type FeatureOptions,
  type Features,
  kindOf,
  type Listed,
  read,
  type Source,
} from "./feature.js";

export interface PromptArgument {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  /** What can stand for it, for whoever is typing it. */
  readonly complete?: Completer | undefined;
}

/** A prompt. Members that are not named here go into the list as they stand. */
export interface Prompt extends Listed {
  /** Unique in the server. */
  readonly name: string;
  readonly arguments?: readonly PromptArgument[] | undefined;
  /** Writes it out: the text of one message of the user's, a list of messages, or a whole result, which has `messages`. */
  get(args: Readonly<Record<string, string>>, context: FeatureContext): unknown;
}

interface ReadyPrompt extends Referred {
  readonly prompt: Prompt;
}

/**
 * Answers the requests that list prompts, write them out and complete their arguments.
 *
 * @throws TypeError for a prompt, or an argument of one, that is there twice.
 */
export function prompts(source: Source<Prompt>, options: FeatureOptions = {}): Features {
  const made = read(source, (prompt) => prepare(prompt, options));
  const set = { provide, options, refersTo: "name", ...made } satisfies Referable;
  return { [Symbol("prompts")]: set };
}

function prepare(prompt: Prompt, { listed }: FeatureOptions): readonly [string, ReadyPrompt] {
  const { get: _, arguments: list, ...rest } = prompt;
  const known = new Map((list ?? []).map(({ name, complete }) => [name, complete]));
  if (known.size < (list ?? []).length) {
    throw new TypeError(`The prompt ${JSON.stringify(prompt.name)} has two arguments of one name.`);
  }
  const shown = list?.map(({ complete: _complete, ...argument }) => argument);
  const own = { ...rest, ...(shown && { arguments: shown }) };
  return [prompt.name, { prompt, arguments: known, listed: listed ? undefined : own }];
}

function provide(features: readonly Feature[], side: SideTable): Provided {
  const { listPrompts = "", getPrompt = "" } = side.revision.wellKnown;
  const { look, list, capabilities } = kindOf<ReadyPrompt>(features, provide, side, listPrompts);
  return {
    handlers: {
      [listPrompts]: list(listPrompts, (listed) => listed),
      async [getPrompt]({ name, arguments: given = {} }: Asked, context: FeatureContext) {
        const prompt = (await look(context)).get(name)?.prompt;
        // PROMPT-02
        if (!prompt) throw rpcError("INVALID_PARAMS", `There is no prompt ${JSON.stringify(name)}.`);
        const lacking = prompt.arguments?.find((one) => one.required && !Object.hasOwn(given, one.name));
        if (lacking) {
          const message = `The prompt ${JSON.stringify(name)} needs the argument ${JSON.stringify(lacking.name)}.`;
          throw rpcError("INVALID_PARAMS", message);
        }
        return resultOf(prompt, await prompt.get(given, context));
      },
      ...completing(features, side),
    },
    capabilities,
  };
}

interface Asked {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>>;
}

function resultOf({ name, description }: Prompt, value: unknown): unknown {
  if (typeof value === "string") {
    return { description, messages: [{ role: "user", content: { type: "text", text: value } }] };
  }
  const where = `The prompt ${JSON.stringify(name)}`;
  if (Array.isArray(value)) return { description, messages: withTypes(value, where) };
  if (isObject(value) && Array.isArray(value["messages"]))
    return { ...value, messages: withTypes(value["messages"], where) };
  if (isObject(value) && "resultType" in value) return value;
  throw new TypeError(`The prompt ${name} gave neither text nor messages nor a result with messages.`);
}
