import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stdio } from "@mcpgen/runtime/stdio";
import { describe, expect, it, vi } from "vitest";
import { windowsCommand } from "../../../src/runtime/core/transport/stdio.js";
import { until } from "../../runtime/kit/watch.js";
import { windows } from "../kit/windows.js";

/** Starts the server, as a batch file does: it ends with its script. */
const shell = `
printf '%s\\n' "$@" > "$here/arguments"
echo $$ > "$here/shell"
exec 3<&0
"$NODE" "$here/server.mjs" <&3 &
echo $! > "$here/server"
wait`;

/** Ends nothing without /F, like that of Windows for most programs. */
const taskkill = `
kill -0 "$2" && echo "$@" >> "$here/calls"
case "$*" in
  *" /F") kill -KILL "$(cat "$here/server")" "$2" ;;
  *) exit 1 ;;
esac`;

const ignoring = "process.stdin.resume(); setInterval(() => {}, 1000);";
const obeying = "process.stdin.resume();";

const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const receiver = {
  message: () => {},
  malformed: () => {},
  ended: () => {},
  closed: () => {},
};

async function start(
  programs: Readonly<Record<string, string>>,
  server: string,
  command = "server",
) {
  const system = windows({ "cmd.exe": shell, ...programs });
  const { folder, lines } = system;
  vi.stubEnv("COMSPEC", join(folder, "cmd.exe"));
  writeFileSync(join(folder, "server.mjs"), server);
  const env = { NODE: process.execPath };
  const path = command.endsWith(".exe") ? join(folder, command) : command;
  // Even on a busy machine, what obeys ends within its time.
  const shutdownTime = server === obeying ? 60_000 : 200;
  const transport = stdio(path, ["a b", '"&c'], { env, shutdownTime });
  await transport.start(receiver);
  await until(() => lines("server").length === 1);
  const [pid] = lines("server").map(Number);
  return { ...system, transport, pid: Number(pid), shell: lines("shell")[0] };
}

describe("the command line of Windows", () => {
  it.each([
    ["a plain word", "a", '^^^"a^^^"'],
    ["a quote", 'a"b', '^^^"a\\^^^"b^^^"'],
    ["a backslash before a quote", 'a\\"b', '^^^"a\\\\\\^^^"b^^^"'],
    ["backslashes at its end", "a\\\\", '^^^"a\\\\\\\\^^^"'],
    ["letters with a meaning", "%a&b", '^^^"^^^%a^^^&b^^^"'],
  ])("escapes twice an argument with %s", (_, word, escaped) => {
    expect(windowsCommand("x", [word])[3]).toBe(`"^"x^" ${escaped}"`);
  });

  it.each([
    ["a\rb", []],
    ["a", ["b\n"]],
  ])("has no line break: %j %j", (command, args) => {
    expect(() => windowsCommand(command, args)).toThrow(
      new TypeError(
        "An argument contains a line break, which commands on Windows do not support.",
      ),
    );
  });
});

describe.skipIf(process.platform === "win32")(
  "a server over stdio on Windows, whose programs are scripts here",
  () => {
    it("is started by cmd.exe with one escaped command line", async () => {
      const { transport, lines } = await start({ taskkill }, obeying);
      expect(lines("arguments")).toEqual(
        windowsCommand("server", ["a b", '"&c']),
      );
      await transport.close();
    });

    it("is not ended by force if it ends with its input", async () => {
      const { transport, lines, pid } = await start({ taskkill }, obeying);
      await transport.close();
      await until(() => !runs(pid));
      expect(lines("calls")).toEqual([]);
    });

    it("is ended with all that cmd.exe started, by taskkill /T and then by force, while cmd.exe runs", async () => {
      const { transport, lines, pid, shell } = await start(
        { taskkill },
        ignoring,
      );
      await transport.close();
      await until(() => !runs(pid));
      expect(lines("calls")).toEqual([
        `/pid ${shell} /T`,
        `/pid ${shell} /T /F`,
      ]);
    });

    it("that is a program and no script is started by itself, and ended in the same way", async () => {
      const {
        transport,
        lines,
        pid,
        shell: program,
      } = await start(
        { taskkill, "server.exe": shell },
        ignoring,
        "server.exe",
      );
      expect(lines("arguments")).toEqual(["a b", '"&c']);
      await transport.close();
      await until(() => !runs(pid));
      expect(lines("calls")).toEqual([
        `/pid ${program} /T`,
        `/pid ${program} /T /F`,
      ]);
    });

    it.each([
      ["fails", "exit 1"],
      ["cannot be started", undefined],
    ])("is ended without its scripts if taskkill %s", async (_, script) => {
      const { transport, shell, pid } = await start(
        script === undefined ? {} : { taskkill: script },
        ignoring,
      );
      await transport.close();
      expect(runs(Number(shell))).toBe(false);
      process.kill(pid, "SIGKILL");
    });
  },
);
