#!/usr/bin/env node
import { exitCodes } from "./fault.js";
import { processTerminal } from "./process.js";
import { bugReport, run } from "./run.js";

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
