/** The line on the standard error that shows what a run is doing. */
interface StatusLine {
  /**
   * Replaces the line; null removes it. Without a terminal, prints a line of
   * its own if the last one is at least five seconds ago, so that a log shows
   * that a long run continues.
   */
  show(text: string | null): void;
  /** Removes the line, before other text is printed. */
  clear(): void;
}

interface StatusOutput {
  write(text: string): void;
  /** True if lines can be replaced. */
  readonly isTerminal: boolean;
  readonly columns: number;
  /** The time in milliseconds. */
  now(): number;
}

/** The time between two lines without a terminal, in milliseconds. */
const interval = 5000;

/** A status line on this output. */
export function statusLine(output: StatusOutput): StatusLine {
  let isShown = false;
  let last = output.now();
  const clear = (): void => {
    if (isShown) output.write("\r\u001b[K");
    isShown = false;
  };
  const replace = (text: string | null): void => {
    if (text === null) return clear();
    // A wrapped line could not be removed.
    output.write(`\r\u001b[K${text.slice(0, output.columns - 1)}`);
    isShown = true;
  };
  const append = (text: string | null): void => {
    if (text === null || output.now() - last < interval) return;
    output.write(`${text}\n`);
    last = output.now();
  };
  return { show: output.isTerminal ? replace : append, clear };
}
