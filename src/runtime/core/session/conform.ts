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

/** The maximum number of members of one value that are changed, and of members of an object that may lose one. */
const [maxChanges, maxMembers] = [50, 1000];

type Path = readonly PropertyKey[];

/** Which members of a value that a peer sent are left out. */
export interface Leniency {
  /** The path of the member that is left out because of a null or another fault at a path; undefined if there is none, so that the fault is thrown. */
  omit(path: Path, isNull: boolean): Path | undefined;
  /** Called for each member that was left out, with its fault. */
  onOmit?(path: Path, isNull: boolean, error: ValidationError): void;
}

/** Some peers write null for a member that is absent. A state or an answer that is null is malformed (MRTR-10, MRTR-12). */
export const nullIsAbsent: Leniency = {
  omit: (path, isNull) =>
    isNull && path[0] !== "requestState" && (path[0] !== "inputResponses" || path.length > 2)
      ? path
      : undefined,
};

/**
 * Returns a value that the guard accepts: the value itself, or a copy in which booleans in place of the schemas of properties are
 * objects, for revisions that have only these. `true` becomes `{}`, and `false` becomes `{ not: {} }`, which mean the same in JSON Schema.
 * With `leniency`, members are left out too.
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
  const omitted = new Map<string, [path: Path, isNull: boolean, error: ValidationError]>();
  let copy: unknown = value;
  for (let changes = 0; !guard(copy); changes++) {
    const found = validationErrorOf(member ? method : `${method} result`, side, copy, member);
    const path = (found.issues[0]?.path ?? []).slice(member ? 1 : 0);
    // A required member that was left out is missing now, and its value was the fault.
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
          const isFault = isNull ? object[name] === null : Object.hasOwn(object, name);
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

/** The places of nulls that may be the fault at a path: the path itself, or for an object, which matches no type of a union, its members. */
function nullsAt(value: unknown, path: Path): Path[] {
  const at = path.reduce((inner: unknown, key) => (Object(inner) as JsonObject)[String(key)], value);
  if (at === null) return [path];
  return isObject(at) ? Object.keys(at).flatMap((key) => (at[key] === null ? [[...path, key]] : [])) : [];
}

/**
 * A copy in which the object that has the member at the path is changed. In a list, all items are treated alike, so that the time does not grow
 * with the square of their number.
 */
function edit(
  value: unknown,
  [key, ...rest]: Path,
  change: (object: Record<string, unknown>, name: string) => void,
): unknown {
  const name = String(key);
  const isLast = rest.length === 0;
  if (Array.isArray(value)) return isLast ? value : value.map((item) => edit(item, rest, change));
  if (!isObject(value) || !(isLast || Object.hasOwn(value, name))) return value;
  const copy: Record<string, unknown> = { ...value };
  if (isLast) change(copy, name);
  else copy[name] = edit(copy[name], rest, change);
  return copy;
}
