import {
  memorySharedStore,
  type MemorySharedStore,
  type SharedStore,
} from "@mcpgen/runtime/cluster";
import { describe, expect, it } from "vitest";
import { ask } from "../http/kit/messages.js";
import type { Open } from "../http/kit/server.js";
import { errorOf, resultOf, textOf, turns } from "../kit/index.js";
import { gate, until, watch } from "../kit/watch.js";
import { withTasks } from "../tasks/kit.js";
import { at, closingProcesses } from "./kit.js";
import { callsAt, startTaskProcess, startThree } from "./tasks.kit.js";

closingProcesses();

/**
 * An engine that keeps a copy of its values, and becomes that copy again, as
 * one does whose primary stops before its replica has the last seconds.
 */
function forgetful(): MemorySharedStore & {
  /** Keeps a copy, once `isIt` is true for the key of a value. */
  copy(): void;
  forget(): Promise<void>;
} {
  const store = memorySharedStore();
  const values = new Map<string, readonly [string | undefined, string]>();
  let kept = new Map(values);
  const put: SharedStore["put"] = async (key, value, options) => {
    const isDone = await store.put(key, value, options);
    if (isDone) values.set(key, [value, options.version]);
    return isDone;
  };
  return {
    ...store,
    put,
    copy: () => void (kept = new Map(values)),
    async forget() {
      for (const key of values.keys()) {
        const [value, version = "none"] = kept.get(key) ?? [];
        await store.put(key, value, { ttl: 600_000, version });
      }
      store.interrupt();
    },
  };
}

