import type { AnyContext, Json, Revision } from "../../kit/index.js";
import type { Chance } from "./chance.js";
import type { Outcome, Reports } from "./outcome.js";

/** An action of a handler before its response. */
export interface Action {
  readonly kind: "notify" | "log" | "progress" | "request" | "announce";
  readonly method: string;
  readonly params: Json | undefined;
  /** The error that the call of the author threw or rejected with. */
  thrown?: unknown;
  isBegun?: true;
}

/** The notifications that a server sends outside of requests. */
export const announcedBy = ({
  protocol,
  facts,
  isModern,
}: Revision): string[] => {
  const { progress, cancelled } = facts.wellKnown;
  return Object.values(protocol.serverSide.outgoingNotifications)
    .filter(({ method, filter }) =>
      isModern ? filter !== undefined : ![progress, cancelled].includes(method),
    )
    .map(({ method }) => method);
};

/** A random action. */
export function actionOf(one: Revision, chance: Chance): Action {
  const { random } = chance;
  const { outgoingNotifications } = one.protocol.serverSide;
  const { outgoingRequests } = one.protocol.serverQuestions;
  const { log, progress } = one.facts.wellKnown;
  const kind = random.pick([
    "notify",
    "log",
    "progress",
    "request",
    "request",
    "announce",
  ] as const);
  if (kind === "request") {
    const method = random.pick(Object.keys(outgoingRequests));
    return { kind, method, params: chance.wildParams(method) };
  }
  const job = kind === "log" ? log : kind === "progress" ? progress : undefined;
  if (kind === "log" && job !== undefined) {
    const { level, data, logger } = (chance.wildParams(job) ?? {}) as Json;
    return { kind, method: job, params: { level, data, logger } };
  }
  const method =
    job ??
    random.pick(
      kind === "announce"
        ? announcedBy(one)
        : Object.keys(outgoingNotifications),
    );
  return { kind, method, params: chance.wildParams(method) };
}

/** Performs the action, and records its error. */
export async function act(
  action: Action,
  context: AnyContext,
  announce: (name: string, params: Json | undefined) => void,
): Promise<void> {
  const { kind, method, params } = action;
  action.isBegun = true;
  try {
    if (kind === "notify") context.notify(method, params);
    else if (kind === "log")
      context.log(
        params?.["level"] as string,
        params?.["data"],
        params?.["logger"] as string,
      );
    else if (kind === "progress")
      context.progress(
        params?.["progress"] as number,
        params?.["total"] as number,
        params?.["message"] as string,
      );
    else if (kind === "announce") announce(method, params);
    else await context.request(method, params);
  } catch (error) {
    if ((error as Error | undefined)?.name === "InputPending") throw error;
    action.thrown = error ?? "nothing";
  }
}

/** Whether the interface documents that the notification is not sent. */
function isUnwanted({ protocol, facts }: Revision, action: Action): boolean {
  const { kind, method, params } = action;
  // A value that is not larger than the last is dropped, as `progress`
  // documents.
  if (kind === "progress") return true;
  if (kind === "log") return false;
  const row = protocol.serverSide.outgoingNotifications[method];
  // Only subscribers receive it.
  if (row?.subject !== undefined && typeof params?.[row.subject] !== "string")
    return true;
  return method === facts.wellKnown.acknowledged;
}

/**
 * Adds a fault for each of these actions that neither reached the peer nor was
 * reported.
 */
export function accountActions(
  one: Revision,
  actions: readonly Action[],
  peer: { hasReceived(action: Action): boolean },
  reports: Reports,
  setup: Json,
  outcome: Outcome,
): void {
  for (const action of actions) {
    const { kind, method, isBegun, thrown } = action;
    const isTold =
      reports.of(method) || (kind === "log" && reports.of("context.log"));
    if (
      !isBegun ||
      thrown !== undefined ||
      isTold ||
      isUnwanted(one, action) ||
      peer.hasReceived(action)
    )
      continue;
    outcome.faults.push({
      fault: `${kind} was changed or dropped in silence`,
      action,
      ...setup,
    });
  }
}
