import { isObject, type JsonObject } from "../../shared/object.js";
import type { OutgoingRequest, SideTable } from "../tables.js";
import { checkResult } from "./check.js";

/** The maximum number of faults of a page whose entries are read one by one, and of the page's own members. */
const [maxFaults, maxMembers] = [1000, 50];

/**
 * Returns the result of the server. In a page of a list, null members that are no values of their type are read as absent. Entries
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
  const read = (page: JsonObject, where: string, skip: number): JsonObject =>
    checkResult(side, row, page, (path) =>
      warnOf(`${where}${path.slice(skip).join(".")} is null and is read as absent`),
    );
  const page = read({ ...value, [items]: [] }, "", 0);
  const readEntries: unknown[] = [];
  for (const [index, entry] of (entries as readonly unknown[]).entries()) {
    const name = isObject(entry) && typeof entry["name"] === "string" ? entry["name"] : undefined;
    const where = `${items}[${index}]${name === undefined ? "" : ` ${JSON.stringify(name.slice(0, 80))}`}`;
    try {
      // The path of the entry has two keys: it is the first one of a list.
      readEntries.push(
        ...(read({ ...page, [items]: [entry] }, `${where}: `, 2)[items] as readonly unknown[]),
      );
    } catch (error) {
      const reason = (error as Error).message.split(`${items}[0]`, 2)[1]?.replace(/^(\.|: )/, "");
      warnOf(`${where} is left out: ${reason}`);
    }
    if (faults > maxFaults) return checkResult(side, row, value);
  }
  return { ...page, [items]: readEntries };
}