describe.each(withTasks)(
  "a task of a cluster at $revision whose engine forgets some seconds",
  (revision) => {
    const { get, open, start } = callsAt(revision);

    it.each([
      ["completed", (): string => "A loaf"],
      [
        "failed",
        (): string => {
          throw new Error("No flour.");
        },
      ],
    ] as const)(
      "is %s again, in each process, although the engine says that it is working",
      async (status, work) => {
        const store = forgetful();
        const { ended, end } = gate<void>();
        const processes = startThree(
          revision,
          async (): Promise<string> => {
            await ended;
            return work();
          },
          { store, list: true },
        );
        const [one, two] = processes;
        const session = await open(one);
        const taskId = await start(session);
        store.copy();
        end();
        const result = ask(3, "tasks/result", { taskId });
        const before = await at(two, session).ask(result);
        const view = await get(at(two, session), taskId);
        expect(view["status"]).toBe(status);
        await store.forget();
        for (const process of processes)
          await until(async () => {
            expect(await get(at(process, session), taskId)).toEqual(view);
          });
        const after = await at(two, session).ask(result);
        expect(resultOf(after)).toEqual(resultOf(before));
        const list = await at(two, session).ask(ask(4, "tasks/list"));
        expect(resultOf(list)["tasks"]).toEqual([view]);
      },
    );

    it("stays cancelled, with the error of its cancellation", async () => {
      const store = forgetful();
      const processes = startThree(revision, () => new Promise(() => {}), {
        store,
      });
      const [one, two] = processes;
      const session = await open(one);
      const taskId = await start(session);
      store.copy();
      await at(two, session).ask(ask(3, "tasks/cancel", { taskId }));
      const result = ask(4, "tasks/result", { taskId });
      const before = errorOf(await at(two, session).ask(result));
      await until(async () => {
        const view = await get(at(one, session), taskId);
        return view["status"] === "cancelled";
      });
      // Its process has heard of it.
      await turns(20);
      await store.forget();
      for (const process of processes)
        await until(async () => {
          const view = await get(at(process, session), taskId);
          expect(view["status"]).toBe("cancelled");
        });
      expect(errorOf(await at(two, session).ask(result))).toEqual(before);
    });

    it("repeats no step that its process has done, whether it has ended or not", async () => {
      for (const isForgottenAtEnd of [true, false]) {
        const store = forgetful();
        const steps: string[] = [];
        const seen = watch();
        const { ended, end } = gate<void>();
        const processes = startThree(
          revision,
          async (_, { once }) => {
            for (const step of ["1", "2"])
              await once(step, () => {
                steps.push(step);
                // The engine forgets the result of this step.
                if (step === "2") store.copy();
                return step;
              });
            seen.saw("steps");
            if (!isForgottenAtEnd) await ended;
            return "done";
          },
          { store, restart: true },
        );
        const [one, two] = processes;
        const session = await open(one);
        const taskId = await start(session);
        await seen.until("steps");
        const result = ask(3, "tasks/result", { taskId });
        if (isForgottenAtEnd) await at(two, session).ask(result);
        await store.forget();
        await get(at(one, session), taskId);
        await turns(50);
        end();
        const answer = await at(two, session).ask(result);
        expect(textOf(resultOf(answer))).toBe("done");
        await turns(50);
        expect(steps).toEqual(["1", "2"]);
        for (const process of processes)
          await until(async () => {
            const view = await get(at(process, session), taskId);
            expect(view["status"]).toBe("completed");
          });
      }
    });

    it("runs in one process only, although the engine forgets which one has taken it over", async () => {
      const store = forgetful();
      const seen = watch();
      const ends: Record<string, (text: string) => void> = {};
      const holds: Record<string, Promise<void>> = {};
      const processes: Open[] = ["one", "two", "three"].map((name) =>
        startTaskProcess(
          revision,
          (_, { signal }) => {
            seen.saw(`${name} runs`);
            signal.addEventListener("abort", () => seen.saw(`${name} stops`));
            return new Promise<string>((resolve) => (ends[name] = resolve));
          },
          {
            restart: true,
            store: {
              ...store,
              get: async (key) => {
                if (key.startsWith("tasks/")) await holds[name];
                return store.get(key);
              },
            },
          },
        ),
      );
      const [one, two, three] = processes as [Open, Open, Open];
      const session = await open(one);
      const taskId = await start(session);
      await seen.until("one runs");
      store.copy();
      const [later, last] = [gate<void>(), gate<void>()];
      holds["three"] = later.ended;
      await one.close();
      await seen.until("two runs");
      await get(at(two, session), taskId);
      holds["two"] = last.ended;
      await store.forget();
      later.end();
      await seen.until("three runs");
      await get(at(three, session), taskId);
      last.end();
      await seen.until("two stops");
      ends["two"]?.("two");
      await turns(50);
      ends["three"]?.("three");
      const answer = await at(two, session).ask(
        ask(3, "tasks/result", { taskId }),
      );
      expect(textOf(resultOf(answer))).toBe("three");
      expect(seen.events).not.toContain("three stops");
    });

    it("is known again to each process while it runs, although the engine has lost it", async () => {
      const store = forgetful();
      const { ended, end } = gate<string>();
      const processes = startThree(revision, () => ended, { store });
      const [one, two] = processes;
      const session = await open(one);
      store.copy();
      const taskId = await start(session);
      await store.forget();
      await until(async () => {
        const view = await get(at(two, session), taskId);
        expect(view["status"]).toBe("working");
      });
      end("done");
      const answer = await at(two, session).ask(
        ask(3, "tasks/result", { taskId }),
      );
      expect(textOf(resultOf(answer))).toBe("done");
    });

    it("does not stay without a process after replies that lack it for a while", async () => {
      const store = memorySharedStore();
      const { ended, end } = gate<string>();
      let isWrong = false;
      const one = startTaskProcess(revision, () => ended, {
        store: {
          ...store,
          get: async (key) => (isWrong ? undefined : store.get(key)),
        },
      });
      const two = startTaskProcess(revision, () => ended, { store });
      const session = await open(one);
      const taskId = await start(session);
      isWrong = true;
      await get(at(two, session), taskId);
      store.interrupt();
      await turns(50);
      isWrong = false;
      store.interrupt();
      end("done");
      const answer = await at(two, session).ask(
        ask(3, "tasks/result", { taskId }),
      );
      expect(textOf(resultOf(answer))).toBe("done");
    });
  },
);
