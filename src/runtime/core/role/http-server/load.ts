import { Quota } from "../../quota.js";
import type { HttpLimits } from "./http-limits.js";
import type { HttpResponse } from "./exchange.js";

/** What is counted for one message or batch, from the first byte of its body until its last answer. Only `Load` changes it. */
export class Ticket {
  readonly caller: string | undefined;
  /** The number of requests. A body that is being read counts as one. */
  count = 0;
  /** The length of the body so far, in bytes. */
  bytes = 0;
  /** True if the request opens a stream of notifications, which may stay open for long. */
  isListener = false;
  /** True once its requests have been counted in place of its body. */
  isStarted = false;
  isRejected = false;
  /** The neighbours in the list of bodies that are being read; the ticket itself if it is in no list. */
  previous: Ticket = this;
  next: Ticket = this;

  constructor(caller?: string) {
    this.caller = caller;
  }

  /** Called when there is no more room for the body. */
  rejected(): void {}
}

/** Adds a ticket at the end of a list, which may have it already. A list, because a Set that churns allocates. */
function append(list: Ticket, ticket: Ticket): void {
  remove(ticket);
  ticket.previous = list.previous;
  ticket.next = list;
  list.previous.next = ticket;
  list.previous = ticket;
}

function remove(ticket: Ticket): void {
  ticket.previous.next = ticket.next;
  ticket.next.previous = ticket.previous;
  ticket.previous = ticket.next = ticket;
}

/** The limit that is exceeded: that of one caller, or that of all. */
export type Full = "caller" | "all";

/** Counts the open work of an endpoint, to reject work above the limits. */
export class Load {
  readonly limits: HttpLimits & { readonly totalBodyBytes: number };
  /** True while the endpoint closes; new requests are rejected. */
  isClosed = false;
  /** The bytes of unsent data for all clients, as of the last write to each. */
  waiting = 0;
  /** The bytes of bodies that are being read or whose requests wait for an answer. */
  #bytes = 0;
  /** The number of bodies that are being read and of requests that wait for an answer; each member of a batch counts. */
  readonly #requests: Quota;
  readonly #listeners: Quota;
  /** The bytes of the requests of listeners. They are not in `#bytes`, because listeners stay open for long. */
  readonly #listenerBytes: Quota;
  /** The list of bodies that are being read. The first is the slowest: it takes the longest for its current `bodyPart`. */
  readonly #unread = new Ticket();
  /** The number of these that count as requests. */
  #unreadCount = 0;

  constructor(limits: HttpLimits = {}) {
    const { requests = 4096, listeners = 10_000, totalBodyBytes = 67_108_864 } = limits;
    this.limits = { ...limits, totalBodyBytes };
    this.#requests = new Quota(requests, 4);
    this.#listeners = new Quota(listeners, 10);
    this.#listenerBytes = new Quota(totalBodyBytes, 10);
  }

  /** The limit that requests of this caller would exceed even in the places of all bodies that are being read; undefined if none. */
  fullWithoutUnread(caller: string | undefined, count = 1): Full | undefined {
    const full = this.#requests.fullFor(caller, count);
    return full === "all" ? this.#requests.fullFor(undefined, count - this.#unreadCount) : full;
  }

  /** Counts a body that is to be read as a request, unless that exceeds a limit, which it returns. */
  begin(ticket: Ticket): Full | undefined {
    const full = this.#fullForRequests(ticket.caller, 1);
    if (full) return full;
    this.#add(ticket, (ticket.count = 1), 0);
    this.#unreadCount++;
    append(this.#unread, ticket);
    return undefined;
  }

  /** Counts a part of a body. If all bodies together exceed their limit, rejects the longest one that is being read. */
  add(ticket: Ticket, bytes: number): void {
    if (ticket.isRejected) return;
    const parts = Math.trunc(ticket.bytes / bodyPart);
    ticket.bytes += bytes;
    this.#bytes += bytes;
    if (ticket.bytes / bodyPart >= parts + 1) append(this.#unread, ticket);
    while (this.#bytes > this.limits.totalBodyBytes) {
      let largest = ticket;
      for (let other = this.#unread.next; other !== this.#unread; other = other.next)
        if (other.bytes > largest.bytes) largest = other;
      this.#reject(largest);
      if (largest === ticket) return;
    }
  }

  /** Called when a body has been read. It still counts, but it is no longer rejected. */
  read(ticket: Ticket): void {
    if (ticket.next === ticket) return;
    remove(ticket);
    this.#unreadCount -= ticket.count;
  }

  /**
   * Counts the requests in a body, in place of the body. Returns the limit that they would exceed: then nothing but the bytes is counted,
   * until `end`. To make room for requests, rejects the slowest bodies that are being read.
   */
  start(ticket: Ticket, isListener: boolean, count: number): Full | undefined {
    const { caller, bytes } = ticket;
    this.#add(ticket, -ticket.count, 0);
    ticket.count = 0;
    const full = isListener
      ? (this.#listeners.fullFor(caller) ?? this.#listenerBytes.fullFor(caller, bytes))
      : this.#fullForRequests(caller, count);
    if (full) return full;
    this.#add(ticket, 0, -bytes);
    ticket.isListener = isListener;
    ticket.count = count;
    ticket.isStarted = true;
    this.#add(ticket, count, bytes);
    return undefined;
  }

  /** Counts one request that has been read, unless that exceeds a limit, which it returns. */
  take(caller: string | undefined, isListener: boolean, bytes: number): Ticket | Full {
    if (this.#bytes + bytes > this.limits.totalBodyBytes) return "all";
    const ticket = new Ticket(caller);
    this.#add(ticket, 0, (ticket.bytes = bytes));
    const full = this.start(ticket, isListener, 1);
    if (full) this.end(ticket);
    return full ?? ticket;
  }

  /** Stops counting one of the requests; with the last one, also the bytes. */
  release(ticket: Ticket): void {
    if (ticket.count <= 1) return this.end(ticket);
    this.#add(ticket, -1, 0);
    ticket.count--;
  }

  /** Stops counting all that is still counted. */
  end(ticket: Ticket): void {
    this.read(ticket);
    this.#add(ticket, -ticket.count, -ticket.bytes);
    ticket.count = 0;
    ticket.bytes = 0;
  }

  #fullForRequests(caller: string | undefined, count: number): Full | undefined {
    const full = this.fullWithoutUnread(caller, count);
    if (full) return full;
    for (let ticket = this.#unread.next; this.#requests.fullFor(undefined, count);) {
      const slowest = ticket;
      ticket = ticket.next;
      if (slowest.count > 0) this.#reject(slowest);
    }
    return undefined;
  }

  #add({ isListener, caller }: Ticket, count: number, bytes: number): void {
    (isListener ? this.#listeners : this.#requests).add(caller, count);
    if (isListener) this.#listenerBytes.add(caller, bytes);
    else this.#bytes += bytes;
  }

  #reject(ticket: Ticket): void {
    this.end(ticket);
    ticket.isRejected = true;
    ticket.rejected();
  }
}

/** Rejects a request above a limit, with the time in seconds after which the client may try again. */
export function rejectOverLimit(response: HttpResponse, full: Full, seconds = 1): void {
  response.reply(full === "caller" ? 429 : 503, { "retry-after": String(seconds) });
}

/** The length of each part of a body after which it counts as the fastest one, in bytes. */
const bodyPart = 512;
