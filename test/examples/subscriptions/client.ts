import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
  handlers: {
    "notifications/resources/updated": ({ uri }) =>
      console.log(`${uri} has changed.`),
  },
});

const uri = "match://today";
const stop = new AbortController();
if (client.revision === "2026-07-28") {
  await new Promise<void>((opened, failed) => {
    const options = { signal: stop.signal, onNotice: () => opened() };
    client
      .subscriptionsListen(
        { notifications: { resourceSubscriptions: [uri] } },
        options,
      )
      .catch(failed);
  });
} else {
  await client.subscribe({ uri });
}

await client.callTool({ name: "score" });
const { contents } = await client.readResource({ uri });
console.log(contents);

if (client.revision === "2026-07-28") stop.abort();
else await client.unsubscribe({ uri });

await client.callTool({ name: "score" });
console.log((await client.readResource({ uri })).contents);
await client.close();
