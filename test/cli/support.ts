import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { run } from "../../src/cli/run.js";
import { makeStyle, type Terminal } from "../../src/cli/terminal.js";
import { shortLived } from "../engine.js";
import { put } from "../files.js";
import { program } from "../repository.js";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Surroundings {
  readonly directory: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /**
   * Runs as another user, because permissions do not apply to the superuser.
   */
  readonly uid?: number;
}

/**
 * Starts the program without the environment of this process, such as its
 * settings of colours.
 */
export function start(
  args: readonly string[],
  surroundings: Surroundings,
): ChildProcess {
  const { PATH = "", HOME = "" } = process.env;
  const { directory, environment = {}, uid } = surroundings;
  const child = spawn(process.execPath, [...shortLived, program, ...args], {
    cwd: directory,
    env: { PATH, HOME, ...environment },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  // A command that reads no input may end before it is written.
  child.stdin?.on("error", () => {});
  return child;
}

/** Variables that a process reads when it starts, or that its terminal does. */
const ofProcess = /^(?:NODE_.*|FORCE_COLOR|NO_COLOR|TERM|TE?MP(?:DIR)?)$/;

/**
 * Runs the program to its end. Most of the time of a process goes into loading
 * the program and the compiler, so the run is in this process, unless it has a
 * user of its own or variables of a process, or another run is under way.
 */
export async function mcpgen(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<Ended> {
  const { directory, environment = {}, input, uid } = surroundings;
  const names = Object.keys(environment);
  const isOrdinary =
    uid === undefined && !names.some((name) => ofProcess.test(name));
  if (!isOrdinary || isRunning) return await mcpgenAlone(args, surroundings);
  const before = process.cwd();
  const values = names.map((name) => [name, process.env[name]] as const);
  isRunning = true;
  process.chdir(directory);
  Object.assign(process.env, environment);
  try {
    return { ...(await runHere(args, directory, input)), signal: null };
  } finally {
    process.chdir(before);
    for (const [name, value] of values)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    isRunning = false;
  }
}
let isRunning = false;

/** What a run in this process printed. */
export interface RunOutput {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The status lines of a terminal. */
  readonly statuses: readonly (string | null)[];
}

/**
 * Runs a command line in this process, in an empty folder by default. Signals,
 * colours and streams need a process: see `mcpgenAlone`.
 */
export async function runHere(
  args: readonly string[],
  at: string = directory(),
  input = "",
  more: Partial<Terminal> = {},
): Promise<RunOutput> {
  let out = "";
  let err = "";
  const statuses: (string | null)[] = [];
  const plain = makeStyle(false);
  const terminal: Terminal = {
    directory: at,
    out: async (text) => void (out += text),
    print: (text) => void (err += text),
    status: (text) => void statuses.push(text),
    input: (async function* () {
      if (input !== "") yield Buffer.from(input);
    })(),
    dialogue: null,
    columns: 100,
    style: plain,
    dataStyle: plain,
    signal: new AbortController().signal,
    ...more,
  };
  const code = await run(args, terminal);
  return { code, out, err, statuses };
}

/** Runs the built program to its end, in a process of its own. */
export async function mcpgenAlone(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<Ended> {
  const child = start(args, surroundings);
  child.stdin?.end(surroundings.input ?? "");
  return await ended(child);
}

export async function ended(child: ChildProcess): Promise<Ended> {
  const read = async (
    stream: NodeJS.ReadableStream | null,
  ): Promise<string> => {
    const parts: Buffer[] = [];
    for await (const part of stream ?? []) parts.push(Buffer.from(part));
    return Buffer.concat(parts).toString("utf8");
  };
  const closed = new Promise<Pick<Ended, "code" | "signal">>(
    (resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => resolve({ code, signal }));
    },
  );
  const [out, err] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
  ]);
  return { ...(await closed), out, err };
}

const folders: string[] = [];

/**
 * A fresh directory outside the repository, with these files; removed after the
 * test.
 */
export function directory(
  files: Readonly<Record<string, string>> = {},
): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "mcpgen-cli-")));
  folders.push(path);
  for (const [name, text] of Object.entries(files)) put(join(path, name), text);
  return path;
}

afterEach(() => {
  for (const path of folders.splice(0))
    rmSync(path, { recursive: true, force: true });
});

/** A small schema of an unknown revision. */
export const smallSchema = `
export const JSONRPC_VERSION = "2.0";
export type RequestId = string | number;
/** The start of every request. */
export interface Request { method: string; params?: { [key: string]: unknown } }
/** The start of every notification. */
export interface Notification { method: string; params?: { [key: string]: unknown } }
/** The start of every result. */
export interface Result { [key: string]: unknown }
/** A result that says nothing. */
export type EmptyResult = Result;
/** Asks for a greeting. */
export interface GreetRequest extends Request { method: "greet/ask"; params: { name: string } }
/** The greeting. */
export interface GreetResult extends Result { text: string }
/** Tells that somebody left. */
export interface LeftNotification extends Notification { method: "notifications/left" }
export type ClientRequest = GreetRequest;
export type ClientNotification = LeftNotification;
export type ServerNotification = LeftNotification;
`;
