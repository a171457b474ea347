import { type ChildProcess, spawn } from "node:child_process";
import { basename } from "node:path";

import { TransportError } from "../errors.js";
import { LineWriter } from "./line-writer.js";
import { defaultMaxMessageBytes, lineReader } from "./lines.js";
import type { Receiver, Transport } from "./transport.js";
import { windowsProgram } from "./windows.js";

/** How a server is started and ended. */
export interface StdioOptions {
  /** The folder to start in; that of this process by default. */
  readonly cwd?: string;
  /**
   * Environment variables in addition to the few that programs need to start, such as PATH and HOME. What else stands in
   * the environment of this process is kept from the server; `{ ...process.env }` passes all of it.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What becomes of the server's stderr, which is only for people (STDIO-05): shown as it is by default. */
  readonly stderr?: "inherit" | "ignore" | ((text: string) => void);
  /** Longest message, in bytes; 64 MiB by default. */
  readonly maxMessageBytes?: number;
  /** How long the server may take to end after its stdin was closed, and again after SIGTERM, in milliseconds; 2,000 by default. */
  readonly shutdownTime?: number;
}

/** A server that is started as a child process and spoken to over its standard streams. STDIO-01 */
export function stdio(command: string, args: readonly string[] = [], options: StdioOptions = {}): Transport {
  return new StdioTransport(command, args, options);
}

class StdioTransport implements Transport {
  readonly #command: string;
  readonly #args: readonly string[];
  readonly #options: StdioOptions;
  #child: ChildProcess | undefined;
  #writer: LineWriter | undefined;
  #receiver: Receiver | undefined;
  #gone: Promise<void> | undefined;
  #closed = false;

  constructor(command: string, args: readonly string[], options: StdioOptions) {
    this.#command = command;
    this.#args = args;
    this.#options = options;
  }

  start(receiver: Receiver): Promise<void> {
    const { stderr = "inherit", cwd, maxMessageBytes = defaultMaxMessageBytes } = this.#options;
    const env = { ...inherited(), ...this.#options.env };
    const plain = { file: this.#command, args: this.#args, verbatim: false };
    const { file, args, verbatim } =
      process.platform === "win32" ? windowsProgram(this.#command, this.#args, env) : plain;
    const child = spawn(file, args, {
      stdio: ["pipe", "pipe", typeof stderr === "string" ? stderr : "pipe"],
      env,
      ...(cwd !== undefined && { cwd }),
      shell: false,
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    });
    this.#child = child;
    this.#receiver = receiver;
    const { stdin, stdout } = child;
    if (!stdin || !stdout) throw new TransportError(`${this.#name}: no streams to speak over.`);
    this.#writer = new LineWriter(stdin);
    // What is written to a process that has ended is lost; that it has ended is told below.
    stdin.on("error", () => {});
    const read = lineReader(receiver, maxMessageBytes);
    stdout.on("data", (chunk: Buffer) => this.#closed || read(chunk));
    stdout.on("error", () => {});
    if (typeof stderr === "function") child.stderr?.setEncoding("utf8").on("data", stderr);
    this.#gone = new Promise((resolve) => {
      child.once("exit", () => resolve());
      child.once("error", () => child.pid === undefined && resolve());
    });
    return new Promise((resolve, reject) => {
      child.once("spawn", () => {
        // STDIO-10: a server that closes its stdout has nothing more to say.
        stdout.once("end", () => void this.#end(undefined));
        child.once("exit", (code, signal) => this.#drain(code, signal));
        resolve();
      });
      child.on("error", (error) => {
        this.#closed = true;
        reject(new TransportError(`${this.#name} could not be started: ${error.message}`, { cause: error }));
      });
    });
  }

  send(message: unknown): Promise<void> | void {
    if (this.#closed || !this.#writer) throw new TransportError("The connection is closed.");
    return this.#writer.write(message);
  }

  async close(): Promise<void> {
    if (this.#closed) return this.#gone;
    await this.#end(undefined, true);
  }

  again(): Transport {
    return new StdioTransport(this.#command, this.#args, this.#options);
  }

  /** The name alone: arguments may hold secrets. */
  get #name(): string {
    return basename(this.#command);
  }

  /** What was written before the exit may still be in the pipe; a grandchild may hold the pipe open for ever. */
  #drain(code: number | null, signal: NodeJS.Signals | null): void {
    const how = signal ? `was ended by ${signal}` : `exited with code ${code}`;
    const error = new TransportError(`${this.#name} ${how}.`);
    const stdout = this.#child?.stdout;
    if (!stdout || stdout.readableEnded) return void this.#end(error);
    const timer = setTimeout(() => void this.#end(error), 500);
    stdout.once("end", () => clearTimeout(timer));
    stdout.prependOnceListener("end", () => void this.#end(error));
  }

  /** STDIO-07, STDIO-08: end of input, then a request to end, then force. */
  async #end(error: TransportError | undefined, ours = false): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const child = this.#child;
    const { shutdownTime = 2000 } = this.#options;
    // What is still to be written goes first; a server that does not read it is not waited for longer than the rest.
    void this.#writer?.end();
    child?.stdin?.end();
    if (!ours) this.#receiver?.closed(error ?? new TransportError(`${this.#name} closed its output.`));
    if (child && !(await this.#within(shutdownTime))) {
      child.kill("SIGTERM");
      if (!(await this.#within(shutdownTime))) kill(child);
      await this.#gone;
    }
    child?.stdout?.destroy();
    if (ours) this.#receiver?.closed();
  }

  async #within(time: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, time, false)));
    const done = await Promise.race([late, this.#gone?.then(() => true) ?? true]);
    clearTimeout(timer);
    return done;
  }
}

/** On Windows a script's shell would leave the script itself behind. */
function kill(child: ChildProcess): void {
  if (process.platform === "win32" && child.pid !== undefined) {
    spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore" }).on("error", () => {});
  }
  child.kill("SIGKILL");
}

const needed =
  process.platform === "win32"
    ? [
        "APPDATA",
        "COMSPEC",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATH",
        "PATHEXT",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "USERNAME",
        "USERPROFILE",
        "WINDIR",
      ]
    : ["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];

/** A variable that holds a shell function is code, and stays here. */
function inherited(): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && needed.includes(name.toUpperCase()) && !value.startsWith("()"))
      env[name] = value;
  }
  return env;
}
