import { rpcError } from "../errors.js";
import { getOwn, type JsonObject } from "../message.js";
import type { ServerSessionConfig, ServerSettings } from "./config.js";
import { seal, unseal } from "./seal.js";

/** What is known of a call that goes back and forth. The client carries it, sealed. */
export interface CallState {
  /** How many times the client has been asked. */
  round: number;
  /** Answers, each with the digest of what was asked. */
  readonly answers: Map<
    string,
    { readonly method: string; readonly digest: string; readonly value: unknown }
  >;
  /** What was asked last. */
  readonly pending: ReadonlyMap<string, { readonly method: string; readonly digest: string }>;
  /** Results of `context.once`. */
  readonly done: Map<string, unknown>;
  /** The state of a handler that keeps its own. */
  readonly own?: string | undefined;
}

/** The state of a call that has asked nothing yet. */
export const fresh = (): CallState => ({ round: 0, answers: new Map(), pending: new Map(), done: new Map() });

/** The state for a client to carry. MRTR-10, MRTR-11: sealed, expiring, and bound to the call and its principal. */
export function write(settings: ServerSettings, state: CallState, place: string): Promise<string> {
  const { stateLifetime = 600_000 } = settings;
  const text = JSON.stringify({
    ...state,
    expires: Date.now() + stateLifetime,
    answers: [...state.answers],
    pending: [...state.pending].map(([key, { method, digest }]) => [key, { method, digest }]),
    done: [...state.done],
  });
  return seal(settings, text, place);
}

/** The state that came back. Throws "invalid params" for one that is not of this server, this call or this time. */
export async function read(settings: ServerSettings, sealed: unknown, place: string): Promise<CallState> {
  const text = typeof sealed === "string" ? await unseal(settings, sealed, place) : undefined;
  const state = text === undefined ? undefined : (JSON.parse(text) as Stored);
  if (!state || state.expires < Date.now()) {
    throw rpcError(
      "INVALID_PARAMS",
      "requestState: not a state that this server gave out for this request, or too old.",
    );
  }
  return {
    round: state.round,
    own: state.own,
    answers: new Map(state.answers),
    pending: new Map(state.pending),
    done: new Map(state.done),
  };
}

interface Stored {
  readonly expires: number;
  readonly round: number;
  readonly own?: string;
  readonly done: [string, unknown][];
  readonly answers: [string, { method: string; digest: string; value: unknown }][];
  readonly pending: [string, { method: string; digest: string }][];
}

/**
 * Takes down the answers that came back, as far as they answer what was asked. MRTR-12: others are ignored, what is
 * missing will be asked again, and an answer of another kind is refused.
 */
export function record(
  state: CallState,
  given: JsonObject,
  sends: ServerSessionConfig["side"]["outgoingRequests"],
): void {
  for (const [key, { method, digest }] of state.pending) {
    const row = getOwn(sends, method);
    const value = getOwn(given, key);
    if (row?.result(value)) state.answers.set(key, { method, digest, value });
    else if (value !== undefined)
      throw rpcError(
        "INVALID_PARAMS",
        `params.inputResponses: ${JSON.stringify(key)} is no answer to ${method}.`,
      );
  }
}
