import { describe, expect, it } from "vitest";
import type { HttpResponse } from "../../../../src/runtime/core/role/http-server/exchange.js";
import { OpenWork } from "../../../../src/runtime/core/role/http-server/open-work.js";
import {
  EventLog,
  Events,
  EventStream,
} from "../../../../src/runtime/core/role/http-server/stream.js";

/** A client of a stream that has not read `waiting` bytes. */
class Client {
  text = "";
  waiting = 0;
  /** How the response ended. */
  ended: "gently" | "by force" | undefined;
  onDisconnect: unknown;

  static of(stream: EventStream): Client {
    const client = new Client();
    stream.attach(client.response);
    return client;
  }

  get response(): HttpResponse {
    return this as unknown as HttpResponse;
  }

  /** The texts of its events. */
  get data(): readonly string[] {
    return Array.from(this.text.matchAll(/^data: (.*)$/gm), ([, text]) =>
      String(text),
    );
  }

  stream(): void {}

  write(text: string): void {
    this.text += text;
  }

  end(byForce?: boolean): void {
    this.ended = byForce ? "by force" : "gently";
  }
}

const megabyte = 1_048_576;

describe("a client that reads slowly", () => {
  it.each([
    // By default all clients together may have four times 64 MiB.
    { own: 4_194_304, others: 0, isLeft: true },
    { own: 4_194_305, others: 0, isLeft: false },
    { own: 65_536, others: 256 * megabyte - 65_536, isLeft: true },
    { own: 65_536, others: 256 * megabyte, isLeft: true },
    { own: 65_537, others: 256 * megabyte - 65_537, isLeft: true },
    { own: 65_537, others: 256 * megabyte - 65_536, isLeft: false },
  ])(
    "keeps its stream with $own bytes, while others have $others: $isLeft",
    ({ own, others, isLeft }) => {
      const work = new OpenWork();
      work.waiting = others;
      const stream = new EventStream("s", work);
      const client = Client.of(stream);
      let disconnected = 0;
      stream.onDisconnect = { disconnected: () => disconnected++ };
      client.waiting = own;
      void stream.push("one");
      expect(client.data).toEqual(isLeft ? ["one"] : []);
      expect(client.ended).toBe(isLeft ? undefined : "by force");
      expect(stream.isConnected).toBe(isLeft);
      expect(disconnected).toBe(isLeft ? 0 : 1);
      expect(work.waiting).toBe(isLeft ? own + others : others);
      stream.release();
      expect(work.waiting).toBe(others);
    },
  );

  it("is counted anew at each keep-alive", () => {
    const work = new OpenWork();
    const stream = new EventStream("s", work);
    const client = Client.of(stream);
    for (const waiting of [500, 20, 0]) {
      client.waiting = waiting;
      stream.keepAlive();
      expect(work.waiting).toBe(waiting);
    }
    expect(client.text).toBe(":\n\n".repeat(3));
  });
});

