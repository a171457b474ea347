import { randomBytes } from "node:crypto";
import { type SharedValues, tokenStore, type TokenStore } from "@mcpgen/auth";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memorySharedStore } from "../../../src/runtime/cluster/store.js";
import { failure } from "../kit/index.js";
import { grant } from "./grant.js";

const secrets = ["the first secret, of 32 bytes or more"];
const key = JSON.stringify(["grant", "https://mcp.example.com/mcp", ""]);

afterEach(() => void vi.useRealTimers());

/** Time passes as a test says, also in the store. */
const stopTime = (): void =>
  void vi.useFakeTimers({
    toFake: [
      "setTimeout",
      "clearTimeout",
      "setInterval",
      "clearInterval",
      "performance",
      "Date",
    ],
  });

/** Lets time pass until the work ends. */
async function settled(work: Promise<unknown> | undefined): Promise<void> {
  const state = { hasEnded: false };
  void Promise.resolve(work).finally(() => (state.hasEnded = true));
  while (!state.hasEnded) {
    await vi.advanceTimersByTimeAsync(500);
    // Encryption takes real time.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Holds a lock until `end` is called. Resolves once it is held. */
function hold(
  tokens: TokenStore,
  last: () => Promise<void> = () => Promise.resolve(),
): Promise<{ end(): void; whole: Promise<unknown> | undefined }> {
  return new Promise((held) => {
    const whole = tokens.lock?.(key, async () => {
      await tokens.get(key);
      await new Promise<void>((end) => held({ end, whole: later }));
      await last();
    });
    const later = Promise.resolve().then(() => whole);
  });
}

/** The texts that an engine gets. */
function watched(store: SharedValues): {
  store: SharedValues;
  texts: string[];
} {
  const texts: string[] = [];
  const put: SharedValues["put"] = (name, value, options) => {
    texts.push(name, value ?? "");
    return store.put(name, value, options);
  };
  return { store: { ...store, put }, texts };
}

/** A store that answers until the process is "killed". */
function mortal(store: SharedValues): SharedValues & { kill(): void } {
  let isDead = false;
  return {
    get: (name) => (isDead ? new Promise(() => {}) : store.get(name)),
    put: (...args) => (isDead ? new Promise(() => {}) : store.put(...args)),
    kill: () => void (isDead = true),
  };
}

describe("tokenStore", () => {
  it("keeps an entry for another process with the same secrets, and removes it", async () => {
    const store = memorySharedStore();
    await tokenStore(store, { secrets }).set(key, grant("first"));
    expect(await tokenStore(store, { secrets }).get(key)).toEqual(
      grant("first"),
    );
    expect(await tokenStore(store, { secrets }).get(`${key}.`)).toBeUndefined();
    await tokenStore(store, { secrets }).set(key, undefined);
    expect(await tokenStore(store, { secrets }).get(key)).toBeUndefined();
  });

  it("gives the engine neither tokens nor the names of servers", async () => {
    const { store, texts } = watched(memorySharedStore());
    const tokens = tokenStore(store, { secrets });
    await tokens.lock?.(key, () =>
      Promise.resolve(tokens.set(key, grant("a-secret-token"))),
    );
    expect(texts.length).toBe(6);
    expect(texts.join("\n")).not.toMatch(
      /a-secret-token|example\.com|grant|files/,
    );
  });

  it("reads what any of its secrets encrypted, and writes with the first", async () => {
    const store = memorySharedStore();
    const other = randomBytes(32);
    await tokenStore(store, { secrets }).set(key, grant("first"));
    const both = tokenStore(store, { secrets: [other, ...secrets] });
    expect(await both.get(key)).toEqual(grant("first"));
    await both.set(key, grant("second"));
    expect(await tokenStore(store, { secrets: [other] }).get(key)).toEqual(
      grant("second"),
    );
    expect(
      (await failure(tokenStore(store, { secrets }).get(key))).message,
    ).toBe(
      "The store has tokens that other secrets encrypted. Give all processes the same secrets.",
    );
  });

  it("does not read a value that somebody moved to another key", async () => {
    const { store, texts } = watched(memorySharedStore());
    await tokenStore(store, { secrets }).set(key, grant("first"));
    const moved = { ...store, get: () => store.get(texts[0] ?? "") };
    expect(await tokenStore(moved, { secrets }).get(key)).toEqual(
      grant("first"),
    );
    expect(
      (await failure(tokenStore(moved, { secrets }).get(`${key}.`))).message,
    ).toContain("other secrets");
  });

  it.each([
    [[], /^tokenStore: secrets\[0\]: expected at least 32 bytes, got 0\. /],
    [
      ["short"],
      /^tokenStore: secrets\[0\]: expected at least 32 bytes, got 5\. Make one with /,
    ],
    [
      [...secrets, undefined],
      /^tokenStore: secrets\[1\]: expected at least 32 bytes, got 0\. /,
    ],
  ])("refuses the secrets %j", (some, message) => {
    expect(() => tokenStore(memorySharedStore(), { secrets: some })).toThrow(
      message,
    );
  });

  it("removes a pending sign-in when it expires, and keeps a grant for years", async () => {
    stopTime();
    const tokens = tokenStore(memorySharedStore(), { secrets });
    const expires = Date.now() + 60_000;
    await tokens.set("pending", { kind: "sign-in", expires } as never);
    await tokens.set(key, grant("first"));
    vi.advanceTimersByTime(59_000);
    expect(await tokens.get("pending")).toMatchObject({ kind: "sign-in" });
    vi.advanceTimersByTime(1000);
    expect(await tokens.get("pending")).toBeUndefined();
    vi.advanceTimersByTime(5 * 365 * 86_400_000);
    expect(await tokens.get(key)).toEqual(grant("first"));
  });
});

describe("the lock of tokenStore", () => {
  it("lets one holder of a key work at a time, in all processes, also after an error", async () => {
    const store = memorySharedStore();
    let working = 0;
    let most = 0;
    const work = async (): Promise<string> => {
      most = Math.max(most, ++working);
      await new Promise((resolve) => setTimeout(resolve, 5));
      working--;
      throw new Error("The work failed.");
    };
    const runs = Array.from({ length: 6 }, () =>
      tokenStore(store, { secrets }).lock?.(key, work),
    );
    const results = await Promise.allSettled(runs);
    expect(
      results.map(
        (result) => result.status === "rejected" && String(result.reason),
      ),
    ).toEqual(results.map(() => "Error: The work failed."));
    expect(most).toBe(1);
  });

  it("stays with a holder whose person signs in for minutes", async () => {
    stopTime();
    const store = memorySharedStore();
    const first = await hold(tokenStore(store, { secrets }));
    const work = vi.fn(() => Promise.resolve());
    const second = tokenStore(store, { secrets }).lock?.(key, work);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(work).not.toHaveBeenCalled();
    first.end();
    await settled(second);
    expect(work).toHaveBeenCalledOnce();
  });

  it("goes to another process ten seconds after its holder was killed", async () => {
    stopTime();
    const store = memorySharedStore();
    const dead = mortal(store);
    await hold(tokenStore(dead, { secrets }));
    dead.kill();
    const work = vi.fn(() => Promise.resolve());
    const second = tokenStore(store, { secrets }).lock?.(key, work);
    await vi.advanceTimersByTimeAsync(9900);
    expect(work).not.toHaveBeenCalled();
    await settled(second);
    expect(work).toHaveBeenCalledOnce();
  });

  it("drops the write of a holder that lost the lock, if another process has written since", async () => {
    stopTime();
    const store = memorySharedStore();
    let isFrozen = false;
    const put: SharedValues["put"] = (name, ...rest) =>
      isFrozen && name.startsWith("lock/")
        ? Promise.reject(new Error("no answer"))
        : store.put(name, ...rest);
    const frozen = tokenStore({ ...store, put }, { secrets });
    const other = tokenStore(store, { secrets });
    await frozen.set(key, grant("old"));
    const late = await hold(frozen, async () => frozen.set(key, grant("late")));
    isFrozen = true;
    await vi.advanceTimersByTimeAsync(11_000);
    await settled(
      other.lock?.(key, async () => {
        await other.get(key);
        await other.set(key, grant("newer"));
      }),
    );
    late.end();
    await settled(late.whole);
    expect(await other.get(key)).toEqual(grant("newer"));
  });

  it("lets a holder that wrote write again, and remove", async () => {
    const tokens = tokenStore(memorySharedStore(), { secrets });
    await tokens.lock?.(key, async () => {
      expect(await tokens.get(key)).toBeUndefined();
      await tokens.set(key, grant("first"));
      await tokens.set(key, grant("second"));
      expect(await tokens.get(key)).toEqual(grant("second"));
      await tokens.set(key, undefined);
    });
    expect(await tokens.get(key)).toBeUndefined();
  });

  describe("once its holder has ended", () => {
    /** An engine that notes what it gets, and may fail. */
    const open = (store: SharedValues = memorySharedStore()) => {
      stopTime();
      const { store: seen, texts } = watched(store);
      return { tokens: tokenStore(seen, { secrets }), store, texts };
    };
    const value = Promise.resolve("value");

    it("is not renewed", async () => {
      const { tokens, texts } = open();
      await settled(tokens.lock?.(key, () => value));
      const { length } = texts;
      await vi.advanceTimersByTimeAsync(60_000);
      expect(texts.length).toBe(length);
    });

    it("goes to another process at its first attempt", async () => {
      const { tokens, store } = open();
      await settled(tokens.lock?.(key, () => value));
      const next = open(store);
      await settled(next.tokens.lock?.(key, () => value));
      const [name] = next.texts;
      // It takes the lock, and removes it.
      expect(next.texts).toEqual([name, "", name, ""]);
    });

    it("does not refuse what its process writes later, although another one has written since", async () => {
      const { tokens, store } = open();
      await settled(tokens.lock?.(key, async () => tokens.get(key)));
      await tokenStore(store, { secrets }).set(key, grant("theirs"));
      await tokens.set(key, grant("ours"));
      expect(await tokens.get(key)).toEqual(grant("ours"));
    });

    it("resolves with the result of the work, although the engine does not remove it", async () => {
      const { put, ...rest } = memorySharedStore();
      const { tokens } = open({
        ...rest,
        put: (name, text, options) =>
          text === undefined
            ? Promise.reject(new Error("no answer"))
            : put(name, text, options),
      });
      const locked = tokens.lock?.(key, () => value);
      await settled(Promise.resolve(locked).catch(() => {}));
      expect(await locked).toBe("value");
    });
  });

  it("rejects, as the request does, while the engine does not answer", async () => {
    const put = (): Promise<boolean> =>
      Promise.reject(new Error("The engine did not answer within 2000 ms."));
    const tokens = tokenStore({ ...memorySharedStore(), put }, { secrets });
    const error = await failure(
      tokens.lock?.(key, () => Promise.resolve()) ?? Promise.resolve(),
    );
    expect(error.message).toBe("The engine did not answer within 2000 ms.");
  });
});
