import { invalidAt, type ValidationError } from "../errors.js";
import { isObject, type JsonObject } from "../../../common/object.js";
import type { Guard, SideTable } from "../tables.js";

/** The error for a value that a guard has just rejected, with its path. `member` is the property that holds the value. */
export function validationErrorOf(
  what: string,
  { lastIssue }: SideTable,
  value: unknown,
  member?: string,
): ValidationError {
  const { message, path } = lastIssue(value, member);
  return invalidAt(what, message, path ?? []);
}

/** The maximum number of places of schemas in one type, such as the input and the output of tools. */
const maxPlaces = 8;
/** The maximum number of members of one value that are left out, and of members of an object that may lose one. */
const [maxOmissions, maxMembers] = [50, 1000];

/** A member that is left out because its value does not match its type. */
export interface Omission {
  readonly path: readonly PropertyKey[];
  readonly error: ValidationError;
  readonly isNull: boolean;
}

/** Which members of a value that a peer sent are left out: those that are null and may not be, and others at one depth. */
export interface Leniency {
  /** The length of the paths of the other members. */
  readonly depth?: number | undefined;
  /** True for the path of a member that stays, so that its fault is thrown. */
  isKept?(path: readonly PropertyKey[], isNull: boolean): boolean;
  onOmit?(omission: Omission): void;
}

/** Some peers write null for a member that is absent. A state or an answer that is null is malformed (MRTR-10, MRTR-12). */
export const nullIsAbsent: Leniency = {
  isKept: ([member, ...rest]) =>
    member === "requestState" || (member === "inputResponses" && rest.length < 2),
};

/**
 * Returns a value that the guard accepts: the value itself, or a copy in which booleans in place of the schemas of properties are
 * objects, for revisions that have only these. `true` becomes `{}`, and `false` becomes `{ not: {} }`, which mean the same in JSON Schema.
 * With `leniency`, members are left out too. In a list, all items are treated alike, so that the time does not grow with the square of
 * their number.
 *
 * @throws ValidationError with the path of the first fault that remains. `member` is the property of the message that holds the value.
 */
export function conform<T>(
  side: SideTable,
  method: string,
  guard: Guard,
  value: T,
  member?: string,
  leniency?: Leniency,
): T {
  const omissions = new Map<string, Omission>();
  let copy: unknown = value;
  for (let places = 0; !guard(copy);) {
    const found = validationErrorOf(member ? method : `${method} result`, side, copy, member);
    const path = (found.issues[0]?.path ?? []).slice(member ? 1 : 0);
    // A required member that was left out is missing now, and its value was the fault.
    const error = omissions.get(String(path))?.error ?? found;
    const isSchema = path.at(-2) === "properties" && places++ < maxPlaces;
    let next = isSchema ? replaceAt(copy, path.slice(0, -1), withoutBooleans) : copy;
    // NaN is the same value too.
    if (leniency && Object.is(next, copy)) {
      const nulls = nullsAt(copy, path).filter((place) => !leniency.isKept?.(place, true));
      const isNull = nulls.length > 0;
      for (const omitted of isNull ? nulls : [path.slice(0, leniency.depth ?? 0)]) {
        const isOmitted = isNull || (omitted.length === leniency.depth && !leniency.isKept?.(omitted, false));
        if (omissions.size >= maxOmissions || !isOmitted) break;
        const before = next;
        next = replaceAt(before, omitted.slice(0, -1), without(omitted.at(-1), isNull));
        if (!Object.is(next, before)) omissions.set(String(omitted), { path: omitted, error, isNull });
      }
    }
    if (Object.is(next, copy)) throw error;
    copy = next;
  }
  for (const omission of omissions.values()) leniency?.onOmit?.(omission);
  return copy as T;
}

/** The places of nulls that may be the fault at a path: the path itself, or for an object, which matches no type of a union, its members. */
function nullsAt(value: unknown, path: readonly PropertyKey[]): (readonly PropertyKey[])[] {
  const at = path.reduce((inner: unknown, key) => (Object(inner) as JsonObject)[String(key)], value);
  if (at === null) return [path];
  return isObject(at) ? Object.keys(at).flatMap((key) => (at[key] === null ? [[...path, key]] : [])) : [];
}

/** A copy in which the object at the path, in all items of the lists on its way, is replaced; the value itself if nothing changes. */
function replaceAt(
  value: unknown,
  [key, ...rest]: readonly PropertyKey[],
  replace: (object: JsonObject) => JsonObject,
): unknown {
  if (Array.isArray(value) && key !== undefined) {
    const items = value.map((item: unknown) => replaceAt(item, rest, replace));
    return items.some((item, i) => !Object.is(item, value[i])) ? items : value;
  }
  if (!isObject(value)) return value;
  if (key === undefined) return replace(value);
  const member = value[String(key)];
  const replaced = replaceAt(member, rest, replace);
  return Object.is(replaced, member) ? value : { ...value, [key]: replaced };
}

/** The properties with objects for boolean schemas. */
function withoutBooleans(properties: JsonObject): JsonObject {
  const entries = Object.entries(properties);
  if (!entries.some(([, schema]) => typeof schema === "boolean")) return properties;
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, typeof schema !== "boolean" ? schema : schema ? {} : { not: {} }]),
  );
}

/** The object without this member, if it has it or, with `onlyNull`, if it is null there. */
const without =
  (key: PropertyKey | undefined, onlyNull: boolean) =>
  (object: JsonObject): JsonObject => {
    const isIn = onlyNull ? object[String(key)] === null : Object.hasOwn(object, String(key));
    if (!isIn || Object.keys(object).length > maxMembers) return object;
    const { [String(key)]: _, ...others } = object;
    return others;
  };
