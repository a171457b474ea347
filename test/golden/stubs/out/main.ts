import { serveStdio } from "@mcpgen/runtime/stdio";
import { handlers } from "./handlers/index.js";
import { createNotesServer } from "./server.js";

await serveStdio(createNotesServer(handlers));
