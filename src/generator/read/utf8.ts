import { TextDecoder } from "node:util";

/**
 * Decodes bytes without their byte order mark, or returns the line of the first
 * byte that is not UTF-8 and the problem.
 */
export function decode(
  bytes: Uint8Array,
): string | { readonly line: number; readonly problem: string } {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const [first, second] = bytes;
  if (
    (first === 0xff && second === 0xfe) ||
    (first === 0xfe && second === 0xff)
  ) {
    return { line: 1, problem: "the file is UTF-16, not UTF-8" };
  }
  try {
    return decoder.decode(bytes);
  } catch {
    return {
      line: brokenLine(bytes, decoder),
      problem: "the file is not valid UTF-8",
    };
  }
}

/**
 * Lines can be checked one by one, because a line feed is never part of a
 * longer character.
 */
function brokenLine(bytes: Uint8Array, decoder: TextDecoder): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed === -1 ? bytes.length : feed;
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end + 1;
  }
  return line;
}
