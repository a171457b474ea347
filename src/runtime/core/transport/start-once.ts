import type { Transport } from "../ports/transport.js";

const started = new WeakSet<Transport>();

/**
 * Marks a transport as started.
 *
 * @throws TypeError if it was started before: messages of two connections would
 *   mix.
 */
export function startOnce(transport: Transport): void {
  if (started.has(transport))
    throw new TypeError(
      "The transport was started before. Create one for each client or server.",
    );
  started.add(transport);
}
