import type { Awaitable } from "../../common/timing.js";
import { AuthorizationError } from "./error.js";
import type { ProofKey } from "./proofs.js";

/** The tokens for one server and account. */
export interface Grant {
  readonly kind: "grant";
  /** Identifies the sign-in; a refresh keeps it. */
  readonly id: string;
  readonly issuer: string;
  readonly resource?: string | undefined;
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /**
   * When the access token was obtained and expires, in milliseconds since 1970.
   */
  readonly since: number;
  readonly expires?: number | undefined;
  /** The requested scopes. */
  readonly scopes: readonly string[];
  /** The private key that the tokens are bound to (DPoP). */
  readonly proofKey?: ProofKey | undefined;
  /** The URL of the metadata of the server. */
  readonly metadataUrl?: string | undefined;
}

/**
 * The dynamic registration of this client at one authorization server (RFC
 * 7591).
 */
export interface Registration {
  readonly kind: "registration";
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** When the secret expires, in milliseconds since 1970. */
  readonly expires?: number | undefined;
  /** The `token_endpoint_auth_method` of the answer. */
  readonly method?: string | undefined;
  /**
   * Undefined for a device, which needs none, and for a client that did not
   * register itself.
   */
  readonly redirectUri?: string | undefined;
  /**
   * The identifier by which MCP servers name it, if it differs and a person
   * accepted that for `mcpgen login`.
   */
  readonly alias?: string | undefined;
  /**
   * Endpoints of a server without metadata, which a person named to
   * `mcpgen login`.
   */
  readonly endpoints?: Readonly<Record<string, string>> | undefined;
}

/** A sign-in that began at a `SignInPage`, and whose answer is awaited. */
export interface PendingSignIn {
  readonly kind: "sign-in";
  readonly server: string;
  readonly account: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly verifier: string;
  readonly resource?: string | undefined;
  readonly scopes: readonly string[];
  readonly metadataUrl?: string | undefined;
  /**
   * When the sign-in expires, in milliseconds since 1970. A store may remove it
   * then.
   */
  readonly expires: number;
}

/** An entry of a store. */
export type StoreEntry = Grant | Registration | PendingSignIn;

/**
 * Stores tokens, registrations and pending sign-ins, which are plain JSON and
 * secret. Without `lock`, only one process may use it at a time; with it, one
 * process refreshes a token or lets a person sign in, and the others use the
 * result. If a method rejects, so does the request.
 */
export interface TokenStore {
  get(key: string): Awaitable<StoreEntry | undefined>;
  /** Stores a value, or removes it. */
  set(key: string, value: StoreEntry | undefined): Awaitable<void>;
  /**
   * Runs `work` while no other holder of the same key does, in any process. A
   * sign-in may take minutes.
   */
  lock?<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** A store in memory, for one process; several `oauth` objects may share it. */
export function memoryStore(): TokenStore {
  const values = new Map<string, StoreEntry>();
  /** The end of the last work of each key that is locked. */
  const last = new Map<string, Promise<unknown>>();
  return {
    get: (key) => values.get(key),
    set: (key, value) =>
      void (value ? values.set(key, value) : values.delete(key)),
    lock: (key, work) => {
      const result = (last.get(key) ?? Promise.resolve()).then(work);
      const end = result
        .catch(() => {})
        .then(() => void (last.get(key) === end && last.delete(key)));
      last.set(key, end);
      return result;
    },
  };
}

/**
 * A store whose errors say that it is the store, not the server, that fails.
 * Errors of the work under a lock stay as they are.
 */
export function checkedStore(store: TokenStore, server: URL): TokenStore {
  const failures = new Set<unknown>();
  const check = async <T>(work: () => Awaitable<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      if (failures.delete(cause)) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      const message = `The token store cannot be used for ${server.host}: ${why}`;
      throw new AuthorizationError("store", message, server, { cause });
    }
  };
  const note = (failure: unknown): never => {
    failures.add(failure);
    throw failure;
  };
  const { lock } = store;
  return {
    get: (key) => check(() => store.get(key)),
    set: (key, value) => check(() => store.set(key, value)),
    ...(lock && {
      lock: (key, work) =>
        check(() => lock.call(store, key, () => work().catch(note))) as never,
    }),
  };
}

/** The key of the tokens for a server. */
export const grantKey = (server: URL, account = ""): string =>
  JSON.stringify([
    "grant",
    server.origin + server.pathname + server.search,
    account,
  ]);

/** The key of the registration at an authorization server. AUTH-26 */
export const registrationKey = (issuer: string): string =>
  JSON.stringify(["registration", issuer]);

/** The tokens under a key, if any. */
export async function readGrant(
  store: TokenStore,
  key: string,
): Promise<Grant | undefined> {
  const value = await store.get(key);
  return value?.kind === "grant" ? value : undefined;
}
