import { suggestion } from "../../generator/read/nearest.js";
import type { RequestRow, RevisionModule, Schema } from "./module.js";

/** An issue of a message. */
export interface Issue {
  /**
   * The checked part: "tools/call result"; empty if the message could not be
   * classified.
   */
  readonly place: string;
  /** The path inside it, what was expected and what was found. */
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

/** A request without a response yet. */
interface Pending {
  readonly method: string;
  readonly row: RequestRow;
}

/** Checks the messages of one connection, in the order of arrival. */
export class Checker {
  readonly #revision: RevisionModule;
  // Keys are ids as JSON, since 1 and "1" differ. Both sides count their own
  // ids, so one id may be pending twice.
  readonly #pending = new Map<string, Pending[]>();

  constructor(revision: RevisionModule) {
    this.#revision = revision;
  }

  check(value: unknown): Issue[] {
    const message = this.#revision.classify(value);
    switch (message.kind) {
      case "request":
        return this.#request(value, message.method, message.row);
      case "notification": {
        const { method, row } = message;
        if (row === undefined) return [this.#unknown("notification", method)];
        return issuesOf(row.notification, value, method);
      }
      case "result":
        return this.#result(message.id, value);
      case "error":
        return this.#error(message.id, value);
      case "batch":
        return message.messages.flatMap((entry, index) =>
          this.check(entry).map((inner) => ({
            ...inner,
            place: `[${index}] ${inner.place}`.trimEnd(),
          })),
        );
      case "invalid":
        return [issue("", message.reason)];
    }
  }

  #request(
    value: unknown,
    method: string,
    row: RequestRow | undefined,
  ): Issue[] {
    const { id } = value as { readonly id: unknown };
    if (row === undefined) return [this.#unknown("request", method)];
    if (row.facts.embedded === true) {
      return [
        issue(
          method,
          "is embedded in a result in this revision and is not a JSON-RPC message",
        ),
      ];
    }
    const issues = issuesOf(row.request, value, method);
    const key = JSON.stringify(id);
    const requests = this.#pending.get(key) ?? [];
    this.#pending.set(key, [...requests, { method, row }]);
    const conflict = requests.find((other) => mustDiffer(other.row, row));
    if (conflict === undefined) return issues;
    return [
      ...issues,
      issue(
        method,
        `id: ${key} is still in use by an earlier ${conflict.method}`,
        ["id"],
      ),
    ];
  }

  #result(id: unknown, value: unknown): Issue[] {
    const { result } = value as { readonly result: unknown };
    const requests = this.#pending.get(JSON.stringify(id)) ?? [];
    const [first] = requests;
    if (first === undefined) return [unpairedIssue("result", id)];
    // If both sides have a pending request with this id, the response belongs
    // to the one whose result it matches.
    const request =
      requests.find(({ row }) => resultIssues(row, result).length === 0) ??
      first;
    this.#settle(id, request);
    return resultIssues(request.row, result).map((inner) => ({
      ...inner,
      place: `${request.method} result`,
    }));
  }

  #error(id: unknown, value: unknown): Issue[] {
    const { error } = value as { readonly error: unknown };
    const [first] = this.#pending.get(JSON.stringify(id)) ?? [];
    // An error response to an unreadable message has no id.
    if (first === undefined && id !== null && id !== undefined)
      return [unpairedIssue("error", id)];
    if (first !== undefined) this.#settle(id, first);
    return errorIssues(
      error,
      first === undefined ? "error" : `${first.method} error`,
    );
  }

  #settle(id: unknown, request: Pending): void {
    const key = JSON.stringify(id);
    const rest = (this.#pending.get(key) ?? []).filter(
      (other) => other !== request,
    );
    if (rest.length === 0) this.#pending.delete(key);
    else this.#pending.set(key, rest);
  }

  #unknown(kind: "request" | "notification", method: string): Issue {
    const { revision, requests, notifications } = this.#revision.protocol;
    const hint = suggestion(
      method,
      Object.keys(kind === "request" ? requests : notifications),
    );
    const message = `${JSON.stringify(method)} is not a ${kind} of ${revision}`;
    return issue("", hint === null ? message : `${message}; ${hint}`);
  }
}

/** The issues of one schema for a value. */
export function issuesOf(
  schema: Schema,
  value: unknown,
  place: string,
): Issue[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.map(({ message, path }) => ({
    place,
    message,
    path,
  }));
}

/**
 * The issues of a result; empty if it is valid for one of the request's
 * results. If results declare their type, that selects the schema: results are
 * open, so that one often matches another's.
 */
function resultIssues(
  { facts, result: ordinary, others }: RequestRow,
  result: unknown,
): Issue[] {
  const usual = facts.engineDefaults?.["resultType"];
  const resultType =
    typeof result === "object" && result !== null && "resultType" in result
      ? result.resultType
      : usual;
  const schemas =
    usual === undefined
      ? [ordinary, ...others]
      : resultType === usual
        ? [ordinary]
        : others;
  const issueLists = (schemas.length === 0 ? [ordinary] : schemas).map(
    (schema) => issuesOf(schema, result, ""),
  );
  return (
    issueLists.find((issues) => issues.length === 0) ?? issueLists[0] ?? []
  );
}

/**
 * True if two pending requests must not have the same id, because one side sent
 * both. If both sides may send the method, the sender is unknown.
 */
function mustDiffer(a: RequestRow, b: RequestRow): boolean {
  return a.facts.sender === b.facts.sender && a.facts.sender !== "either";
}

function errorIssues(error: unknown, place: string): Issue[] {
  if (typeof error !== "object" || error === null || Array.isArray(error)) {
    return [issue(place, `expected an object, got ${show(error)}`)];
  }
  const { code, message } = error as {
    readonly code?: unknown;
    readonly message?: unknown;
  };
  const issues: Issue[] = [];
  if (!Number.isInteger(code))
    issues.push(
      issue(place, `code: expected an integer, got ${show(code)}`, ["code"]),
    );
  if (typeof message !== "string") {
    issues.push(
      issue(place, `message: expected a string, got ${show(message)}`, [
        "message",
      ]),
    );
  }
  return issues;
}

function unpairedIssue(kind: string, id: unknown): Issue {
  return issue(
    "",
    `the ${kind} answers ${JSON.stringify(id)}, but no earlier request has that id`,
  );
}

function issue(
  place: string,
  message: string,
  path: readonly PropertyKey[] = [],
): Issue {
  return { place, message, path };
}

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" && value !== null
    ? "an object"
    : JSON.stringify(value);
}
