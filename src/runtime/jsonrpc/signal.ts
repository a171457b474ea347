/** A signal that aborts with the first of two. */
export function either(first: AbortSignal | undefined, second: AbortSignal): AbortSignal {
  // Not every supported compiler's library knows it yet; every supported platform does.
  const { any } = AbortSignal as unknown as { any(signals: readonly AbortSignal[]): AbortSignal };
  return first ? any.call(AbortSignal, [first, second]) : second;
}
