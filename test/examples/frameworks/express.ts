import { nodeListener } from "@mcpgen/runtime/http";
import express from "express";
import { handler } from "./mcp.js";

const app = express();
app.use(express.json({ limit: "4mb" }));
app.get("/healthz", (_request, response) => void response.send("ok"));
app.all("/mcp", nodeListener(handler));
app.listen(3000, "127.0.0.1");
