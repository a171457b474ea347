import { Buffer } from "node:buffer";

import { ValidationError } from "../index.js";
import type { Receiver } from "./transport.js";

/**
 * Cuts a stream of bytes into lines and hands on the JSON in them. STDIO-06: a line may end in CR LF, a blank one is
 * skipped, one that is no JSON or is longer than `maxBytes` is reported and does not end the stream. STDIO-02: only a line
 * that has ended counts.
 */
export function lineReader(receiver: Receiver, maxBytes: number = 64 * 1024 * 1024): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  // The rest of a line that was too long is thrown away until it ends.
  let skipping = false;

  const tooLong = (): void =>
    receiver.malformed(new ValidationError(`A message is longer than ${maxBytes} bytes.`, []));
  const line = (text: string): void => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      if (text.trim() === "") return;
      return receiver.malformed(new ValidationError(`A line is not JSON: ${(error as Error).message}`, []));
    }
    receiver.message(value);
  };
  // Decoding all lines of a chunk at once takes half the time of decoding each.
  const lines = (bytes: Buffer): void => {
    const text = bytes.toString("utf8");
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      const one = text.slice(start, end);
      if (bytes.length > maxBytes && Buffer.byteLength(one) > maxBytes) tooLong();
      else line(one);
      start = end + 1;
    }
  };
  return (chunk) => {
    let start = 0;
    if (skipping) {
      start = chunk.indexOf(10) + 1;
      if (start === 0) return;
      skipping = false;
    }
    const end = chunk.lastIndexOf(10) + 1;
    if (end > start) {
      const whole =
        parts.length > 0 ? Buffer.concat([...parts, chunk.subarray(start, end)]) : chunk.subarray(start, end);
      parts = [];
      size = 0;
      lines(whole);
      start = end;
    }
    size += chunk.length - start;
    if (size > maxBytes) {
      skipping = true;
      parts = [];
      size = 0;
      tooLong();
    } else if (start < chunk.length) parts.push(chunk.subarray(start));
  };
}
