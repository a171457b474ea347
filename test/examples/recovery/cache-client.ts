import { responseCache } from "@mcpgen/runtime";
import { http } from "@mcpgen/runtime/http";
import { connect } from "./gen/index.js";
import { Bakery } from "./server.js";

const bakery = new Bakery();
bakery.start();
const client = await connect(
  http("http://localhost/mcp", { fetch: bakery.fetch }),
  {
    info: { name: "guide", version: "1.0.0" },
    mode: "2026-07-28",
    cache: responseCache({
      onStale: (method, error) => console.log(method, "is old:", error.message),
    }),
  },
);
async function print(uri: string): Promise<void> {
  const { contents } = await client.readResource({ uri });
  for (const one of contents) if ("text" in one) console.log(one.text);
}

await print("bakery://prices");
await print("bakery://prices");
await print("bakery://oven");
await new Promise((resolve) => setTimeout(resolve, 20));
await print("bakery://oven");

bakery.stop();
await new Promise((resolve) => setTimeout(resolve, 20));
await print("bakery://oven");
await client.close();
