import { jsonRpcCodes } from "../core/errors.js";
import { messageOf, report } from "../core/report.js";
import { shortJson } from "../core/short-json.js";
import type { CatalogServer } from "./catalog.js";
import { type CodeLimits, limitMessage } from "./limits.js";
import { type CodeFile, valueOf } from "./results.js";

/** A call of a tool by a program. */
export interface CodeCall {
  readonly server: string;
  readonly tool: string;
  /**
   * `done`: it has a result. `failed`: it has an error, of the tool or of the
   * connection. `refused`: it was not sent, since nobody allowed it, or not in
   * time. `open`: it was sent, and the run ended before its result came, so
   * nobody knows whether it was done.
   */
  readonly state: "done" | "failed" | "refused" | "open";
}

/** A call that a program wants to make. */
export interface WantedCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: unknown;
}

/**
 * Which tools may be called that the server does not call read-only: their
 * names, such as `files.editFile`, or a function that is asked for each call.
 */
export type Allow =
  readonly string[] | ((call: WantedCall) => boolean | Promise<boolean>);

/** A server as a program calls it: a connected client of mcpgen. */
export interface CodeClient<Name extends string = string> {
  readonly tools: {
    readonly [Tool in Name]: (...args: never) => Promise<unknown>;
  };
}

/** For how long the time of a run stands still while it is asked, in ms. */
const longestQuestion = 600_000;

type Method = (
  args: unknown,
  options: { readonly signal: AbortSignal },
) => Promise<unknown>;

/** What the calls of one run need. */
export interface CallOptions {
  readonly clients: Readonly<Record<string, CodeClient>>;
  readonly servers: readonly CatalogServer[];
  readonly limits: CodeLimits;
  readonly allow?: Allow;
  readonly signal: AbortSignal;
  readonly onCall?: (call: CodeCall) => void;
}

/** Gives a run more time, or takes it back, in ms. */
export type More = (time: number) => void;

/** The calls of one run. */
export interface Calls {
  /**
   * Makes a call. Resolves with its value as JSON.
   *
   * @throws Error with a sentence for the model
   */
  make(wanted: WantedCall, more: More): Promise<string>;
  /** Makes a call of a program. Resolves with its answer, and never rejects. */
  answer(text: string, more: More): Promise<string>;
  /** The calls so far, in the order in which the program made them. */
  readonly list: readonly CodeCall[];
  readonly files: readonly CodeFile[];
}

/** Makes the calls of one run, each with the guards of its client. */
export function callsOf(options: CallOptions): Calls {
  const { signal, limits, onCall } = options;
  const list: { -readonly [Member in keyof CodeCall]: CodeCall[Member] }[] = [];
  const files: CodeFile[] = [];
  const keep = (mimeType: string, data: string): string => {
    const handle = `file-${files.length + 1}`;
    files.push({ handle, mimeType, data });
    return handle;
  };
  const decide = decider(options);

  const make: Calls["make"] = async (wanted, more) => {
    const { server, tool } = wanted;
    const name = `${server}.${tool}`;
    const call: (typeof list)[number] = { server, tool, state: "refused" };
    list.push(call);
    const settle = (state: CodeCall["state"]): void => {
      call.state = state;
      // The function is the user's; what it throws must not end the process.
      try {
        onCall?.({ ...call });
      } catch (error) {
        report({}, error, "onCall");
      }
    };
    const { method, isReadOnly } = methodOf(options, wanted);
    if (!isReadOnly && (!(await decide(wanted, more)) || signal.aborted)) {
      settle("refused");
      throw new Error(
        `${name} was not called: it may change something, and nobody allowed it.`,
      );
    }
    call.state = "open";
    let value: unknown;
    try {
      value = valueOf(await method(wanted.arguments, { signal }), keep);
    } catch (error) {
      if (!signal.aborted) settle("failed");
      throw new Error(told(error, name), { cause: error });
    }
    settle("done");
    const text = shortJson(value, limits.result);
    if (text === undefined) throw new Error(limitMessage("result", limits));
    return text;
  };

  return {
    list,
    files,
    make,
    async answer(text, more) {
      try {
        return `{"value":${await make(wantedIn(text), more)}}`;
      } catch (error) {
        return JSON.stringify({ error: (error as Error).message });
      }
    },
  };
}

/** Asks whether a call is allowed. Meanwhile the time of the run stands still. */
function decider({ allow = [] }: CallOptions) {
  let [asking, since] = [0, 0];
  return async (wanted: WantedCall, more: More): Promise<boolean> => {
    if (typeof allow !== "function")
      return allow.includes(`${wanted.server}.${wanted.tool}`);
    if (asking++ === 0) {
      since = Date.now();
      more(longestQuestion);
    }
    try {
      return await allow(wanted);
    } finally {
      if (--asking === 0) more(Date.now() - since - longestQuestion);
    }
  };
}

/** The call in a text of the prelude, if a program has not spoiled it. */
function wantedIn(text: string): WantedCall {
  try {
    const [server, tool, args] = JSON.parse(text) as readonly string[];
    if (typeof server === "string" && typeof tool === "string")
      return { server, tool, arguments: args };
  } catch {
    // The text is not JSON.
  }
  throw new Error(
    "The arguments of a call cannot be read: the program changed built-in objects. Leave them as they are.",
  );
}

/** The method of a client. Only what the catalog has can be called. */
function methodOf(
  { clients, servers }: CallOptions,
  { server, tool }: WantedCall,
) {
  const row = servers
    .find(({ name }) => name === server)
    ?.tools.find(({ name }) => name === tool);
  const method = row && clients[server]?.tools[tool];
  if (!method) throw new Error(`There is no tool ${server}.${tool}.`);
  return { method: method as Method, isReadOnly: row.isReadOnly };
}

/** What a program, and so a model, is told about a call that failed. */
function told(error: unknown, tool: string): string {
  const { code, result } = Object(error) as {
    readonly code?: unknown;
    readonly result?: unknown;
  };
  const text = messageOf(error);
  // The result does not match, or the server knows neither tool nor arguments.
  return result === undefined && code !== jsonRpcCodes.INVALID_PARAMS
    ? text
    : `${text.replace(/\.$/, "")}. If the server has changed ${tool} since its types were generated, run mcpgen pull, and generate them again.`;
}
