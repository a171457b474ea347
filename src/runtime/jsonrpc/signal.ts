// Not every supported compiler's library knows it yet; every supported platform does.
const AnySignal = AbortSignal as unknown as { any(signals: readonly AbortSignal[]): AbortSignal };

/** A signal that aborts with the first of two. */
export function either(first: AbortSignal | undefined, second: AbortSignal): AbortSignal {
  return first ? AnySignal.any([first, second]) : second;
}
