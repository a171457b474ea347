import type { AuthorizationServer } from "oauth4webapi";

/** The metadata of an authorization server, whose URLs were checked. */
export interface AuthorizationMetadata extends AuthorizationServer {
  /**
   * True if the server supports PKCE with S256, which binds a code to this
   * client; "assumed" if only the option `issuers` says so.
   */
  readonly hasPkce: boolean | "assumed";
}

/** The answer of a token endpoint. */
export interface Tokens {
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Seconds until the access token expires. */
  readonly lifetime: number | undefined;
  /** True if the tokens are bound to the key of this client. */
  readonly isBound: boolean;
  /** The `issued_token_type` of a token exchange (RFC 8693). */
  readonly type?: string | undefined;
}

/** The grant of a device (RFC 8628). */
export const deviceCode = "urn:ietf:params:oauth:grant-type:device_code";

/** The grant by a signed assertion (RFC 7523). */
export const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/**
 * The key of a client that signs its requests for tokens (`private_key_jwt`,
 * RFC 7523).
 */
export interface ClientKey {
  /** The private key: a `CryptoKey`, a JWK, or text in PEM form (PKCS #8). */
  readonly key?: object | string;
  /**
   * The signature algorithm; ES256 by default. Ignored for a `CryptoKey`, which
   * has its own.
   */
  readonly alg?: string;
  /** The id of the key. */
  readonly kid?: string;
}

/** A client that one authorization server accepts. */
export interface KnownClient extends ClientKey {
  readonly id: string;
  readonly secret?: string | undefined;
  /**
   * True if the client registered itself. It may have a secret that the server
   * does not want.
   */
  readonly isDynamic?: true;
  /** The authentication method of the registration. */
  readonly method?: string | undefined;
}

/**
 * What a person knows about an authorization server, from its documentation or
 * its operator.
 */
export interface IssuerFacts {
  /** Another identifier to accept in its metadata and its answers. */
  readonly issuer?: string;
  /**
   * "S256" if the documentation promises PKCE with S256 (RFC 7636), and the
   * metadata lacks `code_challenge_methods_supported`. `onEvent` then reports
   * the step `assume-pkce`.
   */
  readonly pkce?: "S256";
  /**
   * Parameters to add to each request for a sign-in, and for a token without a
   * person, such as `audience` or `access_type`.
   */
  readonly params?: Readonly<Record<string, string>>;
  /** The `resource` parameter for this server; false to send none. */
  readonly resource?: string | false;
  /**
   * Endpoints by their names in metadata (`token_endpoint`), in place of those
   * in its metadata, which it need not have.
   */
  readonly endpoints?: Readonly<Record<string, string>>;
}
