import type { RequestContext } from "../../session/context.js";
import type { SideTable } from "../../tables.js";

/** Who asks for tasks and about them. */
export interface Requester {
  readonly principal: string | undefined;
  /** The principal, or the session where there is none; undefined for a requester that cannot be told from others. */
  readonly key: unknown;
}

export function requesterOf({ revision }: SideTable, { exchange, session }: RequestContext): Requester {
  const { info } = exchange;
  const principal = info?.auth?.principal;
  const hasSession = revision.opening === "initialize" && !info?.isStateless;
  return { principal, key: principal ?? (hasSession ? session : undefined) };
}
