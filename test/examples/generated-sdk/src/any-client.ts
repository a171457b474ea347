import { connect, protocols, type Revision } from "./gen/index.js";
import { transport } from "./transport.js";

const info = { name: "any client", version: "1.0.0" };

for (const revision of Object.keys(protocols) as Revision[]) {
  const client = await connect(transport(), { revisions: [revision], info });
  const names: string[] = [];
  for await (const { name } of client.tools()) names.push(name);
  const { content } = await client.callTool({
    name: "get_alerts",
    arguments: { region: "NO-03" },
  });
  for (const block of content)
    if (block.type === "text")
      console.log(client.revision, names.join(", "), block.text);
  await client.close();
}
