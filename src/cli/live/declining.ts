import { declines } from "../../generator/ir/facts.js";
import type { Capabilities, SideTable } from "../../runtime/core/tables.js";

/** The handlers and capabilities of a client. */
interface ClientHandlers {
  readonly handlers: Readonly<Record<string, (params: unknown) => unknown>>;
  readonly capabilities: Capabilities;
}

/**
 * Handlers for `connect` that declare every client capability and decline every
 * request, because some servers offer tools only to clients that can answer
 * questions. `onDecline` is called with the method of each request. With `ask`,
 * a person answers the questions that can be declined with a result.
 */
export function declining(
  declineError: () => Error,
  onDecline?: (method: string) => void,
  ask?: (params: unknown) => Promise<unknown>,
): object {
  const decline = (method: string, params: unknown): unknown => {
    const fact = declines.find((one) => one.method === method);
    if (ask && "action" in (fact?.result ?? {})) return ask(params);
    onDecline?.(method);
    if (fact === undefined) throw declineError();
    return fact.result;
  };
  return {
    [Symbol("declining")]: {
      provide: (_: unknown, side: SideTable) => handlersFor(side, decline),
    },
  };
}

function handlersFor(
  side: SideTable,
  decline: (method: string, params: unknown) => unknown,
): ClientHandlers {
  const requests = Object.entries(side.incomingRequests).filter(
    ([, { needs }]) => needs !== undefined,
  );
  const { outgoingNotifications, incomingNotifications } = side;
  const notifications = [outgoingNotifications, incomingNotifications].flatMap(
    (rows) => Object.values(rows),
  );
  const needs = [
    ...requests.flatMap(([, row]) =>
      [row, ...(row.conditions ?? [])].map((one) => one.needs),
    ),
    ...notifications.map((row) =>
      row.needsOf === "client" ? row.needs : undefined,
    ),
  ];
  return {
    handlers: Object.fromEntries(
      requests.map(([method]) => [
        method,
        (params: unknown) => decline(method, params),
      ]),
    ),
    capabilities: needs.reduce<Capabilities>(
      (all, one) => (one === undefined ? all : merge(all, one)),
      {},
    ),
  };
}

/** Merges capabilities by member; `true` adds nothing to an object. */
function merge(left: Capabilities, right: Capabilities): Capabilities {
  const all: Record<string, Capabilities | true> = { ...left };
  for (const [name, value] of Object.entries(right)) {
    const before = all[name];
    const isInner = typeof before === "object" && typeof value === "object";
    all[name] = isInner
      ? merge(before, value)
      : before === undefined || value !== true
        ? value
        : before;
  }
  return all;
}
