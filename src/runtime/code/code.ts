import { checkInstalled } from "../core/installed.js";
import { type Reporting, warn } from "../core/report.js";
import {
  type Allow,
  type CallOptions,
  callsOf,
  type CodeCall,
  type CodeClient,
} from "./calls.js";
import { type Catalog, type CatalogServer, catalogOf } from "./catalog.js";
import { type Checked, checkerOf } from "./check.js";
import { type CodeLimits, defaultLimits, type Failure } from "./limits.js";
import type { Ended } from "./prelude.js";
import type { CodeFile } from "./results.js";
import { type EngineName, runInThread } from "./thread.js";

/** Options of code mode. */
export interface CodeOptions extends Pick<Reporting, "onWarning"> {
  /** The default is none: only tools that are read-only are called. */
  readonly allow?: Allow;
  /** What a run may use, where that differs from the defaults. */
  readonly limits?: Partial<CodeLimits>;
  /** The package that runs programs. The default is `quickjs-wasi`. */
  readonly engine?: EngineName;
  /** The folder whose TypeScript checks programs. The default is the current one. */
  readonly directory?: string;
}

/** Options of one run. */
export interface RunOptions {
  /** Ends the run and the calls that are under way. */
  readonly signal?: AbortSignal;
  /** Gets each call when its state changes. */
  readonly onCall?: (call: CodeCall) => void;
  /** In place of the option of the same name of `createCode`. */
  readonly allow?: Allow;
}

/** What all runs tell. */
interface Run {
  /** The calls in the order in which the program made them. */
  readonly calls: readonly CodeCall[];
  /** What the program printed. */
  readonly text: string;
  /** The files that tools returned, by the handles that the program saw. */
  readonly files: readonly CodeFile[];
  /** False if no compiler was there to check the program. */
  readonly isChecked: boolean;
}

/** What came of a program. */
export type CodeResult =
  (Run & { readonly ok: true; readonly value: unknown }) | (Run & Failure);

/** Programs over the tools of several servers. */
export interface Code extends Catalog {
  /** Checks a program without running it. */
  check(program: string): Promise<Checked>;
  /**
   * Checks a program and runs it, with the tools of each server as functions of
   * its namespace. The program is the body of an async function.
   *
   * @throws if the engine or its package is missing
   */
  run(program: string, options?: RunOptions): Promise<CodeResult>;
  /**
   * Calls one tool without a program, with the same consent. Resolves with what
   * a program would get, and with its files.
   *
   * @param name such as `files.editFile`
   * @throws if there is no such tool, nobody allows it, or it fails
   */
  call(name: string, args: unknown, options?: RunOptions): Promise<Called>;
}

/** How a call ended. */
export interface Called {
  readonly value: unknown;
  /** The files, by the handles in the value. */
  readonly files: readonly CodeFile[];
}

/**
 * Makes code mode of connected clients. Generated code calls it.
 *
 * @param api the text of `api.d.ts`, against which programs are checked
 */
export function makeCode(
  clients: Readonly<Record<string, CodeClient>>,
  servers: readonly CatalogServer[],
  api: string,
  options: CodeOptions = {},
): Code {
  const { engine = "quickjs-wasi" } = options;
  checkInstalled(
    engine,
    // The thread imports it.
    `import("${engine}")`,
    `Programs run in the package ${engine}, which could not be loaded: install it.`,
  );
  const limits = { ...defaultLimits, ...options.limits };
  const check = checkerOf(api, servers, options.directory);
  const parts: Parts = { clients, servers, check, limits, engine };
  const runProgram: Code["run"] = (program, own) =>
    run(parts, program, { ...options, ...own });
  const call: Code["call"] = async (name, args = {}, own = {}) => {
    const { signal = never() } = own;
    const calls = callsOf({ ...options, ...own, ...parts, signal });
    const [server = "", ...rest] = name.split(".");
    const wanted = { server, tool: rest.join("."), arguments: args };
    const text = await calls.make(wanted, () => {});
    return { value: JSON.parse(text) as unknown, files: calls.files };
  };
  return { ...catalogOf(servers), check, run: runProgram, call };
}

/** The signal of what nobody ends. */
const never = (): AbortSignal => new AbortController().signal;

interface Parts extends Pick<CallOptions, "clients" | "servers" | "limits"> {
  readonly check: Code["check"];
  readonly engine: EngineName;
}

async function run(
  parts: Parts,
  program: string,
  options: Omit<CodeOptions, "limits"> & RunOptions,
): Promise<CodeResult> {
  const { check, engine, limits, servers } = parts;
  const checked = await check(program);
  const { isChecked } = checked;
  if (!isChecked)
    warn(
      options,
      "Programs are not checked before they run: install typescript beside them.",
    );
  if (!checked.ok) {
    const { message } = checked;
    const nothing = { calls: [], text: "", files: [] };
    return { ok: false, reason: "types", message, isChecked, ...nothing };
  }
  // What is under way when the run ends is aborted with it.
  const over = new AbortController();
  const calls = callsOf({ ...options, ...parts, signal: over.signal });
  const job = {
    engine,
    program: checked.javaScript,
    servers: Object.fromEntries(
      servers.map(({ name, tools }) => [name, tools.map((tool) => tool.name)]),
    ),
    limits,
  };
  let text = "";
  const print = (part: string): void => {
    text += part;
  };
  const { signal = never() } = options;
  const end = await runInThread(job, calls.answer, print, signal);
  over.abort();
  const list = calls.list.map((call) => ({ ...call }));
  const told = { calls: list, text, files: calls.files, isChecked };
  const result = "text" in end ? resultIn(end.text) : end;
  if (result.ok) return { ...result, ...told };
  const message = [result.message, ...openCalls(list)].join(" ");
  return { ...result, message, ...told };
}

/** The end of a program, which may have changed what the prelude uses. */
function resultIn(
  text: string,
): Failure | { readonly ok: true; readonly value: unknown } {
  let message =
    "The program changed built-in objects, so what it returned cannot be read. Leave them as they are.";
  try {
    const { thrown, value } = JSON.parse(text) as Ended;
    if (thrown === undefined) return { ok: true, value };
    message = thrown;
  } catch {
    // The text is not JSON.
  }
  return { ok: false, reason: "thrown", message };
}

/** A model that runs a program again must not write twice. */
function openCalls(calls: readonly CodeCall[]): string[] {
  const told = { done: "Done before that", open: "Under way, perhaps done" };
  return Object.entries(told).flatMap(([state, words]) => {
    const names = calls
      .filter((call) => call.state === state)
      .map(({ server, tool }) => `${server}.${tool}`);
    return names.length === 0 ? [] : [`${words}: ${names.join(", ")}.`];
  });
}
