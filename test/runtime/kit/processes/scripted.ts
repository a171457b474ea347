/*
 * A server that does to the letter what its arguments say, one after the other: `say:TEXT` writes to stdout, `tell:TEXT` to
 * stderr, `hear` waits for a line, `unless:TEXT` ends if that line did not have it, `close` closes stdout, `deaf` closes stdin, `exit:CODE` ends, `stay` lives on, `stubborn` ignores SIGTERM, `pid` writes its
 * number, `note:FILE` keeps a record of signals and of the end of input, `env` writes the environment.
 */
import { appendFileSync, closeSync } from "node:fs";

const lines: string[] = [];
let wake: (() => void) | undefined;
let note: (line: string) => void = () => {};
let text = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  text += String(chunk);
  const cut = text.split("\n");
  text = cut.pop() ?? "";
  lines.push(...cut);
  wake?.();
});
process.stdin.on("end", () => note("end of input"));

let isStubborn = false;
let last = "";
process.on("SIGTERM", () => {
  note("SIGTERM");
  if (!isStubborn) process.exit(0);
});

for (const step of process.argv.slice(2)) {
  const [, what, argument = ""] = /^(\w+):?(.*)$/s.exec(step) ?? [];
  if (what === "say") process.stdout.write(argument);
  if (what === "tell") process.stderr.write(argument);
  if (what === "pid") process.stdout.write(`{"pid":${process.pid}}\n`);
  if (what === "env")
    process.stdout.write(`${JSON.stringify({ env: process.env })}\n`);
  if (what === "hear") {
    while (lines.length === 0)
      await new Promise<void>((resolve) => (wake = resolve));
    last = lines.shift() ?? "";
    note(`heard ${last}`);
  }
  if (what === "unless" && !last.includes(`"${argument}"`)) process.exit(1);
  if (what === "close") process.stdout.end();
  if (what === "deaf") closeSync(0);
  if (what === "exit") process.exit(Number(argument));
  if (what === "stay") setInterval(() => {}, 1000);
  if (what === "stubborn") isStubborn = true;
  if (what === "note") note = (line) => appendFileSync(argument, `${line}\n`);
}
