import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { makeServer, modern, text } from "../index.js";

/* A server that closes when it gets a signal. It prints its port, and a line when a call begins, which ends after the signal. */
const signalled = new Promise((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, resolve);
});
const server = makeServer(modern.protocol, {
  handlers: {
    "tools/call": async () => {
      process.stdout.write("begun\n");
      await signalled;
      return text("done");
    },
  },
});
const { port, closed } = await serveHttp(createHttpHandler(server), {
  port: 0,
  signals: true,
});
process.stdout.write(`${port}\n`);
await closed;
process.stdout.write("closed\n");
