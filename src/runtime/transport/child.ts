import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import type { Readable, Writable } from "node:stream";

import { TransportError } from "../errors.js";
import { pause } from "../timing.js";
import { lineReader } from "./lines.js";
import type { MessageLimits, Receiver } from "./transport.js";

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
  /** The most that it takes. */
  readonly limits?: MessageLimits | undefined;
  /** How long the server may take to end after its stdin was closed, and again after SIGTERM, in milliseconds; 2,000 by default. */
  readonly shutdownTime?: number;
  /**
   * How a server that ends unexpectedly is started again; `false` leaves it. Only in revisions without a handshake: with one, the
   * session is gone and the connection with it. What was in flight rejects with a `TransportError` whose `isRetryable` is true;
   * streams of announcements are opened again.
   */
  readonly restart?: RestartOptions | false;
}

/** How often, and how soon, a server is started again. */
export interface RestartOptions {
  /** Most starts that follow on each other with less than a minute between them; 5 by default. */
  readonly maxRestarts?: number;
  /** The wait before the first of them, in milliseconds, which then doubles; 100 by default. */
  readonly restartTime?: number;
}

/** Loaded with the first child: a server over stdio, which has none, starts sooner without it. */
const childProcess = () => process.getBuiltinModule("node:child_process");

const isWindows = (): boolean => process.platform === "win32";

/** One run of a server, from its start to its end. */
export class Child {
  /** Has it said anything? */
  hasSpoken = false;
  /** Absent, like stdout, where the system could not even make a pipe. */
  readonly stdin: Writable | null;
  readonly #name: string;
  readonly #options: StdioOptions;
  readonly #process: ChildProcess;
  /** Resolves when the process has ended. */
  readonly #gone: Promise<void>;

  constructor(command: string, args: readonly string[], options: StdioOptions) {
    const { stderr = "inherit", cwd, env } = options;
    const viaShell = isWindows() && !/\.exe$/i.test(command);
    const child = childProcess().spawn(
      viaShell ? (process.env["COMSPEC"] ?? "cmd.exe") : command,
      viaShell ? windowsCommand(command, args) : args,
      {
        stdio: ["pipe", "pipe", typeof stderr === "string" ? stderr : "pipe"],
        cwd,
        env: { ...inherited(), ...env },
        // A process group of its own, so that what the command starts ends with it.
        detached: !isWindows(),
        windowsHide: true,
        windowsVerbatimArguments: viaShell,
      },
    );
    // The name alone: arguments may hold secrets.
    this.#name = basename(command);
    this.#options = options;
    this.#process = child;
    this.stdin = child.stdin;
    if (typeof stderr === "function") child.stderr?.setEncoding("utf8").on("data", stderr);
    this.#gone = new Promise((gone) => {
      child.on("exit", () => gone());
      child.on("error", () => {
        if (child.pid === undefined) gone();
      });
    });
  }

  /** Hands on what it says. Resolves once it runs; `lost` is told, perhaps more than once, that it will say no more, and why. */
  async start(receiver: Receiver, lost: (error: TransportError) => void): Promise<void> {
    const child = this.#process;
    await once(child, "spawn").catch((cause: Error) => {
      throw new TransportError(`${this.#name} could not be started: ${cause.message}`, { cause });
    });
    const stdout = child.stdout as Readable;
    stdout.once("data", () => (this.hasSpoken = true));
    stdout.on("data", lineReader(receiver, this.#options.limits?.messageBytes));
    child.once("exit", (code, signal) => {
      const error = new TransportError(`${this.#name} ended with ${signal ?? `code ${code}`}.`);
      // What it wrote before may still be in the pipe; a child of its own may hold the pipe open for ever.
      stdout.once("end", () => lost(error));
      setTimeout(lost, stdout.readableEnded ? 0 : 500, error);
    });
    // STDIO-10: a server that closes its output has nothing more to say.
    // Usually it has ended, and the exit code says more.
    stdout.once("end", () => setTimeout(lost, 50, new TransportError(`${this.#name} closed its output.`)));
  }

  /** STDIO-07, STDIO-08: end of input, then a request to end, then force. Resolves when the process is gone. */
  async end(): Promise<void> {
    const { shutdownTime = 2000 } = this.#options;
    const child = this.#process;
    this.stdin?.end();
    let timer = setTimeout(() => {
      this.#signal("SIGTERM");
      timer = setTimeout(() => this.#kill(), shutdownTime);
    }, shutdownTime);
    await this.#gone;
    clearTimeout(timer);
    await this.#endGroup(shutdownTime);
    child.stdout?.destroy();
  }

  /** Ends what the command left behind, such as the server that `npx` started. */
  async #endGroup(time: number): Promise<void> {
    for (const signal of [0, "SIGTERM", "SIGKILL"] as const) {
      if (!this.#signal(signal)) return;
      for (let waited = 0; waited < time && this.#signal(0); waited += 20) await pause(20);
    }
  }

  /** Sends a signal to the process and all that it started. Returns false when none of them is left. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#process;
    if (isWindows() || pid === undefined) {
      if (signal !== 0) this.#process.kill(signal);
      return false;
    }
    try {
      return process.kill(-pid, signal);
    } catch {
      return false;
    }
  }

  #kill(): void {
    // On Windows the shell of a script would leave the script itself behind.
    if (isWindows()) {
      const ending = childProcess().spawn("taskkill", ["/pid", `${this.#process.pid}`, "/T", "/F"]);
      ending.on("error", () => {});
    }
    this.#signal("SIGKILL");
  }
}

/** What programs need to start, on either kind of system. */
const needed =
  "APPDATA COMSPEC HOME HOMEDRIVE HOMEPATH LANG LC_ALL LOCALAPPDATA LOGNAME PATH PATHEXT PROGRAMDATA PROGRAMFILES SHELL SYSTEMDRIVE SYSTEMROOT TEMP TERM TMP TMPDIR TZ USER USERNAME USERPROFILE WINDIR".split(
    " ",
  );

/** The part of this process's environment that a server gets. A variable that holds a shell function is code, and stays here. */
function inherited(): Record<string, string | undefined> {
  const wanted = ([name, value]: [string, string | undefined]): boolean =>
    needed.includes(name.toUpperCase()) && !value?.startsWith("()");
  return Object.fromEntries(Object.entries(process.env).filter(wanted));
}

/**
 * How Windows starts a command such as `npx`, which there is a script that only its shell can run. The shell reads the arguments a
 * second time where the script passes them on by `%*`, so they are escaped twice.
 *
 * @throws TypeError for a line break, which ends the shell's command wherever it is.
 */
export function windowsCommand(command: string, args: readonly string[]): string[] {
  if ([command, ...args].some((word) => /[\r\n]/.test(word)))
    throw new TypeError("An argument has a line break, which no command on Windows can take.");
  const words = args.map((word) => escape(escape(quote(word))));
  return ["/d", "/s", "/c", `"${[escape(quote(command)), ...words].join(" ")}"`];
}

/** A program gets its arguments back from one line of text: quoted, with the backslashes before a quote doubled. */
const quote = (word: string): string => `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1")}"`;

/** Nothing in an argument means anything to the shell. */
const escape = (text: string): string => text.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
