import type { Json } from "../../kit/index.js";
import type { OpenRequests, Judge } from "./judge.js";

/**
 * The reports to an author: `onError`, `onWarning`, and errors of the author's
 * own calls.
 */
export class Reports {
  readonly texts: string[] = [];

  readonly onError = (error: Error, where?: string): void =>
    void this.texts.push(`${where ?? ""} ${error.name}: ${error.message}`);
  readonly onWarning = (message: string): void => void this.texts.push(message);

  /** Whether a report names this, or is about an unexpected error. */
  of(name: string): boolean {
    return this.texts.some(
      (text) => text.includes(name) || /(Type|Range|Syntax)Error/.test(text),
    );
  }
}

/** A fault of a run, with its cause. */
export interface Fault {
  readonly fault: string;
  readonly [detail: string]: unknown;
}

/** The faults of a run, and the number of validated messages. */
export interface Outcome {
  readonly faults: Fault[];
  judged: number;
}

/** Validates all messages of one side. */
export function judgeAll(
  judge: Judge,
  seen: readonly unknown[],
  from: "client" | "server",
  requests: OpenRequests,
  outcome: Outcome,
): void {
  for (const message of seen) {
    outcome.judged++;
    for (const fault of judge.faultsOf(message, from, requests))
      outcome.faults.push({ fault, message });
  }
}

/** The value after JSON.stringify and JSON.parse. */
export const asJson = (value: unknown): unknown => {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    // Equal to no value, because it cannot be sent.
    return Symbol("no JSON");
  }
};

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Keys of `_meta` that the engine sets, even if an author sets them (META-03,
 * SUBS-04, VERS-06).
 */
const engines = [
  "protocolVersion",
  "clientInfo",
  "clientCapabilities",
  "subscriptionId",
];
const isEngines = (key: string): boolean =>
  engines.some((name) => key === `io.modelcontextprotocol/${name}`);

/** The value without the keys that the engine overwrites. */
function withoutEngines(value: unknown): unknown {
  const meta = isObject(value) ? value["_meta"] : undefined;
  if (!isObject(meta) || !Object.keys(meta).some(isEngines)) return value;
  const rest = Object.entries(meta).filter(([key]) => !isEngines(key));
  return { ...(value as Json), _meta: Object.fromEntries(rest) };
}

/**
 * Did this value arrive as it was given? Members named in `filled` may have
 * been added by the engine, and members of `_meta`. `replaced` names those that
 * the engine may write anew.
 */
export function arrived(
  wire: unknown,
  original: unknown,
  filled: readonly string[] = [],
  replaced: readonly string[] = [],
): boolean {
  const before = asJson(withoutEngines(original) ?? {}) ?? {};
  const after = wire ?? {};
  if (!isObject(before) || !isObject(after)) return same(after, before);
  const isMeta = isObject(before["_meta"]) ? before["_meta"] : undefined;
  if (
    isMeta &&
    before["_meta"] !== undefined &&
    !Object.entries(isMeta).every(
      ([key, one]) =>
        isEngines(key) || same((after["_meta"] as Json)?.[key], one),
    )
  )
    return false;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].every((name) => {
    if (replaced.includes(name)) return true;
    if (name === "_meta")
      return isMeta !== undefined || before[name] === undefined;
    return (
      (filled.includes(name) && !Object.hasOwn(before, name)) ||
      same(after[name], before[name])
    );
  });
}

/** Whether two JSON values are equal, in any order of members. */
export function same(left: unknown, right: unknown): boolean {
  if (Object.is(left, right) || left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return (
      left.length === right.length &&
      left.every((one, i) => same(one, right[i]))
    );
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(
      (name) => Object.hasOwn(right, name) && same(left[name], right[name]),
    )
  );
}

/** Waits until the condition is true; returns false after the limit. */
export async function until(holds: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < 3000; turn++) {
    if (holds()) return true;
    await (turn < 500
      ? new Promise((resolve) => setImmediate(resolve))
      : new Promise((resolve) => setTimeout(resolve, 1)));
  }
  return holds();
}

/** Waits until pending messages are delivered. */
export const rest = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn++)
    await new Promise((resolve) => setImmediate(resolve));
};
