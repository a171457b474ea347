import {
  invalidAt,
  jsonRpcCodes,
  McpError,
  SessionError,
  rpcError,
  type ValidationError,
} from "../errors.js";
import type { Params } from "../message.js";
import { getOwn, isObject, type JsonObject } from "../../../common/object.js";
import { report, warn } from "../report.js";
import type {
  Capabilities,
  Incoming,
  IncomingRequest,
  NotificationFacts,
  OutgoingRequest,
  RequestFacts,
  SideTable,
} from "../tables.js";
import type { Auth } from "../ports/transport.js";
import { elicitationIdOf } from "./elicitation.js";
import { normalizeUri } from "./uri.js";
import { declares, missingCapabilities } from "./capabilities.js";
import type { Identity, ServerSessionConfig } from "./config.js";
import { conform, type Leniency, nullIsAbsent } from "./conform.js";

/** An object of the entries whose name is defined. A revision may lack some of the names. */
export function members(
  ...entries: readonly (readonly [name: string | undefined, value: unknown])[]
): JsonObject {
  return Object.fromEntries(entries.filter(([name]) => name !== undefined)) as JsonObject;
}

/** True if a message of this row may have these params. */
export function acceptsParams({ params: guard, optional }: Incoming, params: unknown): boolean {
  return (optional && params === undefined) || guard(params);
}

/** Returns the params as a message with them may be sent. Throws a `ValidationError` if there is none. */
export function checkParams<T>(
  side: SideTable,
  row: Incoming & { readonly facts: RequestFacts | NotificationFacts },
  params: T,
): T {
  if (acceptsParams(row, params)) return params;
  return conform(side, row.facts.method, row.params, params, "params");
}

/** Returns the params that a peer sent, without null members that are no values of their type. Throws a `ValidationError` if they do not match their type. */
export function readParams(
  side: SideTable,
  row: Incoming & { readonly facts: RequestFacts | NotificationFacts },
  params: unknown,
): unknown {
  if (acceptsParams(row, params)) return params;
  return conform(side, row.facts.method, row.params, params, "params", nullIsAbsent);
}

/** Returns the params of a request as `readParams` does. Throws an "invalid params" error with the path if they do not match their type (JRPC-11). */
export function checkRequest(
  side: SideTable,
  row: IncomingRequest,
  { params }: { readonly params?: unknown },
): unknown {
  try {
    return readParams(side, row, params);
  } catch (error) {
    const { message, issues } = error as ValidationError;
    throw rpcError("INVALID_PARAMS", message, { issues });
  }
}

