import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const info = { name: "guide", version: "1.0.0" };
const server = (): ReturnType<typeof stdio> =>
  stdio("node", ["--import", "tsx", "server.ts"]);

const newest = await connect(server(), { info });
console.log(newest.revision);
await newest.close();

const older = await connect(server(), {
  info,
  revisions: ["2025-06-18", "2025-03-26"],
});
console.log(older.revision);
await older.close();
