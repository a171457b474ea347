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
  /** The result of a tool, if it does not match the output schema of the tool. */
  declare readonly result?: unknown;

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
        : { success: false, error: new ValidationError([lastIssue(value)]) },
    parse(value) {
      if (is(value)) return value;
      throw new ValidationError([lastIssue(value)]);
    },
    "~standard": {
      version: 1,
      vendor: "mcpgen",
      validate: (value) =>
        is(value) ? { value } : { issues: [lastIssue(value)] },
    },
  };
}

/** The schema of any value. */
export const anything: Schema<unknown> = /* @__PURE__ */ schema(() => true);

// A guard that returns false stores what it expected, and at which path: the
// keys that `fail` gets, and those that `inside` adds while the guards return.
// They are plain variables, because storing the keys in an array would take half
// of the time of a rejection.
let expectation = "";
let key1: PropertyKey | undefined;
let key2: PropertyKey | undefined;
let key3: PropertyKey | undefined;
let key4: PropertyKey | undefined;
const outer: PropertyKey[] = [];
let steps = 0;

/**
 * Rejects a value: stores what was expected, and up to four keys from the
 * guard's value to the invalid part, the outermost first. Returns false.
 */
export function fail(
  expected: string,
  a?: PropertyKey,
  b?: PropertyKey,
  c?: PropertyKey,
  d?: PropertyKey,
): false {
  expectation = expected;
  key1 = a;
  key2 = b;
  key3 = c;
  key4 = d;
  steps = 0;
  return false;
}

/**
 * Adds the keys of the value that an inner guard has rejected. Returns false.
 */
export function inside(
  a?: PropertyKey,
  b?: PropertyKey,
  c?: PropertyKey,
  d?: PropertyKey,
): false {
  if (d !== undefined) outer[steps++] = d;
  if (c !== undefined) outer[steps++] = c;
  if (b !== undefined) outer[steps++] = b;
  if (a !== undefined) outer[steps++] = a;
  return false;
}

/**
 * Returns why the last guard rejected a value: what it expected, and at which
 * path. Call it directly after the guard returned false, with the same value.
 * `member` is the property of a message that holds the value, if any.
 */
export function lastIssue(value: unknown, member?: string): Issue {
  const path = issuePath(value);
  const actual = valueAt(value, path);
  if (member !== undefined) path.unshift(member);
  const where = path.length === 0 ? "" : `${pathText(path)}: `;
  const message = `${where}expected ${expectation}, got ${valueText(actual)}`;
  return { message, path };
}

/** The keys from the checked value to the invalid part, the outermost first. */
function issuePath(value: unknown): PropertyKey[] {
  const path = outer.slice(0, steps).reverse();
  for (const key of [key1, key2, key3, key4])
    if (key !== undefined) path.push(key);
  // The guard of a union reads the tag of any value.
  if (
    typeof path.at(-1) === "string" &&
    !isObject(valueAt(value, path.slice(0, -1)))
  ) {
    path.pop();
    expectation = "an object";
  }
  return path;
}

/** The value at the end of a path; undefined if there is none. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let part = value;
  for (const key of path) {
    if (typeof part !== "object" || part === null) break;
    const members = part as Record<PropertyKey, unknown>;
    part = Object.hasOwn(members, key) ? members[key] : undefined;
  }
  return part;
}

function pathText(path: readonly PropertyKey[]): string {
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

function valueText(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  return isObject(value) ? "an object" : String(value);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/**
 * True for an object that is not an array. V8 inlines a function of at most 27
 * bytes of bytecode everywhere. In this order, the function takes 27.
 */
export function isObject(value: unknown): value is Record<string, unknown> {
  return !(Array.isArray(value) || value === null) && typeof value === "object";
}

