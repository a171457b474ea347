import { rpcError } from "../errors.js";
import { getOwn, type JsonObject } from "../../../common/object.js";
import type { ServerSessionConfig, ServerSettings } from "./config.js";
import { warn } from "../report.js";
import {
  type Sealer,
  sealerFor,
  secretBytes,
} from "../../../common/secrets.js";

/**
 * A question of a call: its method, and the digest of its method and params.
 */
interface Asked {
  readonly method: string;
  readonly digest: string;
}

/**
 * The state of a call with several rounds. The client carries it, encrypted.
 */
export interface CallState {
  /** How many rounds of questions were sent. */
  round: number;
  /** Answers by key, each with the digest of its question. */
  readonly answers: Map<string, Asked & { readonly value: unknown }>;
  /** The questions of the last round by key. */
  readonly pending: ReadonlyMap<string, Asked>;
  /** The results of `context.once` by key. */
  readonly done: Map<string, unknown>;
  /**
   * The `requestState` of a handler that writes `input_required` results
   * itself.
   */
  readonly own?: string | undefined;
}

/** The state of a call before its first question. */
export const newState = (): CallState => ({
  round: 0,
  answers: new Map(),
  pending: new Map(),
  done: new Map(),
});

/**
 * Maximum length of an encrypted state, in characters, because the client
 * carries it.
 */
const maxLength = 65_536;

/**
 * The number of the form of a state. A new form gets another one, and is read
 * one release before it is written: a process of another release may get it.
 */
const format = "1 ";

/**
 * Encrypts a state for the client to carry. It expires, and is bound to
 * `context`: the call and its principal (MRTR-10, MRTR-11). Rejects if the
 * result is longer than `maxLength`.
 */
export async function write(
  settings: ServerSettings,
  state: CallState,
  context: string,
): Promise<string> {
  const { stateLifetime = 600_000 } = settings;
  const text = JSON.stringify({
    ...state,
    expires: Date.now() + stateLifetime,
    answers: [...state.answers],
    pending: [...state.pending].map(([key, { method, digest }]) => [
      key,
      { method, digest },
    ]),
    done: [...state.done],
  });
  const sealed = await sealerOf(settings).seal(text, format + context);
  if (sealed.length <= maxLength) return sealed;
  throw new Error(
    `The state of one call has ${sealed.length} characters; at most ${maxLength} are allowed.`,
  );
}

/** A state as JSON: maps are lists of their entries. */
interface StoredState extends Readonly<
  Record<"answers" | "pending" | "done", readonly (readonly [string, never])[]>
> {
  readonly expires: number;
  readonly round: number;
  readonly own?: string;
}

/**
 * Decrypts a state that the client returned. Throws "invalid params" if it is
 * from another server or call, or expired.
 */
export async function read(
  settings: ServerSettings,
  sealed: unknown,
  context: string,
): Promise<CallState> {
  const isShort = typeof sealed === "string" && sealed.length <= maxLength;
  const text = isShort
    ? await sealerOf(settings).open(sealed, format + context)
    : undefined;
  const state =
    text === undefined ? undefined : (JSON.parse(text) as StoredState);
  if (!state || state.expires < Date.now()) {
    throw rpcError(
      "INVALID_PARAMS",
      "requestState: not issued by this server for this request, or expired.",
    );
  }
  const { round, own, answers, pending, done } = state;
  return {
    round,
    own,
    answers: new Map(answers),
    pending: new Map(pending),
    done: new Map(done),
  };
}

/**
 * Adds the answers to pending questions to the state. Other answers are
 * ignored; a missing answer is requested again (MRTR-12). Throws "invalid
 * params" for an answer that does not match its question.
 */
export function record(
  state: CallState,
  responses: JsonObject,
  rows: ServerSessionConfig["side"]["outgoingRequests"],
): void {
  for (const [key, { method, digest }] of state.pending) {
    const row = getOwn(rows, method);
    const value = getOwn(responses, key);
    if (row?.checks.result(value))
      state.answers.set(key, { method, digest, value });
    else if (value !== undefined)
      throw rpcError(
        "INVALID_PARAMS",
        `params.inputResponses: ${JSON.stringify(key)} is not an answer to ${method}.`,
      );
  }
}

/**
 * What encrypts the states of each server. A call may continue on another
 * connection, so all connections of a server share it.
 */
const sealers = /* @__PURE__ */ new WeakMap<ServerSettings, Sealer>();

function sealerOf(settings: ServerSettings): Sealer {
  const { stateKeys = [], cluster } = settings;
  const known =
    sealers.get(settings) ??
    (stateKeys.length > 0 ? undefined : cluster?.stateSealer);
  if (known) return known;
  if (stateKeys.length === 0)
    warn(
      settings,
      "stateKeys is not set, so a random key encrypts the state of calls that wait for input. After a restart, or on another replica, these calls fail.",
    );
  const keys =
    stateKeys.length > 0
      ? stateKeys
      : [crypto.getRandomValues(new Uint8Array(32))];
  const sealer = sealerFor(secretBytes(keys, "stateKeys"), "state");
  sealers.set(settings, sealer);
  return sealer;
}
