import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JsonSchema, tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

/** This file takes the place of a database. It has a note on each line. */
const notes = await open(
  process.env["NOTES"] ?? join(tmpdir(), `notes-${process.ppid}.txt`),
  "a+",
);

const note: JsonSchema<{ text: string }> = {
  type: "object",
  properties: { text: { type: "string", pattern: "^[^\\n]+$" } },
  required: ["text"],
};

const servers = createServers({
  info: { name: "notes", version: "1.0.0" },
  handlers: {
    ...tools([
      {
        name: "add",
        description: "Adds a note.",
        inputSchema: note,
        async handler({ text }) {
          await notes.appendFile(`${text}\n`);
          return "Added.";
        },
      },
      {
        name: "clear",
        description: "Removes all notes, and returns their number.",
        async handler() {
          const { size } = await notes.stat();
          const { buffer } = await notes.read({
            buffer: Buffer.alloc(size),
            position: 0,
          });
          await notes.truncate();
          return `${buffer.toString().split("\n").length - 1} removed`;
        },
      },
    ]),
  },
  // The errors of a database may contain what is in it.
  maskErrors: true,
});

await serveStdio(servers);
await notes.close();
