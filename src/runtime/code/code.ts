import {
  type Allow,
  callsOf,
  type CodeCall,
  type CodeClient,
} from "./calls.js";
import { checkInstalled } from "../core/installed.js";
import { type Reporting, warn } from "../core/report.js";
import { type Catalog, type CatalogServer, catalogOf } from "./catalog.js";
import { type Checked, type Checker, checkerOf } from "./check.js";
import {
  type CodeLimit,
  type CodeLimits,
  defaultLimits,
  limitMessage,
} from "./limits.js";
import type { CodeFile } from "./results.js";
import { type EngineName, runInThread, type ThreadEnd } from "./thread.js";
import type { Ended } from "./prelude.js";

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
  | (Run & { readonly ok: true; readonly value: unknown })
  | (Run & {
      readonly ok: false;
      /**
       * `types`: it does not compile, and nothing was called. `thrown`: it
       * threw. `limit`: it exceeded `limit`. `aborted`: by the signal.
       */
      readonly reason: "types" | "thrown" | "limit" | "aborted";
      readonly limit?: CodeLimit;
      /** Sentences that a model can act on. */
      readonly message: string;
    });

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
  const checker = checkerOf(api, servers, options.directory);
  const catalog = catalogOf(servers);
  const parts = { clients, servers, checker, limits };
  const check = (program: string) => checker.check(program);
  const runProgram = (program: string, runOptions?: RunOptions) =>
    run(parts, program, { ...options, ...runOptions });
  const callTool: Code["call"] = (name, args, callOptions) =>
    call(parts, name, args, { ...options, ...callOptions });
  return { ...catalog, check, run: runProgram, call: callTool };
}

/** The signal of what nobody ends. */
const never = (): AbortSignal => new AbortController().signal;

interface Parts {
  readonly clients: Readonly<Record<string, CodeClient>>;
  readonly servers: readonly CatalogServer[];
  readonly checker: Checker;
  readonly limits: CodeLimits;
}

async function call(
  { clients, servers, limits }: Parts,
  name: string,
  args: unknown,
  { allow = [], onCall, signal = never() }: RunOptions,
): Promise<Called> {
  const calls = callsOf({ clients, servers, limits, allow, onCall, signal });
  const [server, ...tool] = name.split(".");
  const text = JSON.stringify([server, tool.join("."), args ?? {}]);
  const answer = JSON.parse(await calls.call(text, () => {})) as {
    readonly value?: unknown;
    readonly error?: string;
  };
  if (answer.error !== undefined) throw new Error(answer.error);
  return { value: answer.value, files: calls.files };
}

async function run(
  { clients, servers, checker, limits }: Parts,
  program: string,
  options: CodeOptions & RunOptions,
): Promise<CodeResult> {
  const { allow = [], engine = "quickjs-wasi", onCall } = options;
  const checked = await checker.check(program);
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
  const calls = callsOf({
    clients,
    servers,
    limits,
    allow,
    onCall,
    signal: over.signal,
  });
  const job = {
    engine,
    program: checked.javaScript,
    servers: Object.fromEntries(
      servers.map(({ name, tools }) => [name, tools.map((tool) => tool.name)]),
    ),
    limits,
  };
  let text = "";
  const { call: makeCall } = calls;
  const print = (part: string): void => {
    text += part;
  };
  const { signal = never() } = options;
  const end = await runInThread(job, { call: makeCall, print }, signal);
  over.abort();
  const { list, files } = calls;
  const told = { calls: [...list], text, files, isChecked };
  const result = resultOf(end, limits);
  if (result.ok) return { ...result, ...told };
  const message = [result.message, ...openCalls(list)].join(" ");
  return { ...result, message, ...told };
}

type Result =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly reason: "thrown" | "limit" | "aborted";
      readonly limit?: CodeLimit;
      readonly message: string;
    };

/** What the end of a thread means for a model. */
function resultOf(end: ThreadEnd | undefined, limits: CodeLimits): Result {
  if (end === undefined)
    return { ok: false, reason: "aborted", message: "The run was aborted." };
  switch (end.kind) {
    case "exceeded": {
      const { limit } = end;
      const message = limitMessage(limit, limits);
      return { ok: false, reason: "limit", limit, message };
    }
    case "failed":
      return {
        ok: false,
        reason: "thrown",
        message: faults[end.fault](end.message),
      };
    case "broken":
      throw new Error(`The engine of the program failed: ${end.message}`);
    case "ended":
      return valueIn(end.text);
    default:
      return end satisfies never;
  }
}

const faults = {
  stopped: () => "The program was stopped.",
  memory: () => "The program needs too much memory.",
  stack: () => "The program nests function calls too deep.",
  stalled: () => "The program waits for a promise that nothing resolves.",
  internal: (message: string) => `The engine ended the program: ${message}.`,
  syntax: (message: string) => `The program is no JavaScript: ${message}.`,
} as const;

/** The end of a program, which may have changed what the prelude uses. */
function valueIn(text: string): Result {
  try {
    return resultIn(JSON.parse(text) as Ended);
  } catch {
    const message =
      "The program changed built-in objects, so what it returned cannot be read. Leave them as they are.";
    return { ok: false, reason: "thrown", message };
  }
}

function resultIn(end: Ended): Result {
  if ("value" in end) {
    const value: unknown =
      end.value === null ? undefined : JSON.parse(end.value);
    return { ok: true, value };
  }
  const message =
    "thrown" in end
      ? `${end.thrown.name}: ${end.thrown.message}`
      : `The program must return JSON, but ${end.refused}.`;
  return { ok: false, reason: "thrown", message };
}

/** A model that runs a program again must not write twice. */
function openCalls(calls: readonly CodeCall[]): string[] {
  const namesOf = (state: CodeCall["state"]): string =>
    calls
      .filter((call) => call.state === state)
      .map(({ server, tool }) => `${server}.${tool}`)
      .join(", ");
  const [done, open] = [namesOf("done"), namesOf("open")];
  return [
    ...(done === "" ? [] : [`Done before that: ${done}.`]),
    ...(open === "" ? [] : [`Under way, perhaps done: ${open}.`]),
  ];
}
