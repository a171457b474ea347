import { stdio } from "@mcpgen/runtime/stdio";

/*
 * A client of a server: it starts the server that is named, passes on what the server says, and then ends as the first
 * argument says, or waits for a signal.
 */
const [how = "", ...server] = process.argv.slice(2);
const transport = stdio(process.execPath, server, {
  stderr: "ignore",
  shutdownTime: 300,
});
await transport.start({
  message: (message) => {
    process.stdout.write(`${JSON.stringify(message)}\n`, () => {
      if (how === "exit") process.exit(0);
      if (how === "close") void transport.close();
      if (how === "throw")
        setTimeout(() => {
          throw new Error("on purpose");
        });
    });
  },
  malformed: () => {},
  ended: () => {},
  closed: () => {},
});
