import type { Awaitable } from "../../common/timing.js";
import { jwtBearer } from "./model.js";
import { type OtherGrant, requireIssuer } from "./options.js";
import { requestTokens } from "./tokens.js";

/** The identity of a program that its platform issues. */
export interface WorkloadIdentity {
  /**
   * The issuer identifier of the authorization server that trusts the platform.
   * No other server gets a token of the platform.
   */
  readonly issuer: string;
  /**
   * Returns a token of the platform (a JWT) for the authorization server, which
   * must not have expired. `audience` is the issuer of the authorization
   * server, which most platforms require.
   */
  readonly assertion: (audience: string) => Awaitable<string>;
}

/**
 * Obtains tokens for a program by the identity that its platform gives it,
 * without a secret and without a registration:
 * `oauth({ login: workloadIdentity({ issuer, assertion }) })`. An error of the
 * authorization server is final. Requests fail with the reason `issuer` if the
 * MCP server names another authorization server. Specification: Workload
 * Identity Federation extension (draft; AUTH-83).
 *
 * @throws TypeError without `issuer`.
 */
export function workloadIdentity({
  issuer,
  assertion,
}: WorkloadIdentity): OtherGrant {
  requireIssuer(issuer, "workloadIdentity needs `issuer`");
  return {
    issuer,
    token: async ({ context, as, params }) =>
      requestTokens(context, as, undefined, jwtBearer, {
        ...params,
        assertion: await assertion(as.issuer),
      }),
  };
}
