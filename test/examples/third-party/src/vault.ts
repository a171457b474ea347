import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Adapter, AdapterPayload } from "oidc-provider";

/** A record, with the time when it expires in milliseconds since 1970. */
interface Entry {
  readonly expires: number;
  readonly value: unknown;
}

/**
 * Records in a folder, one file each. The name of a file is a keyed hash and
 * its content is sealed (AES-256-GCM), so that the disk tells no token to a
 * person who does not have the key. All calls are synchronous: nothing happens
 * between a read and the write after it.
 */
export class Vault {
  readonly #folder: string;
  readonly #keys: {
    readonly seal: Buffer;
    readonly name: Buffer;
    readonly sign: Buffer;
  };

  /**
   * `secret` has at least 32 random bytes. Only one process may use a folder.
   */
  constructor(folder: string, secret: Uint8Array) {
    if (secret.length < 32)
      throw new TypeError(
        `The key has ${secret.length} bytes; it must have at least 32.`,
      );
    const derive = (use: string): Buffer =>
      Buffer.from(hkdfSync("sha256", secret, "", use, 32));
    this.#keys = {
      seal: derive("seal"),
      name: derive("name"),
      sign: derive("sign"),
    };
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** The record, unless it has expired or cannot be opened with this key. */
  get<T>(kind: string, id: string): T | undefined {
    return this.#read(this.#nameOf(kind, id))?.value as T | undefined;
  }

  /** Keeps a record for some seconds. */
  set(kind: string, id: string, value: unknown, seconds: number): void {
    this.#write(this.#nameOf(kind, id), {
      expires: Date.now() + seconds * 1000,
      value,
    });
  }

  /** Changes a record that exists. It expires when it would have. */
  change<T>(kind: string, id: string, change: (value: T) => T): void {
    const name = this.#nameOf(kind, id);
    const entry = this.#read(name);
    if (entry)
      this.#write(name, {
        expires: entry.expires,
        value: change(entry.value as T),
      });
  }

  /** Returns a record and deletes it, so that it is used once. */
  take<T>(kind: string, id: string): T | undefined {
    const value = this.get<T>(kind, id);
    this.delete(kind, id);
    return value;
  }

  delete(kind: string, id: string): void {
    rmSync(join(this.#folder, this.#nameOf(kind, id)), { force: true });
  }

  /** Deletes what has expired. */
  sweep(): void {
    for (const name of readdirSync(this.#folder))
      if (!this.#read(name)) rmSync(join(this.#folder, name), { force: true });
  }

  /** A signature of some values, for cookies and forms. */
  sign(...values: readonly unknown[]): string {
    return createHmac("sha256", this.#keys.sign)
      .update(JSON.stringify(values))
      .digest("base64url");
  }

  isSigned(
    signature: string | undefined,
    ...values: readonly unknown[]
  ): boolean {
    const [given, expected] = [
      Buffer.from(signature ?? ""),
      Buffer.from(this.sign(...values)),
    ];
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  #nameOf(kind: string, id: string): string {
    return createHmac("sha256", this.#keys.name)
      .update(`${kind}:${id}`)
      .digest("hex");
  }

  /**
   * The name is authenticated too: the content of one file cannot take the
   * place of another.
   */
  #write(name: string, entry: Entry): void {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.#keys.seal, nonce).setAAD(
      Buffer.from(name),
    );
    const sealed = Buffer.concat([
      cipher.update(JSON.stringify(entry)),
      cipher.final(),
    ]);
    const path = join(this.#folder, name);
    writeFileSync(
      `${path}.new`,
      Buffer.concat([nonce, cipher.getAuthTag(), sealed]),
      { mode: 0o600 },
    );
    renameSync(`${path}.new`, path);
  }

  #read(name: string): Entry | undefined {
    try {
      const bytes = readFileSync(join(this.#folder, name));
      const cipher = createDecipheriv(
        "aes-256-gcm",
        this.#keys.seal,
        bytes.subarray(0, 12),
      );
      cipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(12, 28));
      const text = Buffer.concat([
        cipher.update(bytes.subarray(28)),
        cipher.final(),
      ]).toString();
      const entry = JSON.parse(text) as Entry;
      return entry.expires > Date.now() ? entry : undefined;
    } catch {
      return undefined;
    }
  }
}

/** How long a registered client is known, in seconds. */
const clientTime = 180 * 86_400;

/**
 * Keeps what oidc-provider has to remember in the vault. Its tokens live no
 * longer than the grant that they belong to.
 */
export const adapterOf =
  (vault: Vault) =>
  (kind: string): Adapter => ({
    async upsert(id, payload, seconds = clientTime) {
      vault.set(kind, id, payload, seconds);
      if (kind === "Session" && payload.uid !== undefined)
        vault.set("SessionUid", payload.uid, id, seconds);
    },
    find: async (id) => vault.get<AdapterPayload>(kind, id),
    async findByUid(uid) {
      const id = vault.get<string>("SessionUid", uid);
      return id === undefined ? undefined : vault.get<AdapterPayload>(kind, id);
    },
    findByUserCode: async () => undefined,
    async consume(id) {
      const consumed = Math.floor(Date.now() / 1000);
      vault.change<AdapterPayload>(kind, id, (payload) => ({
        ...payload,
        consumed,
      }));
    },
    destroy: async (id) => vault.delete(kind, id),
    revokeByGrantId: async (grantId) => vault.delete("Grant", grantId),
  });
