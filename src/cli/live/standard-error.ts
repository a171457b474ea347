import { visible } from "../terminal.js";
import { redacted } from "./redact.js";
import type { Secret } from "./secrets.js";

/** What a started server writes to its standard error, line by line. */
export interface StandardError {
  /** Takes the next text, which may end in the middle of a line. */
  write(text: string): void;
  /** Prints a last line that has no end. */
  end(): void;
  /** The beginning of all that was written. */
  readonly seen: string;
}

/** The longest line that is kept back until it ends. */
const longest = 64 * 1024;

/** Prints what a server writes there without the secrets that it was given; colours are left out. */
export function standardError(secrets: readonly Secret[], tell: (text: string) => void): StandardError {
  let rest = "";
  let seen = "";
  const print = (line: string): void => {
    const plain = line.replace(/\r$/, "").replaceAll(/\u001b\[[\d;]*m/g, "");
    tell(`${redacted(plain, secrets).split("\t").map(visible).join("\t")}\n`);
  };
  return {
    get seen() {
      return seen;
    },
    write: (text) => {
      seen += text.slice(0, longest - seen.length);
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach(print);
      if (rest.length > longest) {
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
