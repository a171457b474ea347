import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Transport } from "@mcpgen/runtime";
import { stdio, type StdioOptions } from "@mcpgen/runtime/stdio";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { until } from "../kit/watch.js";
import { windowsCommand } from "../../../src/runtime/core/transport/stdio.js";
import { bundle } from "../kit/bundle.js";
import {
  failure,
  type Json,
  legacy,
  makeClient,
  modern,
} from "../kit/index.js";

const scripted = bundle("scripted");
const folder = mkdtempSync(join(tmpdir(), "mcpgen-stdio-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let notes = 0;

interface Run {
  readonly transport: Transport;
  readonly messages: Json[];
  readonly malformed: Error[];
  readonly closed: Promise<Error | undefined>;
  readonly noted: () => string[];
}

/** Starts a process that follows the script, and listens. */
async function run(
  steps: readonly string[],
  options: StdioOptions = {},
): Promise<Run> {
  const file = join(folder, `${notes++}.txt`);
  const transport = stdio(
    process.execPath,
    [await scripted, `note:${file}`, ...steps],
    {
      stderr: "ignore",
      shutdownTime: 300,
      ...options,
    },
  );
  const messages: Json[] = [];
  const malformed: Error[] = [];
  const closed = new Promise<Error | undefined>((resolve) => {
    void transport.start({
      message: (message) => messages.push(message as Json),
      malformed: (error) => malformed.push(error),
      ended: () => {},
      closed: resolve,
    });
  });
  const noted = (): string[] => {
    try {
      return readFileSync(file, "utf8").trim().split("\n");
    } catch {
      return [];
    }
  };
  return { transport, messages, malformed, closed, noted };
}

describe("a client on stdio", () => {
  it("STDIO-06 accepts lines that end in CR LF and skips blank ones", async () => {
    const { messages, malformed, closed } = await run([
      'say:\n{"a":1}\r\n\r\n  \n{"b":2}\n',
      "exit:0",
    ]);
    await closed;
    expect(messages).toEqual([{ a: 1 }, { b: 2 }]);
    expect(malformed).toEqual([]);
  });

  it("STDIO-06 reports a line that is not JSON, and continues", async () => {
    const { messages, malformed, closed } = await run([
      'say:Listening!\n{"a":1}\n',
      "exit:0",
    ]);
    await closed;
    expect(messages).toEqual([{ a: 1 }]);
    expect(malformed.map(({ message }) => message)).toEqual([
      expect.stringContaining("not JSON"),
    ]);
  });

  it("STDIO-06 reports a line that is too long, drops all of it, and continues", async () => {
    const long = "x".repeat(3000);
    const script = [
      `say:"${long}`,
      `say:${long}"\n{"a":1}\n"${long}${long}"\n{"b":2}\n`,
      "exit:0",
    ];
    const { messages, malformed, closed } = await run(script, {
      limits: { messageBytes: 4000 },
    });
    await closed;
    expect(messages).toEqual([{ a: 1 }, { b: 2 }]);
    expect(malformed.map(({ message }) => message)).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining("4000 bytes")),
    );
  });

  it("STDIO-02 decodes a character that is split between chunks, and reports an incomplete last line", async () => {
    const { messages, malformed, closed } = await run([
      'say:{"a":"🎲',
      'say:🎲"}\n{"half":',
      "exit:0",
    ]);
    await closed;
    expect(messages).toEqual([{ a: "🎲🎲" }]);
    expect(malformed.map(({ message }) => message)).toEqual([
      expect.stringContaining("not JSON"),
    ]);
  });

  it.each([["exit:0"], ["exit:1"], ["close", "stay"]])(
    "receives a last line without an end, before %s closes the output",
    async (...end) => {
      const { messages, malformed, closed } = await run([
        'say:{"a":1}\n{"last":true}',
        ...end,
      ]);
      await closed;
      expect(messages).toEqual([{ a: 1 }, { last: true }]);
      expect(malformed).toEqual([]);
    },
  );

  it.each([legacy, modern])(
    "rejects the calls of $revision at once if the server has closed its input, and not after their timeout",
    async ({ protocol, isModern }) => {
      const result = isModern
        ? {
            supportedVersions: [modern.revision],
            resultType: "complete",
            ttlMs: 0,
            cacheScope: "private",
          }
        : {
            protocolVersion: legacy.revision,
            serverInfo: { name: "s", version: "1" },
          };
      const answer = {
        jsonrpc: "2.0",
        id: 0,
        result: { ...result, capabilities: { tools: {} } },
      };
      const hello = `say:${JSON.stringify(answer)}\n`;
      const steps = isModern ? ["hear", hello] : ["hear", hello, "hear"];
      const transport = stdio(
        process.execPath,
        [await scripted, ...steps, "deaf", "stay"],
        {
          stderr: "ignore",
          shutdownTime: 300,
          restart: false,
        },
      );
      const client = await makeClient(protocol, transport);
      let error: Error | undefined;
      // What is written before the server has closed its input is not refused.
      await until(async () => {
        error = await failure(client.callTool({ name: "x" }, { timeout: 200 }));
        return error.name === "TransportError";
      });
      expect(error?.message).toMatch(/closed its input|ended with|closed\.$/);
      await client.close();
    },
  );

  it.each([
    ["Node.js", "throw new Error(`no key\\nset KEY`)", "Error: no key"],
    [
      "a long stack",
      `const f = (n) => { if (n > 0) return f(n - 1); throw new TypeError("bad"); }; f(60)`,
      "TypeError: bad",
    ],
    [
      "a cause",
      `throw new Error("outer", { cause: new Error("inner") })`,
      "Error: outer",
    ],
  ])(
    "shows the message of a server that throws when it starts, and not only its stack: %s",
    async (_, code, said) => {
      for (const stderr of ["ignore", () => {}] as const) {
        const transport = stdio(
          process.execPath,
          ["--stack-trace-limit=100", "-e", code],
          { stderr },
        );
        const error = await failure(makeClient(legacy.protocol, transport));
        expect(error.message).toContain("ended with code 1");
        expect(error.message).toContain(said);
        expect(error.message).not.toMatch(/\n +at /);
      }
    },
  );

  it("STDIO-02 drops a byte order mark before the first message", async () => {
    const { messages, malformed, closed } = await run([
      'say:\uFEFF{"a":1}\n',
      "exit:0",
    ]);
    await closed;
    expect(messages).toEqual([{ a: 1 }]);
    expect(malformed).toEqual([]);
  });

  const ready = async ({ messages }: Run): Promise<void> => {
    await until(() => messages.length > 0);
  };

  it("STDIO-07 STDIO-08 closes stdin first, and sends no signal if the process exits", async () => {
    const { transport, closed, noted } = await run(["hear"], {
      shutdownTime: 60_000,
    });
    await transport.send({ last: "words" });
    await transport.close();
    expect(noted()).toEqual(['heard {"last":"words"}', "end of input"]);
    expect(await closed).toBeUndefined();
  });

  it("closes at the end of the process, without waiting for a timer (STDIO-07)", async () => {
    const { transport, closed, noted } = await run(["hear"], {
      shutdownTime: 1,
    });
    await transport.send({});
    // Timers that are set from now on never fire.
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    try {
      await transport.close();
      await closed;
    } finally {
      vi.useRealTimers();
    }
    expect(noted()).toEqual(["heard {}", "end of input"]);
  });

  /**
   * Closes a transport. Each part of the shutdown time passes once the process
   * has noted what is due before.
   */
  const close = async (
    { transport, noted }: Run,
    due: readonly string[],
  ): Promise<void> => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const closing = transport.close();
      for (const note of due) {
        while (!noted().includes(note))
          await new Promise((resolve) => setImmediate(resolve));
        vi.advanceTimersByTime(60_000);
      }
      await closing;
    } finally {
      vi.useRealTimers();
    }
  };

  it("STDIO-07 STDIO-08 sends SIGTERM to a process that ignores the end of its input", async () => {
    const child = await run(["stay", "pid"], { shutdownTime: 60_000 });
    await ready(child);
    await close(child, ["end of input"]);
    expect(child.noted()).toEqual(["end of input", "SIGTERM"]);
  });

  it("STDIO-07 STDIO-08 sends SIGKILL to a process that ignores SIGTERM", async () => {
    const child = await run(["stay", "stubborn", "pid"], {
      shutdownTime: 60_000,
    });
    await ready(child);
    await close(child, ["end of input", "SIGTERM"]);
    expect(child.noted()).toEqual(["end of input", "SIGTERM"]);
    expect(() => process.kill(Number(child.messages[0]?.["pid"]), 0)).toThrow(
      "ESRCH",
    );
  });

  it.skipIf(process.platform === "win32")(
    "ends the server that a wrapper has started, even if the wrapper ends first (STDIO-08)",
    async () => {
      const program = await scripted;
      // The shell stays the parent, as npx does, and ends at the signal that
      // the server ignores.
      const line = `"${process.execPath}" "${program}" stay stubborn pid & wait`;
      const messages: Json[] = [];
      const transport = stdio("/bin/sh", ["-c", line], {
        stderr: "ignore",
        shutdownTime: 300,
      });
      await transport.start({
        message: (message) => messages.push(message as Json),
        malformed: () => {},
        ended: () => {},
        closed: () => {},
      });
      await until(() => messages.length > 0);
      await transport.close();
      const { pid } = messages[0] as { pid: number };
      const state = (): string => {
        try {
          return (
            /State:\s+(\S)/.exec(
              readFileSync(`/proc/${pid}/status`, "utf8"),
            )?.[1] ?? "gone"
          );
        } catch {
          return "gone";
        }
      };
      // A process that was killed may be listed for a moment.
      const isEnded = (): boolean => ["gone", "Z"].includes(state());
      await until(() => process.platform !== "linux" || isEnded());
    },
  );

  it("STDIO-10 closes if the server closes its output", async () => {
    const { transport, closed } = await run(["close", "stay"]);
    expect((await closed)?.message).toMatch(
      /^node(\.exe)? closed its output\.$/,
    );
    expect((await failure((async () => transport.send({}))())).name).toBe(
      "TransportError",
    );
    await transport.close();
  });

  it("STDIO-12 reports how the server ended, after its last message, and without its arguments", async () => {
    const { messages, closed } = await run(['say:{"last":1}\n', "exit:3"]);
    const error = await closed;
    expect(error?.name).toBe("TransportError");
    expect(error?.message).toMatch(
      /^node(\.exe)? (ended with code 3|closed its output)\.$/,
    );
    expect(messages).toEqual([{ last: 1 }]);
  });

  it("STDIO-12 reports how the server ended once its output has ended, without waiting for a timer", async () => {
    const { transport, closed } = await run(["hear", "exit:3"]);
    // Timers that are set from now on never fire.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    try {
      await transport.send({});
      expect((await closed)?.message).toMatch(
        /^node(\.exe)? ended with code 3\.$/,
      );
    } finally {
      vi.useRealTimers();
    }
  });

  it("STDIO-12 rejects pending calls when the server ends", async () => {
    const hello = JSON.stringify({
      jsonrpc: "2.0",
      id: 0,
      result: {
        protocolVersion: legacy.revision,
        capabilities: { tools: {} },
        serverInfo: { name: "x", version: "1" },
      },
    });
    const steps = ["hear", `say:${hello}\n`, "hear", "hear", "exit:1"];
    const losses: (Error | undefined)[] = [];
    const transport = stdio(process.execPath, [await scripted, ...steps], {
      stderr: "ignore",
    });
    const client = await makeClient(legacy.protocol, transport, {
      onClose: (error) => losses.push(error),
    });
    const error = await failure(client.callTool({ name: "x" }));
    expect(error.name).toBe("TransportError");
    expect((await failure(client.callTool({ name: "x" }))).name).toBe(
      "TransportError",
    );
    await client.close();
    expect(losses).toHaveLength(1);
    expect(losses[0]?.name).toBe("TransportError");
  });

  it.each(["ignore", () => {}] as const)(
    "STDIO-12 reports the last ten lines of stderr without control characters (stderr: %s)",
    async (stderr) => {
      const log = Array.from(
        { length: 12 },
        (_, i) => `line ${i + 1}\u001b[31m\r\n`,
      ).join("");
      const { closed } = await run([`tell:${log}`, "exit:3"], { stderr });
      const lines = (await closed)?.message.split("\n");
      expect(lines?.slice(1)).toEqual(
        Array.from({ length: 10 }, (_, i) => `  line ${i + 3}\ufffd[31m`),
      );
    },
  );

  it.each([
    [16_378, ["first", "x".repeat(200), "end"]],
    [16_379, ["irst", "x".repeat(200), "end"]],
    [16_383, ["x".repeat(200), "end"]],
  ])(
    "STDIO-12 keeps the last 16,384 characters of stderr, here with a line of %i",
    async (length, lines) => {
      const log = `first\n${"x".repeat(length - 4)}\nend`;
      const { closed } = await run([`tell:${log}`, "exit:3"]);
      const said = (await closed)?.message.split("\n  ");
      expect(said?.slice(1)).toEqual(lines);
    },
  );

  it("STDIO-01 names the folder if `cwd` does not exist", async () => {
    const transport = stdio(process.execPath, [], { cwd: "/no/such/folder" });
    const error = await failure(makeClient(modern.protocol, transport));
    expect(error.message).toMatch(
      /could not be started: the folder "\/no\/such\/folder" \(cwd\) does not exist\.$/,
    );
  });

  it("STDIO-01 rejects with the reason if a server cannot be started", async () => {
    const error = await failure(
      makeClient(modern.protocol, stdio("/no/such/server", ["--key=secret"])),
    );
    expect(error.name).toBe("TransportError");
    expect(error.message).toMatch(/^server could not be started: .*ENOENT/);
    expect(error.message).not.toContain("secret");
  });

  it("STDIO-05 passes on the stderr of the server, and does not treat it as an error", async () => {
    let stderr = "";
    const { messages, closed } = await run(
      ["tell:ERROR: é\n", "say:{}\n", "exit:0"],
      {
        stderr: (text) => (stderr += text),
      },
    );
    await closed;
    expect(stderr).toBe("ERROR: é\n");
    expect(messages).toEqual([{}]);
  });

  it("STDIO-15 passes only the given and needed environment variables to the server", async () => {
    vi.stubEnv("TEST_SECRET_TOKEN", "swordfish");
    // A function that a shell exports, and a text that ends like one.
    vi.stubEnv("LC_ALL", "() { :; }");
    vi.stubEnv("LOGNAME", "ada()");
    try {
      const { messages, closed } = await run(["env", "exit:0"], {
        env: { GIVEN: "yes" },
      });
      await closed;
      const { env } = messages[0] as { env: Json };
      expect(env["GIVEN"]).toBe("yes");
      expect(env["PATH"]).toBe(process.env["PATH"]);
      expect(env["LOGNAME"]).toBe("ada()");
      expect(env["LC_ALL"]).toBe(undefined);
      expect(JSON.stringify(env)).not.toContain("swordfish");
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("STDIO-16 accepts messages again after a slow server has read", async () => {
    const { transport, noted } = await run(["hear", "hear"]);
    const waits: (Promise<void> | void)[] = [];
    for (let i = 0; i < 3; i++) {
      waits.push(transport.send({ text: "x".repeat(2_000_000) }));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(waits.some((wait) => wait instanceof Promise)).toBe(true);
    await Promise.all(waits);
    await transport.close();
    expect(noted().map((line) => line.length)).toEqual([
      2_000_017, 2_000_017, 12,
    ]);
  });
});

describe("after a server has started", () => {
  const module = process.getBuiltinModule("node:child_process");
  afterEach(() => vi.restoreAllMocks());

  /**
   * Starts a server that ignores the end of its input, and changes each process
   * that `spawn` returns.
   */
  async function start(change: (child: ChildProcess, command: string) => void) {
    const { spawn } = module;
    const children: ChildProcess[] = [];
    vi.spyOn(module, "spawn").mockImplementation(((
      ...args: Parameters<typeof spawn>
    ) => {
      const child = spawn(...args);
      children.push(child);
      change(child, args[0]);
      return child;
    }) as typeof spawn);
    const transport = stdio(process.execPath, [await scripted, "stay", "pid"], {
      stderr: "ignore",
      shutdownTime: 100,
    });
    const messages: unknown[] = [];
    const receiver = { malformed: () => {}, ended: () => {}, closed: () => {} };
    const started = transport.start({
      ...receiver,
      message: (message) => messages.push(message),
    });
    const error = await Promise.resolve(started).catch(
      (reason: unknown) => reason as Error,
    );
    return { transport, messages, error, pid: children[0]?.pid ?? 0 };
  }

  const isRunning = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const fail = (): never => {
    throw new Error("on purpose");
  };

  it.skipIf(process.platform === "win32")(
    "messages arrive although the runtime, such as Bun, has no `unref` for pipes",
    async () => {
      const { transport, messages, error } = await start((child) =>
        Object.assign(child.stdin ?? {}, { unref: undefined }),
      );
      expect(error).toBeUndefined();
      await until(() => expect(messages).toHaveLength(1));
      await transport.close();
    },
  );

  it
    .skipIf(process.platform === "win32")
    .each<[string, (child: ChildProcess, command: string) => void]>([
      [
        "the process that watches it cannot be started",
        (_, command) => void (command === "/bin/sh" && fail()),
      ],
      [
        "its stderr cannot be read",
        ({ stderr }) => Object.assign(stderr ?? {}, { setEncoding: fail }),
      ],
      [
        "its stdout cannot be read",
        ({ stdout }) => Object.assign(stdout ?? {}, { once: fail }),
      ],
    ])("the server is ended, and `start` rejects, if %s", async (_, change) => {
    const { error, pid } = await start(change);
    expect(error?.message).toBe("on purpose");
    expect(isRunning(pid)).toBe(false);
  });
});

describe("a command on Windows", () => {
  // Parses a line as the shell does, and then as the C runtime does.
  const shell = (line: string): string => line.replace(/\^(.)/gs, "$1");
  const words = (line: string): string[] => {
    const results: string[] = [];
    let word = "";
    let quoted = false;
    for (let i = 0; i < line.length; i++) {
      const slashes = /^\\*/.exec(line.slice(i))?.[0].length ?? 0;
      if (slashes > 0) {
        const quote = line[i + slashes] === '"';
        word += "\\".repeat(quote ? slashes >> 1 : slashes);
        i += slashes - 1;
        if (quote && slashes % 2 === 1) {
          word += '"';
          i++;
        }
      } else if (line[i] === '"') quoted = !quoted;
      else if (line[i] === " " && !quoted) {
        results.push(word);
        word = "";
      } else word += line[i];
    }
    return [...results, word];
  };

  it.each([
    [["npx", "-y", "server"]],
    [["C:\\Program Files\\x\\run.cmd", "a b", ""]],
    [["x", 'say "hi"', "back\\slash", "end\\", 'both\\"']],
    [["x", "a&calc", "%PATH%", "!x!", "a|b>c<d^e", "(a)", "é🎲"]],
  ])(
    "passes %j as separate arguments without special characters",
    (command) => {
      const [first = "", ...rest] = command;
      const [d, s, c, line = ""] = windowsCommand(first, rest);
      expect([d, s, c]).toEqual(["/d", "/s", "/c"]);
      // All characters with a meaning in the shell are escaped.
      const typed = line.slice(1, -1);
      expect(typed.replace(/\^./gs, "")).not.toMatch(/[&|<>%!()"]/);
      // The shell expands the arguments of the script twice, the second time
      // for `%*`.
      const start = typed.search(/(?<!\^) /);
      const passedOn = shell(typed.slice(start));
      expect(passedOn.replace(/\^./gs, "")).not.toMatch(/[&|<>%!()"]/);
      expect(words(shell(passedOn).slice(1))).toEqual(rest);
      expect(words(shell(typed.slice(0, start)))).toEqual([first]);
    },
  );

  it.each(["a\nb", "a\rb"])("rejects the line break in %j", (word) => {
    expect(() => windowsCommand("npx", [word])).toThrow(/line break/);
  });
});
