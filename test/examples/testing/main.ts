import { serveStdio } from "@mcpgen/runtime/stdio";
import { createShop } from "./server.js";

await serveStdio(createShop());
