import { Quota } from "../../quota.js";
import type { HttpLimits } from "./endpoint-options.js";
import type { BodyMeter, HttpResponse } from "./exchange.js";

/** Counts the open work of an endpoint, to reject work above the limits. */
export class Load {
  readonly limits: HttpLimits;
  /** True while the endpoint closes; new requests are rejected. */
  isClosed = false;
  /** The number of bodies that are being read and of requests that wait for an answer; each member of a batch counts. */
  readonly requests: Quota;
  /** The bytes of bodies that are being read or whose requests wait for an answer. */
  bytes = 0;
  /** The bytes of unsent data for all clients, as of the last write to each. */
  waiting = 0;
  readonly #listeners: Quota;
  /** The bytes of the requests of listeners. They are not in `bytes`, because listeners stay open for long. */
  readonly #listenerBytes: Quota;
  /** The long bodies that are being read, which are rejected first. */
  readonly #longBodies = new Set<BodyMeter>();

  constructor(limits: HttpLimits = {}) {
    const { listeners = 10_000, listenersPerPrincipal = 1000, listenerBytes = 67_108_864 } = limits;
    this.limits = limits;
    this.requests = new Quota(limits.requests ?? 4096, limits.requestsPerPrincipal ?? 1024);
    this.#listeners = new Quota(listeners, listenersPerPrincipal);
    this.#listenerBytes = new Quota(listenerBytes, listenerBytes / 10);
  }

  /** The limit that this work would exceed: that of the caller or that of all; undefined if none. */
  fullFor({ isListener, caller, count, bytes }: Usage): "caller" | "all" | undefined {
    if (!isListener) return this.requests.fullFor(caller, count);
    return this.#listeners.fullFor(caller) ?? this.#listenerBytes.fullFor(caller, bytes);
  }

  /** Counts work of a caller; with `sign` -1, stops counting it. */
  adjust({ isListener, caller, count, bytes }: Usage, sign: 1 | -1 = 1): void {
    (isListener ? this.#listeners : this.requests).add(caller, sign * count);
    if (isListener) this.#listenerBytes.add(caller, sign * bytes);
    else this.bytes += sign * bytes;
  }

  /** Counts a part of a body. If all bodies together exceed their limit, rejects the longest one that is being read. */
  add(meter: BodyMeter, bytes: number): void {
    if (meter.isRejected) return;
    meter.size += bytes;
    this.bytes += bytes;
    if (meter.size > longBody) this.#longBodies.add(meter);
    while (this.bytes > (this.limits.totalBodyBytes ?? 67_108_864)) {
      let largest = meter;
      for (const other of this.#longBodies) if (other.size > largest.size) largest = other;
      this.end(largest);
      largest.isRejected = true;
      largest.onReject?.();
      if (largest === meter) return;
    }
  }

  /** Stops counting a body. */
  end(meter: BodyMeter): void {
    this.bytes -= meter.size;
    meter.size = 0;
    this.#longBodies.delete(meter);
  }

  /** Called when a body has been read. It still counts, but is no longer rejected. */
  finishReading(meter: BodyMeter): void {
    this.#longBodies.delete(meter);
  }
}

/** The work of a caller: a number of requests, or one listener, and the length of their text in bytes. */
export interface Usage {
  readonly isListener: boolean;
  readonly caller: string | undefined;
  readonly count: number;
  readonly bytes: number;
}

/** Rejects a request above a limit, with the time in seconds after which the client may try again. */
export function rejectOverLimit(response: HttpResponse, full: "caller" | "all", seconds = 1): void {
  response.reply(full === "caller" ? 429 : 503, { "retry-after": String(seconds) });
}

/** The length from which a body counts as long, in bytes. */
const longBody = 16_384;
