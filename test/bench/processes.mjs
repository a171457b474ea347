// The measured programs as processes: their CPU time, their memory, and their
// input and output.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { here, revision } from "./shared.mjs";

export const pathOf = (name) => join(here, "servers", `${name}.mjs`);

/**
 * The CPU time of a process since its start, in microseconds. Linux counts it
 * for each thread.
 */
export const cpuOf = (pid) =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanoseconds] = readFileSync(
      `/proc/${pid}/task/${thread}/schedstat`,
      "utf8",
    ).split(" ");
    return sum + Number(nanoseconds) / 1000;
  }, 0);

/** The memory of a process in megabytes. */
export const memoryOf = (pid) =>
  Number(
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1],
  ) / 1024;

/** A server over stdio that the benchmark starts and sends lines to. */
export class Driven {
  #waiting = new Map();
  #rest = "";
  #id = 0;
  #file;

  constructor(file) {
    this.#file = file;
    this.child = spawn(process.execPath, [file], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.child.on("exit", this.#onExit);
    this.child.stdout.setEncoding("utf8").on("data", (chunk) => {
      const lines = (this.#rest + chunk).split("\n");
      this.#rest = lines.pop();
      for (const line of lines) this.#take(JSON.parse(line));
    });
  }

  #take({ id, error }) {
    if (error !== undefined)
      throw new Error(`${this.#file} answered with an error: ${error.message}`);
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
  }

  #onExit = (code) => {
    throw new Error(`${this.#file} ended with code ${code}.`);
  };

  ask(method, params) {
    const id = ++this.#id;
    this.child.stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`,
    );
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async open() {
    const clientInfo = { name: "bench", version: "1.0.0" };
    await this.ask("initialize", {
      protocolVersion: revision,
      capabilities: {},
      clientInfo,
    });
    this.child.stdin.write(
      '{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
    );
  }

  call() {
    return this.ask("tools/call", {
      name: "echo",
      arguments: { text: "hello" },
    });
  }

  async close() {
    this.child.off("exit", this.#onExit);
    this.child.kill();
    await once(this.child, "close");
  }
}
