import { describe, expect, it } from "vitest";
import {
  type HttpLimits,
  OpenWork,
  Ticket,
} from "../../../../src/runtime/core/role/http-server/open-work.js";

/** The limits of an endpoint, and bodies that it reads, each with a name. */
function counting(limits: HttpLimits) {
  const work = new OpenWork(limits);
  const tickets = new Map<string, Ticket>();
  const rejected: string[] = [];
  /** The body of this name, which is not counted yet. */
  const ticket = (name: string, caller?: string): Ticket => {
    const known = tickets.get(name);
    if (known) return known;
    const made = new Ticket(caller);
    made.rejected = (full) => void rejected.push(`${name}: ${full}`);
    tickets.set(name, made);
    return made;
  };
  const begin = (name: string, caller?: string) =>
    work.countBody(ticket(name, caller));
  const add = (name: string, bytes: number): void =>
    work.add(ticket(name), bytes);
  /** Begins a body, and reads it to its end. */
  const read = (name: string, bytes: number, caller?: string): Ticket => {
    begin(name, caller);
    add(name, bytes);
    work.bodyRead(ticket(name));
    return ticket(name);
  };
  return { work, rejected, ticket, begin, add, read };
}

describe("the open work of an endpoint", () => {
  it("ends with the last of its requests and listeners", () => {
    const { work, read } = counting({});
    expect(work.isIdle).toBe(true);
    const [request, listener] = [read("request", 10), read("listener", 10)];
    expect(work.countRequests(request, false, 1)).toBe(undefined);
    expect(work.countRequests(listener, true, 1)).toBe(undefined);
    expect([request.isListener, listener.isListener]).toEqual([false, true]);
    expect(work.isIdle).toBe(false);
    work.endOne(request);
    expect(work.isIdle).toBe(false);
    work.endOne(listener);
    expect(work.isIdle).toBe(true);
  });

  it("ends with a body without requests, and not with one whose requests wait for answers", () => {
    const { work, read } = counting({});
    const [told, asked] = [read("told", 10), read("asked", 10)];
    work.countRequests(asked, false, 2);
    for (const ticket of [told, asked]) work.settle(ticket);
    expect([told.count, told.bytes, asked.count, asked.bytes]).toEqual([
      0, 0, 2, 10,
    ]);
    work.endOne(asked);
    expect([asked.count, asked.bytes, work.isIdle]).toEqual([1, 10, false]);
    work.endOne(asked);
    expect([asked.count, asked.bytes, work.isIdle]).toEqual([0, 0, true]);
  });

  it("leaves room for POST requests up to the limit, and for others always, until the endpoint closes", () => {
    const { work, read } = counting({ requests: 2 });
    const full = () =>
      ["POST", "GET", "DELETE"].map((method) =>
        work.fullFor(method, undefined),
      );
    const none = [undefined, undefined, undefined];
    work.countRequests(read("a", 1), false, 1);
    expect(full()).toEqual(none);
    const last = read("b", 1);
    work.countRequests(last, false, 1);
    expect(full()).toEqual(["all", undefined, undefined]);
    work.endOne(last);
    expect(full()).toEqual(none);
    work.isClosed = true;
    expect(full()).toEqual(["all", "all", "all"]);
  });
});

