import { checkRemoved } from "../../jsonrpc/limits.js";
import { ByteCollector } from "../../bytes.js";
import { jsonRpcCodes } from "../../errors.js";
import { type Full, Quota } from "../../quota.js";
import type { Awaitable } from "../../../../common/timing.js";
import {
  type AdmittedRequest,
  type IncomingBody,
  rejectOverLimit,
  replyError,
} from "./exchange.js";

/** Limits of an endpoint. */
export interface HttpLimits {
  /** Maximum length of a body, in bytes; 4 MiB by default. */
  readonly bodyBytes?: number | undefined;
  /**
   * Maximum length of all bodies together, in bytes, until their requests are
   * answered; 64 MiB by default, of which one principal has at most a quarter.
   * The requests for streams of notifications have as much again, as have the
   * events that sessions keep for clients that reconnect; the data that clients
   * have not read yet has four times as much.
   */
  readonly bytes?: number | undefined;
  /**
   * Maximum number of open requests, counting each member of a batch and each
   * incomplete body; 4,096 by default. Above it, the slowest incomplete body is
   * rejected. One principal has at most a quarter.
   */
  readonly requests?: number | undefined;
  /**
   * Maximum number of sessions, and of open streams of notifications without a
   * session as many; 10,000 by default, of which one principal has at most a
   * tenth. Sessions that only initialized are ended first to make room.
   */
  readonly sessions?: number | undefined;
}

/**
 * What is counted for one message or batch, from the first byte of its body
 * until its last answer. Only `OpenWork` changes it.
 */
export class Ticket {
  readonly caller: string | undefined;
  /** The number of requests. A body that is being read counts as one. */
  count = 0;
  /** The length of the body so far, in bytes. */
  bytes = 0;
  /**
   * True if the request opens a stream of notifications, which may stay open
   * for long.
   */
  isListener = false;
  /** True once its requests have been counted in place of its body. */
  isStarted = false;
  isRejected = false;
  /**
   * The neighbours in the list of bodies that are being read; the ticket itself
   * if it is in no list.
   */
  previous: Ticket = this;
  next: Ticket = this;

  constructor(caller?: string) {
    this.caller = caller;
  }

  /** Called when the limits leave no room for the body. */
  rejected(_full: Full): void {}
}

/**
 * Adds a ticket at the end of a list, which may have it already. A list,
 * because a Set that churns allocates.
 */
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

/** What a kind of request may use, in all and for each caller. */
interface Budget {
  readonly count: Quota;
  readonly bytes: Quota;
}

/** Counts the open work of an endpoint, to reject work above the limits. */
export class OpenWork {
  readonly limits: { readonly [name in keyof HttpLimits]-?: number };
  /** True while the endpoint closes; new requests are rejected. */
  isClosed = false;
  /** The bytes of unsent data for all clients, as of the last write to each. */
  waiting = 0;
  /**
   * The bodies that are being read, and the requests that wait for an answer;
   * each member of a batch counts.
   */
  readonly #requests: Budget;
  /**
   * The requests of listeners, which have a budget of their own because they
   * stay open for long.
   */
  readonly #listeners: Budget;
  /**
   * The list of bodies that are being read. The first is the slowest: it takes
   * the longest for its current `bodyPart`.
   */
  readonly #unread = new Ticket();
  /** The number of these that count as requests. */
  #unreadCount = 0;

