import type { Transport } from "@mcpgen/runtime";
import { http } from "@mcpgen/runtime/http";
import { stdio } from "@mcpgen/runtime/stdio";

/**
 * Connects to the address in the command line. Without one, it starts the
 * server as a process.
 */
export const transport = (): Transport => {
  const [url] = process.argv.slice(2);
  return url === undefined
    ? stdio("node", ["build/weather/main.js"])
    : http(url);
};
