import { isOwnError } from "./errors.js";

/**
 * Handlers of errors and warnings. By default they are printed to stderr; an
 * empty function silences them.
 */
export interface Reporting {
  /**
   * Called with each error that no call rejects with: of handlers that throw,
   * failed connections and, on a server, unreadable messages. `where` is the
   * method that was being answered, with the name of the tool, if any.
   */
  onError?(error: Error, where?: string): void;
  /**
   * Called with each warning: a mistake or a misconfiguration that fails no
   * call. On a client also with the first unreadable message of each kind, and
   * with the number of the others when the connection closes; `ignored` is then
   * the number of messages in this warning.
   */
  onWarning?(message: string, ignored?: number): void;
}

/**
 * Maximum number of errors about messages that are printed per second, so that
 * a peer that sends invalid messages cannot fill a disk. Errors of handlers are
 * not counted.
 */
const maxErrors = 100;
const isNewWarning = /* @__PURE__ */ newTexts();
let second = 0;
let errors = 0;

/** Calls `onError`, or prints the error. Never throws. */
export function report(
  settings: Reporting,
  reason: unknown,
  where?: string,
): void {
  const error = errorOf(reason);
  try {
    if (settings.onError) return settings.onError(error, where);
  } catch (handlerError) {
    print(`onError: ${textOf(errorOf(handlerError))}`);
  }
  // Any other error may be a bug.
  if (!isOwnError(error) || isWithinLimit())
    print(where === undefined ? textOf(error) : `${where}: ${textOf(error)}`);
}

/** Calls `onWarning`, or prints the warning. */
export function warn(
  settings: Reporting,
  message: string,
  ignored?: number,
): void {
  if (settings.onWarning) return settings.onWarning(message, ignored);
  // Each text once, because a mistake in a handler repeats in every call.
  if (isNewWarning(message)) print(`Warning: ${message}`);
}

/** The handlers with their defaults, for code outside of this package. */
export const completeReporting = (
  settings: Reporting,
): Required<Reporting> => ({
  onError: (error, where) => report(settings, error, where),
  onWarning: (message, ignored) => warn(settings, message, ignored),
});

/**
 * Creates a function that returns true for a text that it has not got before,
 * and false for all texts after the first 1,000, or as many as given.
 */
export function newTexts(maximum = 1000): (text: string) => boolean {
  const texts = new Set<string>();
  return (text) => texts.size < maximum && texts.size < texts.add(text).size;
}

/**
 * Formats text of a peer for a message: on one line, without control
 * characters, and cut.
 */
export const printable = (text: string, length = 200): string =>
  text.slice(0, length).replace(/[^\P{C}]/gu, "\ufffd");

/**
 * The JSON of a value; undefined for one that JSON does not have, or that is
 * nested too deeply.
 */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) as string | undefined;
  } catch {
    return undefined;
  }
}

/** Formats a value of a peer for a message, likewise, as JSON. */
export const shown = (value: unknown, length?: number): string =>
  value === undefined
    ? "undefined"
    : printable(
        jsonText(value) ?? "a value that is nested too deeply to be shown",
        length,
      );

/** The error itself, or an error whose cause is the thrown value. */
function errorOf(reason: unknown): Error {
  if (reason instanceof Error) return reason;
  return new Error(messageOf(reason), { cause: reason });
}

/**
 * Maximum length of the text of a thrown value that is not an error, in
 * characters.
 */
const maxText = 1000;

const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "";

/**
 * The message of a thrown value; without one, those of its `errors`, its code,
 * its name or its text. Never empty.
 */
export function messageOf(reason: unknown): string {
  try {
    const { message, errors, code, name } = Object(reason) as Record<
      string,
      unknown
    >;
    if (isText(message)) return message;
    const texts = [errors]
      .flat()
      .map((one) => (Object(one) as Partial<Error>).message);
    const inner = texts.filter(isText).join("; ");
    if (inner !== "") return inner.slice(0, maxText);
    if (reason === undefined || reason === null) return "No reason was given.";
    const text =
      reason instanceof Error
        ? (code ?? name)
        : typeof reason === "object"
          ? JSON.stringify(reason)
          : reason;
    if (text !== "" && text !== "{}") return String(text).slice(0, maxText);
  } catch {
    // Some values cannot be converted to a string.
  }
  return "The thrown value is not an error.";
}

function isWithinLimit(): boolean {
  const now = Math.trunc(Date.now() / 1000);
  if (now !== second) {
    if (errors > maxErrors)
      print(`${errors - maxErrors} more errors were not printed.`);
    second = now;
    errors = 0;
  }
  return errors++ < maxErrors;
}

/**
 * The message, with the stack unless it is an error of this package, which is
 * about messages and connections.
 */
function textOf(error: Error): string {
  const { name, stack = "", cause } = error;
  const message = messageOf(error);
  const head = `${name}: ${message}`;
  // Some JavaScript engines do not repeat the message in the stack.
  const text = isOwnError(error)
    ? head
    : stack.includes(message)
      ? stack
      : `${head}\n${stack}`;
  return cause instanceof Error ? `${text}\nCaused by ${textOf(cause)}` : text;
}

function print(text: string): void {
  // Control characters in the text of a peer must not reach a terminal.
  console.error(
    `[mcpgen] ${text.slice(0, 10_000).replace(/[^\P{C}\n\t]/gu, "\ufffd")}`,
  );
}
