/**
 * `@mcpgen/runtime/stdio` for programs of the guides: a client gets a
 * connection in memory to the program that it would start, so that programs run
 * in one process, once for each revision.
 */
import { pathToFileURL } from "node:url";
import { memoryPair, serve, type Transport } from "@mcpgen/runtime";
import * as real from "@mcpgen/runtime/stdio";
import { chosen, currentRun, recorded } from "./recorder.js";

/** A connection to a program that has been started and does not serve yet. */
interface Started {
  readonly transport: Transport;
  serves(): void;
}
const waiting: Started[] = [];
let starts = 0;

export const stdio: typeof real.stdio = (command, args = [], options = {}) => {
  const run = currentRun();
  const file = args.at(-1) ?? "";
  if (!run || command !== "node" || !file.endsWith(".ts"))
    return real.stdio(command, args, options);
  const program = `${run.folder}/${file.replace(/\.ts$/, ".mjs")}`;
  if (run.inProcesses)
    return recorded(real.stdio(process.execPath, [program], options));
  const [clientTransport, transport] = memoryPair();
  const start = clientTransport.start.bind(clientTransport);
  clientTransport.start = async (receiver) => {
    starts += 1;
    const url = `${pathToFileURL(program).href}?run=${run.id}&start=${starts}`;
    await new Promise<void>((serves, fails) => {
      waiting.push({ transport, serves });
      // Ends when the client disconnects.
      import(url).catch(fails);
    });
    await start(receiver);
  };
  return recorded(clientTransport);
};

export const serveStdio: typeof real.serveStdio = async (servers, options) => {
  const run = currentRun();
  if (!run) return real.serveStdio(servers, options);
  // A server that starts another one waits longer than that one.
  const started = waiting.pop();
  if (!started) throw new Error("The server was not started by a client.");
  const { closed, close } = await serve(started.transport, chosen(servers));
  run.cleanups.push(close);
  started.serves();
  await closed;
};
