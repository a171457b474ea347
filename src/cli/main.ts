#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { exitCodes } from "./command-error.js";
import { processTerminal } from "./process.js";
import { bugReport, run } from "./run.js";

// Most runs end within a second, so code is optimized only after it has run
// eight times as long as by default, which saves a third of the processor time.
// The flag changes nothing but the time of compilation; other Node.js versions
// may not have it.
if (process.versions.node.startsWith("20."))
  setFlagsFromString("--interrupt-budget=1000000");

// A closed pipe (`mcpgen ir latest | head`) is not an error of the run. Without
// a reader of the data the run ends; without a reader of the progress it
// continues.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(process.exitCode ?? exitCodes.done);
});
process.stderr.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") {
    throw error;
  }
});

// An error that escapes a command is a bug; exit code 1 would mean that a check
// found something.
process.on("uncaughtException", (error) => {
  process.stderr.write(`${bugReport(error)}\n`);
  process.exit(exitCodes.usage);
});

const argv = process.argv.slice(2);
const { terminal, interrupted } = processTerminal(argv);
const code = await run(argv, terminal);
// A module of the user, such as the configuration, may have left handles open.
// First what was printed is written.
await Promise.all(
  [process.stdout, process.stderr].map(
    (stream) => new Promise((done) => stream.write("", done)),
  ),
);
process.exit(interrupted() ?? code);
