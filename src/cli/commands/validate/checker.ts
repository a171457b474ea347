import { nearest } from "../../../read/nearest.js";
import type { RequestRow, RevisionModule, Schema } from "./module.js";

/** Why a message is not one of the revision's. */
export interface Finding {
  /** What was checked: "tools/call result"; empty when the message could not even be told. */
  readonly place: string;
  /** Where inside it, what was expected and what was found. */
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

/** A request that waits for its response. */
interface Pending {
  readonly method: string;
  readonly row: RequestRow;
}

/** Checks the messages of one connection, in the order of their arrival. */
export class Checker {
  readonly #revision: RevisionModule;
  // By id as JSON, since 1 and "1" are two ids. Both sides count their own, so that an id may wait twice.
  readonly #pending = new Map<string, Pending[]>();

  constructor(revision: RevisionModule) {
    this.#revision = revision;
  }

  check(value: unknown): Finding[] {
    const message = this.#revision.classify(value);
    switch (message.kind) {
      case "request":
        return this.#request(value, message.method, message.row);
      case "notification": {
        const { method, row } = message;
        if (row === undefined) return [this.#unknown("notification", method)];
        return [...envelope(value, method), ...findings(row.notification, value, method)];
      }
      case "result":
        return [...envelope(value, "response"), ...this.#result(message.id, value)];
      case "error":
        return [...envelope(value, "response"), ...this.#error(message.id, value)];
      case "batch":
        return message.messages.flatMap((entry, index) =>
          this.check(entry).map((found) => ({ ...found, place: `[${index}] ${found.place}`.trimEnd() })),
        );
      case "invalid":
        return [finding("", message.reason)];
    }
  }

  #request(value: unknown, method: string, row: RequestRow | undefined): Finding[] {
    const { id } = value as { readonly id: unknown };
    if (row === undefined) return [this.#unknown("request", method)];
    if (row.facts.embedded === true) {
      return [finding(method, "rides inside a result in this revision and never stands on the wire")];
    }
    const found = [...envelope(value, method), ...findings(row.request, value, method)];
    if (!isId(id))
      return [...found, finding(method, `id: expected a string or an integer, got ${show(id)}`, ["id"])];
    const key = JSON.stringify(id);
    const waiting = this.#pending.get(key) ?? [];
    this.#pending.set(key, [...waiting, { method, row }]);
    const again = waiting.find((other) => mustDiffer(other.row, row));
    if (again === undefined) return found;
    return [...found, finding(method, `id: ${key} is still in use by an earlier ${again.method}`, ["id"])];
  }

  #result(id: unknown, value: unknown): Finding[] {
    const { result } = value as { readonly result: unknown };
    const waiting = this.#pending.get(JSON.stringify(id)) ?? [];
    const [first] = waiting;
    if (first === undefined) return [unpaired("result", id)];
    // Where both sides wait under one id, the response belongs to the request whose result it is.
    const answered = waiting.find(({ row }) => against(row, result).length === 0) ?? first;
    this.#settle(id, answered);
    return against(answered.row, result).map((found) => ({ ...found, place: `${answered.method} result` }));
  }

  #error(id: unknown, value: unknown): Finding[] {
    const { error } = value as { readonly error: unknown };
    const [first] = this.#pending.get(JSON.stringify(id)) ?? [];
    // An error about a message that could not be read has no id to give.
    if (first === undefined && id !== null && id !== undefined) return [unpaired("error", id)];
    if (first !== undefined) this.#settle(id, first);
    return errorFindings(error, first === undefined ? "error" : `${first.method} error`);
  }

  #settle(id: unknown, answered: Pending): void {
    const key = JSON.stringify(id);
    const rest = (this.#pending.get(key) ?? []).filter((other) => other !== answered);
    if (rest.length === 0) this.#pending.delete(key);
    else this.#pending.set(key, rest);
  }

  #unknown(kind: "request" | "notification", method: string): Finding {
    const { revision, requests, notifications } = this.#revision.protocol;
    const near = nearest(method, Object.keys(kind === "request" ? requests : notifications));
    const hint = near === null ? "" : `; did you mean ${near}?`;
    return finding("", `${JSON.stringify(method)} is no ${kind} of ${revision}${hint}`);
  }
}

/** What one schema has against a value. */
export function findings(schema: Schema, value: unknown, place: string): Finding[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.map(({ message, path }) => ({ place, message, path }));
}

/**
 * What a request's row has against a result; nothing when it is one of those that the request may have. Where results say
 * their own type, that decides which one was meant: they are open, so that one often fits the shape of another.
 */
function against({ facts, result: ordinary, others }: RequestRow, result: unknown): Finding[] {
  const usual = facts.fills?.["resultType"];
  const told =
    typeof result === "object" && result !== null && "resultType" in result ? result.resultType : usual;
  const schemas = usual === undefined ? [ordinary, ...others] : told === usual ? [ordinary] : others;
  const tries = (schemas.length === 0 ? [ordinary] : schemas).map((schema) => findings(schema, result, ""));
  return tries.find((found) => found.length === 0) ?? tries[0] ?? [];
}

/** Two requests of one sender may not wait under one id; who may send both is one sender for that. */
function mustDiffer(a: RequestRow, b: RequestRow): boolean {
  return a.facts.sender === b.facts.sender && a.facts.sender !== "either";
}

/** JSON-RPC's own demands (JSON-RPC 2.0, sections 4 and 5), which older revisions' types leave out. */
function envelope(value: unknown, place: string): Finding[] {
  const { jsonrpc } = value as { readonly jsonrpc: unknown };
  if (jsonrpc === "2.0") return [];
  return [finding(place, `jsonrpc: expected "2.0", got ${show(jsonrpc)}`, ["jsonrpc"])];
}

function errorFindings(error: unknown, place: string): Finding[] {
  if (typeof error !== "object" || error === null || Array.isArray(error)) {
    return [finding(place, `expected an object, got ${show(error)}`)];
  }
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const found: Finding[] = [];
  if (!Number.isInteger(code))
    found.push(finding(place, `code: expected an integer, got ${show(code)}`, ["code"]));
  if (typeof message !== "string") {
    found.push(finding(place, `message: expected a string, got ${show(message)}`, ["message"]));
  }
  return found;
}

function unpaired(kind: string, id: unknown): Finding {
  if (id === undefined) return finding("", `the ${kind} has no id, so that it answers nothing`);
  return finding("", `the ${kind} answers ${JSON.stringify(id)}, but no earlier request waits under that id`);
}

function isId(id: unknown): boolean {
  return typeof id === "string" || Number.isInteger(id);
}

function finding(place: string, message: string, path: readonly PropertyKey[] = []): Finding {
  return { place, message, path };
}

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" && value !== null ? "an object" : JSON.stringify(value);
}
