import { tokenStore } from "@mcpgen/auth";
import { valkey } from "@mcpgen/runtime/cluster/valkey";
import { createClient } from "redis";

/**
 * Opens the store of tokens that processes share in the engine at the URL
 * MCPGEN_ENGINE.
 */
export async function open() {
  const client = createClient({ url: process.env.MCPGEN_ENGINE });
  client.on("error", () => {});
  await client.connect();
  // The process may end.
  client.unref();
  return tokenStore(valkey(client), {
    secrets: ["the secret of all processes, of 32 bytes"],
  });
}
