import { type SealingKey, sealWith, unsealWith } from "../../shared/sealing.js";
import { derive, keysFor, secretBytes, type Secrets } from "../../shared/secrets.js";

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
    this.#secrets = secretBytes(secrets, "cluster");
  }

  /** Bytes for a purpose, one for each secret. */
  bytes(purpose: string): Promise<readonly Uint8Array[]> {
    return Promise.all(this.#secrets.map((secret) => derive(secret, purpose)));
  }

  sealer(purpose: string): Sealer {
    let loading: Promise<readonly SealingKey[]> | undefined;
    const keys = (): Promise<readonly SealingKey[]> => (loading ??= keysFor(this.#secrets, purpose));
    return {
      seal: async (text, context) => sealWith((await keys())[0] as SealingKey, text, context),
      open: async (sealed, context) => unsealWith(await keys(), sealed, context),
    };
  }
}
