export const LATEST_PROTOCOL_VERSION = "golden";
/** Nobody is there. */
export const NOBODY = -32050;
/**
 * Says what went wrong.
 *
 * The second paragraph is long enough to be broken into several lines, as a reader's eye likes it.
 *
 * @deprecated use words instead
 * @category Errors
 */
export interface Fault {
  /** Which one. */
  code: typeof NOBODY;
  /** @deprecated it lies */
  reason?: string;
}
