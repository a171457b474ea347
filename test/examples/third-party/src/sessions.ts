import { errors } from "oidc-provider";
import {
  report,
  type ThirdParty,
  type ThirdPartyTokens,
} from "./third-party.js";
import type { Vault } from "./vault.js";

/**
 * What is behind a grant of ours: the tokens of the third party, and when they
 * were last used, in milliseconds since 1970.
 */
interface Session extends ThirdPartyTokens {
  readonly used: number;
}

/** Seconds for which an answer of the third party counts. */
const trustTime = 5;
/** Seconds without a use after which a session ends. */
const idleTime = 1800;
/** Seconds after which a person has to sign in again in any case. */
export const sessionTime: number = 14 * 86_400;

/**
 * The sessions of people who have signed in at the third party, by our grant:
 * its tokens count as long as the session lives.
 */
export class Sessions {
  readonly #thirdParty: ThirdParty;
  readonly #vault: Vault;
  readonly #checks = new Map<
    string,
    { until: number; tokens: Promise<ThirdPartyTokens | undefined> }
  >();

  constructor(thirdParty: ThirdParty, vault: Vault) {
    this.#thirdParty = thirdParty;
    this.#vault = vault;
  }

  open(grantId: string, tokens: ThirdPartyTokens): void {
    const session: Session = { ...tokens, used: Date.now() };
    this.#vault.set("ThirdPartySession", grantId, session, sessionTime);
  }

  /**
   * The tokens of the third party for a grant, or undefined if the session has
   * ended: here, there, or because nobody used it. Requests at the same time
   * share one check, because a refresh token can be used only once.
   *
   * @throws TemporarilyUnavailable, an OAuth error, if the third party cannot
   *   be asked.
   */
  async tokensOf(
    grantId: string | undefined,
  ): Promise<ThirdPartyTokens | undefined> {
    if (grantId === undefined) return undefined;
    const now = Date.now();
    const known = this.#checks.get(grantId);
    if (known && now < known.until) return known.tokens;
    for (const [id, { until }] of this.#checks)
      if (until <= now) this.#checks.delete(id);
    const check = { until: Infinity, tokens: this.#check(grantId) };
    this.#checks.set(grantId, check);
    check.tokens.then(
      () => (check.until = Date.now() + trustTime * 1000),
      () => (check.until = 0),
    );
    return check.tokens;
  }

  /**
   * Ends a session and with it all our tokens of the grant. The third party is
   * told if it can be reached.
   */
  async end(grantId: string): Promise<void> {
    this.#checks.delete(grantId);
    this.#vault.delete("Grant", grantId);
    const session = this.#vault.take<Session>("ThirdPartySession", grantId);
    if (session) await this.#thirdParty.revoke(session).catch(() => {});
  }

  async #check(grantId: string): Promise<ThirdPartyTokens | undefined> {
    const find = (): Session | undefined =>
      this.#vault.get<object>("Grant", grantId) &&
      this.#vault.get<Session>("ThirdPartySession", grantId);
    const session = find();
    const isFresh = session && Date.now() - session.used < idleTime * 1000;
    const tokens = isFresh ? await this.#confirm(session) : undefined;
    if (!tokens) await this.end(grantId);
    // Another request may have ended it meanwhile.
    else if (!find()) await this.#thirdParty.revoke(tokens).catch(() => {});
    if (!tokens || !find()) return undefined;
    this.#vault.change<Session>("ThirdPartySession", grantId, () => ({
      ...tokens,
      used: Date.now(),
    }));
    return tokens;
  }

  /**
   * The tokens if the third party confirms them, or new ones, or undefined if
   * it has ended the session.
   */
  async #confirm(
    tokens: ThirdPartyTokens,
  ): Promise<ThirdPartyTokens | undefined> {
    try {
      const isLive =
        Date.now() < tokens.expires &&
        (await this.#thirdParty.isActive(tokens));
      return isLive ? tokens : await this.#thirdParty.renew(tokens);
    } catch (error) {
      report(error);
      throw new errors.TemporarilyUnavailable(
        "the third party does not answer",
      );
    }
  }
}
