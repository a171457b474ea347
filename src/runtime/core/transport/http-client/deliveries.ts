import { TimeoutError } from "../../errors.js";
import { withTimeout } from "../../../../common/timing.js";
import type { HttpRequester } from "./requester.js";
import type { Drop } from "./requests.js";
import { type ResponseHandler, responseError } from "./response-reader.js";

/** The maximum time (ms) to read the body of a response that has no message. */
const bodyTime = 1000;

/** Sends one message, and passes what arrives to the handler. */
type Send = (handler: Required<Pick<ResponseHandler, "head" | "end">>) => Drop;

export type Deliveries = ReturnType<typeof deliveriesOf>;

/**
 * Sends messages whose responses have no answer, one after the other. `acceptTime` is the maximum wait (ms) for the server to accept a message;
 * by default there is none.
 */
export function deliveriesOf({ address, receiver }: HttpRequester, acceptTime?: number) {
  let last: Promise<unknown> = Promise.resolve();
  /** Cancel the messages that are being sent. */
  const open = new Set<(error: Error) => void>();

  function deliver(send: Send): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error): void => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve();
      };
      const giveUp = (error?: Error): void => {
        open.delete(giveUp);
        cancel();
        settle(error);
      };
      const onTimeout = (): void => {
        if (receiver().isPaused) timer = setTimeout(onTimeout, acceptTime);
        else giveUp(new TimeoutError(`${address} did not accept a message within ${acceptTime} ms.`));
      };
      let timer = acceptTime === undefined ? undefined : setTimeout(onTimeout, acceptTime);
      open.add(giveUp);
      const cancel = send({
        head: ({ isSuccess }) => {
          if (!isSuccess) return;
          settle();
          // A body that does not end must not keep its connection.
          timer = setTimeout(giveUp, bodyTime);
        },
        end: (response, error) => {
          open.delete(giveUp);
          settle(response.isSuccess && !error ? undefined : responseError(address, response, error));
        },
      });
    });
  }

  return {
    /** Sends a message when all earlier ones are accepted or have failed. Resolves when the server has accepted it. */
    add(send: Send): Promise<void> {
      const delivery = last.then(() => deliver(send));
      last = delivery.catch(() => {});
      return delivery;
    },
    /** Resolves when no message is left, or after a time in milliseconds. */
    idle: (time: number): Promise<unknown> => withTimeout(time, last),
    /** Cancels the messages that are being sent. */
    drop(error: Error): void {
      for (const giveUp of open) giveUp(error);
    },
  };
}
