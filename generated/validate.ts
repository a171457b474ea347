// Copied by mcpgen. Do not edit.
/* eslint-disable */

/** One reason why a value is invalid. */
export interface Issue {
  /** The path, what was expected there, and the actual value. */
  readonly message: string;
  /** Keys and indexes from the value to the invalid part; empty for the value itself. */
  readonly path: readonly PropertyKey[];
}

/** A value does not match its type. Test for it with `isValidationError`. */
export class ValidationError extends Error {
  override readonly name = "ValidationError";
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    super(issues[0]?.message);
    this.issues = issues;
  }
}

/** Tests for a `ValidationError` of any copy of this code. */
export function isValidationError(value: unknown): value is ValidationError {
  return value instanceof Error && value.name === "ValidationError";
}

/** The result of `safeParse`. */
export type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: ValidationError };

/** Checks values of one type; also a Standard Schema (https://standardschema.dev). */
export interface Schema<T> {
  /** Tests whether a value is of the type. Never throws for a JSON value. */
  is(value: unknown): value is T;
  /** Returns the same value, or throws a `ValidationError`. */
  parse(value: unknown): T;
  /** Returns the value or the error without throwing. */
  safeParse(value: unknown): Parsed<T>;
  readonly "~standard": StandardProps<T>;
}

/** The members of a Standard Schema. */
export interface StandardProps<T> {
  readonly version: 1;
  readonly vendor: "mcpgen";
  readonly validate: (
    value: unknown,
  ) => { readonly value: T } | { readonly issues: readonly Issue[] };
  readonly types?: { readonly input: T; readonly output: T };
}

/**
 * Creates the schema of a guard. `Schema<never>` is assignable to a schema of
 * any type, which saves the compiler work.
 */
export function schema(guard: (value: unknown) => boolean): Schema<never> {
  const is = guard as (value: unknown) => value is never;
  return {
    is,
    safeParse: (value) =>
      is(value)
        ? { success: true, data: value }
        : { success: false, error: new ValidationError([refusal(value)]) },
    parse(value) {
      if (is(value)) return value;
      throw new ValidationError([refusal(value)]);
    },
    "~standard": {
      version: 1,
      vendor: "mcpgen",
      validate: (value) =>
        is(value) ? { value } : { issues: [refusal(value)] },
    },
  };
}

/** The schema of any value. */
export const anything: Schema<unknown> = /* @__PURE__ */ schema(() => true);

// A guard that returns false leaves behind what it expected and where: the keys
// that `fail` got, and those that `inside` adds while the guards return. Plain
// variables, since storing into an array takes half of the time of a refusal.
let expectation = "";
let key1: PropertyKey | undefined;
let key2: PropertyKey | undefined;
let key3: PropertyKey | undefined;
const outer: PropertyKey[] = [];
let steps = 0;

/**
 * Refuses: what was expected, and where below the guard's own value, the
 * outermost key first.
 */
export function fail(
  expected: string,
  a?: PropertyKey,
  b?: PropertyKey,
  c?: PropertyKey,
): false {
  expectation = expected;
  key1 = a;
  key2 = b;
  key3 = c;
  steps = 0;
  return false;
}

/** Passes a refusal on: where the guard that refused was called. */
export function inside(
  a?: PropertyKey,
  b?: PropertyKey,
  c?: PropertyKey,
): false {
  if (c !== undefined) outer[steps++] = c;
  if (b !== undefined) outer[steps++] = b;
  if (a !== undefined) outer[steps++] = a;
  return false;
}

/**
 * Tells what the guard that has just refused a value expected, and where: to be
 * asked at once, with that value and the name of the member that holds it,
 * where one does.
 */
export function refusal(value: unknown, member?: string): Issue {
  const path = refusedPath();
  const found = valueAt(value, path);
  if (member !== undefined) path.unshift(member);
  const where = path.length === 0 ? "" : `${spell(path)}: `;
  const message = `${where}expected ${expectation}, got ${show(found)}`;
  return { message, path };
}

/** The keys that lead to what was refused, the outermost first. */
function refusedPath(): PropertyKey[] {
  const path = outer.slice(0, steps).reverse();
  for (const key of [key1, key2, key3]) if (key !== undefined) path.push(key);
  return path;
}

/** The value where the path ends, or where it leads to nothing. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null) break;
    const members = found as Record<PropertyKey, unknown>;
    found = Object.hasOwn(members, key) ? members[key] : undefined;
  }
  return found;
}

function spell(path: readonly PropertyKey[]): string {
  let text = "";
  for (const key of path) {
    if (text.length > 120) return `${text}…`;
    if (typeof key === "number") text += `[${key}]`;
    else if (!/^[A-Za-z_$][\w$]{0,60}$/.test(String(key)))
      text += `[${quote(String(key))}]`;
    else text += text === "" ? String(key) : `.${String(key)}`;
  }
  return text;
}

function show(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" && value !== null
    ? "an object"
    : String(value);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/**
 * Is the value an object that is not an array? In this order the bytecode is
 * short enough (27 bytes) for V8 to inline it everywhere.
 */
