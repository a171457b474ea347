import { type Json, text } from "../../kit/index.js";
import type { Answer, Event } from "./exchange.js";
import { named, type Tools } from "./server.js";

/** The newest revision that specifies how streams are resumed. */
export const resuming = named("2025-11-25");

/** All events until the stream ends. */
export async function rest(answer: Answer): Promise<Event[]> {
  const events: Event[] = [];
  for (let event = await answer.next(); event; event = await answer.next())
    events.push(event);
  return events;
}

/** The messages among them. */
export const messages = (events: readonly Event[]): Json[] =>
  events.flatMap(({ data }) => (data ? [JSON.parse(data) as Json] : []));

/** A tool whose messages a test sends step by step. */
export function stepping(): { tools: Tools; step(count?: number): void } {
  let go: (() => void) | undefined;
  let ready = 0;
  const step = (count = 1): void => {
    ready += count;
    go?.();
  };
  return {
    step,
    tools: {
      steps: async ({ count = 3, release }, context) => {
        for (let i = 1; i <= Number(count); i++) {
          if (--ready < 0) await new Promise<void>((resolve) => (go = resolve));
          context.progress(i);
          if (release === i) context.release(25);
        }
        return text("stepped");
      },
    },
  };
}
