import { createHash } from "node:crypto";
import { readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { withProcessLock } from "../../common/process-lock.js";
import type { StoreEntry, TokenStore } from "../client/store.js";
import {
  checkPrivate,
  hasCode,
  makePrivateFolder,
  settingsFolder,
  writePrivate,
} from "./files.js";

/** A store in files, for all processes of one user. */
export interface FileStore extends TokenStore {
  /** The folder of the files. */
  readonly folder: string;
  lock<T>(key: string, work: () => Promise<T>): Promise<T>;
  /**
   * The stored grant for the URL of one server, without its token. Reads only
   * the file of that grant.
   */
  find(server: string, account?: string): Promise<StoredGrant | undefined>;
  /** All stored grants, without their tokens. */
  list(): Promise<StoredGrant[]>;
}

/** A stored grant, without its token. */
export interface StoredGrant {
  /** The URL of the MCP server. */
  readonly server: string;
  /** The `account` of `oauth`; empty for the default one. */
  readonly account: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  /** When the access token expires, in milliseconds since 1970. */
  readonly expires: number | undefined;
  /** True if the token can be renewed without a person. */
  readonly isRenewable: boolean;
}

interface Entry {
  readonly key: string;
  readonly value: StoreEntry;
}

/**
 * Stores tokens, registrations and pending sign-ins in files that only this
 * user can read, one for each. They are not encrypted. By default, the folder
 * is `mcpgen/auth` in the user's settings (`$XDG_CONFIG_HOME`,
 * `~/Library/Application Support` or `%APPDATA%`).
 *
 * Processes that use one folder refresh a token once, and let a person sign in
 * once. The others continue at once if such a process is killed, or after ten
 * seconds without a sign of it if it is on another machine.
 *
 * Methods reject with an `Error` that names the file if it cannot be read or
 * written, or if other users may read it.
 *
 * @throws Error if no folder is given and the user has no home folder
 */
export function fileStore({
  folder = join(settingsFolder(), "mcpgen", "auth"),
}: { readonly folder?: string } = {}): FileStore {
  let ready: Promise<void> | undefined;
  const prepare = (): Promise<void> =>
    (ready ??= makePrivateFolder(folder).catch((error: unknown) => {
      ready = undefined;
      throw error;
    }));
  const pathOf = (key: string, kind: string): string =>
    join(
      folder,
      `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.${kind}`,
    );
  return {
    folder,
    async get(key) {
      const entry = await readEntry(pathOf(key, "json"));
      return entry?.key === key ? entry.value : undefined;
    },
    async set(key, value) {
      const path = pathOf(key, "json");
      if (!value) return unlink(path).catch(ignoreMissing);
      await prepare();
      const entry: Entry = { key, value };
      await writePrivate(path, `${JSON.stringify(entry, null, 2)}\n`);
    },
    async lock(key, work) {
      await prepare();
      return withProcessLock(pathOf(key, "lock"), work);
    },
    async find(server, account = "") {
      // The key that `oauth` uses (`grantKey`). It is not imported, so that the
      // entry /login does not bundle code of the entry /auth.
      const entry = await readEntry(
        pathOf(JSON.stringify(["grant", server, account]), "json"),
      );
      return entry && grantIn(entry)[0];
    },
    async list() {
      const names = await readdir(folder).catch(
        (error: unknown) => ignoreMissing(error) ?? [],
      );
      const entries = await Promise.all(
        names
          .filter((name) => name.endsWith(".json"))
          .map((name) => readEntry(join(folder, name))),
      );
      return entries
        .flatMap((entry) => (entry ? grantIn(entry) : []))
        .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
    },
  };
}

const sortKey = ({ server, account }: StoredGrant): string =>
  `${server}\n${account}`;

function grantIn({ key, value }: Entry): StoredGrant[] {
  if (value.kind !== "grant") return [];
  const [, server = "", account = ""] = JSON.parse(key) as string[];
  const { issuer, scopes, expires, refreshToken } = value;
  return [
    {
      server,
      account,
      issuer,
      scopes,
      expires,
      isRenewable: refreshToken !== undefined,
    },
  ];
}

async function readEntry(path: string): Promise<Entry | undefined> {
  let text: string;
  try {
    await checkPrivate(path, "file", 0o600);
    text = await readFile(path, "utf8");
  } catch (error) {
    return ignoreMissing(error);
  }
  try {
    const entry = JSON.parse(text) as Entry;
    if (typeof entry.key === "string" && typeof entry.value.kind === "string")
      return entry;
  } catch {
    // The text is not quoted, since it may hold a token.
  }
  throw new Error(
    `The file ${path} is damaged: it is not a stored token. Remove it, and sign in again.`,
  );
}

function ignoreMissing(error: unknown): undefined {
  if (hasCode(error, "ENOENT")) return undefined;
  throw error;
}
