import { tools } from "@mcpgen/runtime/features";
import { z } from "zod";
import { createServers, type Servers } from "./protocol/index<extension>";

/** One server for each revision of the protocol, with the same tools. */
export const servers: Servers = createServers({
  info: { name: "<name>", version: "0.1.0" },
  handlers: {
    ...tools([
      {
        name: "greet",
        description: "Greets a person.",
        inputSchema: z.object({ name: z.string().min(1).describe("The name of the person.") }),
        handler: ({ name }) => `Hello, ${name}!`,
      },
    ]),
  },
});
