import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { either } from "../../src/common/timing.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

it("aborts a combined signal after the time of a timeout that nothing else refers to", async () => {
  const { signal } = new AbortController();
  const combined = either(signal, AbortSignal.timeout(20));
  const fired = once(combined, "abort");
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  await fired;
  expect(combined.reason).toMatchObject({ name: "TimeoutError" });
});