describe("a stream that a client continues", () => {
  /** A stream with three events, and its log. */
  function three() {
    const log = new EventLog(new Events(), megabyte);
    const stream = new EventStream("s", new OpenWork(), log);
    for (const text of ["a", "b", "c"]) void stream.push(text);
    return { log, stream };
  }

  it.each([
    { after: 0, data: ["a", "b", "c"] },
    { after: 1, data: ["b", "c"] },
    { after: 2, data: ["c"] },
    { after: 3, data: [] },
    { after: undefined, data: ["a", "b", "c"] },
  ])("sends the events after number $after: $data", ({ after, data }) => {
    const { stream } = three();
    const client = new Client();
    expect(stream.attach(client.response, after)).toBe(true);
    expect(client.data).toEqual(data);
    expect(client.ended).toBe(undefined);
    expect(client.onDisconnect).toBe(stream);
  });

  it("knows no event after its last one, and leaves the client that it has", () => {
    const { stream } = three();
    const client = Client.of(stream);
    expect(stream.attach(new Client().response, 4)).toBe(false);
    expect(stream.skip(4)).toBe(false);
    expect([client.ended, stream.isConnected]).toEqual([undefined, true]);
  });

  it.each([undefined, 0, 3])(
    "sends no event again once all are skipped after number %s",
    (after) => {
      const { stream } = three();
      expect(stream.skip(after)).toBe(true);
      const client = Client.of(stream);
      void stream.push("d");
      expect(client.text).toBe("id: s-4\ndata: d\n\n");
    },
  );

  it("ends its earlier connection, and the new one if it has ended", () => {
    const { stream } = three();
    const first = Client.of(stream);
    const second = Client.of(stream);
    expect([first.ended, second.ended]).toEqual(["gently", undefined]);
    stream.end();
    expect([second.ended, stream.isConnected]).toEqual(["gently", false]);
    const third = new Client();
    expect(stream.attach(third.response, 1)).toBe(true);
    expect([third.data, third.ended]).toEqual([["b", "c"], "gently"]);
  });

  it("keeps the events of its end for four keep-alives after they were sent", () => {
    const { log, stream } = three();
    const expired = (): boolean[] =>
      Array.from({ length: 5 }, () => stream.expire());
    expect(expired()).not.toContain(true);
    stream.end();
    expect(expired()).not.toContain(true);
    stream.attach(new Client().response);
    expect(expired()).toEqual([false, false, false, false, true]);
    expect(log.eventsAfter("s", 2, 3)).toBe(undefined);
  });
});

describe("the events of a session", () => {
  /** What each event takes besides its text. */
  const own = 256;
  const texts = (log: EventLog, first: number, last: number) =>
    log.eventsAfter("s", first, last)?.map((text) => text.length);

  it.each([
    { size: megabyte / 2 - own, left: [megabyte / 2 - own] },
    { size: megabyte / 2 - own + 1, left: undefined },
  ])(
    "may take 1 MiB together: two of $size bytes and their own",
    ({ size, left }) => {
      const log = new EventLog(new Events(), 10 * megabyte);
      log.add("s", 1, "x".repeat(megabyte / 2 - own));
      // Of two bytes each in UTF-8.
      log.add("s", 2, "é".repeat(size / 2) + "x".repeat(size % 2));
      expect(texts(log, 0, 1)).toEqual(left);
      expect(texts(log, 1, 2)).toHaveLength(1);
    },
  );

  it("keep the latest of any length, unless it is too long for all sessions", () => {
    const log = new EventLog(new Events(), 2 * megabyte);
    log.add("s", 1, "x");
    log.add("s", 2, "x".repeat(2 * megabyte - own));
    expect([texts(log, 0, 1), texts(log, 1, 2)]).toEqual([
      undefined,
      [2 * megabyte - own],
    ]);
    log.add("s", 3, "x".repeat(2 * megabyte - own + 1));
    expect(texts(log, 2, 3)).toBe(undefined);
  });

  it("are dropped in all sessions when one of them drops its own", () => {
    const store: ConstructorParameters<typeof EventLog>[0] = new Events();
    const [one, other] = [
      new EventLog(store, megabyte),
      new EventLog(store, megabyte),
    ];
    for (const count of [1, 2, 3]) one.add("s", count, `one ${count}`);
    one.add("t", 1, "of another stream");
    other.add("s", 1, "other");
    one.dropUntil("s", 2);
    expect(store.size).toBe(3);
    expect(one.eventsAfter("s", 2, 3)).toEqual(["one 3"]);
    expect(one.eventsAfter("s", 1, 3)).toBe(undefined);
    expect(one.eventsAfter("t", 0, 1)).toEqual(["of another stream"]);
    one.clear();
    expect(store.size).toBe(1);
    expect(other.eventsAfter("s", 0, 1)).toEqual(["other"]);
  });
});
