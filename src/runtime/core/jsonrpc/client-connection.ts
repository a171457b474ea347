import { Calls } from "./calls.js";
import { Connection } from "./connection.js";

/** The connection of a client, whose transport may pause and connect again. */
export class ClientConnection extends Connection {
  /** Called when the server identifies this client differently from now on. */
  renewed?: () => void;
  override readonly calls: Calls = new Calls();
  /** True while the transport cannot deliver responses. */
  #isPausedByTransport = false;
  /** How often this client got each kind of input that is not a message. */
  readonly #ignored = new Map<string, number>();

  paused(isPaused: boolean): void {
    if (isPaused === this.#isPausedByTransport) return;
    this.#isPausedByTransport = isPaused;
    if (isPaused) this.calls.pause();
    else this.calls.resume();
  }

  get isPaused(): boolean {
    return this.calls.isPaused;
  }

  override closed(error?: Error): void {
    super.closed(error);
    for (const [kind, count] of this.#ignored)
      if (count > 1)
        this.warn(`${kind}: ${count - 1} more were ignored.`, count - 1);
    this.#ignored.clear();
  }

  /**
   * Warns of the first input of each kind, which is the text before ": ", and
   * counts the others. Nothing waits for an answer, and a server that logs what
   * it does not expect would answer that, without end.
   */
  protected override refuse(text: string): void {
    const ignored = this.#ignored;
    const [first = ""] = text.split(": ");
    const kind =
      ignored.has(first) || ignored.size < 20 ? first : "Other input";
    const count = ignored.get(kind) ?? 0;
    ignored.set(kind, count + 1);
    if (count === 0) this.warn(text, 1);
  }
}
