import {
  invalidAt,
  jsonRpcCodes,
  McpError,
  rpcError,
  SessionError,
} from "../errors.js";
import type { ValidationError } from "../errors.js";
import type { Params } from "../message.js";
import { getOwn, isObject, type JsonObject } from "../../../common/object.js";
import { report } from "../report.js";
import type {
  Capabilities,
  Guard,
  NotificationRow,
  RequestRow,
  SideTable,
} from "../tables.js";
import type { Auth } from "../ports/transport.js";
import { declares } from "../capabilities.js";
import { normalizeUri } from "./uri.js";
import type { Identity, ServerSessionConfig } from "./config.js";

/**
 * An object of the entries whose name is defined. A revision may lack some of
 * the names.
 */
export function members(
  ...entries: readonly (readonly [name: string | undefined, value: unknown])[]
): JsonObject {
  return Object.fromEntries(
    entries.filter(([name]) => name !== undefined),
  ) as JsonObject;
}

/**
 * Returns the params as the guard of their row accepts them, as `repaired`
 * does. Throws a `ValidationError` with the path if they do not match their
 * type.
 */
export function checkParams<T>(
  side: SideTable,
  { method, checks: { params: guard, optional } }: RequestRow | NotificationRow,
  params: T,
  leniency?: Leniency,
): T {
  if ((optional && params === undefined) || guard(params)) return params;
  return repaired(side, method, guard, params, "params", leniency);
}

/**
 * Returns the params that a peer sent with a request. Throws an "invalid
 * params" error with the path if they do not match their type (JRPC-11).
 */
export function checkRequest(
  side: SideTable,
  row: RequestRow,
  { params }: { readonly params?: unknown },
  leniency: Leniency = nullIsAbsent,
): unknown {
  try {
    return checkParams(side, row, params, leniency);
  } catch (error) {
    const { message, issues } = error as ValidationError;
    throw rpcError("INVALID_PARAMS", message, { issues });
  }
}

/**
 * Path traversal: a segment "." or "..", however often it is percent-encoded,
 * or a control character or invalid byte that could hide one.
 */
