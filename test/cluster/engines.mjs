/**
 * Connects to the engine with one of the libraries that `valkey` accepts, as
 * their documentation shows it.
 */
export async function connectEngine(library, port) {
  if (library !== "redis") {
    const { Redis } = await (library === "ioredis"
      ? import("ioredis")
      : import("iovalkey"));
    const client = new Redis(port, "127.0.0.1");
    return client.on("error", () => {});
  }
  const { createClient } = await import("redis");
  const client = createClient({ url: `redis://127.0.0.1:${port}` });
  client.on("error", () => {});
  await client.connect();
  return client;
}
