import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OpenWork } from "../../../../src/runtime/core/role/http-server/open-work.js";
import type { SessionTransport } from "../../../../src/runtime/core/role/http-server/session-transport.js";
import { SessionRequests } from "../../../../src/runtime/core/role/http-server/sessions.js";

let now = 0;
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

/** Sessions that end after a second without use. */
function sessionsOf(limit: number) {
  const work = new OpenWork({ sessions: limit });
  const { sessions } = new SessionRequests([], "session-id", work, 1000);
  /** What happened to which session. */
  const events: string[] = [];
  const open = (id: string, more: Partial<SessionTransport> = {}): void => {
    const session = {
      client: undefined,
      isFresh: false,
      isBusy: false,
      serving: { close: async () => void events.push(`${id} ends`) },
      hangUp: () => void events.push(`${id} hangs up`),
      ...more,
    };
    sessions.open(id, session as SessionTransport);
  };
  const ids = (): string => [...sessions.keys()].join("");
  return { work, sessions, events, open, ids };
}

/** A session that other processes have too. */
const shared = (dropped: () => void) =>
  ({ dropped }) as unknown as NonNullable<SessionTransport["shared"]>;

describe("the open sessions", () => {
  it.each([
    [9.99, "abc"],
    [10, "bca"],
    [500, "bca"],
  ])(
    "are in the order of their last use, which counts after a hundredth of the idle time: after %d ms %s",
    (time, order) => {
      const { sessions, open, ids } = sessionsOf(10);
      for (const id of "abc") open(id);
      now = time;
      expect(sessions.use("a", undefined)).toBe(sessions.get("a"));
      expect(ids()).toBe(order);
      expect(sessions.get("a")?.lastUse).toBe(order === "abc" ? 0 : time);
    },
  );

  it.each([
    [999.9, []],
    [1000, ["a ends"]],
    [1499, ["a ends"]],
    [1500, ["a ends", "c ends"]],
  ])(
    "end after their idle time, except one that is used: after %d ms %j",
    (time, expected) => {
      const { sessions, events, open, ids } = sessionsOf(10);
      open("a");
      open("b", { isBusy: true });
      now = 500;
      open("c");
      now = time;
      sessions.sweep();
      expect(events).toEqual(expected);
      // The one that is used counts as used now.
      expect(ids()).toBe(time < 1000 ? "abc" : "acb");
    },
  );

  it("end to make room for one more, the longest unused first, if they were only initialized and nobody waits", () => {
    const { sessions, events, open, ids } = sessionsOf(4);
    open("a");
    open("b", { isFresh: true, isBusy: true });
    open("c", { isFresh: true });
    expect(sessions.makeRoom(undefined)).toBe(undefined);
    expect(events).toEqual([]);
    open("d", { isFresh: true });
    expect(sessions.makeRoom(undefined)).toBe(undefined);
    expect([events, ids()]).toEqual([["c ends"], "abd"]);
    open("e");
    expect(sessions.makeRoom(undefined)).toBe(undefined);
    expect([events, ids()]).toEqual([["c ends", "d ends"], "abe"]);
    open("f");
    expect(sessions.makeRoom(undefined)).toBe("all");
    expect(ids()).toBe("abef");
  });

  it("of other callers do not end for one above its share", () => {
    const { sessions, events, open, ids } = sessionsOf(20);
    open("a", { client: "bob", isFresh: true });
    open("b", { client: "ada", isFresh: true });
    open("c", { client: "ada" });
    expect(sessions.makeRoom("ada")).toBe(undefined);
    expect([events, ids()]).toEqual([["b ends"], "ac"]);
    open("d", { client: "ada" });
    expect(sessions.makeRoom("ada")).toBe("caller");
    expect(sessions.makeRoom("bob")).toBe(undefined);
    expect(ids()).toBe("acd");
  });

  it("that other processes have too end here to make room, and everywhere only if they were only initialized", () => {
    const { sessions, events, open } = sessionsOf(2);
    const dropped = vi.fn<() => void>();
    open("a", { shared: shared(dropped) });
    open("b");
    expect(sessions.makeRoom(undefined)).toBe(undefined);
    expect([events, dropped.mock.calls]).toEqual([["a ends"], []]);
    open("c", { shared: shared(dropped), isFresh: true });
    expect(sessions.makeRoom(undefined)).toBe(undefined);
    expect([events, dropped.mock.calls]).toEqual([["a ends", "c ends"], [[]]]);
  });

  it("make no room while the endpoint closes", () => {
    const { work, sessions, events, open } = sessionsOf(1);
    open("a", { isFresh: true });
    work.isClosed = true;
    expect(sessions.makeRoom(undefined)).toBe("all");
    expect(events).toEqual([]);
  });

  it("without a caller get the first one that signs in and has room, and nobody else from then on", () => {
    const { sessions, events, open } = sessionsOf(20);
    for (const id of "abc") open(id);
    open("d", { shared: shared(() => {}) });
    const use = (id: string, caller?: string): boolean =>
      sessions.use(id, caller) !== undefined;
    expect([use("a", "ada"), use("b", "ada"), use("c", "ada")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(events).toEqual(["a hangs up", "b hangs up"]);
    expect([use("a"), use("a", "bob"), use("a", "ada"), use("c")]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect([use("d", "bob"), use("d"), use("none")]).toEqual([
      false,
      true,
      false,
    ]);
    expect(events).toHaveLength(2);
    // Each session counts only for its caller, until it ends.
    expect(sessions.makeRoom("ada")).toBe("caller");
    sessions.delete("a");
    sessions.delete("a");
    expect(sessions.makeRoom("ada")).toBe(undefined);
  });
});
