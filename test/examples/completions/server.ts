import { prompts, resources } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const streets: Record<string, string[]> = {
  Oslo: ["Karl Johans gate", "Kirkeveien", "Storgata"],
  Bergen: ["Bryggen", "Torgallmenningen"],
};

const servers = createServers({
  info: { name: "maps", version: "1.0.0" },
  handlers: {
    ...prompts([
      {
        name: "plan_trip",
        arguments: [
          { name: "to", required: true, complete: Object.keys(streets) },
        ],
        get: ({ to }) => `Plan a trip to ${to}.`,
      },
    ]),
    ...resources([
      {
        uriTemplate: "map://{city}/{street}",
        name: "map",
        complete: {
          city: Object.keys(streets),
          street: (typed, { city = "" }) =>
            (streets[city] ?? []).filter((street) =>
              street.toLowerCase().includes(typed.toLowerCase()),
            ),
        },
        read: ({ city, street }) => `The map of ${street} in ${city}`,
      },
    ]),
  },
});

await serveStdio(servers);
