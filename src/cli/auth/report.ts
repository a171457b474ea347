import type { StoredGrant } from "../../runtime/login.js";
import type { LoginReport, LogoutReport } from "../report.js";

/** What `login` and `logout` say at the end. */
export function signInText(report: LoginReport | LogoutReport): string {
  const { server } = report;
  if (report.kind === "logout")
    return report.wasSignedIn ? `signed out of ${server}\n` : `there is no token of ${server}\n`;
  const { grant, folder, isNeeded } = report;
  if (!isNeeded || grant === null) return `${server} asks for no token: there is nothing to sign in to\n`;
  return `signed in to ${server} at ${grant.issuer}; ${lasting(grant)}\nthe tokens are in ${folder}\n`;
}

/** The servers that there are tokens for, one line each. */
export function loginsText(grants: readonly StoredGrant[]): string {
  return grants
    .map((grant) => {
      const account = grant.account === "" ? "" : `  account ${grant.account}`;
      return `${grant.server}${account}  ${grant.issuer}  ${lasting(grant)}\n`;
    })
    .join("");
}

function lasting({ expires, isRenewable }: StoredGrant): string {
  if (isRenewable) return "renewed without you";
  if (expires === undefined) return "valid until the server says otherwise";
  const time = new Date(expires).toISOString().replace("T", " ").slice(0, 16);
  return expires < Date.now() ? `expired ${time} UTC` : `valid until ${time} UTC`;
}
