#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { exitCodes } from "./command-error.js";
import { processTerminal } from "./process.js";
import { bugReport, run } from "./run.js";

// Most runs end within a second, so code is optimized only once it has run eight times as long as the engine waits by
// default: that saves a third of the processor time. It changes when code is compiled, and nothing else. Other versions of
// Node may not know the flag.
if (process.versions.node.startsWith("20.")) setFlagsFromString("--interrupt-budget=1000000");

// A reader that went away (`mcpgen ir latest | head`) is no fault of the run. Without anybody to take the data there is
// nothing left to do; without anybody to read the progress there is.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(process.exitCode ?? exitCodes.done);
});
process.stderr.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

// Whatever escapes a command is a bug; 1 would say that a check found something.
process.on("uncaughtException", (error) => {
  process.stderr.write(`${bugReport(error)}\n`);
  process.exit(exitCodes.usage);
});

const argv = process.argv.slice(2);
const { terminal, interrupted } = processTerminal(argv);
const code = await run(argv, terminal);
process.exitCode = interrupted() ?? code;
