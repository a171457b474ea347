import { createInterface } from "node:readline";
import type { Json } from "../messages.js";
import { noise, noisyServer } from "../../noise/server.js";

/* A server of the revision that is named, which writes to stdout lines that are not messages. */
const [revision = ""] = process.argv.slice(2);
const receive = noisyServer(revision, noise, (line) =>
  process.stdout.write(`${line}\n`),
);
for await (const line of createInterface({ input: process.stdin }))
  receive(JSON.parse(line) as Json);
