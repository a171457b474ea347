import { describe, expect, it } from "vitest";
import { pairBy } from "../../src/generator/ir/change/pairs.js";

/** An entry with a name and a place: `name@place`. */
type Entry = readonly [name: string, place: string];
const entry = (text: string): Entry => {
  const [name = "", place = ""] = text.split("@");
  return [name, place];
};
const shown = (one: Entry): string => one.join("@");

describe("entries of which some are the same before and after", () => {
  it.each<[was: string, is: string, pairs: string]>([
    ["a@1 b@2", "b@2 a@1", "b@2=b@2 a@1=a@1"],
    ["a@1", "a@2", "a@1=a@2"],
    ["a@1", "b@1", "a@1=b@1"],
    ["a@1", "b@2", ""],
    // A name that several have tells none of them apart.
    ["a@1 a@2", "a@3", ""],
    ["a@3", "a@1 a@2", ""],
    ["a@1 a@2", "a@2 a@3", "a@2=a@2"],
    // The first id comes before the second.
    ["a@1 b@2", "a@2 b@1", "a@1=a@2 b@2=b@1"],
  ])("%s and %s are the pairs %j", (was, is, want) => {
    const [old, fresh] = [was, is].map((list) => list.split(" ").map(entry));
    const { before, removed, added } = pairBy(old ?? [], fresh ?? [], [
      ([name]) => name,
      ([, place]) => place,
    ]);
    const pairs = [...before].map(
      ([to, from]) => `${shown(from)}=${shown(to)}`,
    );
    expect(pairs.join(" ")).toBe(want);
    const used = new Set([...before].flat());
    expect(removed).toEqual(old?.filter((one) => !used.has(one)));
    expect(added).toEqual(fresh?.filter((one) => !used.has(one)));
  });
});
