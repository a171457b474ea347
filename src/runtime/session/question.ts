import { ValidationError } from "../errors.js";
import { isObject } from "../jsonrpc/message.js";
import { type Reporting, warn } from "../report.js";
import { checkTurns } from "./turns.js";

/**
 * Throws a `ValidationError` for a question that may neither be sent nor reach a handler: one with unmatched uses of tools, or one
 * that sends a person to anything but an http or https URL (ELIC-14). Warns of http to another machine (ELIC-15).
 */
export function checkQuestion(method: string, params: unknown, reporting: Reporting): void {
  checkTurns(method, params);
  if (!isObject(params) || params["mode"] !== "url") return;
  const { url: given } = params;
  const isWeb = typeof given === "string" && /^https?:\/\/[^/\\]/i.test(given) && URL.canParse(given);
  const url = isWeb ? new URL(given) : undefined;
  if (!url) {
    const message = `params.url: expected an http or https URL, got ${JSON.stringify(given)}`;
    throw new ValidationError(`${method}: ${message}`, [{ message, path: ["params", "url"] }]);
  }
  if (url.protocol === "http:" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname))
    warn(reporting, `${method}: ${url.origin} is not protected; use an https URL outside of development.`);
}