const hasTraversal = (text: string): boolean =>
  /\p{Cc}|%(25)*([01][\da-f]|7f|c[01])|(^|[/\\]|%(25)*(2f|5c))(\.|%(25)*2e){1,2}($|[/\\?#]|%(25)*(2f|5c))/iu.test(
    text,
  );

/**
 * Checks strings of a result that must begin with a prefix, such as the
 * `file://` of roots (ROOT-02), and must not contain path traversal (ROOT-06).
 *
 * @throws ValidationError with the path of the string.
 */
export function checkPrefixes(
  { method, prefixes = [] }: RequestRow,
  result: unknown,
): void {
  for (const { list, member, prefix } of prefixes) {
    const items = isObject(result) ? result[list] : undefined;
    for (const [index, item] of (Array.isArray(items) ? items : []).entries()) {
      const value: unknown = isObject(item) ? item[member] : undefined;
      if (
        typeof value === "string" &&
        value.startsWith(prefix) &&
        !hasTraversal(value.slice(prefix.length))
      )
        continue;
      const message = `${list}[${index}].${member}: expected a string that begins with ${JSON.stringify(prefix)} and has no segment "." or ".." and no control character, got ${JSON.stringify(value)}`;
      throw invalidAt(`${method} result`, message, [list, index, member]);
    }
  }
}

/**
 * Returns the result as its guard accepts it, as `repaired` does. Throws a
 * `ValidationError` with the path if it does not match its type.
 */
export function checkResult<T>(
  side: SideTable,
  { method, checks: { result } }: RequestRow,
  value: T,
  leniency?: Leniency,
): T {
  if (result(value)) return value;
  return repaired(side, method, result, value, undefined, leniency);
}

/**
 * The row of a request with these params. If they request another kind of
 * result, such as a task, the row accepts both kinds.
 */
export function augmentedRow(row: RequestRow, params: Params): RequestRow {
  const { augmented, result } = row.checks;
  if (!augmented || getOwn(params ?? {}, row.augments) === undefined)
    return row;
  return withResult(row, (value) => augmented(value) || result(value));
}

/**
 * The row whose check is that of a result of this type, which is not the
 * ordinary one.
 */
export function rowForType(
  { revision }: SideTable,
  row: RequestRow,
  type: string,
): RequestRow {
  const result = getOwn(row.checks.variants ?? {}, type);
  if (result) return withResult(row, result);
  if (row.asksInput && type === "input_required")
    throw noQuestionsError("A result that asks for input");
  const message = `resultType: revision ${revision.revision} has no result of type ${JSON.stringify(type)} for this request`;
  throw invalidAt(`${row.method} result`, message, ["resultType"]);
}

/** The row of a request, with another guard of its result. */
export const withResult = (row: RequestRow, result: Guard): RequestRow => ({
  ...row,
  checks: { ...row.checks, result },
});

/** The error for a message that needs an undeclared capability. */
export function undeclaredError(
  method: string,
  needs: Capabilities,
  whose: string,
): SessionError {
  return new SessionError(
    "capability",
    `${method} needs ${JSON.stringify(needs)} among the ${whose}'s capabilities.`,
  );
}

/**
 * The error to send for a request that does not declare a needed client
 * capability (META-05).
 */
export function missingCapabilityError(
  { revision }: SideTable,
  message: string,
  requiredCapabilities: Capabilities,
): McpError {
  // Older revisions have no code for this. The request itself is valid, so
  // -32600, which HTTP answers with 400, would be wrong.
  const code =
    revision.errors["MISSING_REQUIRED_CLIENT_CAPABILITY"] ??
    jsonRpcCodes.INTERNAL_ERROR;
  return new McpError(code, message, { requiredCapabilities });
}

/**
 * Throws unless the request declares the extension that the message belongs to,
 * or only servers declare it (EXT-02).
 */
export function checkExtension(
  side: SideTable,
  { extension, declaredBy }: Pick<RequestRow, "extension" | "declaredBy">,
  { capabilities }: Identity,
): void {
  if (!extension || declaredBy || declares(capabilities, extension)) return;
  throw missingCapabilityError(
    side,
    `The client does not declare ${JSON.stringify(extension)}.`,
    extension,
  );
}

/** The error for a message that a revision does not have. */
export function unknownMethodError(
  { revision, side }: SideTable,
  method: string,
): SessionError {
  return new SessionError(
    "method",
    `Revision ${revision.revision} has no ${method} for a ${side} to send.`,
  );
}

/**
 * The error for a server that would ask the client, but has no tables of
 * questions.
 */
export function noQuestionsError(method: string): SessionError {
  const text = `${method} was not sent: this server cannot ask clients. Import \`serverQuestions\` beside the server and pass it: { questions: serverQuestions, handlers }.`;
  return new SessionError("place", text);
}

/**
 * The URIs, as `normalizeUri` writes them, whose subscriptions include a
 * subject: its own, and those above it with the same scheme and authority
 * (RES-05). `tenant:/` does not include `tenant://a`.
 */
export function urisAbove(subject: unknown): readonly string[] {
  const uri = normalizeUri(String(subject));
  const [authority = ""] = /^[^:/?#]+:(\/\/[^/?#]*)?/.exec(uri) ?? [];
  const uris = [uri];
  for (let end = authority.length; end < uri.length; end++)
    if (uri[end] === "/") uris.push(uri.slice(0, end), uri.slice(0, end + 1));
  return uris;
}

/**
 * Calls `settings.mayReceive`, if set. An error in it is reported and counts as
 * false.
 */
export function mayReceive(
  { settings }: ServerSessionConfig,
  { method, extension }: Pick<NotificationRow, "method" | "extension">,
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

/**
 * The error for a value that a guard has just rejected, with its path. `member`
 * is the property that holds the value.
 */
export function validationErrorOf(
  what: string,
  { lastIssue }: SideTable,
  value: unknown,
  member?: string,
): ValidationError {
  const { message, path } = lastIssue(value, member);
  return invalidAt(what, message, path ?? []);
}

/**
 * The maximum number of members of one value that are changed, and of members
 * of an object that may lose one.
 */
const [maxChanges, maxMembers] = [50, 1000];

type Path = readonly PropertyKey[];

/** Which members of a value that a peer sent are left out. */
export interface Leniency {
  /**
   * The path of the member that is left out because of a null or another fault
   * at a path; undefined if there is none, so that the fault is thrown.
   */
  omit(path: Path, isNull: boolean): Path | undefined;
  /** Called for each member that was left out, with its fault. */
  onOmit?(path: Path, isNull: boolean, error: ValidationError): void;
}

/**
 * Some peers write null for a member that is absent. A state or an answer that
 * is null is malformed (MRTR-10, MRTR-12).
 */
export const nullIsAbsent: Leniency = {
  omit: (path, isNull) =>
    isNull &&
    path[0] !== "requestState" &&
    (path[0] !== "inputResponses" || path.length > 2)
      ? path
      : undefined,
};

/**
 * Returns a value that the guard accepts: the value itself, or a copy in which
 * booleans in place of the schemas of properties are objects, for revisions
 * that have only these. `true` becomes `{}`, and `false` becomes `{ not: {} }`,
 * which mean the same in JSON Schema. With `leniency`, members are left out
 * too.
 *
 * @throws ValidationError with the path of the first fault that remains.
 *   `member` is the property of the message that holds the value.
 */
function repaired<T>(
  side: SideTable,
  method: string,
  guard: Guard,
  value: T,
  member?: string,
  leniency?: Leniency,
): T {
  const omitted = new Map<
    string,
    [path: Path, isNull: boolean, error: ValidationError]
  >();
  let copy: unknown = value;
  for (let changes = 0; !guard(copy); changes++) {
    const found = validationErrorOf(
      member ? method : `${method} result`,
      side,
      copy,
      member,
    );
    const path = (found.issues[0]?.path ?? []).slice(member ? 1 : 0);
    // A required member that was left out is missing now, and its value was the
    // fault.
    const error = omitted.get(String(path))?.[2] ?? found;
    let isChanged = false;
    if (path.at(-2) === "properties")
      copy = edit(copy, path, (object) => {
        for (const [name, schema] of Object.entries(object)) {
          if (typeof schema !== "boolean") continue;
          object[name] = schema ? {} : { not: {} };
          isChanged = true;
        }
      });
    if (leniency && !isChanged) {
      const nulls = nullsAt(copy, path);
      const isNull = nulls.length > 0;
      for (const fault of isNull ? nulls : [path]) {
        const place = leniency.omit(fault, isNull);
        if (!place || omitted.size >= maxChanges) break;
        copy = edit(copy, place, (object, name) => {
          const isFault = isNull
            ? object[name] === null
            : Object.hasOwn(object, name);
          if (!isFault || Object.keys(object).length > maxMembers) return;
          delete object[name];
          isChanged = true;
          omitted.set(String(place), [place, isNull, error]);
        });
      }
    }
    if (!isChanged || changes > maxChanges) throw error;
  }
  for (const omission of omitted.values()) leniency?.onOmit?.(...omission);
  return copy as T;
}

/**
 * The places of nulls that may be the fault at a path: the path itself, or for
 * an object, which matches no type of a union, its members.
 */
function nullsAt(value: unknown, path: Path): Path[] {
  const at = path.reduce(
    (inner: unknown, key) => (Object(inner) as JsonObject)[String(key)],
    value,
  );
  if (at === null) return [path];
  return isObject(at)
    ? Object.keys(at).flatMap((key) =>
        at[key] === null ? [[...path, key]] : [],
      )
    : [];
}

/**
 * A copy in which the object that has the member at the path is changed. In a
 * list, all items are treated alike, so that the time does not grow with the
 * square of their number.
 */
function edit(
  value: unknown,
  [key, ...rest]: Path,
  change: (object: Record<string, unknown>, name: string) => void,
): unknown {
  const name = String(key);
  const isLast = rest.length === 0;
  if (Array.isArray(value))
    return isLast ? value : value.map((item) => edit(item, rest, change));
  if (!isObject(value) || !(isLast || Object.hasOwn(value, name))) return value;
  const copy: Record<string, unknown> = { ...value };
  if (isLast) change(copy, name);
  else copy[name] = edit(copy[name], rest, change);
  return copy;
}
