import { pause } from "../../../common/timing.js";
import type { PutOptions, SharedStore } from "../store.js";
import {
  type Cases,
  casesOf,
  equal,
  hostileTexts,
  largeText,
  texts,
  until,
} from "./bench.js";

/** One call and what it must do. */
type Step = (store: SharedStore, key: string) => Promise<void>;

/** A time that no case outlasts, in milliseconds. */
const ttl = 60_000;

const put = (
  value: string | undefined,
  version: string,
  replaces?: string,
  time = ttl,
): Step => putting(true, value, { version, replaces, ttl: time });
const refused = (
  value: string | undefined,
  version: string,
  replaces: string,
): Step => putting(false, value, { version, replaces, ttl });

function putting(
  result: boolean,
  value: string | undefined,
  options: PutOptions,
): Step {
  return async (store, key) =>
    equal(
      await store.put(key, value, options),
      result,
      `put with ${JSON.stringify(options)}`,
    );
}

const has =
  (value: string, version: string): Step =>
  async (store, key) =>
    equal(await store.get(key), { value, version }, "get");
const hasNone: Step = async (store, key) =>
  equal(await store.get(key), undefined, "get");
const ends: Step = (store, key) =>
  until(async () => !(await store.get(key)), "the value is still there");
const wait =
  (time: number): Step =>
  () =>
    pause(time);

/**
 * Cases that are steps about one key, each in another process than the one
 * before.
 */
