import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { PassThrough, type Readable, type Writable } from "node:stream";
import type { WriteStream } from "node:tty";
import { pathToFileURL } from "node:url";
import { screenOn } from "../../src/cli/dialogue.js";
import { put } from "../files.js";
import { program } from "../repository.js";
import { directory, runHere } from "./support.js";

/** The input that each key sends. */
export const keys = {
  enter: "\r",
  space: " ",
  down: "\u001b[B",
  escape: "\u001b",
  interrupt: "\u0003",
  /** Deletes the text of the line. */
  clear: "\u0015",
} as const;

/** A program on a terminal. */
export interface Session {
  /**
   * Waits until the screen shows a text after the one that the previous call
   * waited for.
   */
  until(text: string): Promise<void>;
  press(...pressed: readonly string[]): void;
  end(): Promise<{ readonly code: number | null; readonly screen: string }>;
}

interface Keyboard {
  readonly name: string;
  open(place: string, ...args: readonly string[]): Session;
}

/**
 * A terminal of the system, if a program can open one, and on every machine a
 * terminal made of pipes.
 */
export const keyboards: readonly Keyboard[] = [
  ...(opensTerminals()
    ? [{ name: "a terminal of the system", open: onSystemTerminal }]
    : []),
  { name: "a terminal made of pipes", open: onPipes },
];

/**
 * `script` of util-linux gives its child a terminal, and exits with the code of
 * the child.
 */
function opensTerminals(): boolean {
  const { status, stdout } = spawnSync(
    "script",
    ["-qec", "test -t 0 && echo open", "/dev/null"],
    {
      input: "",
      encoding: "utf8",
    },
  );
  return status === 0 && stdout.includes("open");
}

function onSystemTerminal(place: string, ...args: readonly string[]): Session {
  const words = [process.execPath, program, ...args].map(
    (word) => `'${word.replaceAll("'", "'\\''")}'`,
  );
  return session("script", ["-qec", words.join(" "), "/dev/null"], place);
}

/**
 * Makes pipes behave as a terminal in raw mode. A terminal without listeners
 * does not keep a program running.
 */
const terminalSetup = `
process.stdin.on("pause", () => process.stdin.unref()).on("resume", () => process.stdin.ref());
for (const stream of [process.stdin, process.stderr]) stream.isTTY = true;
process.stdin.setRawMode = (isRaw) => ((process.stdin.isRaw = isRaw), process.stdin);
Object.assign(process.stderr, { columns: 100, rows: 30 });
`;

function onPipes(place: string, ...args: readonly string[]): Session {
  const preload = join(directory(), "terminal.mjs");
  put(preload, terminalSetup);
  const url = pathToFileURL(preload).href;
  return session(process.execPath, ["--import", url, program, ...args], place);
}

/** A terminal for a run in the process of the test. */
export const ownTerminal: Keyboard = {
  name: "a terminal of this process",
  open: (place, ...args) => {
    const { input, screen, dialogue } = streams();
    const before = process.cwd();
    process.chdir(place);
    const show = (text: string): void => void screen.write(text);
    const closed = runHere(args, place, "", { dialogue, print: show }).then(
      ({ code, out }) => {
        show(out);
        return code;
      },
    );
    return sessionOf(
      input,
      [screen],
      closed.finally(() => process.chdir(before)),
    );
  },
};

/** What a person types, and a screen for the questions. */
export function streams() {
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => input,
  });
  const size = { columns: 100, rows: 30 };
  const screen = Object.assign(new PassThrough(), size);
  const output = screenOn(screen as unknown as WriteStream, false);
  return { input, screen, dialogue: { input, output } };
}

function session(
  command: string,
  args: readonly string[],
  cwd: string,
): Session {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(command, args, {
    cwd,
    env: { PATH, HOME, TERM: "xterm", SHELL: "/bin/sh" },
  });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return sessionOf(child.stdin, [child.stdout, child.stderr], closed);
}

/** The session of a run that reads an input, and writes to a screen. */
function sessionOf(
  input: Writable,
  outputs: readonly Readable[],
  closed: Promise<number | null>,
): Session {
  let screen = "";
  let seen = 0;
  let isOver = false;
  let wake = (): void => undefined;
  for (const stream of outputs) {
    stream.setEncoding("utf8").on("data", (part: string) => {
      screen += part;
      wake();
    });
  }
  const ended = closed.finally(() => {
    isOver = true;
    wake();
  });
  return {
    until: async (text) => {
      for (
        let at = screen.indexOf(text, seen);
        ;
        at = screen.indexOf(text, seen)
      ) {
        if (at !== -1) {
          seen = at + text.length;
          return;
        }
        if (isOver)
          throw new Error(
            `It ended without ${JSON.stringify(text)}:\n${screen}`,
          );
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    press: (...pressed) => void input.write(pressed.join("")),
    end: async () => {
      const code = await ended;
      return { code, screen };
    },
  };
}
