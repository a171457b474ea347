import type {
  WellKnownMethod,
  Message,
  NotificationMessage,
  RequestMessage,
} from "../../ir/model.js";
import {
  type RevisionContext,
  notifications,
  receivedBy,
  requests,
  sentBy,
} from "./messages.js";

/** Requests that a client sends by a named method: all except the handshake. */
export function requestsFromClient(context: RevisionContext): RequestMessage[] {
  const sent = requests(context).filter(
    (message) => message.carriage === "wire" && sentBy("client", message),
  );
  return except(context, sent, ["initialize"]);
}

/** Notifications that a client sends; the engine sends the others. */
export function notificationsFromClient(
  context: RevisionContext,
): NotificationMessage[] {
  const sent = notifications(context).filter((message) =>
    sentBy("client", message),
  );
  return except(context, sent, ["initialized", "cancelled", "progress"]);
}

/** Requests that a client handles, including embedded ones. */
export function requestsToClient(context: RevisionContext): RequestMessage[] {
  const received = requests(context).filter((message) =>
    receivedBy("client", message),
  );
  return except(context, received, ["ping"]);
}

/** Notifications that a client can listen to. */
export function notificationsToClient(
  context: RevisionContext,
): NotificationMessage[] {
  const received = notifications(context).filter((message) =>
    receivedBy("client", message),
  );
  return except(context, received, ["cancelled", "progress", "acknowledged"]);
}

/** Requests that a server handles; the engine answers the others. */
export function requestsToServer(context: RevisionContext): RequestMessage[] {
  const received = requests(context).filter((message) =>
    receivedBy("server", message),
  );
  return except(context, received, [
    "initialize",
    "ping",
    "discover",
    "listen",
  ]);
}

/** Notifications that a server can listen to. */
export function notificationsToServer(
  context: RevisionContext,
): NotificationMessage[] {
  const received = notifications(context).filter((message) =>
    receivedBy("server", message),
  );
  return except(context, received, ["cancelled", "progress", "initialized"]);
}

/** Requests that a handler can send to the client. */
export function requestsFromHandlers(
  context: RevisionContext,
): RequestMessage[] {
  return requests(context).filter((message) => sentBy("server", message));
}

/**
 * Notifications that a handler can send while it runs, except progress and
 * logs, which have their own methods.
 */
export function notificationsFromHandlers(
  context: RevisionContext,
): NotificationMessage[] {
  const sent = notifications(context).filter((message) =>
    sentBy("server", message),
  );
  return except(context, sent, [
    "cancelled",
    "progress",
    "log",
    "acknowledged",
  ]);
}

/**
 * Notifications that a server can send at any time. Logs are excluded if every
 * request sets its own log level.
 */
export function notificationsFromServer(
  context: RevisionContext,
): NotificationMessage[] {
  const sent = notifications(context).filter((message) =>
    sentBy("server", message),
  );
  const engine: WellKnownMethod[] = ["cancelled", "progress", "acknowledged"];
  return except(
    context,
    sent,
    context.protocol.opening === "initialize" ? engine : [...engine, "log"],
  );
}

/** The messages without those that the session engine uses in these roles. */
function except<M extends Message>(
  { protocol }: RevisionContext,
  messages: readonly M[],
  roles: readonly WellKnownMethod[],
): M[] {
  return messages.filter(
    ({ method }) => !roles.some((role) => protocol.wellKnown[role] === method),
  );
}
