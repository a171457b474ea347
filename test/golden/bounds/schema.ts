export interface Completion {
  /** @maxItems 100 */
  values: string[];
  /** @TJS-type number
   * @minimum 0
   * @maximum 1 */
  priority?: number;
  /** @minimum 0 */
  ttlMs: number;
  /** @format uri */
  uri: string;
}
