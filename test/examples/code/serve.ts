import { serveCode } from "@mcpgen/runtime/code";
import { close, code } from "./agent.js";
import * as mcp from "./gen/index.js";

await serveCode(code, mcp, { onEnd: close });
