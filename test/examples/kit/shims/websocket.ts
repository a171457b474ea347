/**
 * `@mcpgen/runtime/websocket` for programs of the guides: records messages, and
 * closes what listens when the program ends.
 */
import * as real from "@mcpgen/runtime/websocket";
import { chosen, currentRun, recorded } from "./recorder.js";

export const webSocket: typeof real.webSocket = (url, options) =>
  recorded(real.webSocket(url, options));

export const serveWebSocket: typeof real.serveWebSocket = async (
  servers,
  options,
) => {
  const serving = await real.serveWebSocket(chosen(servers), options);
  currentRun()?.cleanups.push(() => serving.close());
  return serving;
};