/** True for a boolean, and for an absent member. */
export function isOptionalBoolean(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

/** True for a finite number, and for an absent member. */
export function isOptionalNumber(value: unknown): boolean {
  return value === undefined || Number.isFinite(value);
}

/** True for an object that is not an array, and for an absent member. */
export function isOptionalObject(value: unknown): boolean {
  return value === undefined || isObject(value);
}

/** True for a string, and for an absent member. */
export function isOptionalString(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

/** True for a number within finite bounds, both inclusive. */
export function isBetween(value: unknown, low: number, high: number): boolean {
  return typeof value === "number" && value >= low && value <= high;
}

/** Reads an own member. Used for names that every object inherits. */
export function getOwn(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

type Guard = (value: unknown) => boolean;

/**
 * True if the result of the current check is provisional, because values that
 * are nested too deeply are not checked yet. A condition that rejects a value
 * because a guard accepts it must wait until they are.
 */
export function isProvisional(): boolean {
  return pending !== undefined;
}

// Types that contain themselves are checked recursively down to this depth.
// Deeper values are assumed to be valid at first. Each is checked on its own
// after the stack is unwound, and then the checks that relied on it run again.
const MAX_DEPTH = 400;
let depth = 0;

/** A list of values that are not checked yet, the last one first. */
interface Pending {
  readonly guard: Guard;
  readonly value: unknown;
  readonly below: Pending | undefined;
}

/**
 * The result of a guard for a value: what it expected, or an empty text if it
 * accepted the value. `next` has the results of other guards for the same
 * value.
 */
interface GuardResult {
  readonly guard: Guard;
  readonly reason: string;
  readonly next: GuardResult | undefined;
}

type Results = Map<unknown, GuardResult>;

let pending: Pending | undefined;
/** The results of values that were nested too deeply. */
let deepResults: Results | undefined;
/** The results of the alternatives of unions, so that each is checked once. */
let alternativeResults: Results | undefined;

/** Calls a guard that may call its caller again. */
export function deep(guard: Guard, value: unknown): boolean {
  if (typeof value !== "object") return guard(value);
  if (depth === 0) return outermost(guard, value);
  if (depth < MAX_DEPTH) {
    depth += 1;
    const ok = guard(value);
    depth -= 1;
    return ok;
  }
  const reason = recall(deepResults, guard, value);
  if (reason === undefined) pending = { guard, value, below: pending };
  return !reason || fail(reason);
}

function outermost(guard: Guard, value: unknown): boolean {
  try {
    depth = 1;
    const ok = guard(value);
    return ok && pending
      ? checkPending({ guard, value, below: undefined })
      : ok;
  } finally {
    depth = 0;
    pending = deepResults = alternativeResults = undefined;
  }
}

/** Checks the pending values, the deepest first, and then the value again. */
function checkPending(root: Pending): boolean {
  let open = root;
  for (;;) {
    const { guard, value, below } = open;
    if (below && recall(deepResults, guard, value) !== undefined) {
      open = below;
      continue;
    }
    const ok = checkOne(guard, value);
    if (ok && pending) {
      for (let next: Pending | undefined = pending; next; next = next.below) {
        open = { guard: next.guard, value: next.value, below: open };
      }
    } else {
      if (!below) return ok;
      deepResults = remember(
        deepResults,
        guard,
        value,
        ok ? "" : deepExpectation(),
      );
      open = below;
    }
  }
}

function checkOne(guard: Guard, value: unknown): boolean {
  depth = 1;
  pending = alternativeResults = undefined;
  return guard(value);
}

function deepExpectation(): string {
  const tail = " at a deeper level";
  return expectation.endsWith(tail) ? expectation : expectation + tail;
}

/**
 * Checks one alternative of a union whose alternatives cannot be distinguished.
 */
export function attempt(guard: Guard, value: unknown): boolean {
  if (depth === 0 || typeof value !== "object") return deep(guard, value);
  const reason = recall(alternativeResults, guard, value);
  if (reason !== undefined) return reason === "" || fail(reason);
  const ok = deep(guard, value);
  alternativeResults = remember(
    alternativeResults,
    guard,
    value,
    ok ? "" : expectation,
  );
  return ok;
}

function recall(
  results: Results | undefined,
  guard: Guard,
  value: unknown,
): string | undefined {
  let result = results?.get(value);
  while (result && result.guard !== guard) result = result.next;
  return result?.reason;
}

function remember(
  results: Results | undefined,
  guard: Guard,
  value: unknown,
  reason: string,
): Results {
  const all = results ?? new Map<unknown, GuardResult>();
  return all.set(value, { guard, reason, next: all.get(value) });
}

/**
 * True if one of the guards accepts the value. Otherwise keeps the issue of the
 * guard that came closest: the one with the longest path, then one whose path
 * leads to a value. Issues at the same path are joined.
 */
export function holdsAny(value: unknown, ...guards: readonly Guard[]): boolean {
  let expectations: string[] = [];
  let closestPath: PropertyKey[] = [];
  let hasValue = false;
  for (const guard of guards) {
    if (guard(value)) return true;
    const path = issuePath(value);
    const exists = valueAt(value, path) !== undefined;
    const order =
      path.length - closestPath.length || Number(exists) - Number(hasValue);
    if (expectations.length === 0 || order > 0) {
      expectations = [expectation];
      closestPath = path;
      hasValue = exists;
    } else if (isSamePath(path, closestPath)) {
      if (!expectations.includes(expectation)) expectations.push(expectation);
    }
  }
  fail(expectations.join(" or "));
  for (const key of closestPath.reverse()) inside(key);
  return false;
}

function isSamePath(
  a: readonly PropertyKey[],
  b: readonly PropertyKey[],
): boolean {
  if (a.length !== b.length) return false;
  // A loop, because a call of the overloaded `every` takes the compiler longer.
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
