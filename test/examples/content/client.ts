import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
});

async function call(name: string): Promise<void> {
  const { content } = await client.callTool({ name });
  for (const block of content) {
    switch (block.type) {
      case "text":
        console.log("text:", block.text);
        break;
      case "image":
      case "audio":
        console.log(
          `${block.type}: ${block.mimeType}, ${atob(block.data).length} bytes`,
        );
        break;
      case "resource":
        console.log("resource:", block.resource);
        break;
      case "resource_link":
        console.log(
          "link:",
          (await client.readResource({ uri: block.uri })).contents,
        );
    }
  }
}

await call("describe");
await call("show");
await call("play");

await call("open_label");
await call("find_catalogue");
await client.close();
