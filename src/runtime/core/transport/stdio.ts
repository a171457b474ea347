import { TransportError } from "../errors.js";
import { backoff, pause } from "../../../common/timing.js";
import type { Revision } from "../tables.js";
import { lineEnd, LineWriter, lineReader } from "./lines.js";
import type { Receiver, Transport, MessageLimits } from "../ports/transport.js";
import { startOnce } from "./start-once.js";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { basename } from "node:path";
import type { Readable, Writable } from "node:stream";
import { printable } from "../report.js";

/**
 * Creates a transport that starts a server as a child process and uses its
 * standard streams (STDIO-01). `start` rejects with a `TransportError` if the
 * process cannot be started.
 */
export function stdio(
  command: string,
  args: readonly string[] = [],
  options: StdioOptions = {},
): Transport {
  return new StdioTransport(command, args, options);
}

class StdioTransport implements Transport {
  readonly carrier = "pipe";
  readonly #server: ConstructorParameters<typeof Child>;
  readonly #writer = new LineWriter();
  readonly #next: () => number | undefined;
  /** Set by `start`. Before that, only `close` may be called. */
  #receiver!: Receiver;
  #child: Child | undefined;
  /** True if the server keeps no state between requests. */
  #isStateless = false;
  #hasOutput = false;
  #timer: NodeJS.Timeout | undefined;
  /**
   * Resolves when the last server that exited unexpectedly has been cleaned up.
   */
  #ending: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(...server: ConstructorParameters<typeof Child>) {
    this.#server = server;
    const [, , { restart }] = server;
    const { maxRestarts = 5, restartTime = 100 } = restart || {};
    this.#next = backoff(restart === false ? 0 : maxRestarts, restartTime);
  }

  start(receiver: Receiver): Promise<void> {
    startOnce(this);
    this.#receiver = receiver;
    return this.#run();
  }

  useRevision({ opening }: Revision): void {
    this.#isStateless = opening === "per-request";
  }

  send(message: unknown): Promise<void> | undefined {
    return this.#writer.write(message);
  }

  /**
   * Closes the transport. `error` is the reason if the server exited
   * unexpectedly.
   */
  close(error?: TransportError): Promise<void> {
    return (this.#closed ??= this.#shutDown(error));
  }

  reconnect(): Transport {
    return stdio(...this.#server);
  }

  async #run(): Promise<void> {
    const child = new Child(...this.#server);
    this.#child = child;
    this.#writer.setStream(child.stdin);
    await child.start(this.#receiver, (error) => {
      if (child === this.#child && !this.#closed) this.#lost(child, error);
    });
  }

  /**
   * Restarts the server if its revision keeps no session (STDIO-11); otherwise
   * closes (STDIO-12). A server that never wrote anything is not restarted: a
   * legacy server may exit at the first unknown request (COMPAT-04).
   */
  #lost(child: Child, error: TransportError): void {
    this.#hasOutput ||= child.hasOutput;
    const wait =
      this.#isStateless && this.#hasOutput ? this.#next() : undefined;
    if (wait === undefined) return void this.close(error);
    this.#child = undefined;
    this.#writer.setStream(null);
    this.#ending = child.end();
    const message = `The server is restarted, and the call may be repeated: ${error.message}`;
    this.#receiver.lost?.(
      undefined,
      new TransportError(message, { cause: error, isRetryable: true }),
    );
    this.#receiver.report?.(error);
    this.#timer = setTimeout(() => {
      this.#run().catch((restartError: TransportError) =>
        this.close(restartError),
      );
    }, wait);
  }

  async #shutDown(error: TransportError | undefined): Promise<void> {
    clearTimeout(this.#timer);
    if (error) this.#receiver.closed(error);
    // Writes pending messages first.
    void this.#writer.end();
    await this.#child?.end();
    await this.#ending;
    if (!error) this.#receiver?.closed();
  }
}

/** Options of `stdio`: how a server process is started and ended. */
export interface StdioOptions {
  /** The working directory; that of this process by default. */
  readonly cwd?: string;
  /**
   * Environment variables, besides the few that programs need to start, such as
   * PATH and HOME. The server gets no others of this process;
   * `{ ...process.env }` passes all of them.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * What to do with the server's stderr, which holds text for people
   * (STDIO-05); "inherit" by default. With the others, an error about the end
   * of the server has its last ten lines that are not of a stack.
   */
  readonly stderr?: "inherit" | "ignore" | ((text: string) => void);
  /** Limits of messages. */
  readonly limits?: MessageLimits | undefined;
  /**
   * How long the server may take to exit after its stdin was closed, and again
   * after SIGTERM (on Windows, after `taskkill /T`), in milliseconds; 2,000 by
   * default. If this process ends without closing the transport, a server that
   * remains gets SIGTERM half a second later; not on Windows.
   */
  readonly shutdownTime?: number;
  /**
   * How a server that exits unexpectedly is restarted; `false` disables it.
   * Only in revisions without `initialize`; in others the session is lost and
   * the connection closes. Open requests reject with a `TransportError` whose
   * `isRetryable` is true, and notification streams are opened again.
   */
  readonly restart?: RestartOptions | false;
}

