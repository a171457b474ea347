import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { freePort } from "../free-port.js";
import { root } from "../repository.js";
import { programForNode } from "../sources.js";
import type { Program, Stage } from "./stage.js";
import { until } from "./topology.js";

/** What a process of the server is told at its start. */
export interface ProgramConfig {
  readonly port: number;
  /** Where the processes keep their records and the truth. */
  readonly folder: string;
}

/** What a process of the server is told later. Times are in milliseconds. */
export interface Command {
  /** Computes without a pause. */
  readonly block?: number;
  /** Shifts the clock. */
  readonly clock?: number;
}

/** What a tool has done, as it says itself. */
export interface ToolRecord {
  readonly id: string;
  readonly at: string;
  readonly pid: number;
  readonly principal: string;
}

/** The processes of one server, each on a port that it keeps. */
export interface Server {
  readonly ports: readonly number[];
  /** The present process at a place. */
  program(place: number): Program;
  /** Ends the process at a place by a signal and starts the next one there. Returns the number of the one that ended. */
  replace(place: number, signal?: NodeJS.Signals): Promise<number>;
  tell(place: number, command: Command): void;
  records(): ToolRecord[];
  /** The version that all listeners should know in the end. */
  truth(): number;
}

export async function startServer(
  stage: Stage,
  count: number,
  options: Omit<ProgramConfig, "port" | "folder"> = {},
): Promise<Server> {
  const outfile = join(stage.folder, "program.mjs");
  const entry = join(root, "test/cluster/program.ts");
  await build({ ...programForNode, entryPoints: [entry], outfile });
  for (const name of ["truth", "records"]) writeFileSync(join(stage.folder, name), "");
  const ports: number[] = [];
  const programs: Program[] = [];
  const start = async (place: number): Promise<void> => {
    const port = ports[place] ?? 0;
    const config: ProgramConfig = { ...options, port, folder: stage.folder };
    const name = `server-${place}`;
    const program = stage.start(name, process.execPath, [outfile, JSON.stringify(config)], "pipe");
    programs[place] = program;
    // A process may be killed while it starts.
    await until(`the start of ${name}: ${stage.log(name)}`, async () => {
      if (program.hasEnded()) return true;
      return (await fetch(`http://127.0.0.1:${port}/health`)).ok;
    });
  };
  for (let place = 0; place < count; place++) ports.push(await freePort());
  await Promise.all(ports.map((_, place) => start(place)));
  const program = (place: number): Program => {
    const found = programs[place];
    if (!found) throw new Error(`There is no process at place ${place}.`);
    return found;
  };
  const read = (name: string): string => readFileSync(join(stage.folder, name), "utf8");
  return {
    ports,
    program,
    async replace(place, signal = "SIGKILL") {
      const { pid, end } = program(place);
      await end(signal);
      await start(place);
      return pid;
    },
    tell: (place, command) => void program(place).child.stdin?.write(`${JSON.stringify(command)}\n`),
    records: () =>
      read("records")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as ToolRecord),
    truth: () => read("truth").length,
  };
}
