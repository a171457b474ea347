/** Where errors and warnings go. The default is the standard error; a function that does nothing silences them. */
export interface Reporting {
  /**
   * Gets each error that no call of yours rejects with: handlers that throw, messages that cannot be read, connections that
   * break. `where` is the wire method that was being answered, with the name of the tool if there is one.
   */
  onError?(error: Error, where?: string): void;
  /** Gets what works but deserves attention. */
  onWarning?(message: string): void;
}

/**
 * Most errors about messages in the standard error in one second: a peer that only sends garbage must not fill a disk. Bugs
 * of handlers are not counted.
 */
const maxFaults = 100;
const isNewWarning = /* @__PURE__ */ newTexts();
let second = 0;
let faults = 0;

/** Gives an error to `onError`. Never throws. */
export function report(settings: Reporting, reason: unknown, where?: string): void {
  const error = errorOf(reason);
  try {
    if (settings.onError) return settings.onError(error, where);
  } catch (fault) {
    print(`onError: ${textOf(errorOf(fault))}`);
  }
  if (isBug(error) || isWithinBounds())
    print(where === undefined ? textOf(error) : `${where}: ${textOf(error)}`);
}

/** Gives a warning to `onWarning`. */
export function warn(settings: Reporting, message: string): void {
  if (settings.onWarning) return settings.onWarning(message);
  // Only once: a mistake in a handler occurs in every call.
  if (isNewWarning(message)) print(`Warning: ${message}`);
}

/** Returns a function that is true for a text which it sees for the first time, and false for all after the first thousand. */
export function newTexts(): (text: string) => boolean {
  const seen = new Set<string>();
  return (text) => seen.size < 1000 && seen.size < seen.add(text).size;
}

/** The error itself, or one that wraps whatever else was thrown. */
export function errorOf(reason: unknown): Error {
  if (reason instanceof Error) return reason;
  let text = "A value was thrown that is not an error.";
  try {
    text = String(reason);
  } catch {
    // Not everything can become text.
  }
  return new Error(text, { cause: reason });
}

/** The errors of this package are about messages and connections; any other may come from a bug. */
const isBug = ({ name }: Error): boolean =>
  !/^(Mcp|Validation|Transport|Timeout|Refused|Tool)Error$/.test(name);

function isWithinBounds(): boolean {
  const now = Math.trunc(Date.now() / 1000);
  if (now !== second) {
    if (faults > maxFaults) print(`${faults - maxFaults} more errors were left out.`);
    second = now;
    faults = 0;
  }
  return faults++ < maxFaults;
}

/** The message, with the stack of what may be a bug. */
function textOf(error: Error): string {
  const { name, message, stack = "", cause } = error;
  const head = `${name}: ${message}`;
  // Not every engine repeats the message in the stack.
  const text = !isBug(error) ? head : stack.includes(message) ? stack : `${head}\n${stack}`;
  return cause instanceof Error ? `${text}\nCaused by ${textOf(cause)}` : text;
}

function print(text: string): void {
  // Peers choose some of the words: no control characters reach a terminal.
  console.error(`[mcpgen] ${text.slice(0, 10_000).replace(/[^\P{C}\n\t]/gu, "\ufffd")}`);
}
