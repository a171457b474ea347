import { Writable, type Readable } from "node:stream";
import type { WriteStream } from "node:tty";

/** The input and output for questions. */
export interface Dialogue {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * The size of a terminal that reports none, such as in a container or on a
 * serial line.
 */
const defaultSize = { columns: 80, rows: 24 } as const;

/**
 * A terminal's output for questions, with a size that is never 0, and without
 * colours if they are off.
 */
export function screenOn(terminal: WriteStream, isColoured: boolean): Writable {
  const screen = new Writable({
    write(chunk: unknown, _encoding, done) {
      terminal.write(
        isColoured ? String(chunk) : withoutColours(String(chunk)),
        done,
      );
    },
  });
  terminal.on("resize", () => screen.emit("resize"));
  return Object.defineProperties(screen, {
    isTTY: { value: true },
    columns: { get: () => terminal.columns || defaultSize.columns },
    rows: { get: () => terminal.rows || defaultSize.rows },
  });
}

/** The text without colours and styles; cursor movements stay. */
function withoutColours(text: string): string {
  return text.replace(/\u001b\[[\d;]*m/g, "");
}
