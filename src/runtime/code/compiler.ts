import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The time of one check, in ms. */
const maxTime = 10_000;
/** The memory of one check, in MB, where the system can hold it to that. */
const maxMemory = 1024;
/** The output of a check that is read, in bytes. */
const maxOutput = 262_144;

/**
 * The script of the TypeScript that a folder's programs would use; null if
 * there is none.
 */
export function findCompiler(directory: string): string | null {
  try {
    const require = createRequire(join(directory, "package.json"));
    const manifest = require.resolve("typescript/package.json");
    const { bin } = require(manifest) as { bin: { tsc: string } };
    return join(dirname(manifest), bin.tsc);
  } catch {
    return null;
  }
}

/**
 * Compiles a folder with a `tsconfig.json`. Resolves with what the compiler
 * prints, or with null if it was ended because it needed too much time.
 */
export function compile(
  script: string,
  folder: string,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const args = [`--max-old-space-size=${maxMemory}`, script, "-p", folder];
    const child = spawn(process.execPath, [...args, "--pretty", "false"], {
      cwd: folder,
      // The newer compilers are started by a script, and end with their group.
      detached: process.platform !== "win32",
      env: {
        GOMEMLIMIT: `${maxMemory}MiB`,
        SystemRoot: process.env["SystemRoot"],
      },
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
    let output: string | null = "";
    const timer = setTimeout(() => {
      output = null;
      endGroup(child.pid);
    }, maxTime);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (output !== null && output.length < maxOutput) output += text;
    });
    child.on("error", reject);
    child.on("close", () => {
      clearTimeout(timer);
      resolve(output);
    });
  });
}

/** Ends a process and those that it started. A compiler may ignore SIGTERM. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", `${pid}`, "/T", "/F"], { stdio: "ignore" });
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
