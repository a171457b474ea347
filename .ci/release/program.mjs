import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/**
 * Runs a program to its end; resolves with what it printed on both streams.
 * Throws a sentence with its last lines if it fails.
 */
export async function run(command, args, options = {}) {
  // npm is a script on Windows, which only a shell can start.
  const shell = process.platform === "win32" && command === "npm";
  try {
    return await execute(command, args, {
      encoding: "utf8",
      maxBuffer: 256 * 1024 * 1024,
      shell,
      ...options,
    });
  } catch (error) {
    const printed = `${error.stdout ?? ""}${error.stderr ?? ""}`.trimEnd();
    const last = printed.split("\n").slice(-40).join("\n");
    const message = `${command} ${args.join(" ")} failed. It printed last:\n${last}`;
    throw new Error(message, { cause: error });
  }
}