/** How often, and after which delays, a server is restarted. */
interface RestartOptions {
  /**
   * Maximum number of consecutive restarts, less than a minute apart; 5 by
   * default.
   */
  readonly maxRestarts?: number;
  /**
   * Delay before the first restart, in milliseconds; it doubles with each
   * restart; 100 by default.
   */
  readonly restartTime?: number;
}

/**
 * Loaded on first use, because a stdio server does not need it and starts
 * faster without it.
 */
const childProcess = () => process.getBuiltinModule("node:child_process");

const isWindows = (): boolean => process.platform === "win32";

/** One process of a server. */
class Child {
  /** True once the process has written to stdout. */
  hasOutput = false;
  /** Null if the process could not be started. */
  readonly stdin: Writable | null;
  readonly #name: string;
  readonly #options: StdioOptions;
  readonly #process: ChildProcess;
  /** The last text of stderr, unless it is inherited. */
  #log = "";
  /** Ends the process group if this process ends first. */
  #guard: ChildProcess | undefined;
  /** Resolves when the process has ended. */
  readonly #exit: Promise<void>;

  constructor(command: string, args: readonly string[], options: StdioOptions) {
    const { stderr = "inherit", cwd, env } = options;
    const viaShell = isWindows() && !/\.exe$/i.test(command);
    const child = childProcess().spawn(
      viaShell ? (process.env["COMSPEC"] ?? "cmd.exe") : command,
      viaShell ? windowsCommand(command, args) : args,
      {
        stdio: ["pipe", "pipe", stderr === "inherit" ? stderr : "pipe"],
        cwd,
        env: { ...inheritedVariables(), ...env },
        // A new process group, so that processes which the command starts end
        // with it.
        detached: !isWindows(),
        windowsHide: true,
        windowsVerbatimArguments: viaShell,
      },
    );
    // Errors contain only the name, because arguments may contain secrets.
    this.#name = basename(command);
    this.#options = options;
    this.#process = child;
    this.stdin = child.stdin;
    this.#exit = new Promise((resolve) => {
      child.on("exit", () => resolve());
      child.on("error", () => {
        if (child.pid === undefined) resolve();
      });
    });
  }

  /**
   * Passes its messages to the receiver. Resolves when the process runs.
   * `onEnd` is called when its output ends, possibly more than once, with the
   * reason. Rejects with a `TransportError` if the process cannot be started.
   * Whatever the reason is, no process remains after it rejects.
   */
  start(
    receiver: Receiver,
    onEnd: (error: TransportError) => void,
  ): Promise<void> {
    return this.#start(receiver, onEnd).catch(async (error: unknown) => {
      await this.end();
      throw error;
    });
  }

  async #start(
    receiver: Receiver,
    onEnd: (error: TransportError) => void,
  ): Promise<void> {
    const child = this.#process;
    await once(child, "spawn").catch((cause: Error) => {
      const { cwd } = this.#options;
      // Without the folder, the system says that the command does not exist.
      const isMissing =
        cwd !== undefined &&
        !process.getBuiltinModule("node:fs").existsSync(cwd);
      const reason = isMissing
        ? `the folder ${JSON.stringify(cwd)} (cwd) does not exist.`
        : cause.message;
      throw new TransportError(
        `${this.#name} could not be started: ${reason}`,
        { cause },
      );
    });
    const { stderr, shutdownTime } = this.#options;
    if (!isWindows()) this.#guard = guard(child.pid as number, shutdownTime);
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#log = (this.#log + text).slice(-16_384);
      if (typeof stderr === "function") stderr(text);
    });
    const stdout = child.stdout as Readable;
    stdout.once("data", () => (this.hasOutput = true));
    const read = lineReader(receiver, this.#options.limits?.messageBytes);
    stdout.on("data", read);
    child.once("exit", (code, signal) => {
      const end = (): void =>
        onEnd(this.#error(`ended with ${signal ?? `code ${code}`}.`));
      // The pipes may still contain text, and a process that it started may
      // keep them open.
      child.once("close", end);
      setTimeout(end, stdout.readableEnded ? 40 : 500);
    });
    // A server may end by closing its output (STDIO-10). Usually the process
    // exits as well, and its exit code says more.
    stdout.once("end", () => {
      read(lineEnd);
      setTimeout(() => onEnd(this.#error("closed its output.")), 50);
    });
    // It gets no more requests. The answers to earlier ones may be under way.
    child.stdin?.once("error", () =>
      setTimeout(() => onEnd(this.#error("closed its input.")), 500),
    );
  }

  /** The error about the end of the process, with what it said last. */
  #error(what: string): TransportError {
    // The message of an exception is above its stack.
    const lines = this.#log
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "" && !/^\s+at /.test(line));
    const last = lines.slice(-10).map((line) => `\n  ${printable(line)}`);
    const said =
      last.length > 0 ? ` The end of its stderr:${last.join("")}` : "";
    return new TransportError(`${this.#name} ${what}${said}`);
  }

  /**
   * Closes stdin, then sends SIGTERM, then SIGKILL (STDIO-07, STDIO-08).
   * Resolves when the process has exited.
   */
  async end(): Promise<void> {
    const { shutdownTime = 2000 } = this.#options;
    const child = this.#process;
    this.stdin?.end();
    let timer = setTimeout(() => {
      this.#signal("SIGTERM");
      timer = setTimeout(() => this.#signal("SIGKILL"), shutdownTime);
    }, shutdownTime);
    await this.#exit;
    clearTimeout(timer);
    await this.#endGroup(shutdownTime);
    this.#guard?.kill("SIGKILL");
    child.stdout?.destroy();
    child.stderr?.destroy();
  }

  /** Ends processes that the command started, such as the server of `npx`. */
  async #endGroup(time: number): Promise<void> {
    for (const signal of [0, "SIGTERM", "SIGKILL"] as const) {
      if (!this.#signal(signal)) return;
      for (let waited = 0; waited < time && this.#signal(0); waited += 20)
        await pause(20);
    }
  }

  /**
   * Sends a signal to the process group. Returns false if the group has no
   * processes.
   */
  #signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#process;
    if (pid === undefined) return false;
    if (isWindows()) {
      if (signal !== 0) this.#endTree(pid, signal === "SIGKILL");
      return false;
    }
    try {
      return process.kill(-pid, signal);
    } catch {
      return false;
    }
  }

  /**
   * Ends the process and what it started, on Windows: there the end of a shell
   * does not end the script that it runs, which nobody finds afterwards.
   */
  #endTree(pid: number, byForce: boolean): void {
    const words = ["/pid", `${pid}`, "/T", ...(byForce ? ["/F"] : [])];
    const ending = childProcess().spawn("taskkill", words, { stdio: "ignore" });
    const onFailure = (): void => void (byForce && this.#process.kill());
    ending.on("error", onFailure).on("exit", (code) => {
      if (code !== 0) onFailure();
    });
  }
}

/**
 * Starts a shell that ends a process group if this process ends, by whatever
 * cause. Nothing is sent to its stdin, which the system closes when this
 * process ends. Signal handlers would change how the program itself ends, and
 * do not run at SIGKILL.
 */
function guard(group: number, shutdownTime = 2000): ChildProcess {
  const script = `read line; sleep 0.5; kill -s TERM -- "-$0" && sleep "$1" && kill -s KILL -- "-$0"`;
  const process = childProcess().spawn(
    "/bin/sh",
    ["-c", script, `${group}`, `${shutdownTime / 1000}`],
    {
      stdio: ["pipe", "ignore", "ignore"],
      cwd: "/",
      // A signal to the group of this process, such as that of Ctrl+C, must not
      // end it.
      detached: true,
    },
  );
  process.on("error", () => {}).unref();
  // Bun has no such function; its process ends without it.
  (process.stdin as Partial<Socket> | null)?.unref?.();
  return process;
}

/**
 * The environment variables that programs need to start, on POSIX systems and
 * Windows.
 */
const neededVariable =
  /^((LOCAL)?APPDATA|COMSPEC|HOME(DRIVE|PATH)?|LANG|LC_ALL|LOGNAME|PATH(EXT)?|PROGRAM(DATA|FILES)|SHELL|SYSTEM(DRIVE|ROOT)|TEMP|TERM|TMP(DIR)?|TZ|USER(NAME|PROFILE)?|WINDIR)$/i;

/**
 * The part of this process's environment that a server gets. Excludes shell
 * functions, which are code.
 */
function inheritedVariables(): Record<string, string | undefined> {
  const isNeeded = ([name, value]: [string, string | undefined]): boolean =>
    neededVariable.test(name) && !value?.startsWith("()");
  return Object.fromEntries(Object.entries(process.env).filter(isNeeded));
}

/**
 * The arguments for `cmd.exe` to start a command such as `npx`, which is a
 * batch file on Windows. They are escaped twice, because the shell parses them
 * again where a batch file passes them on with `%*`.
 *
 * @throws TypeError for a line break, which would end the command.
 */
export function windowsCommand(
  command: string,
  args: readonly string[],
): string[] {
  if ([command, ...args].some((word) => /[\r\n]/.test(word)))
    throw new TypeError(
      "An argument contains a line break, which commands on Windows do not support.",
    );
  const words = args.map((word) => escape(escape(quote(word))));
  return [
    "/d",
    "/s",
    "/c",
    `"${[escape(quote(command)), ...words].join(" ")}"`,
  ];
}

/**
 * Quotes an argument as Windows programs parse it: backslashes before a quote
 * are doubled.
 */
const quote = (word: string): string =>
  `"${word.replace(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)(\\+)$/, "$1$1")}"`;

/** Escapes all characters that have a meaning in the shell. */
const escape = (text: string): string =>
  text.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
