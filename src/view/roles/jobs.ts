import type { Job, Message, RequestMessage } from "../../ir/model.js";
import { type RevisionContext, notifications, receivedBy, requests, sentBy } from "./messages.js";

type NotificationMessage = Extract<Message, { kind: "notification" }>;

/** What a caller may ask for by name: all that a client sends, but for the handshake. */
export function stubRequests(context: RevisionContext): RequestMessage[] {
  return requests(context).filter(
    (message) =>
      message.carriage === "wire" && sentBy("client", message) && !has(context, message, ["initialize"]),
  );
}

/** What a client may announce; the engine announces the rest. */
export function stubNotifications(context: RevisionContext): NotificationMessage[] {
  return notifications(context).filter(
    (message) =>
      sentBy("client", message) && !has(context, message, ["initialized", "cancelled", "progress"]),
  );
}

/** What a client has handlers for: all that a server may ask, embedded requests too. */
export function clientRequests(context: RevisionContext): RequestMessage[] {
  return requests(context).filter(
    (message) => receivedBy("client", message) && !has(context, message, ["ping"]),
  );
}

/** What a client may listen to. */
export function clientNotices(context: RevisionContext): NotificationMessage[] {
  return notifications(context).filter(
    (message) =>
      receivedBy("client", message) && !has(context, message, ["cancelled", "progress", "acknowledged"]),
  );
}

/** What a server has handlers for; the engine answers the rest. */
export function serverRequests(context: RevisionContext): RequestMessage[] {
  return requests(context).filter(
    (message) =>
      receivedBy("server", message) && !has(context, message, ["initialize", "ping", "discover", "listen"]),
  );
}

/** What a server may listen to. */
export function serverNotices(context: RevisionContext): NotificationMessage[] {
  return notifications(context).filter(
    (message) =>
      receivedBy("server", message) && !has(context, message, ["cancelled", "progress", "initialized"]),
  );
}

/** What a handler may ask the client. */
export function asks(context: RevisionContext): RequestMessage[] {
  return requests(context).filter((message) => sentBy("server", message));
}

/** What a handler may announce in passing; progress and logs have words of their own there. */
export function notes(context: RevisionContext): NotificationMessage[] {
  return notifications(context).filter(
    (message) =>
      sentBy("server", message) && !has(context, message, ["cancelled", "progress", "log", "acknowledged"]),
  );
}

/** What a server may announce at large. Where every request states its own log level, logs are not among it. */
export function announcements(context: RevisionContext): NotificationMessage[] {
  const engine: Job[] = ["cancelled", "progress", "acknowledged"];
  return notifications(context).filter(
    (message) =>
      sentBy("server", message) &&
      !has(context, message, context.protocol.opening === "initialize" ? engine : [...engine, "log"]),
  );
}

function has({ protocol }: RevisionContext, message: Message, jobs: readonly Job[]): boolean {
  return jobs.some((job) => protocol.jobs[job] === message.method);
}
