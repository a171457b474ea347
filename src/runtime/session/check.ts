import {
  invalidAt,
  jsonRpcCodes,
  McpError,
  RefusedError,
  rpcError,
  type ValidationError,
} from "../errors.js";
import { getOwn, isObject, type JsonObject, type Params } from "../message.js";
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
import type { Auth } from "../transport/transport.js";
import { pageIdOf } from "./asked.js";
import { declares, missing } from "./capabilities.js";
import type { Identity, ServerSessionConfig } from "./config.js";

/** An object of the members whose names this revision has. */
export function members(
  ...entries: readonly (readonly [name: string | undefined, value: unknown])[]
): JsonObject {
  return Object.fromEntries(entries.filter(([name]) => name !== undefined)) as JsonObject;
}

/** Why a guard has just refused a value, with the place; the member holds the value. */
export function invalid(
  what: string,
  { refusal }: SideTable,
  value: unknown,
  member?: string,
): ValidationError {
  const { message, path } = refusal(value, member);
  return invalidAt(what, message, path ?? []);
}

/** Are these the params that a message of the row has? */
export function fits({ params: guard, optional }: Incoming, params: unknown): boolean {
  return (optional && params === undefined) || guard(params);
}

/** Throws a `ValidationError` unless a message with these params may be sent. */
export function checkParams(
  side: SideTable,
  row: Incoming & { readonly facts: RequestFacts | NotificationFacts },
  params: unknown,
): void {
  if (!fits(row, params)) throw invalid(row.facts.method, side, params, "params");
}

/** JRPC-11: throws "invalid params" that names the place, unless the request has the params of its type. */
export function checkRequest(
  side: SideTable,
  row: IncomingRequest,
  { params }: { readonly params?: unknown },
): void {
  if (fits(row, params)) return;
  const { message, issues } = invalid(row.facts.method, side, params, "params");
  throw rpcError("INVALID_PARAMS", message, { issues });
}

/** A step "." or "..", also where it is escaped once or more often, or a control character or bytes of no character, which could hide one. */
const climbs =
  /\p{Cc}|%(25)*([01][\da-f]|7f|c[01])|(^|[/\\]|%(25)*(2f|5c))(\.|%(25)*2e){1,2}($|[/\\?#]|%(25)*(2f|5c))/iu;

/** ROOT-02, ROOT-06: throws for text in a result that begins otherwise than its reader may expect, or leads out of its path. */
export function checkPrefixes({ method, prefixes = [] }: RequestFacts, result: unknown): void {
  for (const { list, member, prefix } of prefixes) {
    const items = isObject(result) ? result[list] : undefined;
    for (const [at, item] of (Array.isArray(items) ? items : []).entries()) {
      const value: unknown = isObject(item) ? item[member] : undefined;
      if (typeof value === "string" && value.startsWith(prefix) && !climbs.test(value.slice(prefix.length)))
        continue;
      const message = `${list}[${at}].${member}: expected text that begins with ${JSON.stringify(prefix)} and has no step "." or ".." and no control character, got ${JSON.stringify(value)}`;
      throw invalidAt(`${method} result`, message, [list, at, member]);
    }
  }
}

/** Returns the very result, or throws a `ValidationError` that names the place. */
export function checkResult<T>(side: SideTable, { facts, result }: OutgoingRequest, value: T): T {
  if (result(value)) return value;
  throw invalid(`${facts.method} result`, side, value);
}

/** The row of a request with these params: where they ask for another kind of answer, that one is right too. */
export function answering(row: OutgoingRequest, params: Params): OutgoingRequest {
  const { augmented, facts, result } = row;
  if (!augmented || getOwn(params ?? {}, facts.augments) === undefined) return row;
  const either = (value: unknown): boolean => augmented(value) || result(value);
  return { ...row, result: either };
}

/** LIFE-06: throws unless the receiver declared what a request with these params needs. */
export function checkDeclared(
  facts: RequestFacts,
  params: unknown,
  declared: JsonObject,
  whose: string,
): void {
  const needs = missing(facts, params, declared);
  if (needs) throw undeclared(facts.method, needs, whose);
}

/**
 * May a notification be sent? Warns of one that needs a capability of the server's own that is not declared (LIFE-06), and of one
 * about a page that no client was sent to (ELIC-11).
 */
export function mayTell(
  { capabilities, settings, pages }: ServerSessionConfig,
  facts: NotificationFacts,
  params: Params,
): boolean {
  const { method, needs, needsOf } = facts;
  const page = pageIdOf(params);
  if (page !== undefined && !pages.has(page)) {
    warn(settings, `${method} was not sent: no client was sent to a page with this elicitationId.`);
    return false;
  }
  if (!needs || needsOf === "client" || declares(capabilities, needs)) return true;
  warn(
    settings,
    `${method} was not sent: it needs ${JSON.stringify(needs)} among the server's capabilities.`,
  );
  return false;
}

/** The error for what may not be sent because a capability is not declared. */
export function undeclared(method: string, needs: Capabilities, whose: string): RefusedError {
  return new RefusedError(
    "capability",
    `${method} needs ${JSON.stringify(needs)} among the ${whose}'s capabilities.`,
  );
}

/** META-05: the error that names the capability which a request did not declare. */
export function lacking(
  { revision }: SideTable,
  message: string,
  requiredCapabilities: Capabilities,
): McpError {
  // An older revision has no code for this. The request itself is sound, so "invalid request", which HTTP answers with 400, is not it.
  const code = revision.errors["MISSING_REQUIRED_CLIENT_CAPABILITY"] ?? jsonRpcCodes.INTERNAL_ERROR;
  return new McpError(code, message, { requiredCapabilities });
}

/** MRTR-04: throws unless the client declared, in the request that is being answered, what a question needs. The cause is for the client. */
export function checkAskable(side: SideTable, facts: RequestFacts, params: unknown, declared: unknown): void {
  const needs = missing(facts, params, declared);
  if (!needs) return;
  const message = `${facts.method} needs ${JSON.stringify(needs)} among the capabilities that the client declares.`;
  throw new RefusedError("capability", message, { cause: lacking(side, message, needs) });
}

/** EXT-02: what belongs to an extension is for those who declare it in this very request. */
export function checkExtension(
  side: SideTable,
  extension: Capabilities | undefined,
  { capabilities }: Identity,
): void {
  if (!extension || declares(capabilities, extension)) return;
  throw lacking(side, `The client does not declare ${JSON.stringify(extension)}.`, extension);
}

/** The error for a message that a revision does not have. */
export function unknown({ revision, side }: SideTable, method: string): RefusedError {
  return new RefusedError("method", `Revision ${revision.revision} has no ${method} for a ${side} to send.`);
}

/** RES-05: what changed may lie below what was subscribed to, of the same scheme and authority: `tenant:/` covers no authority. */
export function covers(wanted: unknown, subject: unknown): boolean {
  if (wanted === subject) return true;
  const [above, below] = [String(wanted), String(subject)];
  return below.startsWith(`${above.replace(/\/$/, "")}/`) && authorityOf(above) === authorityOf(below);
}

/** The beginning of a URI: its scheme and, where it has one, its authority. */
const authorityOf = (uri: string): string | undefined => /^[^:/?#]+:(\/\/[^/?#]*)?/.exec(uri)?.[0];

/** Asks the author's hook, where there is one, whether a caller may hear of a subject. A hook that fails says no. */
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
