import type { StoreEntry, TokenStore } from "../../auth/index.js";
import type { FileStore } from "../../auth/login.js";
import { usageError } from "../command-error.js";
import type { AuthModule } from "./module.js";

/** The token store of `mcpgen login`. Its errors are thrown as diagnostics. */
export function openStore(module: AuthModule): FileStore {
  const store = findStore(module);
  if (store !== null) return store;
  const message =
    "the token store cannot be used: this user has no home folder";
  throw usageError("MG739", message, "set HOME to a folder that you may write");
}

/**
 * The same store; null if this user has no home folder, as in a container whose
 * user id is unknown.
 */
export function findStore({ fileStore }: AuthModule): FileStore | null {
  let store: FileStore;
  try {
    store = fileStore();
  } catch {
    return null;
  }
  const told = <T>(work: () => Promise<T>): Promise<T> =>
    withDiagnostics(store, work);
  const find: FileStore["find"] = (server, account) =>
    told(() => store.find(server, account));
  return {
    folder: store.folder,
    get: (key) => told(async () => store.get(key)),
    set: (key, value) => told(async () => store.set(key, value)),
    lock: (key, work) => store.lock(key, work),
    find,
    list: () => told(() => store.list()),
  };
}

async function withDiagnostics<T>(
  { folder }: FileStore,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = `the token store cannot be used: ${(error as Error).message}`;
    throw usageError(
      "MG739",
      message,
      `check that you may read and write ${folder}`,
    );
  }
}

/**
 * A store that adds each secret that is read or written to `secrets`, so that
 * messages and snapshots can hide it.
 */
export function watchedStore(
  store: TokenStore,
  secrets: Set<string>,
): TokenStore {
  const watch = (entry: StoreEntry | undefined): StoreEntry | undefined => {
    for (const text of secretsIn(entry)) secrets.add(text);
    return entry;
  };
  return {
    ...store,
    get: async (key) => watch(await store.get(key)),
    set: (key, value) => store.set(key, watch(value)),
  };
}

function secretsIn(entry: StoreEntry | undefined): readonly string[] {
  switch (entry?.kind) {
    case "grant":
      return [
        entry.accessToken,
        ...(entry.refreshToken === undefined ? [] : [entry.refreshToken]),
      ];
    case "registration":
      return entry.clientSecret === undefined ? [] : [entry.clientSecret];
    case "sign-in":
      return [entry.verifier, entry.state];
    default:
      return [];
  }
}
