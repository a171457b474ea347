import { isObject, type JsonObject } from "../../../common/object.js";
import type { OutgoingRequest, SideTable } from "../tables.js";
import { checkResult } from "./check.js";

/** The maximum number of faults of a page whose entries are read one by one, and of the page's own members. */
const [maxFaults, maxMembers] = [1000, 50];

/**
 * Returns the result of the server. Null members that are no values of their type are read as absent. In a page of a list, members of
 * entries that do not match their type are left out, and so are the entries that need them or whose metadata do not match. `onWarning` gets a sentence for each.
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
  let faults = 0;
  const warnOf = (text: string): void => {
    faults++;
    onWarning(`${method}: ${text}.`);
  };
  const read = (result: JsonObject, entry = ""): JsonObject =>
    checkResult(side, row, result, {
      omit(path, isNull) {
        if (isNull) return path;
        // In the page of one entry, the path of the entry has two keys. Metadata may say who may use it, such as the user alone (APPS-08).
        return entry && path.length > 2 && path[2] !== "_meta" ? path.slice(0, 3) : undefined;
      },
      onOmit(path, isNull, error) {
        const member = path.slice(entry ? 2 : 0).join(".");
        if (isNull) warnOf(`${entry && `${entry}: `}${member} is null and is read as absent`);
        else warnOf(`${entry} is read without ${member}: ${reasonOf(error)}`);
      },
    });
  const reasonOf = (error: unknown): string | undefined =>
    (error as Error).message.split(`${items}[0]`, 2)[1]?.replace(/^(\.|: )/, "");
  const entries = value[items];
  if (!Array.isArray(entries) || Object.keys(value).length > maxMembers) return read(value);
  const page = read({ ...value, [items]: [] });
  const readEntries: unknown[] = [];
  for (const [index, entry] of (entries as readonly unknown[]).entries()) {
    const name = isObject(entry) && typeof entry["name"] === "string" ? entry["name"] : undefined;
    const where = `${items}[${index}]${name === undefined ? "" : ` ${JSON.stringify(name.slice(0, 80))}`}`;
    try {
      readEntries.push(...(read({ ...page, [items]: [entry] }, where)[items] as readonly unknown[]));
    } catch (error) {
      warnOf(`${where} is left out: ${reasonOf(error)}`);
    }
    if (faults > maxFaults) return checkResult(side, row, value);
  }
  return { ...page, [items]: readEntries };
}
