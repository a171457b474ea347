import { isObject, type JsonObject } from "../../common/object.js";
import type { Capabilities, RequestRow } from "./tables.js";

/**
 * True if the declared capabilities include the needed ones. A member that is
 * `false` counts as absent.
 */
export function declares(
  declared: unknown,
  needs: Capabilities | true,
): boolean {
  if (declared === undefined || declared === null || declared === false)
    return false;
  if (needs === true) return true;
  for (const name in needs) {
    if (!isObject(declared) || !Object.hasOwn(declared, name)) return false;
    if (!declares(declared[name], needs[name] as Capabilities | true))
      return false;
  }
  return true;
}

/**
 * The capabilities that a request with these params needs and its receiver did
 * not declare; undefined if none is missing.
 */
export function missingCapabilities(
  { needs: always, conditions = [] }: Pick<RequestRow, "needs" | "conditions">,
  params: unknown,
  declared: unknown,
): Capabilities | undefined {
  if (always && !declares(declared, always)) return always;
  for (const { member, values, needs, implied } of conditions) {
    const value = (isObject(params) ? params[member] : undefined) ?? null;
    const applies = values
      ? values.includes(value as string | null)
      : value !== null;
    if (
      applies &&
      !declares(declared, needs) &&
      !(implied && declaresEmpty(declared, needs))
    )
      return needs;
  }
  return undefined;
}

/**
 * True if the parent object of the needed capability is declared and empty,
 * which implies the default (as `elicitation: {}`).
 */
function declaresEmpty(declared: unknown, needs: Capabilities): boolean {
  for (const [name, inner] of Object.entries(needs)) {
    if (!isObject(declared)) return false;
    if (inner === true || Object.keys(inner).length === 0)
      return Object.keys(declared).length === 0;
    return declaresEmpty(declared[name], inner);
  }
  return false;
}

/**
 * Merges capabilities deeply. If both have a value, that of `right` is used.
 */
export function join(left: JsonObject, right: JsonObject): JsonObject {
  const joined: Record<string, unknown> = { ...left };
  for (const [name, value] of Object.entries(right)) {
    const existing = joined[name];
    joined[name] =
      isObject(existing) && isObject(value) ? join(existing, value) : value;
  }
  return joined;
}
