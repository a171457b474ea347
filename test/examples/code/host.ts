import { stdio } from "@mcpgen/runtime/stdio";
import { clientQuestions, connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "serve.ts"]);
const host = await connect(server, {
  info: { name: "host", version: "1.0.0" },
  questions: clientQuestions,
  handlers: {
    "elicitation/create": ({ message }) => {
      console.log(message);
      return { action: "accept", content: { all: false } };
    },
  },
});

for await (const { name } of host.tools()) console.log(name);
const program = `
const { customer } = await shop.getOrder({ id: 1 });
return (await mail.sendMail({ to: customer, text: "Thank you." })).text;
`;
const { content } = await host.callTool({
  name: "run_code",
  arguments: { program },
});
for (const block of content) if (block.type === "text") console.log(block.text);
await host.close();
