import type { Diagnostic } from "../../diagnostics.js";
import { PullError } from "../../read/live/pull.js";
import { exitCodes, CommandError } from "../command-error.js";
import type { ServerPlace } from "./place.js";
import { redacted } from "./redact.js";
import { isCredential, type Secret, secretsOf } from "./secrets.js";

/** Longest text of a stranger's that a message of ours takes in. */
const longest = 500;

/** Whatever goes wrong between us and a server is told in a sentence, with an exit code of its own and without secrets. */
export function failure(error: unknown, place: ServerPlace): CommandError {
  const reason = error instanceof Error ? error.message : String(error);
  const told = redacted(reason, secretsOf(place));
  return new CommandError(
    [diagnosed(error, told.length > longest ? `${told.slice(0, longest)}…` : told, place)],
    exitCodes.unreachable,
  );
}

/** The whole took too long, however quick the single answers were. */
export class TooLong extends Error {
  override readonly name = "TooLong";
}

/** The server lists a value that is needed to reach it. */
export class SecretListed extends Error {
  override readonly name = "SecretListed";
  /** The name of the header or the environment variable that has the value. */
  readonly setting: string | undefined;

  /** `path` is where the server lists the value. */
  constructor(path: string, { what, setting }: Secret) {
    super(`${path} holds the value of ${what}`);
    this.setting = setting;
  }
}

function diagnosed(error: unknown, told: string, place: ServerPlace): Diagnostic {
  const name = error instanceof Error ? error.name : "";
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  if (error instanceof PullError) return because("MG731", `the snapshot was given up: ${told}`, null);
  if (error instanceof SecretListed) {
    const { setting } = error;
    const mayBeHarmless = setting !== undefined && !isCredential(setting);
    const hint = mayBeHarmless
      ? `change the server so that it does not; if the value is not secret, run again with --not-secret ${setting}`
      : "change the server so that it does not: a snapshot is committed and must hold no secrets";
    return because("MG737", `the server repeats a secret: ${told}`, hint);
  }
  if (name === "TimeoutError" || error instanceof TooLong) {
    return because(
      "MG733",
      `the server takes too long: ${told}`,
      "give it more time with --timeout <seconds>",
    );
  }
  if (place.kind === "http" && (status === 401 || status === 403)) return unwelcome(status, told, place);
  return because("MG730", `the server cannot be read: ${told}`, advice[place.kind]);
}

function unwelcome(status: 401 | 403, told: string, { headers }: { readonly headers: object }): Diagnostic {
  const knows = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  const message =
    status === 403
      ? `the server denies access (403): ${told}`
      : knows
        ? `the server rejects the Authorization header (401): ${told}`
        : `the server requires authentication (401): ${told}`;
  const hint = knows
    ? "check that the token is complete, not expired, and issued for this server"
    : 'pass --header "Authorization: Bearer $TOKEN"';
  return because("MG732", message, hint);
}

const advice: Readonly<Record<ServerPlace["kind"], string>> = {
  stdio: "check that the command starts a server, and read its standard error",
  http: "check that the URL is the one of an MCP server; its path is often /mcp or /sse",
  module: "check that the module serves the revisions that it declares",
};

function because(code: string, message: string, hint: string | null): Diagnostic {
  return { code, severity: "error", message, hint, location: null, within: [] };
}