export function isObject(value: unknown): value is Record<string, unknown> {
  return !(Array.isArray(value) || value === null) && typeof value === "object";
}

/** Is the value a number within the bounds, both included? */
export function isBetween(value: unknown, low: number, high: number): boolean {
  return (
    typeof value === "number" &&
    Number.isFinite(value) &&
    value >= low &&
    value <= high
  );
}

/** Reads a member whose name every object inherits a member of. */
export function own(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

type Guard = (value: unknown) => boolean;

/**
 * Does a yes of this check still rest on values that lie too deep to have been
 * judged? A condition that turns a yes into a no waits until they have been.
 */
export function isUnsure(): boolean {
  return waiting !== undefined;
}

// Types that contain themselves are checked on the stack down to this depth.
// What lies deeper is taken for right at first; it is judged on its own once
// the stack is free again, and then whatever waited for it is judged anew.
const DEPTH = 400;
let depth = 0;

/** A deeper value that waits, and what waited before it. */
interface Waiting {
  readonly guard: Guard;
  readonly value: unknown;
  readonly below: Waiting | undefined;
}

/** What a guard expected of a value; empty when the value was right. */
interface Verdict {
  readonly guard: Guard;
  readonly words: string;
  readonly other: Verdict | undefined;
}

let waiting: Waiting | undefined;
let judged: Map<unknown, Verdict> | undefined;
/** How the arms of unions went, so that none is tried twice on a value. */
let tried: Map<unknown, Verdict> | undefined;

/** Calls a guard that may lead back to its caller. */
export function deep(guard: Guard, value: unknown): boolean {
  if (typeof value !== "object") return guard(value);
  if (depth === 0) return outermost(guard, value);
  if (depth < DEPTH) {
    depth += 1;
    const ok = guard(value);
    depth -= 1;
    return ok;
  }
  const words = recall(judged, guard, value);
  if (words === undefined) waiting = { guard, value, below: waiting };
  return !words || fail(words);
}

function outermost(guard: Guard, value: unknown): boolean {
  try {
    depth = 1;
    const ok = guard(value);
    return ok && waiting ? judge({ guard, value, below: undefined }) : ok;
  } finally {
    depth = 0;
    waiting = judged = tried = undefined;
  }
}

/** Judges what waits, the deepest first, and then the value itself anew. */
function judge(value: Waiting): boolean {
  let open = value;
  for (;;) {
    const { guard, value, below } = open;
    if (below && recall(judged, guard, value) !== undefined) {
      open = below;
      continue;
    }
    const ok = judgeAlone(guard, value);
    if (ok && waiting) {
      for (let next: Waiting | undefined = waiting; next; next = next.below) {
        open = { guard: next.guard, value: next.value, below: open };
      }
    } else {
      if (!below) return ok;
      judged = remember(judged, guard, value, ok ? "" : farInside());
      open = below;
    }
  }
}

function judgeAlone(guard: Guard, value: unknown): boolean {
  depth = 1;
  waiting = tried = undefined;
  return guard(value);
}

function farInside(): string {
  const tail = " far inside";
  return expectation.endsWith(tail) ? expectation : expectation + tail;
}

/** Tries one arm of a union whose arms cannot be told apart beforehand. */
export function attempt(guard: Guard, value: unknown): boolean {
  if (depth === 0 || typeof value !== "object") return deep(guard, value);
  const words = recall(tried, guard, value);
  if (words !== undefined) return words === "" || fail(words);
  const ok = deep(guard, value);
  tried = remember(tried, guard, value, ok ? "" : expectation);
  return ok;
}

function recall(
  memory: Map<unknown, Verdict> | undefined,
  guard: Guard,
  value: unknown,
): string | undefined {
  let verdict = memory?.get(value);
  while (verdict && verdict.guard !== guard) verdict = verdict.other;
  return verdict?.words;
}

function remember(
  memory: Map<unknown, Verdict> | undefined,
  guard: Guard,
  value: unknown,
  words: string,
): Map<unknown, Verdict> {
  const verdicts = memory ?? new Map<unknown, Verdict>();
  return verdicts.set(value, { guard, words, other: verdicts.get(value) });
}

/**
 * Does one of the guards accept the value? If none does, keeps the refusal of
 * the one that came closest: the deepest place, then a place that has a value.
 * Refusals at the same place are joined.
 */
export function holdsAny(value: unknown, ...guards: readonly Guard[]): boolean {
  let words: string[] = [];
  let nearest: PropertyKey[] = [];
  let isThere = false;
  for (const guard of guards) {
    if (guard(value)) return true;
    const own = refusedPath();
    const has = valueAt(value, own) !== undefined;
    const depth = own.length - nearest.length || Number(has) - Number(isThere);
    if (words.length === 0 || depth > 0) {
      words = [expectation];
      nearest = own;
      isThere = has;
    } else if (
      own.length === nearest.length &&
      own.every((key, i) => key === nearest[i])
    ) {
      if (!words.includes(expectation)) words.push(expectation);
    }
  }
  fail(words.join(" or "));
  for (const key of nearest.reverse()) inside(key);
  return false;
}
