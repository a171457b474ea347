import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventReader } from "../../../../src/runtime/core/transport/http-client/events.js";
import { runs } from "../../../whole.js";

type Event = readonly (string | number | undefined)[];

/** The events that a reader gets from these chunks. */
function read(
  chunks: readonly Uint8Array[],
  maxBytes = 1_000_000,
): readonly Event[] {
  const events: Event[] = [];
  const listener = {
    event: (data: string, name: string | undefined, id: string | undefined) =>
      events.push([data, name, id]),
    retry: (time: number) => events.push([time]),
    end: (error: Error) => events.push([error.message]),
    comment: () => {},
  };
  const reader = new EventReader(listener, maxBytes);
  for (const chunk of chunks) reader.feed(chunk);
  reader.end();
  return events;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const long = "x".repeat(600);

describe("a stream of events", () => {
  it.each<readonly [string, string, readonly Event[]]>([
    ["one line", "data: a\n\n", [["a", undefined, undefined]]],
    ["CR LF", "data: a\r\n\r\n", [["a", undefined, undefined]]],
    ["CR as the only line end", "data: a\r\r", [["a", undefined, undefined]]],
    [
      "several lines of data",
      "data: a\ndata:b\ndata\n\n",
      [["a\nb\n", undefined, undefined]],
    ],
    ["a byte order mark", "\uFEFFdata: a\n\n", [["a", undefined, undefined]]],
    [
      "comments and unknown fields",
      ": c\nfoo: bar\nfoo\ndata: a\n\n",
      [["a", undefined, undefined]],
    ],
    [
      "a name",
      "event: n\ndata: a\n\nevent: message\ndata: b\n\n",
      [
        ["a", "n", undefined],
        ["b", undefined, undefined],
      ],
    ],
    [
      "an id, and an id with a null character",
      "id: 1\ndata: a\n\nid: 1\0\ndata: b\n\n",
      [
        ["a", undefined, "1"],
        ["b", undefined, undefined],
      ],
    ],
    [
      "no id that a header cannot hold",
      "id: 1\ndata: a\nid: 2\u007f\nid: 3\u0001\n\nid: \t\ndata: b\n\n",
      [
        ["a", undefined, "1"],
        ["b", undefined, "\t"],
      ],
    ],
    [
      "lines that only begin as a field",
      "dat\ndata2: a\nids: 1\nretry : 5\ndata: a\n\n",
      [["a", undefined, undefined]],
    ],
    ["an id with empty data", "id: 1\ndata:\n\n", [["", undefined, "1"]]],
    [
      "a retry time",
      "retry: 50\nretry: 5x\ndata: a\n\n",
      [[50], ["a", undefined, undefined]],
    ],
    [
      "two spaces after the colon, of which the first is removed",
      "data:  a\n\n",
      [[" a", undefined, undefined]],
    ],
    [
      "an incomplete last event",
      "data: a\n\ndata: b\n",
      [["a", undefined, undefined]],
    ],
    ["an event without data", "event: n\n\n\n\n", []],
    [
      "an id with any character from the space on",
      "id: a ~\ndata: a\n\nid: \u001f\ndata: b\n\n",
      [
        ["a", undefined, "a ~"],
        ["b", undefined, undefined],
      ],
    ],
    [
      "a retry time of at most 15 digits",
      "retry: 09\nretry: 999999999999999\nretry: 1000000000000000\nretry:\nretry: 1/\nretry: 1:\nretry: x1\n",
      [[9], [999_999_999_999_999]],
    ],
    ...["\n", "\r", "\r\n"].map(
      (end) =>
        [
          `long lines that end in ${JSON.stringify(end)}, with another line end behind`,
          `data: ${long}${end}data: b\ndata: ${long}${end}data: ${long}${end}${end}data: ${long}\r\n\r\n`,
          [
            [`${long}\nb\n${long}\n${long}`, undefined, undefined],
            [long, undefined, undefined],
          ],
        ] satisfies readonly [string, string, readonly Event[]],
    ),
    ["a byte order mark in the second line", "\n\uFEFFdata: a\n\n", []],
    ["half a byte order mark", "\uFEC0data: a\n\n", []],
    ["two thirds of a byte order mark", "\uF03Fdata: a\n\n", []],
    ["the end of a byte order mark", "\u1EFFdata: a\n\n", []],
  ])("SSE-08 is read with %s", (_, text, expected) => {
    expect(read([bytes(text)])).toEqual(expected);
  });

  it.each([
    [["data: a\r", "\ndata: b\r", "\n\r", "\n"], "a\nb"],
    [["data: a\r", "", "\ndata: b\n\n"], "a\nb"],
    [["data: a\r", "data: b", "\n", "\n"], "a\nb"],
    [["data: a\r", "\r", "data: b\n"], "a"],
    [
      [`data: ${long}`, `${long}\r`, `\ndata: ${long}\n\n`],
      `${long}${long}\n${long}`,
    ],
  ])("SSE-08 is read the same way in the chunks %j", (chunks, data) => {
    expect(read(chunks.map(bytes))).toEqual([[data, undefined, undefined]]);
  });

  it("SSE-08 reads a stream the same way for any split of its bytes", () => {
    const line = fc.oneof(
      fc.constantFrom(
        "data",
        "data:",
        "event: n",
        "id: é",
        "id:",
        "retry: 7",
        ": c",
        "x",
        "",
        "",
        "",
        ":",
      ),
      fc
        .string({ unit: "grapheme" })
        .map((text) => `data: ${text.replace(/[\r\n]/g, "")}`),
    );
    const end = fc.constantFrom("\n", "\r\n", "\r");
    const stream = fc
      .tuple(fc.constantFrom("", "\uFEFF"), fc.array(fc.tuple(line, end)), line)
      .map(
        ([mark, lines, last]) =>
          mark + lines.map((one) => one.join("")).join("") + last,
      );
    fc.assert(
      fc.property(stream, fc.array(fc.nat(40)), (text, cuts) => {
        const whole = bytes(text);
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const size of cuts) {
          chunks.push(whole.subarray(at, at + size));
          at += size;
        }
        chunks.push(whole.subarray(at));
        expect(read(chunks)).toEqual(
          read(Array.from(whole, (byte) => Uint8Array.of(byte))),
        );
        expect(read(chunks)).toEqual(read([whole]));
      }),
      { numRuns: runs(500) },
    );
  });

  it.each([
    ": c\n",
    "\n",
    "\r\n",
    "x\n",
    "event: n\n",
    "id: 1\n\n",
    "retry: 1\n",
    "data\n\n",
  ])("fails after 64 MiB without a message, of lines as %j", (line) => {
    // A long line in place of many short ones, so that the test is fast.
    const rest = line.replace("\n", "");
    const long = `:${"c".repeat(1_048_575 - line.length)}\n${line}`;
    const chunk = bytes(long);
    expect([rest.length < line.length, chunk.length]).toEqual([
      true,
      1_048_577,
    ]);
    const events = read([
      bytes("data: a\n\n"),
      ...Array.from({ length: 65 }, () => chunk),
    ]);
    expect(
      events.filter(([first]) => typeof first === "string" && first !== ""),
    ).toEqual([
      ["a", undefined, undefined],
      ["The stream has more than 67108864 bytes without a message."],
    ]);
  });

  it("does not fail after exactly 64 MiB without a message, but with one byte more", () => {
    const chunk = bytes(`:${"c".repeat(1_048_574)}\n`);
    const chunks = Array.from({ length: 64 }, () => chunk);
    expect(read(chunks)).toEqual([]);
    expect(read([...chunks, bytes("\n")])).toEqual([
      ["The stream has more than 67108864 bytes without a message."],
    ]);
  });

  it("fails if an event is too long before the end of its line arrives", () => {
    expect(read([bytes(`data: ${long}`)], 599)).toHaveLength(1);
    expect(read([bytes(`data: ${long}`)], 600)).toEqual([]);
  });

  it("counts the bytes of many short lines once, and those of data not at all", () => {
    expect(read([bytes(":\n".repeat(32_768))])).toEqual([]);
    const large = "x".repeat(34_000_000);
    const events = read([bytes(`data: ${large}\ndata: b\n\n`)], 35_000_000);
    expect(events.map(([data]) => String(data).length)).toEqual([34_000_002]);
  });

  it("does not fail if messages are among the comments, however long it lasts", () => {
    const chunk = bytes(`:${"c".repeat(1_048_575)}\ndata: a\n\n`);
    const events = read(Array.from({ length: 130 }, () => chunk));
    expect(events).toEqual(
      Array.from({ length: 130 }, () => ["a", undefined, undefined]),
    );
  });

  it.each([
    ["one line", `data: ${long}${long}`],
    ["several lines", `data: ${long}\ndata: ${long}\n`],
  ])("fails if an event is too long, in %s", (_, text) => {
    const events = read(
      [bytes(`data: a\n\n`), bytes(text), bytes("\n\ndata: b\n\n")],
      1000,
    );
    expect(events).toEqual([
      ["a", undefined, undefined],
      ["A message is longer than 1000 bytes."],
    ]);
  });

  it.each([
    ["one line", [`data: ${long}\n\n`], long],
    ["one line, in two chunks", [`data: ${long}`, "\n\n"], long],
    [
      "two lines",
      [`data: ${long.slice(301)}\ndata: ${long.slice(300)}\n\n`],
      `${long.slice(301)}\n${long.slice(300)}`,
    ],
  ])(
    "is read if its event has exactly the maximum length, in %s",
    (_, chunks, data) => {
      const all = chunks.map(bytes);
      expect(read(all, 600)).toEqual([[data, undefined, undefined]]);
      expect(read(all, 599)).toEqual([["A message is longer than 599 bytes."]]);
    },
  );
});
