import { pause } from "../../../common/timing.js";
import type { SharedStore } from "../store.js";
import {
  type Cases,
  casesOf,
  equal,
  type Follower,
  hostileTexts,
  largeText,
  texts,
  until,
} from "./bench.js";

const options = { ttl: 60_000, keep: 10_000 };

const received = (follower: Follower, count: number): Promise<void> =>
  until(
    () => follower.values().length >= count,
    `fewer than ${count} entries were received`,
  );
const wasTold = ({ events }: Follower): Promise<void> =>
  until(() => events.includes("lost"), "`lost` was not called");

/**
 * Cases that append lists of entries, one call for each list, and whose
 * follower receives all of them.
 */
const appended: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "brings a follower the entries of another process in their order": texts(
    20,
  ).map((text) => [text]),
  "brings all of 1,000 entries of one call in their order": [texts(1000)],
  "brings an entry of 1,048,576 characters as it was written": [[largeText()]],
  "brings hostile text as it was written": [hostileTexts],
};

const ownCases: Cases = {
  async "brings a process its own entries"({ one, key, follow }) {
    const follower = await follow(one);
    await one.append(key, ["own"], options);
    await received(follower, 1);
    equal(follower.values(), ["own"], "the entries");
  },
  async "brings no entry from before `follow`, and each one from then on"({
    one,
    two,
    key,
    follow,
  }) {
    for (const log of texts(20, key)) {
      await one.append(log, ["before"], options);
      const follower = await follow(two, log);
      await one.append(log, ["after"], options);
      await received(follower, 1);
      equal(follower.values(), ["after"], "the entries");
      follower.stop();
    }
  },
  async "brings the entries of one call together"({ one, two, key, follow }) {
    const follower = await follow();
    await Promise.all(
      [texts(50, "a"), texts(50, "b")].map((entries, index) =>
        (index ? one : two).append(key, entries, options),
      ),
    );
    await received(follower, 100);
    const [first, second] =
      follower.values()[0] === "a0" ? ["a", "b"] : ["b", "a"];
    equal(
      follower.values(),
      [...texts(50, first), ...texts(50, second)],
      "the entries",
    );
  },
  async "brings twelve followers the entries of four authors in one order, at one position each"(
    bench,
  ) {
    const { one, two, key, follow } = bench;
    const followers = await Promise.all(
      texts(12).map((_, index) => follow(index % 2 ? one : two)),
    );
    const write = async (store: SharedStore, author: string): Promise<void> => {
      for (const text of texts(25, author))
        await store.append(key, [text], options);
    };
    await Promise.all(
      ["a", "b", "c", "d"].map((author, index) =>
        write(index % 2 ? one : two, author),
      ),
    );
    const events = followers[0]?.events ?? [];
    for (const follower of followers) {
      await received(follower, 100);
      equal(follower.events, events, "the entries and positions");
    }
    equal(
      new Set(events.map((event) => event !== "lost" && event.position)).size,
      100,
      "the positions",
    );
    const ofA = followers[0]?.values().filter((value) => value.startsWith("a"));
    equal(ofA, texts(25, "a"), "the entries of one author");
  },
  async "keeps logs apart, and a log from the value of its name"({
    one,
    key,
    follow,
  }) {
    const followers = [
      await follow(one, key),
      await follow(one, `${key} other`),
    ];
    await one.put(key, "value", { ttl: 60_000, version: "1", replaces: "" });
    await one.append(key, ["a"], options);
    await one.append(`${key} other`, ["b"], options);
    for (const follower of followers) await received(follower, 1);
    equal(
      followers.map((follower) => follower.values()),
      [["a"], ["b"]],
      "the entries",
    );
    equal((await one.get(key))?.value, "value", "the value");
  },
  async "goes on with a log whose time was over"({ one, two, key, follow }) {
    const follower = await follow(two);
    await one.append(key, ["first"], { ttl: 50, keep: 10 });
    await received(follower, 1);
    await pause(300);
    await one.append(key, ["second"], { ttl: 50.5, keep: 10 });
    await received(follower, 2);
    equal(follower.values(), ["first", "second"], "the entries");
  },
  async "brings a follower that has stopped nothing more, and the others all"({
    one,
    two,
    key,
    follow,
  }) {
    const [first, second] = [await follow(one), await follow(two)];
    await one.append(key, ["before"], options);
    await received(first, 1);
    first.stop();
    first.stop();
    await one.append(key, ["after"], options);
    await received(second, 2);
    equal(
      [first.values(), second.values()],
      [["before"], ["before", "after"]],
      "the entries",
    );
  },
  async "tells each follower after its connection broke that entries may be missing, and goes on"(
    bench,
  ) {
    const { one, two, key, disconnect, follow } = bench;
    const followers = [await follow(one), await follow(two)];
    await disconnect();
    for (const follower of followers) await wasTold(follower);
    await one.append(key, ["after"], options);
    for (const follower of followers)
      await until(
        () => follower.values().includes("after"),
        "a later entry is missing",
      );
  },
  async "never leaves an entry out without telling"({
    one,
    key,
    disconnect,
    follow,
  }) {
    const follower = await follow();
    // An append of unknown fate is repeated.
    const append = (text: string): Promise<boolean> =>
      one.append(key, [text], options).then(
        () => true,
        () => false,
      );
    for (const [index, text] of texts(150).entries()) {
      await until(() => append(text), "an entry cannot be appended");
      if (index === 50 || index === 100) await disconnect();
      await pause(2);
    }
    await until(
      () => follower.values().includes("149"),
      "the last entry is missing",
    );
    let next = 0;
    for (const event of follower.events) {
      if (event === "lost") next = Infinity;
      else if (Number(event.value) > next)
        throw new Error(
          `Entry ${event.value} came before ${next}, and \`lost\` was not called.`,
        );
      else next = Number(event.value) + 1;
    }
  },
  async "does not call a follower that stopped while its connection was broken"(
    bench,
  ) {
    const { one, key, disconnect, follow } = bench;
    const [stopped, other] = [await follow(), await follow()];
    await disconnect();
    stopped.stop();
    const { length } = stopped.events;
    await wasTold(other);
    await one.append(key, ["after"], options);
    await until(
      () => other.values().includes("after"),
      "a later entry is missing",
    );
    equal(stopped.events.length, length, "the calls after `stop`");
  },
  async "reads and writes values after connections broke"({
    one,
    key,
    disconnect,
    follow,
  }) {
    await one.put(key, "before", { ttl: 60_000, version: "1" });
    const follower = await follow();
    await disconnect();
    await wasTold(follower);
    equal((await one.get(key))?.value, "before", "the value");
    const write = one.put(key, "after", {
      ttl: 60_000,
      version: "2",
      replaces: "1",
    });
    equal(await write, true, "put");
  },
};

export const logCases: Cases = {
  ...casesOf(appended, (calls) => async ({ one, two, key, follow }) => {
    const follower = await follow(two);
    for (const entries of calls) await one.append(key, entries, options);
    await received(follower, calls.flat().length);
    equal(follower.values(), calls.flat(), "the entries");
  }),
  ...ownCases,
};
