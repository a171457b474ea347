import type { Awaitable } from "../timing.js";
import { jwtBearer } from "./model.js";
import type { OtherGrant } from "./options.js";
import { requestTokens } from "./tokens.js";

/** The identity of a program that its platform issues. */
export interface WorkloadIdentity {
  /**
   * Returns a token of the platform (a JWT) for the authorization server, which must not have expired. `audience` is the issuer of the
   * authorization server, which most platforms require.
   */
  readonly assertion: (audience: string) => Awaitable<string>;
}

/**
 * Obtains tokens for a program by the identity that its platform gives it, without a secret and without a registration:
 * `oauth({ login: workloadIdentity({ assertion }) })`. An error of the authorization server is final. Specification: Workload Identity
 * Federation extension (draft; AUTH-83).
 */
export function workloadIdentity({ assertion }: WorkloadIdentity): OtherGrant {
  return {
    token: async ({ context, as, params }) =>
      requestTokens(context, as, undefined, jwtBearer, { ...params, assertion: await assertion(as.issuer) }),
  };
}
