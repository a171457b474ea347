import { info, type Json, text } from "../kit/messages.js";

/** What a server writes although it is not a message, and why. */
export const noise: readonly string[] = [
  "Listening on port 3000",
  "\u001b[31m",
  "null",
  '""',
  "{}",
  '{"ok":true}',
  '{"level":30,"id":7,"msg":"started"}',
  '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
  '{"method":"POST","id":"request-1","url":"/"}',
];

/** What of it is JSON. */
export const jsonNoise: readonly string[] = noise.slice(2);

/**
 * A server that logs a line for each message that it does not expect, to where
 * its messages go. It writes `lines` once its client is ready. The result of a
 * tool is the number of unexpected messages.
 */
export function noisyServer(
  revision: string,
  lines: readonly string[],
  say: (line: string) => void,
): (message: Json) => void {
  let unexpected = 0;
  return (message) => {
    const { id, method } = message;
    const answer = (result: Json): void =>
      say(JSON.stringify({ jsonrpc: "2.0", id, result }));
    if (method === "initialize")
      answer({
        protocolVersion: revision,
        capabilities: { tools: {} },
        serverInfo: info,
      });
    else if (method === "notifications/initialized")
      for (const line of lines) say(line);
    else if (method === "tools/call") answer(text(String(unexpected)));
    else {
      unexpected++;
      // A loop without an end would keep a test from failing.
      if (unexpected < 1000) for (const line of lines) say(line);
    }
  };
}
