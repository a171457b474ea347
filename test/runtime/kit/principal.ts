import type { Transport } from "@mcpgen/runtime";

/** A carrier that knows who is calling, as one with authorization does. */
export const knowing = (
  carrier: Transport,
  principal: () => string,
): Transport => ({
  send: (message) => carrier.send(message),
  close: () => carrier.close(),
  start: (receiver) =>
    carrier.start({
      message: (message) =>
        receiver.message(message, { auth: { principal: principal() } }),
      malformed: (error) => receiver.malformed(error),
      ended: () => receiver.ended(),
      closed: (error) => receiver.closed(error),
    }),
});
