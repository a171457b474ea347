import type { Sealer } from "../../common/secrets.js";
import { shortJson } from "../core/short-json.js";
import type { BusEntry } from "./processes.js";
import type { SharedStore } from "./store.js";

/** The log that all processes share. */
export const log = "bus";
const logOptions = { ttl: 600_000, keep: 10_000 };
/**
 * Maximum number of entries that wait for the store; the oldest are dropped
 * first, and the readers see the gap.
 */
const maxUnsent = 10_000;
/** Maximum length of these entries, in characters. */
const maxUnsentText = 33_554_432;
/**
 * Maximum number of entries that are sent together, and their length, in
 * characters, which exceeds that of one entry.
 */
const maxBatch = 100;
const maxBatchText = 1_048_576;
/** Maximum length of an entry, in bytes of its JSON. */
const maxEntry = 65_536;

interface Unsent {
  readonly count: number;
  readonly text: string;
}

/** What an outbox needs of its bus. */
export interface OutboxOptions {
  readonly store: Pick<SharedStore, "append" | "follow">;
  /** The name of this process, which no other one ever has. */
  readonly self: string;
  /**
   * Seals an entry, so that it opens only as that of its author with its
   * number.
   */
  readonly sealer: Sealer;
  /**
   * Called when the store takes entries again, after an error that was
   * reported.
   */
  back(): void;
}

const lengthOf = (entries: readonly Unsent[]): number =>
  entries.reduce((sum, { text }) => sum + text.length, 0);

/**
 * The entries of this process on their way to the log. A store that is away for
 * a minute loses none of them: they wait here, and are appended in their order.
 *
 * `failed` resolves when the store may be asked again.
 */
export function makeOutbox(
  { store, self, sealer, back }: OutboxOptions,
  failed: (error: unknown, isAway: boolean) => Promise<void>,
) {
  let last = 0;
  let unsent: Unsent[] = [];
  let sending: Promise<void> | undefined;
  let isClosed = false;

  /** Sends what waits, and what comes meanwhile. */
  async function send(): Promise<void> {
    for (let isAway = false; unsent.length > 0;) {
      try {
        await sendBatch();
        if (isAway) back();
        isAway = false;
      } catch (error) {
        await failed(error, isAway);
        isAway = true;
      }
    }
    sending = undefined;
  }

  async function sendBatch(): Promise<void> {
    let length = 0;
    const fits = ({ text }: Unsent): boolean =>
      (length += text.length) <= maxBatchText;
    const batch = unsent.slice(0, maxBatch).filter(fits);
    const entries = batch.map(async ({ count, text }) => {
      const name = `${self}.${count}`;
      return `${name}.${await sealer.seal(text, name)}`;
    });
    await store.append(log, await Promise.all(entries), logOptions);
    const { count: sent } = batch.at(-1) as Unsent;
    unsent = unsent.filter(({ count }) => count > sent);
  }

  return {
    /** The number of entries that the store has not taken yet. */
    get unsent(): number {
      return unsent.length;
    },
    /** The number of the last entry. */
    get last(): number {
      return last;
    },
    /**
     * Appends an entry. It is sent until the store takes it, also if that means
     * twice. False if it is too long.
     */
    publish(entry: BusEntry): boolean {
      const text = shortJson(entry, maxEntry);
      if (text === undefined) return false;
      // Other processes count any entry as a heartbeat, so nothing is written
      // after `close`.
      if (isClosed) return true;
      unsent.push({ count: ++last, text });
      while (unsent.length > maxUnsent || lengthOf(unsent) > maxUnsentText)
        unsent.shift();
      sending ??= send();
      return true;
    },
    /** Resolves once the store has taken all, or after `time`. */
    async close(time: Promise<void>): Promise<void> {
      isClosed = true;
      await Promise.race([sending, time]);
      unsent = [];
    },
  };
}
