import type { HttpLimits } from "./endpoint-options.js";

/** What one endpoint has taken on, over all of its clients, and how much more it takes. */
export class Load {
  readonly limits: HttpLimits;
  /** Nothing new is taken. */
  isClosed = false;
  /** Requests that wait for their answer; each member of a batch counts. */
  requests = 0;
  /** Bodies that are being read. */
  reading = 0;
  /** Bytes of bodies, from when they are read until what they asked for is answered. */
  bytes = 0;
  /** Bytes that wait for clients that read slowly, as of the last time that each was looked at. */
  waiting = 0;
  readonly listeners: Quota;
  /** The bodies that are long enough to matter, for as long as they are read. */
  readonly #long = new Set<BodyMeter>();

  constructor(limits: HttpLimits = {}) {
    this.limits = limits;
    this.listeners = new Quota(limits.listeners ?? 10_000, limits.listenersPerPrincipal ?? 1000);
  }

  /** Are so many requests more within the bound? */
  hasRoom(count = 1): boolean {
    return !this.isClosed && this.requests + this.reading + count <= (this.limits.requests ?? 4096);
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

/** The length from which a body is one of those that may be refused in favour of others, in bytes. */
const longBody = 16_384;

/** What is known of one body while it is read. */
export interface BodyMeter {
  /** In bytes. */
  size: number;
  /** There is no room for it any more. */
  isRefused: boolean;
  onRefused: (() => void) | undefined;
}

/** Counts what is open, in all and for each caller. Callers that nobody knows share the bound for all. */
export class Quota {
  size = 0;
  readonly #max: number;
  readonly #maxEach: number;
  readonly #callers = new Map<string, number>();

  constructor(max: number, maxEach: number) {
    this.#max = max;
    this.#maxEach = maxEach;
  }

  /** Which bound forbids one more for this caller; undefined when none does. */
  fullFor(caller: string | undefined): "caller" | "all" | undefined {
    if (caller !== undefined && (this.#callers.get(caller) ?? 0) >= this.#maxEach) return "caller";
    return this.size >= this.#max ? "all" : undefined;
  }

  enter(caller: string | undefined): void {
    this.size++;
    if (caller !== undefined) this.#callers.set(caller, (this.#callers.get(caller) ?? 0) + 1);
  }

  leave(caller: string | undefined): void {
    this.size--;
    if (caller === undefined) return;
    const count = (this.#callers.get(caller) ?? 1) - 1;
    if (count > 0) this.#callers.set(caller, count);
    else this.#callers.delete(caller);
  }
}
