import { invalidAt, type ValidationError } from "../errors.js";
import { isObject, type JsonObject } from "../../shared/object.js";
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
/** The maximum number of null members of one value that are read as absent. */
const maxNulls = 50;

/**
 * Returns a value that the guard accepts: the value itself, or a copy in which booleans in place of the schemas of properties are
 * objects, for revisions that have only these. `true` becomes `{}`, and `false` becomes `{ not: {} }`, which mean the same in JSON Schema.
 * With `onNull`, null members that are no values of their type are left out too; it gets the path of each.
 *
 * @throws ValidationError with the path of the first fault that remains. `member` is the property of the message that holds the value.
 */
export function conform<T>(
  side: SideTable,
  method: string,
  guard: Guard,
  value: T,
  member?: string,
  onNull?: (path: readonly PropertyKey[]) => void,
): T {
  const nulls: (readonly PropertyKey[])[] = [];
  let firstError: unknown;
  let copy: unknown = value;
  for (let places = 0; !guard(copy);) {
    const error = validationErrorOf(member ? method : `${method} result`, side, copy, member);
    const path = (error.issues[0]?.path ?? []).slice(member ? 1 : 0);
    const parent = path.slice(0, -1);
    const isSchema = path.at(-2) === "properties" && places++ < maxPlaces;
    let next = isSchema ? replaceAt(copy, parent, withoutBooleans, true) : copy;
    // NaN is the same value too.
    if (Object.is(next, copy)) {
      firstError ??= error;
      if (onNull && nulls.length < maxNulls) next = replaceAt(copy, parent, withoutNull(path.at(-1)), false);
      if (Object.is(next, copy)) throw firstError;
      nulls.push(path);
    }
    copy = next;
  }
  for (const path of nulls) onNull?.(path);
  return copy as T;
}

/**
 * A copy in which the object at the path is replaced; the value itself if nothing changes. `inAll` replaces it in all items of the lists on
 * its way, so that the time does not grow with the square of their length.
 */
function replaceAt(
  value: unknown,
  [key, ...rest]: readonly PropertyKey[],
  replace: (object: JsonObject) => JsonObject,
  inAll: boolean,
): unknown {
  if (Array.isArray(value) && key !== undefined) {
    const items = value.map((item: unknown, i) =>
      inAll || i === key ? replaceAt(item, rest, replace, inAll) : item,
    );
    return items.some((item, i) => !Object.is(item, value[i])) ? items : value;
  }
  if (!isObject(value)) return value;
  if (key === undefined) return replace(value);
  const member = value[String(key)];
  const replaced = replaceAt(member, rest, replace, inAll);
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

/** The object without this member, if it is null. */
const withoutNull =
  (key: PropertyKey | undefined) =>
  (object: JsonObject): JsonObject => {
    const { [String(key)]: member, ...others } = object;
    return member === null ? others : object;
  };
