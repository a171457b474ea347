import { Quota } from "../../quota.js";
import type { HttpLimits } from "./endpoint-options.js";
import type { BodyMeter, HttpResponse } from "./exchange.js";

/** What one endpoint has taken on, over all of its clients, and how much more it takes. */
export class Load {
  readonly limits: HttpLimits;
  /** Nothing new is taken. */
  isClosed = false;
  /** Bodies that are being read, and requests that wait for their answer; each member of a batch counts. */
  readonly requests: Quota;
  /** Bytes of bodies, from when they are read until what they asked for is answered. */
  bytes = 0;
  /** Bytes that wait for clients that read slowly, as of the last time that each was looked at. */
  waiting = 0;
  readonly #listeners: Quota;
  /** Bytes of the requests of listeners. They are not in `bytes`, since they are held for long. */
  readonly #listenerBytes: Quota;
  /** The bodies that are long enough to matter, for as long as they are read. */
  readonly #long = new Set<BodyMeter>();

  constructor(limits: HttpLimits = {}) {
    const { listeners = 10_000, listenersPerPrincipal = 1000, listenerBytes = 67_108_864 } = limits;
    this.limits = limits;
    this.requests = new Quota(limits.requests ?? 4096, limits.requestsPerPrincipal ?? 1024);
    this.#listeners = new Quota(listeners, listenersPerPrincipal);
    this.#listenerBytes = new Quota(listenerBytes, listenerBytes / 10);
  }

  /** Which bound forbids a caller so many requests more, or one listener; undefined when none does. */
  fullFor({ isListener, caller, count, bytes }: Taken): "caller" | "all" | undefined {
    if (!isListener) return this.requests.fullFor(caller, count);
    return this.#listeners.fullFor(caller) ?? this.#listenerBytes.fullFor(caller, bytes);
  }

  /** Counts what a caller has asked for, or counts it no longer where `sign` is -1. */
  take({ isListener, caller, count, bytes }: Taken, sign: 1 | -1 = 1): void {
    (isListener ? this.#listeners : this.requests).add(caller, sign * count);
    if (isListener) this.#listenerBytes.add(caller, sign * bytes);
    else this.bytes += sign * bytes;
  }

  /** Counts a part of a body. Beyond the bound for all of them, the longest body that is still being read is refused. */
  add(meter: BodyMeter, bytes: number): void {
    if (meter.isRefused) return;
    meter.size += bytes;
    this.bytes += bytes;
    if (meter.size > longBody) this.#long.add(meter);
    while (this.bytes > (this.limits.totalBodyBytes ?? 67_108_864)) {
      let longest = meter;
      for (const other of this.#long) if (other.size > longest.size) longest = other;
      this.end(longest);
      longest.isRefused = true;
      longest.onRefused?.();
      if (longest === meter) return;
    }
  }

  /** Counts a body no longer. */
  end(meter: BodyMeter): void {
    this.bytes -= meter.size;
    meter.size = 0;
    this.#long.delete(meter);
  }

  /** The body has been read: it counts on, but others are refused before it. */
  whole(meter: BodyMeter): void {
    this.#long.delete(meter);
  }
}

/** What a caller asks for: some requests, or one listener, and the length of their text in bytes. */
export interface Taken {
  readonly isListener: boolean;
  readonly caller: string | undefined;
  readonly count: number;
  readonly bytes: number;
}

/** Turns a request away for want of room, with the time in seconds after which it may come again. */
export function turnAway(response: HttpResponse, full: "caller" | "all", seconds = 1): void {
  response.reply(full === "caller" ? 429 : 503, { "retry-after": String(seconds) });
}

/** The length from which a body is one of those that may be refused in favour of others, in bytes. */
const longBody = 16_384;
