import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ClientConnection } from "../../../../src/runtime/core/jsonrpc/client-connection.js";
import { Connection } from "../../../../src/runtime/core/jsonrpc/connection.js";
import { SessionTransport } from "../../../../src/runtime/core/role/http-server/session-transport.js";
import { EventStream } from "../../../../src/runtime/core/role/http-server/stream.js";
import { turns } from "../../kit/index.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const kinds = [Connection, ClientConnection, SessionTransport, EventStream];
const countOf = (kind: (typeof kinds)[number]): number =>
  queryObjects(kind, { format: "count" });

/**
 * The objects before a test makes any: the prototype of a class that extends
 * another one counts as an object of that one.
 */
const before = new Map(kinds.map((kind) => [kind, countOf(kind)]));

/** Resolves once no connection is referenced. */
export async function nothing(): Promise<void> {
  for (const kind of kinds)
    while (countOf(kind) > (before.get(kind) ?? 0)) await turns(100);
}

/** The bytes in use after a garbage collection. */
export async function used(): Promise<number> {
  await turns(10);
  collect();
  await turns(2);
  collect();
  return process.memoryUsage().heapUsed;
}
