import { isMcpError } from "@mcpgen/runtime";
import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
});

for await (const { uri, mimeType } of client.resources())
  console.log(uri, mimeType);
for await (const { uriTemplate, name } of client.resourceTemplates())
  console.log(uriTemplate, name);

const readme = await client.readResource({ uri: "docs://readme" });
console.log(readme.contents);

const { contents } = await client.readResource({ uri: "docs://logo" });
for (const content of contents) {
  if (!("blob" in content)) continue;
  const bytes = Uint8Array.from(atob(content.blob), (character) =>
    character.charCodeAt(0),
  );
  console.log(content.mimeType, bytes.length, "bytes");
}

for (const id of ["42", "43"]) {
  try {
    const article = await client.readResource({
      uri: `docs://articles/${encodeURIComponent(id)}`,
    });
    console.log(article.contents);
  } catch (error) {
    if (isMcpError(error)) console.log(error.message, error.data);
  }
}

for (const query of ["?text=full%20moon&page=2", "?page=3&text=moon", ""]) {
  const found = await client.readResource({ uri: `docs://search${query}` });
  for (const content of found.contents)
    if ("text" in content) console.log(content.text);
}
await client.close();
