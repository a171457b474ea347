import { report } from "../core/report.js";
import { shortJson } from "../core/short-json.js";
import type { CatalogServer } from "./catalog.js";
import { type CodeLimits, limitMessage } from "./limits.js";
import { type CodeFile, ToolFailed, valueOf } from "./results.js";

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
  readonly allow: Allow;
  readonly signal: AbortSignal;
  readonly onCall: ((call: CodeCall) => void) | undefined;
}

/** The calls of one run. */
export interface Calls {
  /**
   * Makes a call. Resolves with its answer as JSON, and never rejects. `more`
   * gives the run more time, or takes it back, in ms.
   */
  call(text: string, more: (time: number) => void): Promise<string>;
  /** The calls so far, in the order in which the program made them. */
  readonly list: readonly CodeCall[];
  readonly files: readonly CodeFile[];
}

/** Makes the calls of one run, each with the guards of its client. */
export function callsOf(options: CallOptions): Calls {
  const list: CodeCall[] = [];
  const files: CodeFile[] = [];
  const keep = (mimeType: string, data: string): string => {
    const handle = `file-${files.length + 1}`;
    files.push({ handle, mimeType, data });
    return handle;
  };

  const settle = (index: number, state: CodeCall["state"]): void => {
    const call = list[index];
    if (call === undefined) return;
    list[index] = { ...call, state };
    // The function is the user's; what it throws must not end the process.
    try {
      options.onCall?.({ ...call, state });
    } catch (error) {
      report({}, error, "onCall");
    }
  };

  let [asking, since] = [0, 0];
  /** While somebody decides, the time of the run stands still. */
  const decide = async (
    wanted: WantedCall,
    more: (time: number) => void,
  ): Promise<boolean> => {
    if (asking++ === 0) {
      since = Date.now();
      more(longestQuestion);
    }
    try {
      return await isAllowed(options, wanted);
    } finally {
      if (--asking === 0) more(Date.now() - since - longestQuestion);
    }
  };

  const answerTo = async (
    wanted: WantedCall,
    index: number,
    more: (time: number) => void,
  ) => {
    const { server, tool } = wanted;
    const method = methodOf(options, server, tool);
    const { signal, limits } = options;
    const isReadOnly = toolOf(options, wanted)?.isReadOnly === true;
    if (!isReadOnly && (!(await decide(wanted, more)) || signal.aborted)) {
      settle(index, "refused");
      throw new Error(
        `${server}.${tool} was not called: it may change something, and nobody allowed it.`,
      );
    }
    list[index] = { server, tool, state: "open" };
    const result = await method(wanted.arguments, { signal });
    settle(index, "done");
    const value = valueOf(result, keep);
    const text = shortJson(value, limits.result);
    if (text === undefined) throw new Error(limitMessage("result", limits));
    return `{"value":${text}}`;
  };

  return {
    list,
    files,
    async call(text, more) {
      const wanted = wantedIn(text);
      if (wanted === null) return unreadable;
      const { server, tool } = wanted;
      const index = list.push({ server, tool, state: "refused" }) - 1;
      try {
        return await answerTo(wanted, index, more);
      } catch (error) {
        const isOpen = list[index]?.state === "open";
        const isOver = options.signal.aborted;
        if (error instanceof ToolFailed || (isOpen && !isOver))
          settle(index, "failed");
        return JSON.stringify({ error: messageOf(error, `${server}.${tool}`) });
      }
    },
  };
}

const unreadable =
  '{"error":"The arguments of a call cannot be read: the program changed built-in objects. Leave them as they are."}';

/** The call in a text of the prelude; null if a program has spoiled it. */
function wantedIn(text: string): WantedCall | null {
  try {
    const [server, tool, args] = JSON.parse(text) as unknown[];
    return typeof server === "string" && typeof tool === "string"
      ? { server, tool, arguments: args }
      : null;
  } catch {
    return null;
  }
}

/** The method of a client. Only what the catalog has can be called. */
function methodOf(options: CallOptions, server: string, tool: string): Method {
  const isKnown = toolOf(options, { server, tool }) !== undefined;
  const method = isKnown && options.clients[server]?.tools[tool];
  if (method) return method as Method;
  throw new Error(`There is no tool ${server}.${tool}.`);
}

/** A tool in the catalog. */
const toolOf = (
  { servers }: CallOptions,
  { server, tool }: Pick<WantedCall, "server" | "tool">,
) =>
  servers
    .find(({ name }) => name === server)
    ?.tools.find(({ name }) => name === tool);

/** True if somebody allows a call of a tool that does not only read. */
async function isAllowed(
  { allow }: CallOptions,
  call: WantedCall,
): Promise<boolean> {
  return typeof allow === "function"
    ? await allow(call)
    : allow.includes(`${call.server}.${call.tool}`);
}

/** What a program, and so a model, is told about a call that failed. */
function messageOf(error: unknown, tool: string): string {
  const { message, result } = error as { message?: unknown; result?: unknown };
  const text = typeof message === "string" ? message : String(error);
  // A result that does not match comes from a server that changed.
  if (result === undefined) return text;
  return `${text}. The server has changed ${tool} since its types were generated: run mcpgen pull, and generate them again.`;
}
