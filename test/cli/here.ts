import { run } from "../../src/cli/run.js";
import { makeStyle, type Terminal } from "../../src/cli/terminal.js";
import { directory } from "./support.js";

/** What a run in this process printed. */
export interface RunOutput {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The status lines of a terminal. */
  readonly statuses: readonly (string | null)[];
}

/** Runs a command line in this process, in an empty folder by default. Signals, colours and streams need a process: see `mcpgen`. */
export async function runHere(args: readonly string[], at: string = directory()): Promise<RunOutput> {
  let out = "";
  let err = "";
  const statuses: (string | null)[] = [];
  const plain = makeStyle(false);
  const terminal: Terminal = {
    directory: at,
    out: async (text) => void (out += text),
    tell: (text) => void (err += text),
    status: (text) => void statuses.push(text),
    input: (async function* () {})(),
    dialogue: null,
    columns: 100,
    style: plain,
    dataStyle: plain,
    signal: new AbortController().signal,
  };
  const code = await run(args, terminal);
  return { code, out, err, statuses };
}
