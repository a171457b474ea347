import { isObject, type JsonObject } from "../jsonrpc/message.js";
import type { Fitting } from "../tables.js";

/**
 * The value as a peer of the revision may get it: members that only other revisions have are left out, and blocks that only
 * others have are replaced. The value itself where nothing has to change. `tell` hears of each change, with its place.
 */
export function fit(
  value: unknown,
  how: Fitting | undefined,
  tag: string,
  tell: (change: string) => void,
  place = "",
): unknown {
  if (!how) return value;
  if (Array.isArray(value)) {
    const all = value.map((one: unknown) => fit(one, how, tag, tell, place));
    return all.some((one, i) => one !== value[i]) ? all : value;
  }
  if (!isObject(value)) return value;
  const at = (member: string): string => (place === "" ? member : `${place}.${member}`);
  const kind = how.kinds && kindIn(how.kinds, value[tag]);
  if (kind?.as) {
    tell(`${place}: a block "${String(value[tag])}" became a block "${String(kind.as[tag])}"`);
    return fit(filled(kind.as, value), how, tag, tell, place);
  }
  let sent = kind ? (fit(value, { ...kind, kinds: undefined }, tag, tell, place) as JsonObject) : value;
  for (const member of how.omit ?? []) {
    if (sent[member] === undefined) continue;
    const { [member]: _, ...rest } = sent;
    sent = rest;
    tell(`${at(member)} was left out`);
  }
  for (const member in how.inside) {
    const before = sent[member];
    const after = fit(before, how.inside[member], tag, tell, at(member));
    if (after !== before) sent = { ...sent, [member]: after };
  }
  return sent;
}

const kindIn = (
  kinds: NonNullable<Fitting["kinds"]>,
  kind: unknown,
): NonNullable<Fitting["kinds"]>[string] | undefined =>
  typeof kind === "string" && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;

/** A template with the members of a block in place of their names in braces; a name alone stands for the very value. */
function filled(template: JsonObject, block: JsonObject): JsonObject {
  const fill = (value: unknown): unknown => {
    if (isObject(value)) return filled(value, block);
    if (typeof value !== "string") return value;
    const whole = /^\{(\w+)\}$/.exec(value)?.[1];
    return whole ? block[whole] : value.replace(/\{(\w+)\}/g, (_, name: string) => String(block[name]));
  };
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fill(value)]));
}
