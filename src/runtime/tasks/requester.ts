import type { RequestContext } from "../core/session/context.js";
import type { SideTable } from "../core/tables.js";

/** The caller of requests that create or name tasks. */
export interface Requester {
  readonly principal: string | undefined;
  /** The principal, or the session (in a cluster, its key) if there is none; undefined for a requester that cannot be identified. */
  readonly key: unknown;
}

/** The requester of a request: its principal, or its session in a legacy revision with sessions. */
export function requesterOf({ revision }: SideTable, { exchange, session }: RequestContext): Requester {
  const { info } = exchange;
  const principal = info?.auth?.principal;
  const hasSession = revision.opening === "initialize" && !info?.isStateless;
  const { shared } = session.connection.transport;
  return { principal, key: principal ?? (hasSession ? (shared?.key ?? session) : undefined) };
}
