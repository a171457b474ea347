import { checkRemoved } from "../../jsonrpc/limits.js";
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

  /** Called when the limits leave no room for the body. */
  rejected(_full: Full): void {}
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

/** What a kind of request may use, in all and for each caller. */
interface Budget {
  readonly count: Quota;
  readonly bytes: Quota;
}

/** Counts the open work of an endpoint, to reject work above the limits. */
export class Load {
  readonly limits: { readonly [name in keyof HttpLimits]-?: number };
  /** True while the endpoint closes; new requests are rejected. */
  isClosed = false;
  /** The bytes of unsent data for all clients, as of the last write to each. */
  waiting = 0;
  /** The bodies that are being read, and the requests that wait for an answer; each member of a batch counts. */
  readonly #requests: Budget;
  /** The requests of listeners, which have a budget of their own because they stay open for long. */
  readonly #listeners: Budget;
  /** The list of bodies that are being read. The first is the slowest: it takes the longest for its current `bodyPart`. */
  readonly #unread = new Ticket();
  /** The number of these that count as requests. */
  #unreadCount = 0;

  constructor(limits: HttpLimits = {}) {
    checkRemoved(limits);
    const { bodyBytes = 4_194_304, bytes = 67_108_864, requests = 4096, sessions = 10_000 } = limits;
    this.limits = { bodyBytes, bytes, requests, sessions };
    this.#requests = { count: new Quota(requests, 4), bytes: new Quota(bytes, 4) };
    this.#listeners = { count: new Quota(sessions, 10), bytes: new Quota(bytes, 10) };
  }

  /** True if no body is being read, and no request waits for an answer. */
  get isIdle(): boolean {
    return this.#requests.count.size + this.#listeners.count.size === 0;
  }

  /** The limit that requests of this caller would exceed even in the places of all bodies that are being read; undefined if none. */
  #fullWithoutUnread(caller: string | undefined, count = 1): Full | undefined {
    const quota = this.#requests.count;
    const full = quota.fullFor(caller, count);
    return full === "all" ? quota.fullFor(undefined, count - this.#unreadCount) : full;
  }

  /** The limit that one more request would exceed, before its body is read; undefined if none. */
  fullFor(method: string, caller: string | undefined): Full | undefined {
    if (this.isClosed) return "all";
    return method === "POST" ? this.#fullWithoutUnread(caller) : undefined;
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

  /** Counts a part of a body. If all bodies together exceed a limit, rejects the longest one that is being read, of all or of the caller. */
  add(ticket: Ticket, bytes: number): void {
    if (ticket.isRejected) return;
    const parts = Math.trunc(ticket.bytes / bodyPart);
    ticket.bytes += bytes;
    this.#add(ticket, 0, bytes);
    if (ticket.bytes / bodyPart >= parts + 1) append(this.#unread, ticket);
    for (let full = this.#full(ticket); full && !ticket.isRejected; full = this.#full(ticket)) {
      let largest = ticket;
      for (let other = this.#unread.next; other !== this.#unread; other = other.next)
        if (other.bytes > largest.bytes && (full === "all" || other.caller === ticket.caller))
          largest = other;
      this.#reject(largest, full);
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
      ? (this.#listeners.count.fullFor(caller) ?? this.#listeners.bytes.fullFor(caller, bytes))
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
    const ticket = new Ticket(caller);
    this.#add(ticket, 0, (ticket.bytes = bytes));
    const full = this.#full(ticket) ?? this.start(ticket, isListener, 1);
    if (full) this.end(ticket);
    return full ?? ticket;
  }

  /** Called once a message is answered or passed on: stops counting a body without requests. */
  settle(ticket: Ticket): void {
    if (!ticket.isStarted) this.end(ticket);
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
    const full = this.#fullWithoutUnread(caller, count);
    if (full) return full;
    for (let ticket = this.#unread.next; this.#requests.count.fullFor(undefined, count);) {
      const slowest = ticket;
      ticket = ticket.next;
      if (slowest.count > 0) this.#reject(slowest, "all");
    }
    return undefined;
  }

  #add({ isListener, caller }: Ticket, count: number, bytes: number): void {
    const budget = isListener ? this.#listeners : this.#requests;
    if (count !== 0) budget.count.add(caller, count);
    if (bytes !== 0) budget.bytes.add(caller, bytes);
  }

  /** The limit that the bodies exceed that have arrived. */
  #full({ caller }: Ticket): Full | undefined {
    return this.#requests.bytes.fullFor(caller, 0);
  }

  #reject(ticket: Ticket, full: Full): void {
    this.end(ticket);
    ticket.isRejected = true;
    ticket.rejected(full);
  }
}

/** Rejects a request above a limit, with the time in seconds after which the client may try again. */
export function rejectOverLimit(response: HttpResponse, full: Full, seconds = 1): void {
  response.reply(full === "caller" ? 429 : 503, { "retry-after": String(seconds) });
}

/** The length of each part of a body after which it counts as the fastest one, in bytes. */
const bodyPart = 512;
