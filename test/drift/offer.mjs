// Offers over stdio what the snapshot of its first argument says: a server of a
// few lines, to drift on command.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { revision, server, capabilities, instructions, ...lists } = JSON.parse(
  readFileSync(process.argv[2], "utf8"),
);
const answers = {
  initialize: () => ({
    protocolVersion: revision,
    capabilities,
    serverInfo: server,
    instructions,
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: lists.tools }),
  "prompts/list": () => ({ prompts: lists.prompts }),
  "resources/list": () => ({ resources: lists.resources }),
  "resources/templates/list": () => ({
    resourceTemplates: lists.resourceTemplates,
  }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const outcome =
    answer === undefined
      ? { error: { code: -32601, message: "Method not found" } }
      : { result: answer() };
  process.stdout.write(
    `${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`,
  );
}
