import type { Revocation } from "../../auth/index.js";
import type { StoredGrant } from "../../auth/login.js";

/** The summary of `login`. */
export function signInText(
  server: string,
  grant: StoredGrant | null,
  folder: string,
): string {
  if (grant === null)
    return `${server} does not require a token, so you need not sign in\n`;
  return `signed in to ${server} at ${grant.issuer}; ${validityOf(grant)}\nthe tokens are in ${folder}\n`;
}

export const revocationText = ({ token, isRevoked }: Revocation): string =>
  isRevoked
    ? `the ${token} token is revoked\n`
    : `the authorization server does not revoke the ${token} token, which is valid until it expires\n`;

/** The servers with a stored token, one per line. */
export function loginsText(grants: readonly StoredGrant[]): string {
  return grants
    .map((grant) => {
      const account = grant.account === "" ? "" : `  account ${grant.account}`;
      return `${grant.server}${account}  ${grant.issuer}  ${validityOf(grant)}\n`;
    })
    .join("");
}

function validityOf({ expires, isRenewable }: StoredGrant): string {
  if (isRenewable) return "renewed automatically";
  if (expires === undefined) return "valid until the server rejects it";
  const time = new Date(expires).toISOString().replace("T", " ").slice(0, 16);
  return expires < Date.now()
    ? `expired ${time} UTC`
    : `valid until ${time} UTC`;
}
