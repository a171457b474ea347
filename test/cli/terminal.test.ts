import { PassThrough } from "node:stream";
import type { WriteStream } from "node:tty";
import { afterEach, describe, expect, it, vi } from "vitest";
import { exitCodes } from "../../src/cli/command-error.js";
import { contextOfJob, type Context } from "../../src/cli/command.js";
import { screenOn } from "../../src/cli/dialogue.js";
import { wordsIn } from "../../src/cli/flag-values.js";
import { printReport, printText } from "../../src/cli/print.js";
import {
  exitCodeOf,
  type Report,
  reportOf,
  worstExitCode,
} from "../../src/cli/report.js";
import { processTerminal } from "../../src/cli/process.js";
import { statusLine } from "../../src/cli/status.js";
import {
  formatBytes,
  makeStyle,
  printDiagnostics,
  printed,
  printJson,
  type Terminal,
  visible,
  visibleJson,
  wantsColours,
} from "../../src/cli/terminal.js";
import { makeDiagnostic } from "../../src/generator/diagnostics.js";

/** A terminal that keeps what is printed: `out` and `err`, in order. */
function recorder(colours = false) {
  const lines: string[] = [];
  const terminal = {
    out: async (text: string) => void lines.push(`out ${text}`),
    print: (text: string) => void lines.push(`err ${text}`),
    style: makeStyle(colours),
    dataStyle: makeStyle(false),
  } as unknown as Terminal;
  return { lines, terminal };
}

const error = makeDiagnostic("error", "MG001", "wrong", "mend it");
const warning = makeDiagnostic("warning", "MG002", "odd");
const note = makeDiagnostic("note", "MG003", "by the way");

describe("the terminal of a process", () => {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const before = signals.map((signal) => process.listeners(signal));
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    vi.useRealTimers();
    for (const [i, signal] of signals.entries())
      for (const listener of process.listeners(signal))
        if (!before[i]?.includes(listener))
          process.removeListener(signal, listener);
  });

  it.each([
    [true, true, "xterm", true],
    [false, true, "xterm", false],
    [true, false, "xterm", false],
    [true, true, "dumb", false],
  ])(
    "asks only if a person reads and answers: with an input (%s) and a screen (%s) of the kind %s: %s",
    (isInput, isScreen, kind, asks) => {
      vi.stubEnv("TERM", kind);
      const { stdin, stderr } = process;
      const was = [stdin.isTTY, stderr.isTTY];
      [stdin.isTTY, stderr.isTTY] = [isInput, isScreen];
      const { terminal } = processTerminal([]);
      expect(terminal.dialogue !== null).toBe(asks);
      [stdin.isTTY, stderr.isTTY] = was as [boolean, boolean];
    },
  );

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)(
    "is interrupted by %s, and ends with the code %i at once after a second signal, and else after six seconds",
    (signal, code) => {
      vi.useFakeTimers({ toFake: ["setTimeout"] });
      const exit = vi
        .spyOn(process, "exit")
        .mockImplementation((() => undefined) as never);
      const { terminal, interrupted } = processTerminal([]);
      expect([terminal.signal.aborted, interrupted()]).toEqual([
        false,
        undefined,
      ]);
      const listener = process.listeners(signal).at(-1) as () => void;
      listener();
      expect([terminal.signal.aborted, interrupted()]).toEqual([true, code]);
      vi.advanceTimersByTime(5_999);
      expect(exit).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(exit.mock.calls).toEqual([[code]]);
      listener();
      expect(exit.mock.calls).toEqual([[code], [code]]);
    },
  );
});

describe("colours", () => {
  it.each<
    [
      environment: Record<string, string>,
      terminal: boolean,
      flag: boolean,
      are: boolean,
    ]
  >([
    [{}, true, false, true],
    [{}, false, false, false],
    [{}, true, true, false],
    [{ FORCE_COLOR: "1" }, false, true, false],
    [{ FORCE_COLOR: "1" }, false, false, true],
    [{ FORCE_COLOR: "" }, false, false, false],
    [{ FORCE_COLOR: "" }, true, false, true],
    [{ FORCE_COLOR: "0" }, true, false, false],
    [{ FORCE_COLOR: "false" }, true, false, false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, true, false, false],
    [{ NO_COLOR: "" }, true, false, true],
    [{ NO_COLOR: "0" }, true, false, false],
    [{ TERM: "dumb" }, true, false, false],
    [{ TERM: "xterm" }, true, false, true],
    [{ TERM: "dumb", FORCE_COLOR: "2" }, false, false, true],
  ])(
    "follow %j on a terminal (%s) with --no-color (%s): %s",
    (environment, terminal, flag, are) => {
      expect(wantsColours(environment, terminal, flag)).toBe(are);
    },
  );

  it("are codes only in what is printed, and each text ends what it begins", () => {
    const { bold, dim, red, green, yellow, cyan } = makeStyle(true);
    const text = [
      bold("a"),
      dim("b"),
      red("c"),
      green("d"),
      yellow("e"),
      cyan("f"),
      red(""),
    ];
    expect(printed(text.join(" "))).toBe(
      "\u001b[1ma\u001b[22m \u001b[2mb\u001b[22m \u001b[31mc\u001b[39m \u001b[32md\u001b[39m \u001b[33me\u001b[39m \u001b[36mf\u001b[39m ",
    );
    expect(text[0]).not.toContain("\u001b");
    expect(makeStyle(false).red("c")).toBe("c");
  });

  it("are those of the severity, on its code, and the advice is dim", () => {
    const { lines, terminal } = recorder(true);
    printDiagnostics(terminal, [error, warning, note]);
    expect(lines).toEqual([
      "err \u001b[31mMG001\u001b[39m wrong\n\u001b[2m    hint: mend it\u001b[22m\n",
      "err \u001b[33mMG002\u001b[39m warning: odd\n",
      "err \u001b[36mMG003\u001b[39m note: by the way\n",
    ]);
  });
});

