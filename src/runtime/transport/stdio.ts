import { type ChildProcess, spawn } from "node:child_process";
import { basename } from "node:path";

import { TransportError } from "../index.js";
import { LineWriter } from "./line-writer.js";
import { lineReader } from "./lines.js";
import type { Receiver, Transport } from "./transport.js";
import { windowsCommand } from "./windows.js";

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

const isWindows = (): boolean => process.platform === "win32";

class StdioTransport implements Transport {
  readonly #command: string;
  readonly #args: readonly string[];
  readonly #options: StdioOptions;
  #child!: ChildProcess;
  #writer!: LineWriter;
  #receiver!: Receiver;
  /** Resolves when the process has ended. */
  #gone: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(command: string, args: readonly string[], options: StdioOptions) {
    this.#command = command;
    this.#args = args;
    this.#options = options;
  }

  start(receiver: Receiver): Promise<void> {
    const { stderr = "inherit", cwd, env, maxMessageBytes } = this.#options;
    const viaShell = isWindows() && !/\.exe$/i.test(this.#command);
    const child = spawn(
      viaShell ? (process.env["COMSPEC"] ?? "cmd.exe") : this.#command,
      viaShell ? windowsCommand(this.#command, this.#args) : this.#args,
      {
        stdio: ["pipe", "pipe", typeof stderr === "string" ? stderr : "pipe"],
        cwd,
        env: { ...inherited(), ...env },
        windowsHide: true,
        windowsVerbatimArguments: viaShell,
      },
    );
    const { stdin, stdout } = child as ChildProcess & {
      stdin: NonNullable<unknown>;
      stdout: NonNullable<unknown>;
    };
    this.#child = child;
    this.#receiver = receiver;
    this.#writer = new LineWriter(stdin);
    stdout.on("data", lineReader(receiver, maxMessageBytes));
    if (typeof stderr === "function") child.stderr?.setEncoding("utf8").on("data", stderr);
    // The name alone: arguments may hold secrets.
    const name = basename(this.#command);
    this.#gone = new Promise((gone) => {
      child.once("exit", () => gone());
      child.once("error", () => {
        if (child.pid === undefined) gone();
      });
    });
    return new Promise((resolve, reject) => {
      child.on("error", (error) => {
        reject(new TransportError(`${name} could not be started: ${error.message}`, { cause: error }));
      });
      child.once("spawn", () => {
        child.once("exit", (code, signal) => {
          const lost = new TransportError(`${name} ended with ${signal ?? `code ${code}`}.`);
          // What it wrote before may still be in the pipe; a child of its own may hold the pipe open for ever.
          stdout.once("end", () => this.#end(lost));
          setTimeout(() => this.#end(lost), stdout.readableEnded ? 0 : 500);
        });
        // STDIO-10: a server that closes its output has nothing more to say.
        stdout.once("end", () =>
          setImmediate(() => this.#end(new TransportError(`${name} closed its output.`))),
        );
        resolve();
      });
    });
  }

  send(message: unknown): Promise<void> | undefined {
    return this.#writer.write(message);
  }

  close(): Promise<void> {
    return this.#end(undefined);
  }

  again(): Transport {
    return new StdioTransport(this.#command, this.#args, this.#options);
  }

  #end(error: TransportError | undefined): Promise<void> {
    return (this.#closed ??= this.#shutDown(error));
  }

  /** STDIO-07, STDIO-08: end of input, then a request to end, then force. */
  async #shutDown(error: TransportError | undefined): Promise<void> {
    const { shutdownTime = 2000 } = this.#options;
    const child = this.#child;
    if (error) this.#receiver.closed(error);
    // What is still to be written goes first.
    void this.#writer?.end();
    child?.stdin?.end();
    if (!(await this.#isGone(shutdownTime))) {
      child.kill("SIGTERM");
      if (!(await this.#isGone(shutdownTime))) {
        // On Windows the shell of a script would leave the script itself behind.
        if (isWindows()) spawn("taskkill", ["/pid", `${child.pid}`, "/T", "/F"]).on("error", () => {});
        child.kill("SIGKILL");
        await this.#gone;
      }
    }
    child?.stdout?.destroy();
    if (!error) this.#receiver?.closed();
  }

  async #isGone(within: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, within, false)));
    const gone = Promise.resolve(this.#gone).then(() => true);
    return Promise.race([gone, late]).finally(() => clearTimeout(timer));
  }
}

/** What programs need to start, on either kind of system. */
const needed =
  "APPDATA COMSPEC HOME HOMEDRIVE HOMEPATH LANG LC_ALL LOCALAPPDATA LOGNAME PATH PATHEXT PROGRAMDATA PROGRAMFILES SHELL SYSTEMDRIVE SYSTEMROOT TEMP TERM TMP TMPDIR TZ USER USERNAME USERPROFILE WINDIR".split(
    " ",
  );

/** A variable that holds a shell function is code, and stays here. */
function inherited(): Record<string, string | undefined> {
  const wanted = ([name, value]: [string, string | undefined]): boolean =>
    needed.includes(name.toUpperCase()) && !value?.startsWith("()");
  return Object.fromEntries(Object.entries(process.env).filter(wanted));
}
