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
  /** The bodies that are being read and count as requests. The first is the slowest: it takes the longest for its current `bodyPart`. */
  readonly #unread = new Set<BodyMeter>();
  /** The long bodies that are being read, which are rejected first. */
  readonly #longBodies = new Set<BodyMeter>();

  constructor(limits: HttpLimits = {}) {
    const { listeners = 10_000, listenersPerPrincipal = 1000, listenerBytes = 67_108_864 } = limits;
    this.limits = limits;
    this.requests = new Quota(limits.requests ?? 4096, limits.requestsPerPrincipal ?? 1024);
    this.#listeners = new Quota(listeners, listenersPerPrincipal);
    this.#listenerBytes = new Quota(listenerBytes, listenerBytes / 10);
  }

  /** The limit that requests of this caller would exceed even in the places of all bodies that are being read; undefined if none. */
  fullWithoutUnread(caller: string | undefined, count = 1): "caller" | "all" | undefined {
    const full = this.requests.fullFor(caller, count);
    return full === "all" ? this.requests.fullFor(undefined, count - this.#unread.size) : full;
  }

  /**
   * The limit that this work would exceed: that of the caller or that of all; undefined if none. To make room for requests, rejects the
   * slowest bodies that are being read.
   */
  fullFor({ isListener, caller, count, bytes }: Usage): "caller" | "all" | undefined {
    if (isListener) return this.#listeners.fullFor(caller) ?? this.#listenerBytes.fullFor(caller, bytes);
    const full = this.fullWithoutUnread(caller, count);
    if (full) return full;
    for (const slowest of this.#unread) {
      if (!this.requests.fullFor(undefined, count)) break;
      this.#reject(slowest);
    }
    return undefined;
  }

  /** Counts a body that is to be read as a request, unless that exceeds a limit, which it returns. */
  begin(meter: BodyMeter): "caller" | "all" | undefined {
    const { caller } = meter;
    const full = this.fullFor({ isListener: false, caller, count: 1, bytes: 0 });
    if (full) return full;
    this.requests.add(caller, 1);
    this.#unread.add(meter);
    return undefined;
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
    const parts = Math.trunc(meter.size / bodyPart);
    meter.size += bytes;
    this.bytes += bytes;
    if (meter.size / bodyPart >= parts + 1 && this.#unread.delete(meter)) this.#unread.add(meter);
    if (meter.size > longBody) this.#longBodies.add(meter);
    while (this.bytes > (this.limits.totalBodyBytes ?? 67_108_864)) {
      let largest = meter;
      for (const other of this.#longBodies) if (other.size > largest.size) largest = other;
      this.#reject(largest);
      if (largest === meter) return;
    }
  }

  /** Stops counting a body. */
  end(meter: BodyMeter): void {
    this.bytes -= meter.size;
    meter.size = 0;
    this.finishReading(meter);
  }

  /** Called when a body has been read. Its bytes still count, but it is no longer rejected. */
  finishReading(meter: BodyMeter): void {
    this.#longBodies.delete(meter);
    if (this.#unread.delete(meter)) this.requests.add(meter.caller, -1);
  }

  #reject(meter: BodyMeter): void {
    this.end(meter);
    meter.isRejected = true;
    meter.onReject?.();
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

/** The length of each part of a body after which it counts as the fastest one, in bytes. */
const bodyPart = 512;
