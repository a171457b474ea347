// The same server on fastmcp.
import { FastMCP } from "fastmcp";
import { z } from "zod";
import { echo, info } from "./echo.mjs";

const server = new FastMCP(info);
server.addTool({
  name: echo.name,
  description: "Says it again.",
  parameters: z.object({ text: z.string() }),
  execute: async ({ text }) => text,
});
await server.start({ transportType: "stdio" });