describe("text of strangers", () => {
  it("is visible, and keeps its lines; only a whole text keeps its tabs and takes CRLF", () => {
    expect(visible("a\nb\tc\u001b[31m")).toBe("a\nb\\u{9}c\\u{1b}[31m");
    expect(printed("a\r\nb\tc\u001b[31m\rd")).toBe("a\nb\tc\\u{1b}[31m\\u{d}d");
    expect(visibleJson("a\n\u202e\u{e0001}")).toBe("a\n\\u202e\\udb40\\udc01");
  });

  it("is the same value as JSON", async () => {
    const { lines, terminal } = recorder();
    await printJson(terminal, { a: "\u202e" });
    expect(lines).toEqual(['out {\n  "a": "\\u202e"\n}\n']);
  });
});

describe("a report", () => {
  const report: Report = {
    exitCode: 1,
    diagnostics: [warning],
    errors: [error],
    json: { a: 1 },
    data: () => "data\n",
    markdown: () => "page\n",
    differences: () => "differences\n",
    text: () => "text\n",
    advice: "advice\n",
  };
  const failed = { ...report, diagnostics: [error], errors: [] };
  const told = { ...report, isInMarkdown: true as const };
  const first = "err MG001 wrong\n    hint: mend it\n";
  const second = "err MG002 warning: odd\n";
  const all = [
    "err differences\n",
    first,
    second,
    "err text\n",
    "err advice\n",
  ];

  it.each<[what: string, Report, flags: string, lines: readonly string[]]>([
    ["all of it, in order", report, "", [...all, "out data\n"]],
    ["only errors, and data", report, "quiet", [first, "out data\n"]],
    ["JSON in place of data", report, "json", [...all, 'out {\n  "a": 1\n}\n']],
    [
      "data without JSON",
      { ...report, json: undefined },
      "json",
      [...all, "out data\n"],
    ],
    [
      "Markdown, and the diagnostics",
      report,
      "markdown",
      [first, second, "out page\n"],
    ],
    [
      "Markdown that has the diagnostics",
      told,
      "markdown",
      [first, "out page\n"],
    ],
    ["the diagnostics without Markdown", told, "", [...all, "out data\n"]],
    [
      "JSON before Markdown",
      report,
      "json markdown",
      [first, second, 'out {\n  "a": 1\n}\n'],
    ],
    [
      "data that failed among the errors",
      failed,
      "quiet",
      [first, "err data\n"],
    ],
    ["nothing", { exitCode: 0, diagnostics: [] }, "markdown", []],
    [
      "no empty text",
      {
        ...report,
        diagnostics: [],
        errors: [],
        data: () => "",
        differences: () => "",
        text: () => "",
        advice: "",
      },
      "",
      [],
    ],
  ])("prints %s", async (_, given, flags, lines) => {
    const printed = recorder();
    await printReport(given, printed.terminal, {
      json: flags.includes("json"),
      markdown: flags.includes("markdown"),
      quiet: flags.includes("quiet"),
    });
    expect(printed.lines).toEqual(lines);
  });

  it.each(["", "json", "markdown"])(
    "is printed once its reader has taken the data: %s",
    async (flags) => {
      const steps: string[] = [];
      const { terminal } = recorder();
      const slow: Terminal = {
        ...terminal,
        out: async () => {
          await new Promise(setImmediate);
          steps.push("taken");
        },
      };
      await printReport({ ...report, diagnostics: [] }, slow, {
        json: flags === "json",
        markdown: flags === "markdown",
        quiet: true,
      });
      expect(steps).toEqual(["taken"]);
    },
  );

  it("prints its text alone", () => {
    const { lines, terminal } = recorder();
    printText(report, terminal, false, false);
    expect(lines).toEqual(all);
  });

  it("says in its JSON whether the run was successful, with all diagnostics if there are any to give", () => {
    expect(reportOf(exitCodes.done, { a: 1 })).toEqual({
      exitCode: 0,
      diagnostics: [],
      errors: [],
      json: { ok: true, a: 1 },
    });
    expect(
      reportOf(1, {}, { diagnostics: [note], errors: [error], advice: "x" }),
    ).toEqual({
      exitCode: 1,
      diagnostics: [note],
      errors: [error],
      json: { ok: false, diagnostics: [note, error] },
      advice: "x",
    });
  });

  it("has an exit code for what was found: notes fail no run", () => {
    expect([[], [note], [note, warning], [error]].map(exitCodeOf)).toEqual([
      0, 0, 1, 1,
    ]);
  });

  it.each<[codes: (0 | 1 | 2 | 3 | 130)[], worst: number]>([
    [[], 0],
    [[0, 1, 0], 1],
    [[1, 3], 3],
    [[3, 2, 1], 2],
    [[2, 130, 3], 130],
  ])(
    "of several jobs has the worst of the exit codes %j: %i",
    (codes, worst) => {
      expect(worstExitCode(codes)).toBe(worst);
    },
  );
});

