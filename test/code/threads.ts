import { createRequire, syncBuiltinESMExports } from "node:module";
import type { WorkerOptions } from "node:worker_threads";

const threads = createRequire(import.meta.url)(
  "node:worker_threads",
) as typeof import("node:worker_threads");

/** What the thread of one run sent to the thread of the host. */
export interface Sent {
  readonly engine: string;
  /** The program without types, in its function. */
  readonly program: string;
  /** The bytes of the text in each message. */
  readonly bytes: readonly number[];
}

const list: Sent[] = [];

/** What the threads of a program have sent. */
export const sentBy = (program: string, engine: string): readonly Sent[] =>
  list.filter(
    (sent) => sent.engine === engine && sent.program.includes(program),
  );

function bytesIn(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>(
    (sum, member) => sum + bytesIn(member),
    0,
  );
}

// The built entry gets this class in place of that of Node.js.
threads.Worker = class extends threads.Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(file, options);
    const { engine, program } = (options?.workerData ?? {}) as Partial<Sent>;
    if (engine === undefined || program === undefined) return;
    const bytes: number[] = [];
    list.push({ engine, program, bytes });
    this.on("message", (message) => bytes.push(bytesIn(message)));
  }
};
syncBuiltinESMExports();
