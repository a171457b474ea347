import { jsonRpcCodes, type McpError } from "../../errors.js";
import { isId, type RequestId } from "../../message.js";
import { isObject, type JsonObject } from "../../../../common/object.js";
import { type OpenWork, Ticket } from "./open-work.js";
import type { Receiver, Transport } from "../../ports/transport.js";

/**
 * Wraps the transport of one client so that `openWork` counts its open requests
 * and their bytes. Requests above the limit are answered with an error. Those
 * of the methods `listens` open a notification stream, and count as listeners.
 * `scopeError` returns the error for a message, or a batch of messages, whose
 * caller lacks a scope. It answers each request.
 */
export function countingTransport(
  transport: Transport,
  openWork: OpenWork,
  caller: string | undefined,
  listens?: ReadonlySet<unknown>,
  scopeError?: (message: unknown) => McpError | undefined,
): Transport {
  /** The requests that are not answered yet. */
  const open = new Map<RequestId, Ticket>();
  const answered = (id: unknown): void => {
    const ticket = open.get(id as RequestId);
    if (!ticket) return;
    open.delete(id as RequestId);
    openWork.endAll(ticket);
  };
  const admit = (message: unknown, bytes: number): boolean => {
    const { id, method } = isObject(message) ? message : ({} as JsonObject);
    if (typeof method !== "string" || !isId(id) || open.has(id)) return true;
    const ticket = new Ticket(caller);
    openWork.add(ticket, bytes);
    openWork.bodyRead(ticket);
    if (
      ticket.isRejected ||
      openWork.countRequests(ticket, listens?.has(method) === true, 1)
    ) {
      openWork.endAll(ticket);
      forbid(transport, [message], tooMany());
      return false;
    }
    open.set(id, ticket);
    return true;
  };
  const receive = (receiver: Receiver): Receiver => ({
    message: (message, info) => {
      const all = Array.isArray(message) ? (message as unknown[]) : [message];
      const forbidden = scopeError?.(message);
      if (forbidden) return forbid(transport, all, forbidden);
      const bytes = (info?.bytes ?? 0) / Math.max(1, all.length);
      const items = all.filter((item) => admit(item, bytes));
      if (items.length === all.length) receiver.message(message, info);
      else if (items.length > 0) receiver.message(items, info);
    },
    malformed: (error, info) => receiver.malformed(error, info),
    lost: (id, error) => receiver.lost?.(id, error),
    ended: () => receiver.ended(),
    closed: (error) => {
      for (const id of open.keys()) answered(id);
      receiver.closed(error);
    },
  });
  return {
    carrier: transport.carrier,
    start: (receiver) => transport.start(receive(receiver)),
    send: (message, options) => {
      if (isObject(message) && message["method"] === undefined)
        answered(message["id"]);
      return transport.send(message, options);
    },
    close: () => transport.close(),
    drop: (id) => {
      answered(id);
      transport.drop?.(id);
    },
  };
}

const tooMany = () => ({
  code: jsonRpcCodes.INTERNAL_ERROR,
  message: "Too many requests.",
  data: undefined,
});

/** Answers each request among the messages with the error. */
function forbid(
  transport: Transport,
  messages: readonly unknown[],
  { code, message, data }: Pick<McpError, "code" | "message" | "data">,
): void {
  const error = { code, message, data };
  for (const one of messages) {
    const { id, method } = isObject(one) ? one : ({} as JsonObject);
    if (method !== undefined && isId(id))
      void transport.send({ jsonrpc: "2.0", id, error });
  }
}
