import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Connection } from "../../../../src/runtime/core/jsonrpc/connection.js";
import { SessionTransport } from "../../../../src/runtime/core/role/http-server/session-transport.js";
import { EventStream } from "../../../../src/runtime/core/role/http-server/stream.js";
import { turns } from "../../kit/index.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Resolves once no connection is referenced. */
export async function nothing(): Promise<void> {
  for (const kind of [Connection, SessionTransport, EventStream]) {
    while (queryObjects(kind, { format: "count" }) > 0) await turns(100);
  }
}

/** The bytes in use after a garbage collection. */
export async function used(): Promise<number> {
  await turns(10);
  collect();
  await turns(2);
  collect();
  return process.memoryUsage().heapUsed;
}
