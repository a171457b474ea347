import { setTimeout as pause } from "node:timers/promises";
import type { Kill } from "./invariants.js";
import type { Server } from "./server.js";

/** Kills one process after the other, one each second. `stop` returns what was killed. */
export function killEachSecond(server: Server): { stop(): Promise<Kill[]> } {
  const kills: Kill[] = [];
  const stopped = new AbortController();
  const run = async (): Promise<void> => {
    for (let turn = 0; !stopped.signal.aborted; turn++) {
      await pause(1000);
      const at = Date.now();
      const pid = await server.replace(turn % server.ports.length);
      kills.push({ pid, at, until: Date.now() });
    }
  };
  const running = run();
  return {
    async stop() {
      stopped.abort();
      await running;
      return kills;
    },
  };
}
