import { describe, expect, it } from "vitest";
import { Events } from "../../../../src/runtime/core/role/http-server/stream.js";

type Stored = Parameters<Events<number>["add"]>[1];

/** Five stored events of ten bytes, and the numbers of those that stay. */
function left(max: number, kept: number): readonly number[] {
  const events = new Events<number>();
  const log = { drop: (key: number) => void events.delete(key) };
  for (let key = 1; key <= 5; key++)
    events.add(key, { key, log, bytes: 10 } as unknown as Stored);
  events.shrink(max, kept);
  return [...events.keys()];
}

describe("the events that are kept for clients that reconnect", () => {
  it.each([
    [50, 0, [1, 2, 3, 4, 5]],
    [49, 0, [2, 3, 4, 5]],
    [40, 0, [2, 3, 4, 5]],
    [39, 0, [3, 4, 5]],
    [1, 0, []],
    [0, 0, []],
    [0, 1, [5]],
    [0, 4, [2, 3, 4, 5]],
    [0, 5, [1, 2, 3, 4, 5]],
    [29, 3, [3, 4, 5]],
    [31, 2, [3, 4, 5]],
  ])(
    "are the latest within %i bytes, and never fewer than %i: of five of ten bytes %j",
    (max, kept, expected) => {
      expect(left(max, kept)).toEqual(expected);
    },
  );
});
