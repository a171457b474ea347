import { expect, it } from "vitest";
import { publisher } from "../../../src/runtime/cluster/announcements.js";
import type { Json } from "../kit/index.js";

/** The function that passes on what a server announces, and a clock for it. */
function publishing(takes = true) {
  const published: Json[] = [];
  const reports: string[] = [];
  const calls: [time: number, call: () => void][] = [];
  const waiting = new Map<string, () => void>();
  const publish = publisher(
    { info: { name: "s" }, settings: {}, elicitations: new Map() } as never,
    {
      bus: { publish: (entry: Json) => (published.push(entry), takes) },
    } as never,
    {
      clock: {
        after: (time: number, call: () => void) => calls.push([time, call]),
      },
      waiting,
      report: (error: unknown) => reports.push(String(error)),
    } as never,
  );
  /** Lets the time pass for which repetitions are gathered. */
  const pass = (): number[] =>
    calls.splice(0).map(([time, call]) => (call(), time));
  return { publish, published, reports, waiting, pass };
}

const entry = (method: string, params?: Json): Json => ({
  kind: "announcement",
  server: "s",
  method,
  params,
});

it("an announcement that is repeated within 50 ms goes to other processes once, and so does each other announcement", () => {
  const { publish, published, pass, waiting } = publishing();
  publish("a", undefined);
  publish("a", undefined);
  publish("a", { uri: "1" });
  publish("b", undefined);
  expect(published).toEqual([]);
  expect(pass()).toEqual([50, 50, 50]);
  const first = [entry("a"), entry("a", { uri: "1" }), entry("b")];
  expect([published, waiting.size]).toEqual([first, 0]);
  publish("a", undefined);
  expect(pass()).toEqual([50]);
  expect(published).toEqual([...first, entry("a")]);
});

it("an announcement that a process sends as it leaves is not sent again", () => {
  const { publish, published, pass, waiting } = publishing();
  publish("a", undefined);
  for (const send of waiting.values()) send();
  pass();
  expect(published).toEqual([entry("a")]);
});

it("an announcement that is too long for other processes is reported each time", () => {
  const { publish, reports, pass } = publishing(false);
  for (let i = 0; i < 2; i++) {
    publish("a", undefined);
    pass();
  }
  expect(reports).toEqual(
    Array(2).fill("Error: a is too long for another process."),
  );
});
