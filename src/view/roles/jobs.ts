import type { Job, Message, RequestMessage } from "../../ir/model.js";
import { type Chosen, notifications, receivedBy, requests, sentBy } from "./messages.js";

type NotificationMessage = Extract<Message, { kind: "notification" }>;

/** What a caller may ask for by name: all that a client sends, but for the handshake. */
export function stubRequests(choice: Chosen): RequestMessage[] {
  return requests(choice).filter(
    (message) =>
      message.carriage === "wire" && sentBy("client", message) && !has(choice, message, ["initialize"]),
  );
}

/** What a client may announce; the engine announces the rest. */
export function stubNotifications(choice: Chosen): NotificationMessage[] {
  return notifications(choice).filter(
    (message) => sentBy("client", message) && !has(choice, message, ["initialized", "cancelled", "progress"]),
  );
}

/** What a client has handlers for: all that a server may ask, embedded requests too. */
export function clientRequests(choice: Chosen): RequestMessage[] {
  return requests(choice).filter(
    (message) => receivedBy("client", message) && !has(choice, message, ["ping"]),
  );
}

/** What a client may listen to. */
export function clientNotices(choice: Chosen): NotificationMessage[] {
  return notifications(choice).filter(
    (message) =>
      receivedBy("client", message) && !has(choice, message, ["cancelled", "progress", "acknowledged"]),
  );
}

/** What a server has handlers for; the engine answers the rest. */
export function serverRequests(choice: Chosen): RequestMessage[] {
  return requests(choice).filter(
    (message) =>
      receivedBy("server", message) && !has(choice, message, ["initialize", "ping", "discover", "listen"]),
  );
}

/** What a server may listen to. */
export function serverNotices(choice: Chosen): NotificationMessage[] {
  return notifications(choice).filter(
    (message) =>
      receivedBy("server", message) && !has(choice, message, ["cancelled", "progress", "initialized"]),
  );
}

/** What a handler may ask the client. */
export function asks(choice: Chosen): RequestMessage[] {
  return requests(choice).filter((message) => sentBy("server", message));
}

/** What a handler may announce in passing; progress and logs have words of their own there. */
export function notes(choice: Chosen): NotificationMessage[] {
  return notifications(choice).filter(
    (message) =>
      sentBy("server", message) && !has(choice, message, ["cancelled", "progress", "log", "acknowledged"]),
  );
}

/** What a server may announce at large. Where every request states its own log level, logs are not among it. */
export function announcements(choice: Chosen): NotificationMessage[] {
  const engine: Job[] = ["cancelled", "progress", "acknowledged"];
  return notifications(choice).filter(
    (message) =>
      sentBy("server", message) &&
      !has(choice, message, choice.protocol.opening === "initialize" ? engine : [...engine, "log"]),
  );
}

function has({ protocol }: Chosen, message: Message, jobs: readonly Job[]): boolean {
  return jobs.some((job) => protocol.jobs[job] === message.method);
}
