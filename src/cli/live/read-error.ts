import {
  type Diagnostic,
  makeDiagnostic,
} from "../../generator/diagnostics.js";
import type { AuthorizationError, IssuerFacts } from "../../auth/index.js";
import { PullError } from "../../generator/read/live/pull.js";
import { exitCodes, CommandError } from "../command-error.js";
import type { HttpAddress, ServerAddress } from "./address.js";
import { redacted, secretsOf } from "./secrets.js";

/** The maximum length of text from outside in a message. */
const maxLength = 500;

/** The beginning of a text from outside, for a message. */
export const shortened = (text: string): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;

/**
 * Converts an error while reading a server to a diagnostic with an exit code
 * and without secrets.
 */
export function asReadError(
  error: unknown,
  address: ServerAddress,
): CommandError {
  if (error instanceof CommandError) return error;
  // An error of the token store, which the authorization reports in its own
  // words.
  if (error instanceof Error && error.cause instanceof CommandError)
    return error.cause;
  const reason = error instanceof Error ? error.message : String(error);
  // The lines that follow repeat the standard error of the server, which was
  // printed; options of the library are flags here, which the hint names.
  const text = redacted(
    reason
      .replace(/ The end of its stderr:[^]*/, "")
      .replace(/ Raise `timeout` to wait longer\.| \(`probeTimeout`\)/, ""),
    secretsOf(address),
  );
  return new CommandError(
    [diagnosticOf(error, shortened(text), address)],
    exitCodes.unreachable,
  );
}

/**
 * Converts an error of a call: an answer of the server that rejects it, or an
 * error of the connection.
 */
export function asCallError(error: unknown, address: ServerAddress): unknown {
  if (!(error instanceof Error) || error.name !== "McpError") return error;
  const reason = redacted(error.message, secretsOf(address));
  const code = "code" in error ? ` (${String(error.code)})` : "";
  return new CommandError(
    [
      makeDiagnostic(
        "error",
        "MG758",
        `the server rejects the call${code}: ${shortened(reason)}`,
      ),
    ],
    exitCodes.unreachable,
  );
}

/**
 * Thrown if the whole run exceeds its time limit, although no single request
 * did.
 */
export class RunTimeoutError extends Error {
  override readonly name = "RunTimeoutError";
}

function diagnosticOf(
  error: unknown,
  text: string,
  address: ServerAddress,
): Diagnostic {
  const name = error instanceof Error ? error.name : "";
  const status =
    error instanceof Error && "status" in error ? error.status : undefined;
  if (error instanceof PullError)
    return makeDiagnostic(
      "error",
      "MG731",
      `the server exceeds a limit: ${text}`,
    );
  if (name === "TimeoutError" || error instanceof RunTimeoutError) {
    return makeDiagnostic(
      "error",
      "MG733",
      `the server takes too long: ${text}`,
      address.kind === "stdio"
        ? "give it more time with --timeout <seconds>; if it needs a variable of your environment, such as NODE_EXTRA_CA_CERTS or HTTPS_PROXY, add --env <NAME>"
        : "give it more time with --timeout <seconds>",
    );
  }
  if (
    address.kind === "http" &&
    name === "AuthorizationError" &&
    "reason" in (error as object)
  )
    return authorizationError(error as AuthorizationError, text, address);
  if (address.kind === "http" && (status === 401 || status === 403))
    return authError(status, text, address);
  return makeDiagnostic(
    "error",
    "MG730",
    `the server cannot be read: ${text}`,
    (typeof status === "number" && adviceFor(status)) || advice[address.kind],
  );
}

/** What to do about a server that is there, but does not answer now. */
function adviceFor(status: number): string | undefined {
  if (status === 429) return "the server limits how often it is called: wait";
  return status >= 500
    ? "the address is right, and the server failed: read its log, or try again later"
    : undefined;
}

/**
 * No token could be obtained: the user is not signed in, or the authorization
 * server rejects the request.
 */