/** Path traversal: a segment "." or "..", however often it is percent-encoded, or a control character or invalid byte that could hide one. */
const hasTraversal = (text: string): boolean =>
  /\p{Cc}|%(25)*([01][\da-f]|7f|c[01])|(^|[/\\]|%(25)*(2f|5c))(\.|%(25)*2e){1,2}($|[/\\?#]|%(25)*(2f|5c))/iu.test(
    text,
  );

/**
 * Checks strings of a result that must begin with a prefix, such as the `file://` of roots (ROOT-02), and must not contain path
 * traversal (ROOT-06).
 *
 * @throws ValidationError with the path of the string.
 */
export function checkPrefixes({ method, prefixes = [] }: RequestFacts, result: unknown): void {
  for (const { list, member, prefix } of prefixes) {
    const items = isObject(result) ? result[list] : undefined;
    for (const [index, item] of (Array.isArray(items) ? items : []).entries()) {
      const value: unknown = isObject(item) ? item[member] : undefined;
      if (typeof value === "string" && value.startsWith(prefix) && !hasTraversal(value.slice(prefix.length)))
        continue;
      const message = `${list}[${index}].${member}: expected a string that begins with ${JSON.stringify(prefix)} and has no segment "." or ".." and no control character, got ${JSON.stringify(value)}`;
      throw invalidAt(`${method} result`, message, [list, index, member]);
    }
  }
}

/** Returns the result as its guard accepts it, as `conform` does. Throws a `ValidationError` with the path if it does not match its type. */
export function checkResult<T>(
  side: SideTable,
  { facts, result }: OutgoingRequest,
  value: T,
  leniency?: Leniency,
): T {
  if (result(value)) return value;
  return conform(side, facts.method, result, value, undefined, leniency);
}

/** The row of a request with these params. If they request another kind of result, such as a task, the row accepts both kinds. */
export function augmentedRow(row: OutgoingRequest, params: Params): OutgoingRequest {
  const { augmented, facts, result } = row;
  if (!augmented || getOwn(params ?? {}, facts.augments) === undefined) return row;
  const either = (value: unknown): boolean => augmented(value) || result(value);
  return { ...row, result: either };
}

/**
 * Returns true if a notification may be sent. Otherwise warns: the server did not declare the needed capability (LIFE-06), or the
 * notification is about a URL elicitation that no client got (ELIC-11).
 */
export function maySend(
  { capabilities, settings, elicitations, publish, withheld }: ServerSessionConfig,
  facts: NotificationFacts,
  params: Params,
): boolean {
  const { method, needs, needsOf } = facts;
  const elicitation = elicitationIdOf(params);
  // A client of another process may have got it.
  if (elicitation !== undefined && !elicitations.has(elicitation) && !publish) {
    warn(settings, `${method} was not sent: no client got an elicitation with this elicitationId.`);
    return false;
  }
  if (!needs || needsOf === "client" || declares(capabilities, needs)) return true;
  if (declares(withheld, needs)) return false;
  warn(
    settings,
    `${method} was not sent: it needs ${JSON.stringify(needs)} among the server's capabilities.`,
  );
  return false;
}

/** The error for a message that needs an undeclared capability. */
export function undeclaredError(method: string, needs: Capabilities, whose: string): SessionError {
  return new SessionError(
    "capability",
    `${method} needs ${JSON.stringify(needs)} among the ${whose}'s capabilities.`,
  );
}

/** The error to send for a request that does not declare a needed client capability (META-05). */
export function missingCapabilityError(
  { revision }: SideTable,
  message: string,
  requiredCapabilities: Capabilities,
): McpError {
  // Older revisions have no code for this. The request itself is valid, so -32600, which HTTP answers with 400, would be wrong.
  const code = revision.errors["MISSING_REQUIRED_CLIENT_CAPABILITY"] ?? jsonRpcCodes.INTERNAL_ERROR;
  return new McpError(code, message, { requiredCapabilities });
}

/**
 * Throws a `SessionError` unless the client declared the capabilities that a question needs, in the request that is being
 * answered (MRTR-04). The cause is the error to send to the client.
 */
export function checkAskable(side: SideTable, facts: RequestFacts, params: unknown, declared: unknown): void {
  const needs = missingCapabilities(facts, params, declared);
  if (!needs) return;
  const message = `${facts.method} needs ${JSON.stringify(needs)} among the client's capabilities.`;
  throw new SessionError("capability", message, { cause: missingCapabilityError(side, message, needs) });
}

/** Throws unless the request declares the extension that the message belongs to, or only servers declare it (EXT-02). */
export function checkExtension(
  side: SideTable,
  {
    extension,
    declaredBy,
  }: { readonly extension?: Capabilities | undefined; readonly declaredBy?: "server" },
  { capabilities }: Identity,
): void {
  if (!extension || declaredBy || declares(capabilities, extension)) return;
  throw missingCapabilityError(side, `The client does not declare ${JSON.stringify(extension)}.`, extension);
}

/** The error for a message that a revision does not have. */
export function unknownMethodError({ revision, side }: SideTable, method: string): SessionError {
  return new SessionError("method", `Revision ${revision.revision} has no ${method} for a ${side} to send.`);
}

/** The error for a server that would ask the client, but has no tables of questions. */
export function noQuestionsError(method: string): SessionError {
  const text = `${method} was not sent: this server cannot ask clients. Import \`serverQuestions\` beside the server and pass it: { questions: serverQuestions, handlers }.`;
  return new SessionError("place", text);
}

/**
 * True if a subscription to `parent` includes `subject`: they are equal, or `subject` is a sub-resource with the same scheme and
 * authority (RES-05). `tenant:/` does not include `tenant://a`.
 */
export function covers(parent: unknown, subject: unknown): boolean {
  if (parent === subject) return true;
  const [above, below] = [normalizeUri(String(parent)), normalizeUri(String(subject))];
  if (above === below) return true;
  return below.startsWith(`${above.replace(/\/$/, "")}/`) && authorityOf(above) === authorityOf(below);
}

/** The scheme of a URI and its authority, if any. */
const authorityOf = (uri: string): string | undefined => /^[^:/?#]+:(\/\/[^/?#]*)?/.exec(uri)?.[0];

/** Calls `settings.mayReceive`, if set. An error in it is reported and counts as false. */
export function mayReceive(
  { settings }: ServerSessionConfig,
  { method, extension }: NotificationFacts,
  subject: unknown,
  auth: Auth | undefined,
): boolean {
  if (!settings.mayReceive || extension) return true;
  try {
    return settings.mayReceive(String(subject), { method, auth }) === true;
  } catch (error) {
    report(settings, error, method);
    return false;
  }
}
