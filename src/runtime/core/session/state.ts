import { rpcError } from "../errors.js";
import { getOwn, type JsonObject } from "../../../common/object.js";
import type { ServerSessionConfig, ServerSettings } from "./config.js";
import { warn } from "../report.js";
import { type SealingKey, sealWith, unsealWith } from "../../../common/sealing.js";

/** The state of a call with several rounds. The client carries it, encrypted. */
export interface CallState {
  /** How many rounds of questions were sent. */
  round: number;
  /** Answers by key, each with the digest of its question. */
  readonly answers: Map<
    string,
    { readonly method: string; readonly digest: string; readonly value: unknown }
  >;
  /** The questions of the last round by key. */
  readonly pending: ReadonlyMap<string, { readonly method: string; readonly digest: string }>;
  /** The results of `context.once` by key. */
  readonly done: Map<string, unknown>;
  /** The `requestState` of a handler that writes `input_required` results itself. */
  readonly own?: string | undefined;
}

/** The state of a call before its first question. */
export const newState = (): CallState => ({
  round: 0,
  answers: new Map(),
  pending: new Map(),
  done: new Map(),
});

/** Encrypts a state for the client to carry. It expires, and is bound to `context`: the call and its principal (MRTR-10, MRTR-11). */
export function write(settings: ServerSettings, state: CallState, context: string): Promise<string> {
  const { stateLifetime = 600_000 } = settings;
  const text = JSON.stringify({
    ...state,
    expires: Date.now() + stateLifetime,
    answers: [...state.answers],
    pending: [...state.pending].map(([key, { method, digest }]) => [key, { method, digest }]),
    done: [...state.done],
  });
  return seal(settings, text, context);
}

/** Decrypts a state that the client returned. Throws "invalid params" if it is from another server or call, or expired. */
export async function read(settings: ServerSettings, sealed: unknown, context: string): Promise<CallState> {
  const text = typeof sealed === "string" ? await unseal(settings, sealed, context) : undefined;
  const state = text === undefined ? undefined : (JSON.parse(text) as StoredState);
  if (!state || state.expires < Date.now()) {
    throw rpcError("INVALID_PARAMS", "requestState: not issued by this server for this request, or expired.");
  }
  return {
    round: state.round,
    own: state.own,
    answers: new Map(state.answers),
    pending: new Map(state.pending),
    done: new Map(state.done),
  };
}

interface StoredState {
  readonly expires: number;
  readonly round: number;
  readonly own?: string;
  readonly done: [string, unknown][];
  readonly answers: [string, { method: string; digest: string; value: unknown }][];
  readonly pending: [string, { method: string; digest: string }][];
}

/**
 * Adds the answers to pending questions to the state. Other answers are ignored; a missing answer is requested again (MRTR-12).
 * Throws "invalid params" for an answer that does not match its question.
 */
export function record(
  state: CallState,
  responses: JsonObject,
  rows: ServerSessionConfig["side"]["outgoingRequests"],
): void {
  for (const [key, { method, digest }] of state.pending) {
    const row = getOwn(rows, method);
    const value = getOwn(responses, key);
    if (row?.result(value)) state.answers.set(key, { method, digest, value });
    else if (value !== undefined)
      throw rpcError(
        "INVALID_PARAMS",
        `params.inputResponses: ${JSON.stringify(key)} is not an answer to ${method}.`,
      );
  }
}

/** Maximum length of an encrypted state, in characters, because the client carries it. */
const maxLength = 65_536;

/** The keys of each server. A call may continue on another connection, so all connections of a server share them. */
const keyCache = /* @__PURE__ */ new WeakMap<ServerSettings, Promise<readonly SealingKey[]>>();

/** The keys of a server; the first one encrypts. */
function keysOf(settings: ServerSettings): Promise<readonly SealingKey[]> {
  let keys = keyCache.get(settings);
  if (!keys) keyCache.set(settings, (keys = load(settings)));
  return keys;
}

async function load(settings: ServerSettings): Promise<readonly SealingKey[]> {
  const { stateKeys = [], cluster } = settings;
  if (stateKeys.length > 0) return Promise.all(stateKeys.map(importKey));
  if (cluster) return cluster.stateKeys();
  warn(
    settings,
    "stateKeys is not set, so a random key encrypts the state of calls that wait for input. After a restart, or on another replica, these calls fail.",
  );
  return [await importKey(crypto.getRandomValues(new Uint8Array(32)))];
}

/**
 * Encrypts and authenticates text (MRTR-10). `unseal` needs the same `context`. Rejects if the result is longer than `maxLength`.
 */
async function seal(settings: ServerSettings, text: string, context: string): Promise<string> {
  const [key] = await keysOf(settings);
  const sealed = await sealWith(key as SealingKey, text, context);
  if (sealed.length <= maxLength) return sealed;
  throw new Error(`The state of one call has ${sealed.length} characters; at most ${maxLength} are allowed.`);
}

/** Decrypts text of `seal`. Returns undefined if it was changed, has another context, or its key is not among the keys. */
async function unseal(
  settings: ServerSettings,
  sealed: string,
  context: string,
): Promise<string | undefined> {
  return sealed.length > maxLength ? undefined : unsealWith(await keysOf(settings), sealed, context);
}

async function importKey(secret: Uint8Array | string): Promise<SealingKey> {
  const bytes = typeof secret === "string" ? new TextEncoder().encode(secret) : Uint8Array.from(secret);
  if (bytes.length < 32) throw new TypeError("A state key must have at least 32 bytes.");
  return crypto.subtle.importKey("raw", await crypto.subtle.digest("SHA-256", bytes), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
}
