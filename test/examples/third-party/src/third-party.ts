import * as oauth from "oauth4webapi";

/**
 * The third party at which people sign in, and the one client that this server
 * is there.
 */
export interface ThirdPartyOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The scopes that this server needs there; `openid` must be one of them. */
  readonly scope: string;
}

/** What the third party gave for one sign-in. */
export interface ThirdPartyTokens {
  readonly subject: string;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** When the access token expires, in milliseconds since 1970. */
  readonly expires: number;
}

/** What must be remembered until the person comes back. */
export interface PendingSignIn {
  readonly verifier: string;
  readonly nonce: string;
}

/**
 * This server as a client of the third party. Methods reject if the third party
 * does not answer, or not as the protocol says.
 */
export class ThirdParty {
  readonly name: string;
  readonly #options: ThirdPartyOptions;
  readonly #redirectUri: string;
  readonly #client: oauth.Client;
  readonly #auth: oauth.ClientAuth;
  #metadata: Promise<oauth.AuthorizationServer> | undefined;

  constructor(options: ThirdPartyOptions, redirectUri: string) {
    this.name = new URL(options.issuer).host;
    this.#options = options;
    this.#redirectUri = redirectUri;
    this.#client = { client_id: options.clientId };
    this.#auth = oauth.ClientSecretBasic(options.clientSecret);
  }

  /** The page on which the person signs in. */
  async signInUrl(
    state: string,
  ): Promise<{ readonly url: string; readonly pending: PendingSignIn }> {
    const { authorization_endpoint: endpoint } = await this.#server();
    if (endpoint === undefined)
      throw new Error(`${this.name} has no authorization endpoint.`);
    const pending = {
      verifier: oauth.generateRandomCodeVerifier(),
      nonce: oauth.generateRandomNonce(),
    };
    const { clientId, scope } = this.#options;
    const url = new URL(endpoint);
    const parameters = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: this.#redirectUri,
      scope,
      state,
      nonce: pending.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: "S256",
      // There is a refresh token only after a consent (OpenID Connect Core,
      // section 11).
      ...(scope.split(" ").includes("offline_access") && { prompt: "consent" }),
    };
    for (const [name, value] of Object.entries(parameters))
      url.searchParams.set(name, value);
    return { url: url.href, pending };
  }

  /**
   * Exchanges the code of an answer for tokens. The answer must have the
   * issuer, the state and the nonce of this sign-in.
   */
  async exchange(
    answer: URLSearchParams,
    state: string,
    pending: PendingSignIn,
  ): Promise<ThirdPartyTokens> {
    const as = await this.#server();
    const params = oauth.validateAuthResponse(as, this.#client, answer, state);
    const { verifier, nonce } = pending;
    const call = [
      params,
      this.#redirectUri,
      verifier,
      this.#transport(),
    ] as const;
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      this.#client,
      this.#auth,
      ...call,
    );
    const rules = { expectedNonce: nonce, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(
      as,
      this.#client,
      response,
      rules,
    );
    return tokensIn(
      tokens,
      String(oauth.getValidatedIdTokenClaims(tokens)?.sub),
    );
  }

  /**
   * Asks whether an access token is still good: by introspection (RFC 7662), or
   * else by a use of it.
   */
  async isActive(tokens: ThirdPartyTokens): Promise<boolean> {
    const as = await this.#server();
    if (as.introspection_endpoint !== undefined) {
      const call = [tokens.accessToken, this.#transport()] as const;
      const response = await oauth.introspectionRequest(
        as,
        this.#client,
        this.#auth,
        ...call,
      );
      return (
        await oauth.processIntrospectionResponse(as, this.#client, response)
      ).active;
    }
    return this.profile(tokens).then(
      () => true,
      (error: unknown) => {
        if (error instanceof oauth.WWWAuthenticateChallengeError) return false;
        throw error;
      },
    );
  }

  /**
   * New tokens for a refresh token, or undefined if the third party refuses:
   * the person has to sign in again.
   */
  async renew({
    subject,
    refreshToken,
  }: ThirdPartyTokens): Promise<ThirdPartyTokens | undefined> {
    if (refreshToken === undefined) return undefined;
    const as = await this.#server();
    const call = [refreshToken, this.#transport()] as const;
    const response = await oauth.refreshTokenGrantRequest(
      as,
      this.#client,
      this.#auth,
      ...call,
    );
    try {
      const tokens = await oauth.processRefreshTokenResponse(
        as,
        this.#client,
        response,
      );
      return tokensIn({ refresh_token: refreshToken, ...tokens }, subject);
    } catch (error) {
      if (
        error instanceof oauth.ResponseBodyError &&
        error.error === "invalid_grant"
      )
        return undefined;
      throw error;
    }
  }

  /**
   * Revokes the tokens of a session that has ended here (RFC 7009), if the
   * third party can do so.
   */
  async revoke({ refreshToken, accessToken }: ThirdPartyTokens): Promise<void> {
    const as = await this.#server();
    if (as.revocation_endpoint === undefined) return;
    const call = [refreshToken ?? accessToken, this.#transport()] as const;
    await oauth.revocationRequest(as, this.#client, this.#auth, ...call);
  }

  /**
   * Who the person is: a call of the third party's API, with the third party's
   * token and never with one of ours.
   */
  async profile({
    subject,
    accessToken,
  }: ThirdPartyTokens): Promise<oauth.UserInfoResponse> {
    const as = await this.#server();
    const response = await oauth.userInfoRequest(
      as,
      this.#client,
      accessToken,
      this.#transport(),
    );
    return oauth.processUserInfoResponse(as, this.#client, subject, response);
  }

  /** The metadata of the third party, which is read once. */
  #server(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(this.#options.issuer);
    this.#metadata ??= oauth
      .discoveryRequest(issuer, this.#transport())
      .then((response) => oauth.processDiscoveryResponse(issuer, response));
    this.#metadata.catch(() => (this.#metadata = undefined));
    return this.#metadata;
  }

  #transport(): {
    readonly signal: AbortSignal;
    readonly [oauth.allowInsecureRequests]: boolean;
  } {
    // `start` allows http only for a third party on this machine.
    const isInsecure = this.#options.issuer.startsWith("http:");
    return {
      signal: AbortSignal.timeout(5000),
      [oauth.allowInsecureRequests]: isInsecure,
    };
  }
}

type Answer = Pick<
  oauth.TokenEndpointResponse,
  "access_token" | "refresh_token" | "expires_in"
>;

const tokensIn = (answer: Answer, subject: string): ThirdPartyTokens => ({
  subject,
  accessToken: answer.access_token,
  refreshToken: answer.refresh_token,
  // A token without a time is checked all the same each time.
  expires: Date.now() + (answer.expires_in ?? 3600) * 1000,
});

/**
 * Prints why the third party could not be used. Errors of oauth4webapi have
 * tokens in their `cause`, which is not printed.
 */
export function report(error: unknown): undefined {
  console.error(
    error instanceof Error
      ? `third party: ${error.name}: ${error.message}`
      : "third party: unknown error",
  );
}
