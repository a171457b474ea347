import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Debian keeps servers in folders that only root has in PATH. */
const path = `${process.env["PATH"]}:/usr/sbin:/usr/local/sbin`;

/** A worker of Vitest that is stopped runs no hook. */
const running = new Set<ChildProcess>();
process.once("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** A program that a test has started. */
export interface Program {
  readonly child: ChildProcess;
  readonly pid: number;
  hasEnded(): boolean;
  /** Sends a signal and waits for the end of the program. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Everything that a test starts. It ends with the stage, the last first, also
 * after a failure.
 */
export class Stage {
  /** The folder of the programs' files. */
  readonly folder: string = mkdtempSync(join(tmpdir(), "mcpgen-cluster-"));
  readonly #endings: (() => unknown)[] = [];

  /** Calls the function at the end of the stage. */
  defer(end: () => unknown): void {
    this.#endings.push(end);
  }

  /**
   * Starts a program that lives until the stage ends. What it prints is in
   * `<name>.log` of the folder.
   */
  start(
    name: string,
    command: string,
    args: readonly string[],
    input: "ignore" | "pipe" = "ignore",
  ): Program {
    const log = openSync(join(this.folder, `${name}.log`), "a");
    const child = spawn(command, args, {
      cwd: this.folder,
      env: { ...process.env, PATH: path },
      stdio: [input, log, log],
    });
    closeSync(log);
    // A program that ends may leave what it was sent unread.
    child.stdin?.on("error", () => {});
    const ended = once(child, "exit");
    ended.catch(() => {});
    running.add(child);
    void ended.then(() => running.delete(child));
    const hasEnded = (): boolean =>
      child.exitCode !== null || child.signalCode !== null;
    const end = async (signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
      if (hasEnded()) return;
      child.kill(signal);
      await ended;
    };
    // A stopped program ends only by SIGKILL.
    this.defer(() => end());
    return { child, pid: child.pid ?? 0, hasEnded, end };
  }

  /** What a program has printed. */
  log(name: string): string {
    return readFileSync(join(this.folder, `${name}.log`), "utf8");
  }

  async end(): Promise<void> {
    for (const ending of this.#endings.splice(0).reverse()) await ending();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * The programs that must be installed, by the package of Debian that has them.
 */
export function requirePrograms(
  packages: Readonly<Record<string, string>>,
): void {
  const folders = path.split(":");
  const missing = Object.keys(packages).filter(
    (program) => !folders.some((folder) => existsSync(join(folder, program))),
  );
  if (missing.length === 0) return;
  const names = [...new Set(missing.map((program) => packages[program]))].join(
    " ",
  );
  throw new Error(
    `${missing.join(" and ")} not found. On Debian: apt-get install ${names}`,
  );
}
