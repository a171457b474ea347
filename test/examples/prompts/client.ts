import { isMcpError } from "@mcpgen/runtime";
import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
});

for await (const prompt of client.prompts()) {
  const names =
    prompt.arguments?.map(({ name, required }) =>
      required ? name : `${name}?`,
    ) ?? [];
  console.log(`${prompt.name}(${names.join(", ")})`);
}

const simple = await client.getPrompt({ name: "brainstorm" });
console.log(simple.messages);

const review = await client.getPrompt({
  name: "review",
  arguments: { language: "Rust", tone: "short" },
});
for (const { content } of review.messages)
  if (content.type === "text") console.log(content.text);

try {
  await client.getPrompt({ name: "review" });
} catch (error) {
  if (isMcpError(error)) console.log(error.message);
}

const image = await client.getPrompt({ name: "describe_image" });
for (const { role, content } of image.messages) {
  if (content.type === "text") console.log(role, content.text);
  if (content.type === "image")
    console.log(role, content.mimeType, atob(content.data).length, "bytes");
}

const explain = await client.getPrompt({ name: "explain_config" });
for (const { role, content } of explain.messages) {
  if (content.type === "resource") console.log(role, content.resource);
  if (content.type === "text") console.log(role, content.text);
}
await client.close();
