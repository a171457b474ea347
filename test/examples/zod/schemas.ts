import { memoryPair, serve } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { connect, createServers } from "./gen/index.js";

const shape = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("circle"), radius: z.number() }),
  z.object({ kind: z.literal("square"), side: z.number() }),
]);

const servers = createServers({
  info: { name: "shapes", version: "1.0.0" },
  handlers: {
    ...tools([
      {
        name: "draw",
        inputSchema: z.object({ shape }),
        handler: ({ shape }) =>
          shape.kind === "circle" ? `r = ${shape.radius}` : `a = ${shape.side}`,
      },
      {
        name: "draw_flat",
        inputSchema: shape,
        inputJsonSchema: {
          ...z.toJSONSchema(shape, { io: "input" }),
          type: "object",
        },
        handler: (shape) => shape.kind,
      },
      {
        name: "plan",
        inputSchema: z.object({
          day: z.iso.date().transform((text) => new Date(text)),
        }),
        handler: ({ day }) =>
          ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][day.getUTCDay()],
      },
      {
        name: "greet",
        inputSchema: z3.object({ city: z3.string() }),
        inputJsonSchema: {
          type: "object",
          properties: { city: { type: "string" } },
          required: ["city"],
        },
        handler: ({ city }) => `Hello, ${city}!`,
      },
    ]),
  },
});

const [end, serverEnd] = memoryPair();
await serve(serverEnd, servers);
const client = await connect(end, {
  info: { name: "guide", version: "1.0.0" },
});
const call = async (
  name: string,
  args: Record<string, unknown>,
): Promise<void> => {
  const { content } = await client.callTool({ name, arguments: args });
  for (const block of content)
    if (block.type === "text") console.log(block.text);
};

await call("draw", { shape: { kind: "circle", radius: 2 } });
await call("draw", { shape: { kind: "circle" } });
await call("draw_flat", { kind: "square", side: 1 });

await call("plan", { day: "2026-07-28" });
await call("plan", { day: "tomorrow" });

await call("greet", { city: "Oslo" });
await client.close();
