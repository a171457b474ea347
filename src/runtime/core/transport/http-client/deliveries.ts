import { TimeoutError } from "../../errors.js";
import { within } from "../../../../common/timing.js";
import type { HttpRequester } from "./requester.js";
import type { Drop } from "./requests.js";
import { type ResponseHandler, responseError } from "./response-reader.js";

/** The maximum time (ms) to read the body of a response that has no message. */
const bodyTime = 1000;

/** Sends one message, and passes what arrives to the handler. */
type Send = (handler: Required<Pick<ResponseHandler, "head" | "end">>) => Drop;

/** Sends messages whose responses have no answer, one after the other. */
export class Deliveries {
  readonly #requester: HttpRequester;
  readonly #acceptTime: number | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Cancel the messages that are being sent. */
  readonly #open = new Set<(error: Error) => void>();

  /** `acceptTime` is the maximum wait (ms) for the server to accept a message; by default there is none. */
  constructor(requester: HttpRequester, acceptTime?: number) {
    this.#requester = requester;
    this.#acceptTime = acceptTime;
  }

  /** Sends a message when all earlier ones are accepted or have failed. Resolves when the server has accepted it. */
  add(send: Send): Promise<void> {
    const delivery = this.#last.then(() => this.#deliver(send));
    this.#last = delivery.catch(() => {});
    return delivery;
  }

  /** Resolves when no message is left, or after a time in milliseconds. */
  idle(time: number): Promise<unknown> {
    return within(time, this.#last);
  }

  /** Cancels the messages that are being sent. */
  drop(error: Error): void {
    for (const giveUp of this.#open) giveUp(error);
  }

  #deliver(send: Send): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error): void => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve();
      };
      const giveUp = (error?: Error): void => {
        this.#open.delete(giveUp);
        cancel();
        settle(error);
      };
      const { address, receiver } = this.#requester;
      const time = this.#acceptTime;
      const onTimeout = (): void => {
        if (receiver().isPaused) timer = setTimeout(onTimeout, time);
        else giveUp(new TimeoutError(`${address} did not accept a message within ${time} ms.`));
      };
      let timer = time === undefined ? undefined : setTimeout(onTimeout, time);
      this.#open.add(giveUp);
      const cancel = send({
        head: ({ isSuccess }) => {
          if (!isSuccess) return;
          settle();
          // A body that does not end must not keep its connection.
          timer = setTimeout(giveUp, bodyTime);
        },
        end: (response, error) => {
          this.#open.delete(giveUp);
          settle(response.isSuccess && !error ? undefined : responseError(address, response, error));
        },
      });
    });
  }
}
