import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { freePort } from "../free-port.js";
import type { ToolRecord } from "./evidence.js";
import { generated } from "./generated.js";
import { programForNode, runtimeSources } from "../sources.js";
import type { Program, Stage } from "./stage.js";
import { until } from "./topology.js";

const here = fileURLToPath(new URL(".", import.meta.url));

/** For esbuild: the generated code with the tasks extension. */
const extended: Plugin = {
  name: "generated code with the tasks extension",
  setup(builder) {
    builder.onResolve({ filter: /\/generated\/index\.js$/ }, () => ({
      path: join(generated, "index.ts"),
    }));
  },
};

/** What a process of the server is told at its start. */
export interface ProgramConfig extends ProgramOptions {
  readonly port: number;
  /** Where the processes keep their records and the truth. */
  readonly folder: string;
}

/** What a test decides about the processes. */
export interface ProgramOptions {
  /**
   * The secrets of the cluster; without them, the processes know nothing of
   * each other.
   */
  readonly secrets?: readonly string[];
  /** Maximum number of tasks of a requester. */
  readonly requesterTasks?: number;
  /** The port of the engine, and the library that talks to it. */
  readonly engine?: { readonly port: number; readonly library: string };
}

/** What a process of the server is told later. Times are in milliseconds. */
export interface Command {
  /** Computes without a pause. */
  readonly block?: number;
  /** Shifts the clock. */
  readonly clock?: number;
}

/** The processes of one server, each on a port that it keeps. */
export interface Server {
  readonly ports: readonly number[];
  /** The present process at a place. */
  program(place: number): Program;
  /**
   * Ends the process at a place by a signal and starts the next one there, with
   * these options from now on.
   */
  replace(
    place: number,
    signal: NodeJS.Signals,
    options?: ProgramOptions,
  ): Promise<void>;
  tell(place: number, command: Command): void;
  records(): ToolRecord[];
  /** The version that all listeners should know in the end. */
  truth(): number;
}

export async function startServer(
  stage: Stage,
  count: number,
  options: ProgramOptions = {},
): Promise<Server> {
  // Where it finds the libraries for the engine.
  const own = mkdtempSync(join(here, "node_modules/.program-"));
  stage.defer(() => rmSync(own, { recursive: true, force: true }));
  const outfile = join(own, "program.mjs");
  await build({
    ...programForNode,
    entryPoints: [join(here, "program.ts")],
    outfile,
    external: ["redis", "ioredis", "iovalkey"],
    plugins: [extended, runtimeSources],
  });
  for (const name of ["truth", "records"])
    writeFileSync(join(stage.folder, name), "");
  const ports: number[] = [];
  const programs: Program[] = [];
  const optionsOf = new Map<number, ProgramOptions>();
  const start = async (place: number): Promise<void> => {
    const port = ports[place] ?? 0;
    const config: ProgramConfig = {
      ...options,
      ...optionsOf.get(place),
      port,
      folder: stage.folder,
    };
    const name = `server-${place}`;
    const program = stage.start(
      name,
      process.execPath,
      [outfile, JSON.stringify(config)],
      "pipe",
    );
    programs[place] = program;
    await until(`the start of ${name}`, async () => {
      return (
        program.hasEnded() ||
        (await fetch(`http://127.0.0.1:${port}/health`)).ok
      );
    });
    if (program.hasEnded())
      throw new Error(`${name} has ended: ${stage.log(name)}`);
  };
  for (let place = 0; place < count; place++) ports.push(await freePort());
  await Promise.all(ports.map((_, place) => start(place)));
  const program = (place: number): Program => {
    const found = programs[place];
    if (!found) throw new Error(`There is no process at place ${place}.`);
    return found;
  };
  const read = (name: string): string =>
    readFileSync(join(stage.folder, name), "utf8");
  return {
    ports,
    program,
    async replace(place, signal, own) {
      if (own) optionsOf.set(place, own);
      await program(place).end(signal);
      await start(place);
    },
    tell: (place, command) =>
      void program(place).child.stdin?.write(`${JSON.stringify(command)}\n`),
    records: () =>
      read("records")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as ToolRecord),
    truth: () => read("truth").length,
  };
}
