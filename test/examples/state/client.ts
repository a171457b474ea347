import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const info = { name: "guide", version: "1.0.0" };
const start = () =>
  connect(stdio("node", ["--import", "tsx", "server.ts"]), { info });

const first = await start();
await first.callTool({ name: "add", arguments: { text: "Water the plants." } });
await first.callTool({ name: "add", arguments: { text: "Feed the cat." } });
await first.close();

const second = await start();
const { content } = await second.callTool({ name: "clear" });
console.log(content);
await second.close();
