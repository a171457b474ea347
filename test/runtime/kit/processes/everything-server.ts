import { serveStdio } from "@mcpgen/runtime/stdio";
import { everythingServer } from "../everything.js";
import { byRevision, makeServer } from "../index.js";

const servers = process.argv.slice(2).map((revision) => {
  const protocol = byRevision[revision];
  if (!protocol) throw new Error(`There is no revision ${revision}.`);
  return makeServer(protocol, everythingServer);
});
await serveStdio(servers);
