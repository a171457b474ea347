import { serveStdio } from "@mcpgen/runtime/stdio";
import { servers } from "./server<extension>";

await serveStdio(servers);
