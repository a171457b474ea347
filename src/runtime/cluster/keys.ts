import { type SealingKey, sealWith, unsealWith } from "../../shared/sealing.js";

const encoder = /* @__PURE__ */ new TextEncoder();

/** Secrets as options have them: an environment variable may be missing. */
export type Secrets = readonly (Uint8Array | string | undefined)[];

/** Encrypts for one purpose. `context` is authenticated: a text that was sealed with another one does not open. */
export interface Sealer {
  seal(text: string, context: string): Promise<string>;
  /** Resolves with undefined for a text that none of the secrets has sealed. */
  open(sealed: string, context: string): Promise<string | undefined>;
}

/** The keys of a cluster, one for each purpose, made of its secrets by HKDF. The first secret seals, all of them open. */
export class Keys {
  readonly #secrets: readonly Uint8Array[];

  /** @throws TypeError unless there is a secret, and each has at least 32 bytes. */
  constructor(secrets: Secrets) {
    if (!Array.isArray(secrets) || secrets.length === 0)
      throw new TypeError("cluster: secrets: expected at least one secret, got none.");
    this.#secrets = (secrets as Secrets).map((secret, index) => {
      const bytes = typeof secret === "string" ? encoder.encode(secret) : Uint8Array.from(secret ?? []);
      if (bytes.length >= 32) return bytes;
      throw new TypeError(
        `cluster: secrets[${index}]: expected at least 32 bytes, got ${bytes.length}. Make one with \`openssl rand -base64 32\`.`,
      );
    });
  }

  /** Bytes for a purpose, one for each secret. */
  async bytes(purpose: string): Promise<readonly Uint8Array[]> {
    const derived = this.#secrets.map(async (secret) => {
      const base = await crypto.subtle.importKey("raw", Uint8Array.from(secret), "HKDF", false, [
        "deriveBits",
      ]);
      const info = encoder.encode(`mcpgen 1 ${purpose}`);
      const options = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
      return new Uint8Array(await crypto.subtle.deriveBits(options, base, 256));
    });
    return Promise.all(derived);
  }

  sealer(purpose: string): Sealer {
    let keys: Promise<readonly SealingKey[]> | undefined;
    const load = async (): Promise<readonly SealingKey[]> => {
      const all = (await this.bytes(purpose)).map((bytes) =>
        crypto.subtle.importKey("raw", Uint8Array.from(bytes), "AES-GCM", false, ["encrypt", "decrypt"]),
      );
      return Promise.all(all);
    };
    const loaded = (): Promise<readonly SealingKey[]> => (keys ??= load());
    return {
      seal: async (text, context) => sealWith((await loaded())[0] as SealingKey, text, context),
      open: async (sealed, context) => unsealWith(await loaded(), sealed, context),
    };
  }
}