const sequences: Readonly<Record<string, readonly Step[]>> = {
  "has no value for a key that was never written": [hasNone],
  "returns to another process the value and the version that were written": [
    put("a", "1"),
    has("a", "1"),
  ],
  "replaces any value without `replaces`": [
    put("a", "1"),
    put("b", "2"),
    has("b", "2"),
  ],
  "writes a value that must not be there yet": [
    put("a", "1", ""),
    has("a", "1"),
  ],
  "does not write a value that must not be there yet over another one": [
    put("a", "1"),
    refused("b", "2", ""),
    has("a", "1"),
  ],
  "replaces the version that `replaces` names": [
    put("a", "1", ""),
    put("b", "2", "1"),
    has("b", "2"),
  ],
  "does not replace another version": [
    put("a", "1", ""),
    refused("b", "3", "2"),
    has("a", "1"),
  ],
  "does not replace a version of a key without a value": [
    refused("b", "2", "1"),
    hasNone,
  ],
  "compares versions as whole texts": [
    put("a", "1"),
    ...["01", "1.0", "11", "%", "1*", "1 "].map((other) =>
      refused("b", "2", other),
    ),
    has("a", "1"),
  ],
  "takes a version of 64 visible characters": [
    put("a", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".padEnd(64, "z"), ""),
    refused("b", "2", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".padEnd(63, "z")),
    put("b", "2", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".padEnd(64, "z")),
    has("b", "2"),
  ],
  "says yes to a repeated write whose first call replaced the version": [
    put("a", "1", ""),
    put("b", "2", "1"),
    put("b", "2", "1"),
    has("b", "2"),
  ],
  "says yes to a repeated first write": [
    put("a", "1", ""),
    put("a", "1", ""),
    has("a", "1"),
  ],
  "says no to a repeated write after another write, and keeps that one": [
    put("a", "1", ""),
    put("b", "2", "1"),
    put("c", "3", "2"),
    refused("b", "2", "1"),
    has("c", "3"),
  ],
  "removes any value without `replaces`": [
    put("a", "1"),
    put(undefined, "2"),
    hasNone,
  ],
  "removes the version that `replaces` names, and says yes again": [
    put("a", "1", ""),
    put(undefined, "2", "1"),
    hasNone,
    put(undefined, "2", "1"),
  ],
  "does not remove another version": [
    put("a", "1", ""),
    refused(undefined, "3", "2"),
    has("a", "1"),
  ],
  "writes a first value again after one was removed": [
    put("a", "1", ""),
    put(undefined, "2", "1"),
    put("b", "3", ""),
    has("b", "3"),
  ],
  "ends a value after its time": [put("a", "1", "", 100), ends],
  "keeps a value until its time is over": [
    put("a", "1", "", 30_000),
    wait(300),
    has("a", "1"),
  ],
  "begins the time of a value anew with each write": [
    put("a", "1", "", 200),
    put("b", "2", "1", 30_000),
    wait(500),
    has("b", "2"),
  ],
  "does not begin the time anew with a write that it refuses": [
    put("a", "1", "", 400),
    refused("b", "3", "2"),
    ends,
  ],
  "has no version for a value that has ended": [
    put("a", "1", "", 100),
    ends,
    refused("b", "2", "1"),
    put("b", "2", ""),
  ],
  "takes a time of thirty days": [
    put("a", "1", "", 30 * 86_400_000),
    wait(50),
    has("a", "1"),
  ],
  "takes a time with a fraction of a millisecond": [
    put("a", "1", "", 60_000.5),
    put("b", "2", "1", 0.5),
  ],
  "returns a value of 1,048,576 characters as it was written": [
    put(largeText(), "1", ""),
    has(largeText(), "1"),
    put("small", "2", "1"),
    has("small", "2"),
  ],
  "returns hostile text as it was written": hostileTexts.flatMap((text) => [
    put(text, "1"),
    has(text, "1"),
    put(`${text}.`, "2", "1"),
    has(`${text}.`, "2"),
  ]),
};

/** Pairs of keys that a careless program would take for one. */
const pairs = {
  "keeps keys apart that differ in case": ["key", "KEY"],
  "keeps keys apart that differ in a space at the end": ["key", "key "],
  "keeps keys apart that differ in a line break": ["key", "key\n"],
  "keeps keys apart that differ in the form of an accent": ["é", "e\u0301"],
  "keeps keys apart that differ in a quote": ["it's", "its"],
  "keeps keys apart that differ as a pattern and what it matches": [
    "k*",
    "key",
  ],
  "keeps keys apart that differ as two ways to write a number": ["1", "01"],
  "keeps keys apart that differ in braces": ["{a}b", "{a}c"],
  "keeps keys apart that differ as names of an object's members": [
    "__proto__",
    "constructor",
  ],
  "keeps keys apart that differ in the last of 256 characters": [
    "k".repeat(200),
    `${"k".repeat(199)}l`,
  ],
} as const;

const ownCases: Cases = {
  async "lets one of twenty writers at once replace a version"({
    one,
    two,
    key,
  }) {
    await put("a", "1", "")(one, key);
    const writers = texts(20, "writer-");
    const results = await Promise.all(
      writers.map((version, index) =>
        (index % 2 ? one : two).put(key, version, {
          ttl,
          version,
          replaces: "1",
        }),
      ),
    );
    const winners = writers.filter((_, index) => results[index]);
    equal(
      winners,
      [(await two.get(key))?.value],
      "the writers that were told yes, and the value",
    );
  },
  async "counts right when eight workers of two processes add by comparing versions"({
    one,
    two,
    key,
  }) {
    const add = async (store: SharedStore, worker: string): Promise<void> => {
      for (let count = 0; count < 5;) {
        const { value, version: replaces } = (await store.get(key)) ?? {
          value: "0",
          version: "",
        };
        const version = `${worker}-${count}-${value}`;
        if (
          await store.put(key, String(Number(value) + 1), {
            ttl,
            version,
            replaces,
          })
        )
          count++;
      }
    };
    await Promise.all(
      texts(8).map((worker, index) => add(index % 2 ? one : two, worker)),
    );
    equal((await one.get(key))?.value, "40", "the count");
  },
};

export const valueCases: Cases = {
  ...casesOf(sequences, (steps) => async ({ one, two, key }) => {
    for (const [index, step] of steps.entries())
      await step(index % 2 ? two : one, key);
  }),
  ...casesOf(pairs, (names) => async ({ one, two, key }) => {
    const [first, second] = names.map((name) =>
      `${key} ${name}`.slice(-256),
    ) as [string, string];
    await put("a", "1", "")(one, first);
    await hasNone(two, second);
    await put("b", "1", "")(two, second);
    await has("a", "1")(two, first);
    await put(undefined, "2")(two, first);
    await has("b", "1")(one, second);
  }),
  ...ownCases,
};
