import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Connections } from "../../../../src/runtime/core/role/http-server/serve-node.js";
import { runs } from "../../../whole.js";

class Socket extends EventEmitter {
  isOpen = true;

  destroy(): void {
    this.isOpen = false;
    this.emit("close");
  }
}

/** The connections of a server that has at most `max`. */
function serving(max: number) {
  const server = new EventEmitter();
  const all = new Connections(server as Server, max);
  const begin = (socket: Socket) => all.begin(socket as unknown as Duplex);
  const isIdle = (socket: Socket) => all.isIdle(socket as unknown as Duplex);
  const connect = (): Socket => {
    const socket = new Socket();
    server.emit("connection", socket);
    return socket;
  };
  return { all, begin, isIdle, connect };
}

const max = 4;
const which = fc.nat(7);
const step = fc.oneof(
  fc.constant(["connect", 0] as const),
  fc.tuple(fc.constantFrom("begin", "end", "leave"), which),
);

describe("the connections of a server", () => {
  it("are closed above the limit, the longest idle first, after any requests", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
        const { begin, isIdle, connect } = serving(max);
        const sockets: Socket[] = [];
        const open = new Map<Socket, ReturnType<typeof begin>[]>();
        /** Those without a request, the longest idle first. */
        let idle: Socket[] = [];
        for (const [what, i] of steps) {
          const socket = [...open.keys()][i % Math.max(1, open.size)];
          if (what === "connect") {
            const made = connect();
            sockets.push(made);
            open.set(made, []);
            idle.push(made);
            if (open.size > max) open.delete(idle.shift() as Socket);
          } else if (!socket) continue;
          else if (what === "begin") {
            open.get(socket)?.push(begin(socket));
            idle = idle.filter((one) => one !== socket);
          } else if (what === "leave") {
            socket.destroy();
            open.delete(socket);
            idle = idle.filter((one) => one !== socket);
          } else {
            const requests = open.get(socket) ?? [];
            const request = requests.shift();
            request?.end();
            if (request && requests.length === 0) idle.push(socket);
          }
          expect(sockets.filter(({ isOpen }) => isOpen)).toEqual([
            ...open.keys(),
          ]);
          expect(sockets.filter(isIdle)).toEqual(
            [...open.keys()].filter((one) => idle.includes(one)),
          );
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it("are closed with the server: idle ones at once, others after their last request, and new ones", () => {
    const { all, begin, connect } = serving(max);
    const [idle, busy] = [connect(), connect()];
    const requests = [begin(busy), begin(busy)];
    const isOpen = () => [idle.isOpen, busy.isOpen];
    all.close();
    expect(isOpen()).toEqual([false, true]);
    requests[0]?.end();
    expect(isOpen()).toEqual([false, true]);
    requests[1]?.end();
    expect(isOpen()).toEqual([false, false]);
    expect(connect().isOpen).toBe(false);
    expect(begin(new Socket())).toBe(undefined);
  });
});
