import { advise } from "../advice.js";
import { metaOf, type Params } from "../message.js";
import { getOwn, isObject, type JsonObject } from "../../../common/object.js";
import type { ServerSessionConfig } from "./config.js";
import type { Downgrade, Downgrades } from "../tables.js";
import type { Session } from "./session.js";

/**
 * Converts a result, or the params of a message of the server, to the revision
 * of the session. Warns once of each change, and of what `advise` finds.
 */
export function toRevision(
  {
    config,
    connection,
  }: Pick<Session<ServerSessionConfig>, "config" | "connection">,
  part: "results" | "params",
  method: string,
  input: unknown,
): unknown {
  const value = asSent(input);
  const { side, settings, warnOnce } = config;
  const { downgrades, revision } = side;
  const adviser = settings.onWarning ? advise : connection.transport.advise;
  adviser?.(config, method, value, warnOnce);
  const rule = getOwn(downgrades[part], method);
  if (!rule) return value;
  return downgrade(value, rule, downgrades, (change) =>
    warnOnce(
      `${method}: ${change}, because revision ${revision.revision} does not have it.`,
    ),
  );
}

/** Maximum depth that is checked. A deeper value is serialized. */
const maxDepth = 100;

/**
 * The value as the peer receives it, so that the checked value is the sent one.
 * Returns a plain JSON value unchanged. A value that JSON changes, with
 * `toJSON`, class instances or functions, is serialized and parsed.
 *
 * @throws TypeError for a value that cannot be serialized.
 */
export function asSent(value: unknown): unknown {
  if (typeof value !== "object" || isPlain(value, 0)) return value;
  // The text is undefined if `toJSON` returns undefined. No message accepts
  // null instead of an object.
  return JSON.parse((JSON.stringify(value) as string | undefined) ?? "null");
}

/**
 * Adds members to the `_meta` of params. Returns invalid params unchanged; the
 * check before sending rejects them.
 */
export function withMeta(input: Params, more: JsonObject): Params {
  const params = asSent(input) as Params;
  return canHaveMeta(params)
    ? { ...params, _meta: { ...metaOf(params), ...more } }
    : params;
}

/**
 * True if `_meta` can be added to these params: they are absent, or an object
 * whose `_meta` is an object or absent.
 */
export function canHaveMeta(params: unknown): boolean {
  if (params === undefined) return true;
  return (
    isObject(params) &&
    (params["_meta"] === undefined || isObject(params["_meta"]))
  );
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== "object")
    return typeof value !== "function" && typeof value !== "symbol";
  if (value === null) return true;
  if (depth > maxDepth) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlain(item, depth + 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const name in value)
    if (!isPlain((value as Record<string, unknown>)[name], depth + 1))
      return false;
  return true;
}

/**
 * Converts a value to a revision: omits or replaces members and blocks that the
 * revision does not have. Returns the same value if nothing changes, and
 * undefined for an omitted block. `onChange` gets a description of each change,
 * with its path.
 */
export function downgrade(
  value: unknown,
  rule: Downgrade | undefined,
  downgrades: Pick<Downgrades, "tag" | "blocks">,
  onChange: (change: string) => void,
  path = "",
): unknown {
  if (!rule) return value;
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const after = downgrade(value[i], rule, downgrades, onChange, path);
      if (after !== value[i]) copy ??= value.slice(0, i);
      if (after !== undefined) copy?.push(after);
    }
    return copy ?? value;
  }
  if (!isObject(value)) return value;
  let result = downgrades.blocks
    ? downgrades.blocks(value, rule, downgrades, onChange, path)
    : value;
  if (!result) return undefined;
  for (const member of rule.omit ?? none) {
    if (result[member] === undefined) continue;
    const { [member]: _, ...rest }: JsonObject = result;
    result = rest;
    onChange(`${memberPath(path, member)} is left out`);
  }
  // No list of keys, because a rule applies to each call.
  for (const member in rule.values ? result : rule.inside) {
    const before: unknown = result[member];
    // Skips the path for absent members, which most are.
    if (typeof before !== "object") continue;
    const inner = rule.values ?? rule.inside?.[member];
    const after = downgrade(
      before,
      inner,
      downgrades,
      onChange,
      memberPath(path, member),
    );
    if (after !== before) result = { ...result, [member]: after };
  }
  return result;
}

const none: readonly string[] = [];

const memberPath = (path: string, member: string): string =>
  path === "" ? member : `${path}.${member}`;

/**
 * Converts a block to a kind that the revision has, and lists to other ones;
 * undefined for an omitted block. Only servers of revisions with such rules
 * refer to it.
 */
export const convertBlocks: NonNullable<Downgrades["blocks"]> = (
  value,
  rule,
  downgrades,
  onChange,
  path,
) => {
  const { tag } = downgrades;
  let result = value;
  const name = value[tag];
  const kind = typeof name === "string" && getOwn(rule.kinds ?? {}, name);
  if (kind) {
    const { as } = kind;
    const block = `a block ${JSON.stringify(name)} in ${path}`;
    if (as === null) return void onChange(`${block} is left out`);
    if (as) {
      onChange(`${block} is sent as a block ${JSON.stringify(as[tag])}`);
      return convertBlocks(
        fillTemplate(as, value),
        rule,
        downgrades,
        onChange,
        path,
      );
    }
    result = downgrade(value, kind, downgrades, onChange, path) as JsonObject;
  }
  for (const [list, as] of Object.entries(rule.lists ?? {})) {
    const { [list]: items, ...rest } = result;
    if (!Array.isArray(items)) continue;
    const lists = Object.entries(as).map(([to, from]) => [
      to,
      items.map((item: unknown) => (isObject(item) ? item[from] : undefined)),
    ]);
    result = { ...rest, ...Object.fromEntries(lists) };
    onChange(
      `${memberPath(path, list)} is sent as ${Object.keys(as).join(" and ")}`,
    );
  }
  return result;
};

/**
 * A template in which `{name}` is replaced with the member of the block. A
 * string that is only `{name}` becomes the member itself. A longer string
 * becomes undefined if a member in it is not a string; the check of the message
 * then rejects it.
 */
function fillTemplate(template: JsonObject, block: JsonObject): JsonObject {
  const fill = (value: unknown): unknown => {
    if (isObject(value)) return fillTemplate(value, block);
    const parts = String(value).split(/\{(\w+)\}/);
    const values = parts.map((part, i) => (i % 2 === 1 ? block[part] : part));
    if (parts.length === 3 && !parts[0] && !parts[2]) return values[1];
    return values.every((part) => typeof part === "string")
      ? values.join("")
      : undefined;
  };
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [name, fill(value)]),
  );
}
