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

  const tooLong = (): void => {
    parts = [];
    size = 0;
    receiver.malformed(new ValidationError(`A message is longer than ${maxBytes} bytes.`, []));
  };
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
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      if (skipping) skipping = false;
      else if (size + end - start > maxBytes) tooLong();
      else if (size === 0) line(chunk.toString("utf8", start, end));
      else {
        parts.push(chunk.subarray(start, end));
        const whole = Buffer.concat(parts);
        parts = [];
        size = 0;
        line(whole.toString("utf8"));
      }
      start = end + 1;
    }
    if (start === chunk.length || skipping) return;
    size += chunk.length - start;
    if (size > maxBytes) {
      skipping = true;
      return tooLong();
    }
    parts.push(start === 0 ? chunk : chunk.subarray(start));
  };
}
