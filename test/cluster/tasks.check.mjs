import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { principals, revisionOf } from "./actors.ts";
import { lease, secrets } from "./faults.ts";
import { RawClient } from "./raw.ts";
import { startServer } from "./server.ts";
import { Stage } from "./stage.ts";
import { command, startEngine, until } from "./topology.ts";

let stage;
beforeEach(() => void (stage = new Stage()));
afterEach(() => stage.end());

/**
 * A process that was killed is silent for a lease, which the others see with
 * their next heartbeat, in milliseconds.
 */
const whole = lease + 5000;

const eras = [
  { name: "2025-11-25", capabilities: {}, params: { task: { ttl: 600_000 } } },
  {
    name: "2026-07-28",
    capabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } },
    params: {},
  },
];

describe.each(eras)(
  "a task of $name that nobody asks for",
  ({ name, capabilities, params }) => {
    /**
     * Three processes, the first of which has begun a task of a tool. Returns
     * what the tool has recorded of it, too.
     */
    async function start(tool) {
      const engine = await startEngine(stage);
      const options = {
        secrets: [secrets[0]],
        engine: { port: engine.port, library: "redis" },
      };
      const server = await startServer(stage, 3, options);
      const url = `http://127.0.0.1:${server.ports[0]}/mcp`;
      const client = await RawClient.open(
        url,
        revisionOf(name),
        principals[0],
        capabilities,
      );
      const id = `${tool} of ${name}`;
      const begin = async () => {
        const { error } = await client.ask(url, "tools/call", {
          name: tool,
          arguments: { id },
          ...params,
        });
        expect(error).toBeUndefined();
      };
      const records = (at) =>
        server
          .records()
          .filter((record) => record.id === id && record.at === at);
      const { pid } = server.program(0);
      await begin();
      await until("the begin of the work", () => records("begin").length === 1);
      return { engine, server, begin, records, pid };
    }

    it("is finished after its process was killed, once, by one of two others, for its caller", async () => {
      const { server, records, pid } = await start("steps");
      await server.program(0).end("SIGKILL");
      await until("the end of the work", () => records("end").length > 0);
      await pause(whole);
      const [first, second, ...more] = records("begin");
      expect([first.pid, more]).toEqual([pid, []]);
      expect(second.pid).not.toBe(pid);
      expect(second.principal).toBe(principals[0]);
      expect(records("end").map((record) => record.pid)).toEqual([second.pid]);
    });

    it("is finished by a new process after all were killed", async () => {
      const { server, records } = await start("steps");
      await Promise.all(
        [0, 1, 2].map((place) => server.program(place).end("SIGKILL")),
      );
      expect(records("end")).toEqual([]);
      await server.replace(1, "SIGKILL");
      await until("the end of the work", () => records("end").length > 0);
      expect(records("end")[0].pid).toBe(server.program(1).pid);
    });

    it("does not run again if its tool does not allow it", async () => {
      const { server, records } = await start("work");
      await server.program(0).end("SIGKILL");
      await pause(2 * whole);
      expect([records("begin").length, records("end").length]).toEqual([1, 0]);
    });

    it("runs again although the engine was wiped before it was created", async () => {
      const { engine, server, begin, records } = await start("steps");
      await until(
        "the end of the first work",
        () => records("end").length === 1,
      );
      await command(engine.port, "FLUSHALL");
      await begin();
      await until("the begin of the work", () => records("begin").length === 2);
      await server.program(0).end("SIGKILL");
      await until("the end of the work", () => records("end").length === 2);
    });
  },
);
