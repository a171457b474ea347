import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { afterTest } from "./closing.js";

/**
 * Lets this process take the system for Windows until the test ends. Its
 * programs are shell scripts, by name, which find their folder in `$0`. Returns
 * the folder; `lines` returns what they wrote to a file of it.
 */
export function windows(programs: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-windows-"));
  for (const [name, script] of Object.entries(programs)) {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\nhere=$(dirname "$0")\n${script}\n`);
    chmodSync(path, 0o755);
  }
  const platform = Object.getOwnPropertyDescriptor(process, "platform");
  Object.defineProperty(process, "platform", { ...platform, value: "win32" });
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
  afterTest(
    () => rmSync(folder, { recursive: true, force: true }),
    () => vi.unstubAllEnvs(),
    () => Object.defineProperty(process, "platform", { ...platform }),
  );
  const lines = (name: string): readonly string[] => {
    try {
      // A program may be between creating a file and writing it: an empty line
      // as the number of a process would be this whole group of processes.
      return readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1);
    } catch {
      return [];
    }
  };
  return { folder, lines };
}
