import { addAbortSignal } from "node:stream";
import { screenOn } from "./dialogue.js";
import { statusLine } from "./status.js";
import { makeStyle, wantsColours, type Terminal } from "./terminal.js";

/**
 * The maximum time from an interrupt to the end, in milliseconds. A server that
 * was started may take four seconds to end.
 */
const maxEnding = 6000;

/** The terminal of this process, and the exit code after an interrupt. */
export function processTerminal(argv: readonly string[]): {
  readonly terminal: Terminal;
  interrupted(): number | undefined;
} {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const onSignal = (code: number) => () => {
    // A second interrupt ends the process at once; the next run completes or
    // reverts its changes.
    if (exitCode !== undefined) process.exit(code);
    exitCode = code;
    controller.abort();
    setTimeout(() => process.exit(code), maxEnding).unref();
  };
  process.on("SIGINT", onSignal(130));
  process.on("SIGTERM", onSignal(143));
  // The terminal was closed.
  process.on("SIGHUP", onSignal(129));
  const isColoured = (stream: NodeJS.WriteStream): boolean => {
    return wantsColours(process.env, stream.isTTY, argv.includes("--no-color"));
  };
  const { show, clear } = statusLine({
    write: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY && process.env["TERM"] !== "dumb",
    get columns() {
      return process.stderr.columns || 80;
    },
    now: () => performance.now(),
  });
  const terminal: Terminal = {
    directory: process.cwd(),
    out: (text) => {
      if (process.stdout.isTTY) clear();
      return new Promise(
        (resolve) => void process.stdout.write(text, () => resolve()),
      );
    },
    print: (text) => {
      clear();
      process.stderr.write(text);
    },
    status: show,
    get input() {
      return addAbortSignal(controller.signal, process.stdin);
    },
    get dialogue() {
      const { stdin: input, stderr } = process;
      if (!input.isTTY || !stderr.isTTY || process.env["TERM"] === "dumb")
        return null;
      return { input, output: screenOn(stderr, isColoured(stderr)) };
    },
    columns: Math.min(110, process.stdout.columns ?? 100),
    style: makeStyle(isColoured(process.stderr)),
    dataStyle: makeStyle(isColoured(process.stdout)),
    signal: controller.signal,
  };
  return { terminal, interrupted: () => exitCode };
}
