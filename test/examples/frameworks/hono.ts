import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { handler } from "./mcp.js";

const app = new Hono();
app.get("/healthz", (context) => context.text("ok"));
app.all("/mcp", (context) => handler(context.req.raw));
serve({ fetch: app.fetch, port: 3000, hostname: "127.0.0.1" });
