import { McpError, RefusedError, ValidationError } from "../errors.js";
import type { JsonObject } from "../jsonrpc/message.js";
import type { IncomingRequest, Invalid, OutgoingRequest, RequestFacts, Validator } from "../tables.js";
import { missing, nameOf } from "./capabilities.js";

/** The own member of a table; wire names such as `constructor` find nothing. */
export function own<T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** What a validator has against a value that its guard refused. */
export function fault(validator: Validator, value: unknown): Invalid {
  const outcome = validator.safeParse(value);
  if (!outcome.success) return outcome.error;
  return { message: "not what its type asks for", issues: [] };
}

/** JRPC-11: throws "invalid params" that names the place, unless the request is what its type asks for. */
export function checkRequest(row: IncomingRequest, message: unknown, code: number): void {
  if (row.request.is(message)) return;
  const { message: text, issues } = fault(row.request, message);
  throw new McpError(code, `${row.facts.method}: ${text}`, {
    issues: issues.map(({ message, path }) => ({ message, path })),
  });
}

/** Returns the very result, or throws a `ValidationError` that names the place. */
export function checkResult(row: OutgoingRequest, result: unknown): unknown {
  if (row.result.is(result)) return result;
  const { message, issues } = fault(row.result, result);
  throw new ValidationError(`${row.facts.method} result: ${message}`, issues);
}

/** LIFE-06: throws unless the receiver declared what a request with these params needs. */
export function checkDeclared(
  facts: RequestFacts,
  params: unknown,
  declared: JsonObject,
  whose: string,
): void {
  const needs = missing(facts, params, declared);
  if (needs) {
    throw new RefusedError(
      "capability",
      `${facts.method} was not sent: it needs the capability ${nameOf(needs)}, which the ${whose} does not declare.`,
    );
  }
}

/** RES-05: what changed may lie below what was subscribed to. */
export function covers(wanted: unknown, subject: unknown): boolean {
  return wanted === subject || String(subject).startsWith(`${String(wanted).replace(/\/$/, "")}/`);
}
