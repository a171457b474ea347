import { isValidationError } from "../errors.js";
import { isObject, type JsonObject } from "../message.js";
import type { OutgoingRequest, SideTable } from "../tables.js";
import { checkResult } from "./check.js";

/** The maximum number of null members of one entry that are read as absent. */
const maxNulls = 50;
/** The maximum number of faults of a page whose entries are read one by one, and of the page's own members. */
const [maxFaults, maxMembers] = [1000, 50];

/**
 * Returns the result of the server. In a page of a list, null members that are no values of their type are read as absent, and entries
 * that still do not match their type are left out. `onWarning` gets a sentence for each.
 *
 * @throws ValidationError with the path for any other result that does not match its type, and for a page with more than 1,000 faults.
 */
export function readResult(
  side: SideTable,
  row: OutgoingRequest,
  value: JsonObject,
  onWarning: (text: string) => void,
): JsonObject {
  if (row.result(value)) return value;
  const { method, items = "" } = row.facts;
  const entries = value[items];
  if (!Array.isArray(entries) || Object.keys(value).length > maxMembers) return checkResult(side, row, value);
  let faults = 0;
  const warnOf = (text: string): void => {
    faults++;
    onWarning(`${method}: ${text}.`);
  };
  const page = withoutNulls({ ...value, [items]: [] }, 0, (empty) => checkResult(side, row, empty), warnOf);
  const readEntry = (entry: unknown): unknown =>
    (checkResult(side, row, { ...page, [items]: [entry] })[items] as readonly unknown[])[0];
  const readEntries: unknown[] = [];
  for (const [index, entry] of (entries as readonly unknown[]).entries()) {
    const name = isObject(entry) && typeof entry["name"] === "string" ? entry["name"] : undefined;
    const where = `${items}[${index}]${name === undefined ? "" : ` ${JSON.stringify(name.slice(0, 80))}`}`;
    try {
      readEntries.push(withoutNulls(entry, 2, readEntry, (text) => warnOf(`${where}: ${text}`)));
    } catch (error) {
      // The path in the message begins with the entry as the first one of a list.
      const reason = (error as Error).message.split(`${items}[0]`, 2)[1]?.replace(/^(\.|: )/, "");
      warnOf(`${where} is left out: ${reason}`);
    }
    if (faults > maxFaults) return checkResult(side, row, value);
  }
  return { ...page, [items]: readEntries };
}

/**
 * What `read` returns for a value without the null members that it rejects. `onNull` gets a text for each of them. The paths of its
 * errors begin with `skip` other keys. Throws its first error if it accepts the value in no way.
 */
function withoutNulls<T>(value: T, skip: number, read: (value: T) => T, onNull: (text: string) => void): T {
  const paths: PropertyKey[][] = [];
  let firstError: unknown;
  for (let rest = value; ;) {
    try {
      const result = read(rest);
      for (const path of paths) onNull(`${path.join(".")} is null and is read as absent`);
      return result;
    } catch (error) {
      firstError ??= error;
      const path = (isValidationError(error) && error.issues[0]?.path?.slice(skip)) || [];
      const next = paths.length < maxNulls ? withoutNull(rest, path) : undefined;
      if (next === undefined) throw firstError;
      rest = next as T;
      paths.push(path);
    }
  }
}

/** A copy without the null member at the path; undefined if there is none. */
function withoutNull(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (Array.isArray(value)) {
    const item = withoutNull(value[Number(key)], rest);
    return item && value.map((other: unknown, i) => (i === key ? item : other));
  }
  if (!isObject(value) || key === undefined) return undefined;
  const { [String(key)]: member, ...others } = value;
  if (member === null) return rest.length === 0 ? others : undefined;
  const inner = withoutNull(member, rest);
  return inner && { ...value, [key]: inner };
}