function authorizationError(
  {
    reason,
    scopes = [],
    issuers = {},
  }: Pick<AuthorizationError, "reason" | "scopes" | "issuers">,
  text: string,
  address: HttpAddress,
): Diagnostic {
  const login = loginCommand(address, scopes);
  if (reason === "network")
    return makeDiagnostic(
      "error",
      "MG730",
      `the server cannot be read: ${text}`,
      "try again later",
    );
  if (reason === "login-required")
    return makeDiagnostic(
      "error",
      "MG732",
      `the server requires you to sign in: ${text}`,
      `run ${login}`,
    );
  const isPerson =
    address.auth === undefined || accountOf(address) !== undefined;
  const again = isPerson ? login : "the same command";
  const [flags] = Object.entries(issuers).map(([issuer, facts]) =>
    flagsFor(issuer, facts, isPerson),
  );
  const hint =
    flags !== undefined
      ? `if that is right, run ${again} ${flags}`
      : isPerson
        ? `run ${login}`
        : "check the value of --auth, and that the server accepts it";
  return makeDiagnostic(
    "error",
    "MG738",
    `the authorization failed: ${text}`,
    hint,
  );
}

/**
 * The flags that say about an authorization server what an error advises;
 * undefined if this command has none. An issuer is shown only if no shell reads
 * it in another way.
 */
function flagsFor(
  issuer: string,
  facts: string | IssuerFacts,
  isPerson: boolean,
): string | undefined {
  const {
    issuer: alias,
    pkce,
    endpoints,
  }: IssuerFacts = typeof facts === "string" ? { issuer: facts } : facts;
  const isPlain = [issuer, alias ?? ""].every((one) =>
    /^[\w./:~-]*$/.test(one),
  );
  if (!isPlain)
    return alias === undefined
      ? undefined
      : "with --issuer-alias and the issuers that the message names";
  if (alias !== undefined) return `--issuer-alias ${issuer}=${alias}`;
  if (!isPerson) return undefined;
  if (pkce) return `--assume-pkce ${issuer}`;
  const names = Object.keys(endpoints ?? {});
  return names.length === 0
    ? undefined
    : [
        `--issuer ${issuer}`,
        ...names.map((name) => `--endpoint ${name}=<url>`),
      ].join(" ");
}

/** The account of `--auth account:<name>`. */
const accountOf = ({ auth = "" }: HttpAddress): string | undefined =>
  /^account:(.+)$/.exec(auth)?.[1];

/**
 * The command to sign in, without the secrets of the URL. A scope is shown only
 * if no shell reads it in another way.
 */
function loginCommand(
  address: HttpAddress,
  scopes: readonly string[] = [],
): string {
  const url = address.url.href;
  const isPublic = redacted(url, secretsOf(address)) === url;
  const account = accountOf(address);
  const command =
    (isPublic
      ? `mcpgen login --url ${url}`
      : "mcpgen login with the same --url") +
    (account === undefined ? "" : ` --account ${account}`);
  if (scopes.length === 0) return command;
  const isPlain = scopes.every((scope) => /^[\w./:@+][\w./:@+-]*$/.test(scope));
  return `${command} ${isPlain ? `--scope ${scopes.join(",")}` : "with --scope and the scopes that the message names"}`;
}

function authError(
  status: 401 | 403,
  text: string,
  address: HttpAddress,
): Diagnostic {
  const { headers } = address;
  const hasHeader = Object.keys(headers).some(
    (name) => name.toLowerCase() === "authorization",
  );
  const message =
    status === 403
      ? `the server denies access (403): ${text}`
      : hasHeader
        ? `the server rejects the Authorization header (401): ${text}`
        : `the server requires authentication (401): ${text}`;
  // The words of this runtime, and those of the official SDK.
  const [, refused, invalid = refused] =
    /\b(host|origin)\b.{1,300} is not allowed|\binvalid (host|origin)\b/i.exec(
      text,
    ) ?? [];
  const hint =
    status === 403 && invalid !== undefined
      ? `the server does not allow this ${invalid.toLowerCase()}, whoever you are: add it to its option allowed${invalid.charAt(0).toUpperCase()}${invalid.slice(1).toLowerCase()}s`
      : hasHeader
        ? "check that the token is complete, not expired, and issued for this server"
        : `run ${loginCommand(address)}, or pass --header "Authorization: Bearer $TOKEN"`;
  return makeDiagnostic("error", "MG732", message, hint);
}

const advice: Readonly<Record<ServerAddress["kind"], string>> = {
  stdio:
    "check that the command starts a server, and read the error output of the server",
  http: "check that the server is running and that the URL is correct; its path is often /mcp or /sse",
  module: "check that the module serves the revisions that it declares",
};
