import { Writable, type Readable } from "node:stream";
import type { WriteStream } from "node:tty";

/** Where somebody can be asked: the keys that are pressed, and a screen. */
export interface Dialogue {
  readonly input: Readable;
  readonly output: Writable;
}

/** What a terminal counts as that cannot tell its size, as that of a container or on a serial line: it says 0. */
const usual = { columns: 80, rows: 24 } as const;

/** A terminal's screen for questions: of a size that is never 0, and without colours where they are off. */
export function screenOn(terminal: WriteStream, isColoured: boolean): Writable {
  const screen = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      terminal.write(isColoured ? String(chunk) : uncoloured(String(chunk)), done);
    },
  });
  terminal.on("resize", () => screen.emit("resize"));
  return Object.defineProperties(screen, {
    isTTY: { value: true },
    columns: { get: () => terminal.columns || usual.columns },
    rows: { get: () => terminal.rows || usual.rows },
  });
}

/** A text without what sets its colour or its weight; moves of the cursor stay. */
function uncoloured(text: string): string {
  return text.replace(/\u001b\[[\d;]*m/g, "");
}