  constructor(limits: HttpLimits = {}) {
    checkRemoved(limits);
    const {
      bodyBytes = 4_194_304,
      bytes = 67_108_864,
      requests = 4096,
      sessions = 10_000,
    } = limits;
    this.limits = { bodyBytes, bytes, requests, sessions };
    this.#requests = {
      count: new Quota(requests, 4),
      bytes: new Quota(bytes, 4),
    };
    this.#listeners = {
      count: new Quota(sessions, 10),
      bytes: new Quota(bytes, 10),
    };
  }

  /** True if no body is being read, and no request waits for an answer. */
  get isIdle(): boolean {
    return this.#requests.count.size + this.#listeners.count.size === 0;
  }

  /**
   * The limit that one more request would exceed, before its body is read;
   * undefined if none.
   */
  fullFor(method: string, caller: string | undefined): Full | undefined {
    if (this.isClosed) return "all";
    return method === "POST"
      ? this.#fullForRequests(caller, 1, false)
      : undefined;
  }

  /**
   * Counts a body that is to be read as a request, unless that exceeds a limit,
   * which it returns.
   */
  countBody(ticket: Ticket): Full | undefined {
    const full = this.#fullForRequests(ticket.caller, 1);
    if (full) return full;
    this.#add(ticket, (ticket.count = 1), 0);
    this.#unreadCount++;
    append(this.#unread, ticket);
    return undefined;
  }

  /**
   * Counts a part of a body. If all bodies together exceed a limit, rejects the
   * longest one that is being read, of all or of the caller.
   */
  add(ticket: Ticket, bytes: number): void {
    if (ticket.isRejected) return;
    const parts = Math.trunc(ticket.bytes / bodyPart);
    ticket.bytes += bytes;
    this.#add(ticket, 0, bytes);
    if (ticket.bytes / bodyPart >= parts + 1) append(this.#unread, ticket);
    while (!ticket.isRejected) {
      const full = this.#requests.bytes.fullFor(ticket.caller, 0);
      if (!full) return;
      let largest = ticket;
      for (
        let other = this.#unread.next;
        other !== this.#unread;
        other = other.next
      )
        if (
          other.bytes > largest.bytes &&
          (full === "all" || other.caller === ticket.caller)
        )
          largest = other;
      this.#reject(largest, full);
    }
  }

  /**
   * Called when a body has been read. It still counts, but it is no longer
   * rejected.
   */
  bodyRead(ticket: Ticket): void {
    if (ticket.next === ticket) return;
    remove(ticket);
    this.#unreadCount -= ticket.count;
  }

  /**
   * Counts the requests in a body, in place of the body. Returns the limit that
   * they would exceed: then only the body is counted, until `endAll`. To make
   * room for requests, rejects the slowest bodies that are being read.
   */
  countRequests(
    ticket: Ticket,
    isListener: boolean,
    count: number,
  ): Full | undefined {
    const { caller, bytes } = ticket;
    const more = count - ticket.count;
    const full = isListener
      ? (this.#listeners.count.fullFor(caller) ??
        this.#listeners.bytes.fullFor(caller, bytes))
      : more > 0 && this.#fullForRequests(caller, more);
    if (full) return full;
    ticket.isStarted = true;
    if (isListener) this.#add(ticket, -ticket.count, -bytes);
    ticket.isListener = isListener;
    ticket.count = count;
    this.#add(ticket, isListener ? count : more, isListener ? bytes : 0);
    return undefined;
  }

  /**
   * Called once a message is answered or passed on: stops counting a body
   * without requests.
   */
  settle(ticket: Ticket): void {
    if (!ticket.isStarted) this.endAll(ticket);
  }

  /** Stops counting one of the requests; with the last one, also the bytes. */
  endOne(ticket: Ticket): void {
    if (ticket.count <= 1) return this.endAll(ticket);
    this.#add(ticket, -1, 0);
    ticket.count--;
  }

  /** Stops counting all that is still counted. */
  endAll(ticket: Ticket): void {
    this.bodyRead(ticket);
    this.#add(ticket, -ticket.count, -ticket.bytes);
    ticket.count = 0;
    ticket.bytes = 0;
  }

  /**
   * The limit that these requests exceed even if all unread bodies are
   * rejected; undefined if none. Rejects the slowest of these bodies if that
   * makes room.
   */
  #fullForRequests(
    caller: string | undefined,
    count: number,
    makesRoom = true,
  ): Full | undefined {
    const quota = this.#requests.count;
    const full = quota.fullFor(caller, count);
    if (full !== "all") return full;
    const isFull = quota.fullFor(undefined, count - this.#unreadCount);
    if (isFull || !makesRoom) return isFull;
    for (let ticket = this.#unread.next; quota.fullFor(undefined, count);) {
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

  #reject(ticket: Ticket, full: Full): void {
    this.endAll(ticket);
    ticket.isRejected = true;
    ticket.rejected(full);
  }
}

/**
 * The length of each part of a body after which it counts as the fastest one,
 * in bytes.
 */
const bodyPart = 512;

type Answer = (admitted: AdmittedRequest, body: Body) => Awaitable<void>;

/**
 * Reads the JSON of a request (HTTP-04, HTTP-21), and calls `answer` with it
 * unless the request was rejected. A callback, because promises on the way to a
 * handler cost as much as all checks. The body counts until `answer` is done,
 * or longer if it starts its requests.
 */
export function readJson(
  admitted: AdmittedRequest,
  openWork: OpenWork,
  answer: Answer,
): void {
  const { request, response } = admitted;
  if (!isJson.test(request.header("content-type") ?? "")) {
    return replyError(response, 415, "The body must be application/json.");
  }
  const coding = request.header("content-encoding") ?? "";
  if (
    coding !== "" &&
    coding.toLowerCase() !== "identity" &&
    !request.isDecoded
  ) {
    return replyError(response, 415, "The body must have no content coding.");
  }
  const body = new Body(admitted, openWork, answer);
  const full = openWork.countBody(body);
  if (full) rejectOverLimit(response, full);
  else request.read(body);
}

const isJson = /^application\/json\s*(;|$)/i;

/** The message or batch of a request, and what the load counts for it. */
export class Body extends Ticket implements IncomingBody {
  message: unknown;
  isDone = false;
  cancel: (() => void) | undefined;
  readonly #admitted: AdmittedRequest;
  readonly #openWork: OpenWork;
  readonly #answer: Answer;
  /** The only part of a body. It is read at once, so it needs no copy. */
  #whole: Uint8Array | undefined;
  #parts: ByteCollector | undefined;

  constructor(admitted: AdmittedRequest, openWork: OpenWork, answer: Answer) {
    super(admitted.caller);
    this.#admitted = admitted;
    this.#openWork = openWork;
    this.#answer = answer;
  }

  add(part: Uint8Array): void {
    if (this.isDone) return;
    const { bodyBytes } = this.#openWork.limits;
    const { request, response } = this.#admitted;
    if (this.bytes + part.length > bodyBytes) {
      replyError(response, 413, `A body has at most ${bodyBytes} bytes.`);
      return this.#end();
    }
    this.#openWork.add(this, part.length);
    if (this.isRejected) return;
    const isWhole = part.length === Number(request.header("content-length"));
    if (isWhole) this.#whole = part;
    else (this.#parts ??= new ByteCollector()).add(part);
  }

  complete(read?: () => string): void {
    if (this.isDone) return;
    try {
      const text = read?.() ?? utf8.decode(this.#whole ?? this.#parts?.take());
      if (read) this.#openWork.add(this, text.length);
      if (this.isRejected) return;
      this.message = JSON.parse(text);
    } catch (error) {
      return this.fail(error as Error);
    }
    this.isDone = true;
    this.#openWork.bodyRead(this);
    try {
      if (this.#openWork.isClosed) this.#admitted.response.reply(503);
      else {
        const work = this.#answer(this.#admitted, this);
        if (work)
          return void work
            .catch((error) => this.#failed(error))
            .then(() => this.#openWork.settle(this));
      }
    } catch (error) {
      this.#failed(error);
    }
    this.#openWork.settle(this);
  }

  fail({ message }: Error): void {
    if (this.isDone) return;
    replyError(
      this.#admitted.response,
      400,
      message,
      undefined,
      jsonRpcCodes.PARSE_ERROR,
    );
    this.#end();
  }

  override rejected(full: Full): void {
    rejectOverLimit(this.#admitted.response, full);
    this.#end();
  }

  #failed(error: unknown): void {
    this.#admitted.failed(error, this.#admitted.response);
  }

  /** Reads no more of the body. */
  #end(): void {
    this.isDone = true;
    this.#whole = this.#parts = undefined;
    this.#openWork.endAll(this);
    this.cancel?.();
  }
}

const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });

/**
 * The text of bytes without a byte order mark. Throws if they are not UTF-8.
 */
export const textOfBytes = (bytes: Uint8Array): string => utf8.decode(bytes);
