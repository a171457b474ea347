import { stdio } from "@mcpgen/runtime/stdio";
import { Client } from "./grouped/client.js";

const server = stdio("node", ["--import", "tsx", "groups-server.ts"]);
const client = await Client.connect(server, {
  info: { name: "host", version: "1.0.0" },
});

const { groups } = await client.listGroups();
console.log(groups.map(({ name, description }) => `${name}: ${description}`));
const { tools } = await client.listTools();
const ofMail = tools.filter(({ _meta }) =>
  _meta?.["com.example/groups"]?.includes("mail"),
);
console.log(ofMail.map(({ name }) => name));
await client.close();
