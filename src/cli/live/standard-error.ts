import { visible } from "../terminal.js";
import { redacted, type Secret } from "./secrets.js";

/** Processes the standard error of a started server, line by line. */
export interface StandardError {
  /** Accepts the next text, which may end in the middle of a line. */
  write(text: string): void;
  /** Prints an incomplete last line. */
  end(): void;
  /** The first part of all text. */
  readonly firstOutput: string;
}

/** The maximum length of a line that is buffered until it ends. */
const maxLength = 64 * 1024;

/**
 * Prints text of a server after a mark, without the secrets of its connection
 * and without colours.
 */
export function standardError(
  secrets: readonly Secret[],
  printLine: (text: string) => void,
): StandardError {
  let rest = "";
  let firstOutput = "";
  const print = (line: string): void => {
    const plain = line.replace(/\r$/, "").replaceAll(/\u001b\[[\d;]*m/g, "");
    printLine(
      `| ${redacted(plain, secrets).split("\t").map(visible).join("\t")}\n`,
    );
  };
  return {
    get firstOutput() {
      return firstOutput;
    },
    write: (text) => {
      firstOutput += text.slice(0, maxLength - firstOutput.length);
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach(print);
      if (rest.length > maxLength) {
        print(rest);
        rest = "";
      }
    },
    end: () => {
      if (rest !== "") print(rest);
      rest = "";
    },
  };
}
