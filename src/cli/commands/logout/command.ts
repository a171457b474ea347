import type { Revocation } from "../../../auth/index.js";
import { serverOf } from "../../auth/authorize.js";
import { authFetch, loadAuth, ourClient } from "../../auth/module.js";
import { revocationText } from "../../auth/report.js";
import { keptIssuers } from "../../auth/sign-in-options.js";
import { openStore } from "../../auth/store.js";
import { exitCodes } from "../../command-error.js";
import type { Command } from "../../command.js";
import {
  type Diagnostic,
  makeDiagnostic,
} from "../../../generator/diagnostics.js";
import { reportOf } from "../../report.js";
import { signInAddress } from "../login/command.js";

export const run: Command = async (_words, flags, context) => {
  const { url } = await signInAddress(flags, context);
  const module = await loadAuth();
  const store = openStore(module);
  const account = flags.text("account") ?? "";
  const server = serverOf(url);
  const grant = await store.find(server, account);
  if (grant === undefined) {
    const data = { server, wasSignedIn: false, revocations: [] };
    return reportOf(exitCodes.done, data, {
      diagnostics: [],
      text: () => `there was no token for ${server}\n`,
    });
  }
  let revocations: readonly Revocation[] = [];
  let diagnostics: readonly Diagnostic[] = [];
  try {
    revocations = await module
      .oauth({
        store,
        client: ourClient,
        fetch: authFetch(module),
        ...(account !== "" && { account }),
        ...(await keptIssuers(store, grant.issuer)),
      })
      .logout(url);
  } catch (error) {
    const reason = (error as Error).message;
    const message = `the tokens are removed here, but ${grant.issuer} did not revoke them: ${reason}`;
    const hint = "revoke the access of mcpgen in your account settings there";
    diagnostics = [makeDiagnostic("warning", "MG738", message, hint)];
  }
  const text = `signed out of ${server}\n${revocations.map(revocationText).join("")}`;
  const data = { server, wasSignedIn: true, revocations };
  return reportOf(exitCodes.done, data, {
    diagnostics,
    text: () => text,
  });
};
