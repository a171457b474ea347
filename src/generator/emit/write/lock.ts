import { readdirSync, unlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { schemaError } from "../../diagnostics.js";
import {
  withProcessLock,
  type LockHolder,
} from "../../../common/process-lock.js";
import { removeEmpty, withDiskErrors } from "./disk.js";
import { fileAt, stateFolder } from "./paths.js";

/**
 * How long a run waits for another one that holds the lock, in milliseconds.
 */
const maxWait = 5000;

/**
 * Runs work while no other run writes to a directory. Removes the temporary
 * files of the work, and those of a run that was killed.
 *
 * @throws SchemaError if another run does not end within some seconds
 */
export async function withLock<T>(
  out: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return await withDiskErrors(() => locked(out, work, signal));
}

async function locked<T>(
  out: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  fileAt(out, `${stateFolder}/lock`);
  const state = join(out, stateFolder);
  const lock = join(state, "lock");
  const run = async (): Promise<T> => {
    clear(state);
    try {
      return await work();
    } finally {
      clear(state);
    }
  };
  try {
    return await withProcessLock(lock, run, {
      patience: maxWait,
      signal,
      refuse,
    });
  } finally {
    removeEmpty([state]);
  }
}

/** Other runs, which wait for the lock, may have files of their own. */
function clear(state: string): void {
  for (const name of readdirSync(state))
    if (!name.startsWith("lock")) unlinkSync(join(state, name));
}

function refuse({ pid, host }: LockHolder): Error {
  const where =
    host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`;
  return schemaError(
    "MG807",
    `another run of mcpgen (${where}) is writing to this directory`,
    `wait for it to end; if it no longer runs, delete ${stateFolder}/lock there`,
  );
}