describe("the status of a job", () => {
  const statuses = (count: number): (string | null)[] => {
    const shown: (string | null)[] = [];
    const context = {
      status: (text: string | null) => void shown.push(text),
    } as unknown as Context;
    const { status } = contextOfJob(context, "gen", 1, count);
    status("reading");
    status(null);
    return shown;
  };

  it("has its name in front, and its number if it is one of several", () => {
    expect(statuses(1)).toEqual(["gen", "gen: reading", null]);
    expect(statuses(3)).toEqual([
      "gen (2 of 3)",
      "gen (2 of 3): reading",
      null,
    ]);
  });
});

describe("the line of a status", () => {
  const recorded = (isTerminal: boolean) => {
    const output = { text: "", time: 0 };
    const line = statusLine({
      write: (text) => void (output.text += text),
      isTerminal,
      columns: 5,
      now: () => output.time,
    });
    return { output, line };
  };

  it("is replaced and removed on a terminal, and leaves its last column free", () => {
    const { output, line } = recorded(true);
    line.clear();
    line.show(null);
    line.show("12345");
    line.show("1");
    line.show(null);
    line.clear();
    expect(output.text).toBe("\r\u001b[K1234\r\u001b[K1\r\u001b[K");
  });

  it("is printed every five seconds elsewhere", () => {
    const { output, line } = recorded(false);
    for (const time of [4999, 5000, 9999, 10_000]) {
      output.time = time;
      line.show(String(time));
      line.clear();
    }
    output.time = 99_999;
    line.show(null);
    expect(output.text).toBe("5000\n10000\n");
  });
});

describe("the screen of questions", () => {
  const screen = (isColoured: boolean, size: object) => {
    const output = new PassThrough();
    const terminal = Object.assign(output, size) as unknown as WriteStream;
    return { output, screen: screenOn(terminal, isColoured) as WriteStream };
  };

  it.each([
    [{ columns: 120, rows: 50 }, [120, 50]],
    [{ columns: 0, rows: 0 }, [80, 24]],
    [{}, [80, 24]],
  ])("has the size of the terminal, or the usual one: %j", (size, shown) => {
    const { columns, rows, isTTY } = screen(true, size).screen;
    expect([columns, rows, isTTY]).toEqual([...shown, true]);
  });

  it.each([
    [true, "\u001b[31ma\u001b[0m\u001b[2K"],
    [false, "a\u001b[2K"],
  ])("has colours only if they are on: %s", async (isColoured, text) => {
    const { output, screen: target } = screen(isColoured, {});
    await new Promise((done) =>
      target.write("\u001b[31ma\u001b[0m\u001b[2K", done),
    );
    expect(String(output.read())).toBe(text);
  });

  it("is resized with the terminal", () => {
    const { output, screen: target } = screen(true, {});
    let count = 0;
    target.on("resize", () => count++);
    output.emit("resize");
    expect(count).toBe(1);
  });
});

describe("a size", () => {
  it.each([
    [999, "999 B"],
    [1000, "1.0 kB"],
    [1250, "1.3 kB"],
    [0, "0 B"],
  ])("of %i bytes is %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

it("the entries of a list are those between commas, without space and without empty ones", () => {
  expect(wordsIn(" a, b,,c ")).toEqual(["a", "b", "c"]);
  expect(wordsIn(["a,b", " ", "c"])).toEqual(["a", "b", "c"]);
});
