import type { Diagnostic } from "../src/generator/diagnostics.js";

/**
 * Diagnostics themselves, after a check that nothing is missing in them: the
 * text, the advice, or the name of what contains the place.
 */
export function finished<T extends Diagnostic>(
  list: readonly T[],
): readonly T[] {
  for (const report of list) {
    const { code, message, hint, within } = report;
    const texts = [message, ...within, ...(hint === null ? [] : [hint])];
    if (!/^MG\d{3}$/.test(code) || texts.some((text) => !isFinished(text)))
      throw new Error(`not finished: ${JSON.stringify(report)}`);
  }
  return list;
}

/** True for a text, without a hole at one of its ends. */
const isFinished = (text: string): boolean =>
  text.length > 1 && text === text.trim() && !/(?:[,:] ?| got)$/.test(text);
