import { describe, expect, it } from "vitest";
import { lineReader } from "../../../src/runtime/core/transport/lines.js";

/** What a reader with a limit of 10 bytes gets from these chunks. */
function read(chunks: readonly string[]): readonly unknown[] {
  const seen: unknown[] = [];
  const receiver = {
    message: (value: unknown) => void seen.push(value),
    malformed: ({ message }: Error) => void seen.push(message),
    ended() {},
    closed() {},
  };
  const feed = lineReader(receiver, 10);
  for (const chunk of chunks) feed(Buffer.from(chunk));
  return seen;
}

const tooLong = "A message is longer than 10 bytes.";

describe("lines that a transport reads", () => {
  it.each([
    [['"12345678"\n'], ["12345678"]],
    [['"123456789"\n'], [tooLong]],
    [['"é345678"\n'], ["é345678"]],
    [['"é3456789"\n'], [tooLong]],
    [['"12345678"\n"é345678"\n'], ["12345678", "é345678"]],
    [['1\n"123456789"\n2\n'], [1, tooLong, 2]],
    [['"1234', '5678"', "\n"], ["12345678"]],
    [
      ['"1234', '56789"', "\n2\n"],
      [tooLong, 2],
    ],
    [
      ['"1234', '56789"', "345", "6\n2", "\n"],
      [tooLong, 2],
    ],
    [
      ['"1234', '56789"\n2\n'],
      [tooLong, 2],
    ],
    [
      ["1\n2", "3\n4", "\n\n \r\n"],
      [1, 23, 4],
    ],
    [
      ["\uFEFF1\r\n", "2\r", "\n"],
      [1, 2],
    ],
  ])("are messages of at most the limit, in the chunks %j", (chunks, seen) => {
    expect(read(chunks)).toEqual(seen);
  });
});
