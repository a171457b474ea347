import { Hono } from "hono";
import { handle } from "hono/aws-lambda";
import { handler as answer } from "./mcp.js";

const app = new Hono();
app.all("/mcp", (context) => answer(context.req.raw));

export const handler: ReturnType<typeof handle> = handle(app);
