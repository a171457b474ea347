import type { WellKnownMethod, Message, NotificationMessage, RequestMessage } from "../../ir/model.js";
import { type RevisionContext, notifications, receivedBy, requests, sentBy } from "./messages.js";

/** Requests that a client sends by a named method: all except the handshake. */
export function requestsFromClient(context: RevisionContext): RequestMessage[] {
  return requests(context).filter(
    (message) =>
      message.carriage === "wire" && sentBy("client", message) && !has(context, message, ["initialize"]),
  );
}

/** Notifications that a client sends; the engine sends the others. */
export function notificationsFromClient(context: RevisionContext): NotificationMessage[] {
  return notifications(context).filter(
    (message) =>
      sentBy("client", message) && !has(context, message, ["initialized", "cancelled", "progress"]),
  );
}

/** Requests that a client handles, including embedded ones. */
export function requestsToClient(context: RevisionContext): RequestMessage[] {
  return requests(context).filter(
    (message) => receivedBy("client", message) && !has(context, message, ["ping"]),
  );
}

/** Notifications that a client can listen to. */
export function notificationsToClient(context: RevisionContext): NotificationMessage[] {
  return notifications(context).filter(
    (message) =>
      receivedBy("client", message) && !has(context, message, ["cancelled", "progress", "acknowledged"]),
  );
}

/** Requests that a server handles; the engine answers the others. */
export function requestsToServer(context: RevisionContext): RequestMessage[] {
  return requests(context).filter(
    (message) =>
      receivedBy("server", message) && !has(context, message, ["initialize", "ping", "discover", "listen"]),
  );
}

/** Notifications that a server can listen to. */
export function notificationsToServer(context: RevisionContext): NotificationMessage[] {
  return notifications(context).filter(
    (message) =>
      receivedBy("server", message) && !has(context, message, ["cancelled", "progress", "initialized"]),
  );
}

/** Requests that a handler can send to the client. */
export function requestsFromHandlers(context: RevisionContext): RequestMessage[] {
  return requests(context).filter((message) => sentBy("server", message));
}

/** Notifications that a handler can send while it runs, except progress and logs, which have their own methods. */
export function notificationsFromHandlers(context: RevisionContext): NotificationMessage[] {
  return notifications(context).filter(
    (message) =>
      sentBy("server", message) && !has(context, message, ["cancelled", "progress", "log", "acknowledged"]),
  );
}

/** Notifications that a server can send at any time. Logs are excluded if every request sets its own log level. */
export function notificationsFromServer(context: RevisionContext): NotificationMessage[] {
  const engine: WellKnownMethod[] = ["cancelled", "progress", "acknowledged"];
  return notifications(context).filter(
    (message) =>
      sentBy("server", message) &&
      !has(context, message, context.protocol.opening === "initialize" ? engine : [...engine, "log"]),
  );
}

function has({ protocol }: RevisionContext, message: Message, roles: readonly WellKnownMethod[]): boolean {
  return roles.some((role) => protocol.wellKnown[role] === message.method);
}
