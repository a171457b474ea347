import { tasks } from "@mcpgen/runtime/tasks";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createServers, serverQuestions } from "../../generated/index.js";
import { prompts } from "./server-prompts.js";
import { resources, skills } from "./server-resources.js";
import { tools } from "./server-tools.js";

// The server for the official conformance suite, with the names that the suite
// requires.

const servers = createServers({
  info: { name: "mcpgen-conformance", version: "1.0.0" },
  instructions: "A server for the conformance suite.",
  capabilities: {
    logging: {},
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
  },
  onError: (error) => process.stderr.write(`${String(error)}\n`),
  questions: serverQuestions,
  handlers: {
    ...tools(() => servers.notify),
    ...prompts,
    ...resources,
    ...skills,
    ...tasks({ pollInterval: 100 }),
    "completion/complete": ({ argument }) => ({
      completion: {
        values: ["paris", "park", "party"].filter((value) =>
          value.startsWith(argument.value),
        ),
      },
    }),
  },
});

const at = process.argv.indexOf("--port");
const port = at === -1 ? 3000 : Number(process.argv[at + 1]);
const { url } = await serveHttp(createHttpHandler(servers), { port });
process.stdout.write(`${url}\n`);
