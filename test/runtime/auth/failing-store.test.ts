import {
  memoryStore,
  oauth,
  type SharedValues,
  tokenStore,
  type TokenStore,
} from "@mcpgen/auth";
import { describe, expect, it } from "vitest";
import { memorySharedStore } from "../../../src/runtime/cluster/store.js";
import { failure } from "../kit/index.js";
import { setUp } from "./kit/index.js";

const page = "https://app.example.com/signed-in";
const secrets = ["s".repeat(32)];

/** Replaces each method of a store. */
type Wrap = <Store extends object>(store: Store) => Store;

/** The stores, each around methods that a test can make fail. */
const stores: readonly (readonly [string, (wrap: Wrap) => TokenStore])[] = [
  ["in memory", (wrap) => wrap(memoryStore())],
  [
    "without locks",
    (wrap) => {
      const { get, set } = memoryStore();
      return wrap({ get, set });
    },
  ],
  [
    "of an engine that processes share",
    (wrap) => {
      const { get, put } = memorySharedStore();
      const counted = wrap<SharedValues>({ get, put });
      // A lock ends by itself, so nobody needs to hear that it was not released.
      const isRelease = (key: string, value?: string): boolean =>
        key.startsWith("lock/") && value === undefined;
      const shared: SharedValues = {
        get: counted.get,
        put: (key, value, options) =>
          (isRelease(key, value) ? put : counted.put)(key, value, options),
      };
      return tokenStore(shared, { secrets });
    },
  ],
];

/**
 * A web application whose store fails at one operation, counted from 1. It is
 * one process, or each of its steps runs in another one.
 */
function application(
  makeStore: (wrap: Wrap) => TokenStore,
  isOneProcess: boolean,
  failing = 0,
) {
  const scene = setUp();
  /** What was done to the store and sent to the token endpoint, in order. */
  const steps: string[] = [];
  let count = 0;
  const broken = new Error("The disk is full.");
  const store = makeStore((inner) => {
    const names = Object.keys(inner) as (keyof typeof inner)[];
    const wrapped = names.map((name) => {
      const method = inner[name] as (...args: unknown[]) => unknown;
      const counted = async (...args: unknown[]): Promise<unknown> => {
        count++;
        steps.push(`${count}. ${String(name)}`);
        if (count === failing) throw broken;
        return method.apply(inner, args);
      };
      return [name, counted] as const;
    });
    return Object.fromEntries(wrapped) as typeof inner;
  });
  const makeAuth = () =>
    oauth(
      scene.options({
        login: { page },
        store,
        fetch: (url, init) => {
          if (String(url).endsWith("/token")) steps.push("token");
          return scene.world.fetch(url, init);
        },
      }),
    );
  const only = makeAuth();
  const auth = isOneProcess ? () => only : makeAuth;
  return {
    steps,
    broken,
    /**
     * A person signs in at the page, unless the process has a token that it
     * could not store.
     */
    signIn: async () => {
      const error = await scene.connect(auth()).then(
        () => undefined,
        (reason: unknown) => reason as Error & { signInUrl?: string },
      );
      if (!error) return;
      if (error.signInUrl === undefined) throw error;
      const { headers } = await scene.world.fetch(error.signInUrl);
      await auth().answer(headers.get("location") ?? "");
    },
    use: () => scene.connect(auth()),
  };
}

describe.each(stores)("a store %s that fails once", (_, makeStore) => {
  it.each([
    ["in the same process", true],
    ["in another process", false],
  ])(
    "says so whichever operation of a sign-in fails, asks for no token after it, and takes the next sign-in %s",
    async (_place, isOneProcess) => {
      const whole = application(makeStore, isOneProcess);
      await whole.signIn();
      const { length: count } = whole.steps.filter((step) => step !== "token");
      expect(count).toBeGreaterThan(3);
      for (let failing = 1; failing <= count; failing++) {
        const { signIn, use, steps, broken } = application(
          makeStore,
          isOneProcess,
          failing,
        );
        const error = (await failure(signIn())) as Error;
        expect(error.cause ?? error).toBe(broken);
        const after = steps.findIndex((step) =>
          step.startsWith(`${failing}. `),
        );
        expect(steps.slice(after)).not.toContain("token");
        await signIn();
        await use();
      }
    },
  );
});
