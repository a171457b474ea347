import type { ChildProcess } from "node:child_process";
import { basename } from "node:path";
import type { Readable, Writable } from "node:stream";

import { TransportError } from "../index.js";
import { inherited } from "./environment.js";
import { lineReader } from "./lines.js";
import type { StdioOptions } from "./stdio.js";
import type { Receiver } from "./transport.js";
import { windowsCommand } from "./windows.js";

/** Loaded with the first child: a server over stdio, which has none, starts sooner without it. */
const childProcess = () => process.getBuiltinModule("node:child_process");

const isWindows = (): boolean => process.platform === "win32";

/** One run of a server, from its start to its end. */
export class Child {
  /** Has it said anything? */
  hasSpoken = false;
  /** Absent, like stdout, where the system could not even make a pipe. */
  readonly stdin: Writable | undefined;
  readonly #name: string;
  readonly #options: StdioOptions;
  readonly #process: ChildProcess;
  readonly #stdout: Readable | undefined;
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
        windowsHide: true,
        windowsVerbatimArguments: viaShell,
      },
    );
    // The name alone: arguments may hold secrets.
    this.#name = basename(command);
    this.#options = options;
    this.#process = child;
    this.stdin = child.stdin ?? undefined;
    this.#stdout = child.stdout ?? undefined;
    if (typeof stderr === "function") child.stderr?.setEncoding("utf8").on("data", stderr);
    this.#gone = new Promise((gone) => {
      child.once("exit", () => gone());
      child.once("error", () => {
        if (child.pid === undefined) gone();
      });
    });
  }

  /** Hands on what it says. Resolves once it runs; `lost` is told, perhaps more than once, that it will say no more, and why. */
  start(receiver: Receiver, lost: (error: TransportError) => void): Promise<void> {
    const child = this.#process;
    return new Promise((resolve, reject) => {
      child.on("error", (error) => {
        reject(new TransportError(`${this.#name} could not be started: ${error.message}`, { cause: error }));
      });
      child.once("spawn", () => {
        const stdout = this.#stdout as Readable;
        stdout.once("data", () => (this.hasSpoken = true));
        stdout.on("data", lineReader(receiver, this.#options.maxMessageBytes));
        child.once("exit", (code, signal) => {
          const error = new TransportError(`${this.#name} ended with ${signal ?? `code ${code}`}.`);
          // What it wrote before may still be in the pipe; a child of its own may hold the pipe open for ever.
          stdout.once("end", () => lost(error));
          setTimeout(lost, stdout.readableEnded ? 0 : 500, error);
        });
        // STDIO-10: a server that closes its output has nothing more to say.
        stdout.once("end", () => setImmediate(lost, new TransportError(`${this.#name} closed its output.`)));
        resolve();
      });
    });
  }

  /** STDIO-07, STDIO-08: end of input, then a request to end, then force. Resolves when the process is gone. */
  async end(): Promise<void> {
    const { shutdownTime = 2000 } = this.#options;
    const child = this.#process;
    this.stdin?.end();
    if (!(await this.#isGone(shutdownTime))) {
      child.kill("SIGTERM");
      if (!(await this.#isGone(shutdownTime))) {
        // On Windows the shell of a script would leave the script itself behind.
        if (isWindows()) {
          const ending = childProcess().spawn("taskkill", ["/pid", `${child.pid}`, "/T", "/F"]);
          ending.on("error", () => {});
        }
        child.kill("SIGKILL");
        await this.#gone;
      }
    }
    this.#stdout?.destroy();
  }

  async #isGone(within: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, within, false)));
    const gone = this.#gone.then(() => true);
    return Promise.race([gone, late]).finally(() => clearTimeout(timer));
  }
}
