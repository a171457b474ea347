import { setTimeout as pause } from "node:timers/promises";
import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

let state = "idle";

const servers = createServers({
  info: { name: "copier", version: "1.0.0" },
  handlers: {
    ...tools([
      {
        name: "copy",
        inputSchema: {
          type: "object",
          properties: { files: { type: "integer" } },
          required: ["files"],
        },
        async handler({ files }, context) {
          state = "copying";
          context.signal.addEventListener("abort", () => {
            state = "stopped";
          });
          for (let done = 0; done < Number(files); done++) {
            context.progress(done, Number(files), `File ${done + 1}`);
            await pause(10, undefined, { signal: context.signal });
          }
          return `Copied ${String(files)} files.`;
        },
      },
      {
        name: "wait",
        handler: (_args, context) =>
          pause(60_000, "Done.", { signal: context.signal }),
      },
      { name: "state", handler: () => state },
    ]),
  },
});

await serveStdio(servers);