describe("the slowest of two bodies", () => {
  it.each<[[string, number][], string]>([
    [[], "a"],
    [[["a", 511]], "a"],
    [[["a", 512]], "b"],
    [
      [
        ["a", 300],
        ["a", 211],
      ],
      "a",
    ],
    [
      [
        ["a", 300],
        ["a", 212],
      ],
      "b",
    ],
    [
      [
        ["a", 512],
        ["b", 512],
      ],
      "a",
    ],
    [
      [
        ["a", 512],
        ["b", 512],
        ["a", 511],
      ],
      "a",
    ],
    [
      [
        ["a", 512],
        ["b", 512],
        ["a", 512],
      ],
      "b",
    ],
    [
      [
        ["a", 2000],
        ["b", 512],
        ["a", 47],
      ],
      "a",
    ],
    [
      [
        ["a", 2000],
        ["b", 512],
        ["a", 48],
      ],
      "b",
    ],
  ])(
    "is the one whose last 512 bytes were complete first: after %j, %s is rejected for a third",
    (parts, slowest) => {
      const { work, rejected, begin, add } = counting({ requests: 2 });
      for (const name of ["a", "b"]) begin(name);
      for (const [name, bytes] of parts) add(name, bytes);
      expect(work.fullFor("POST", undefined)).toBe(undefined);
      expect(rejected).toEqual([]);
      expect(begin("c")).toBe(undefined);
      expect(rejected).toEqual([`${slowest}: all`]);
    },
  );

  it("is never one that has been read, nor one that counts as no request", () => {
    const { work, rejected, ticket, begin, add, read } = counting({
      requests: 2,
    });
    add("part of a message", 512);
    const first = read("first", 10);
    begin("second");
    expect(begin("third")).toBe(undefined);
    expect(rejected).toEqual(["second: all"]);
    work.countRequests(first, false, 1);
    expect(begin("fourth")).toBe(undefined);
    expect(rejected).toEqual(["second: all", "third: all"]);
    work.bodyRead(ticket("fourth"));
    expect(begin("fifth")).toBe("all");
    expect(rejected).toHaveLength(2);
  });
});

describe("the bytes of all bodies", () => {
  it("may reach the limit, and then the longest body is rejected, the first of equal ones", () => {
    const { rejected, begin, add, ticket } = counting({ bytes: 100 });
    for (const name of ["a", "b", "c"]) begin(name);
    add("a", 50);
    add("b", 50);
    expect(rejected).toEqual([]);
    add("c", 1);
    expect(rejected).toEqual(["a: all"]);
    add("a", 1000);
    expect(ticket("a").bytes).toBe(0);
    add("c", 49);
    expect(rejected).toHaveLength(1);
    add("c", 1);
    expect(rejected).toEqual(["a: all", "c: all"]);
  });

  it("include those that have been read, which are not rejected", () => {
    const { work, rejected, begin, add, read } = counting({ bytes: 100 });
    const asked = read("asked", 90);
    work.countRequests(asked, false, 1);
    begin("next");
    add("next", 11);
    expect(rejected).toEqual(["next: all"]);
    work.endAll(asked);
    begin("other");
    add("other", 100);
    expect(rejected).toHaveLength(1);
  });

  it("of one caller may reach a quarter, and then its own longest body is rejected", () => {
    const { rejected, begin, add } = counting({ bytes: 100 });
    begin("other");
    add("other", 60);
    for (const name of ["a", "b"]) begin(name, "ada");
    add("a", 20);
    add("b", 5);
    expect(rejected).toEqual([]);
    add("b", 1);
    expect(rejected).toEqual(["a: caller"]);
  });

  it("of listeners are counted apart, in all and for each caller", () => {
    const limits = { bytes: 100, sessions: 100 };
    const { work, rejected, read } = counting(limits);
    const listen = (name: string, bytes: number, caller?: string) => {
      const ticket = read(name, bytes, caller);
      const full = work.countRequests(ticket, true, 1);
      if (full) work.settle(ticket);
      return full;
    };
    expect(listen("a", 10, "ada")).toBe(undefined);
    expect(listen("b", 1, "ada")).toBe("caller");
    expect(listen("c", 90)).toBe(undefined);
    expect(listen("d", 1)).toBe("all");
    read("e", 100);
    expect(rejected).toEqual([]);
  });

  it("leave a batch its place as one body if its requests have no room", () => {
    const { work, read } = counting({ requests: 3 });
    const batch = read("batch", 10);
    expect(work.countRequests(batch, false, 4)).toBe("all");
    expect([batch.count, batch.bytes, batch.isStarted]).toEqual([1, 10, false]);
    expect(work.countRequests(batch, false, 3)).toBe(undefined);
    expect([batch.count, batch.bytes, batch.isStarted]).toEqual([3, 10, true]);
    expect(work.fullFor("POST", undefined)).toBe("all");
  });
});
