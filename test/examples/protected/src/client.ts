import { oauth } from "@mcpgen/auth";
import { http } from "@mcpgen/runtime/http";
import { browserLogin, fileStore } from "@mcpgen/auth/login";
import { connect } from "./gen/index.js";

const [url = "http://127.0.0.1:3000/mcp"] = process.argv.slice(2);
const auth = oauth({
  client: { name: "Notes" },
  login: browserLogin(),
  loginTimeout: 120_000,
  store: fileStore(),
  // A refresh token, if the authorization server gives one by the scope
  // `offline_access`.
  offline: true,
  // A token that is stolen cannot be used, if the authorization server binds
  // tokens to keys.
  dpop: true,
  chooseIssuer: ([first = ""]) => first,
  // Documents of a server on the internet must not lead into a private network.
  allowPrivate: false,
  onEvent: ({ step }) => console.error(step),
});
const client = await connect(http(url, { auth }), {
  info: { name: "notes-client", version: "1.0.0" },
});

async function call(
  name: string,
  args: { readonly [name: string]: unknown } = {},
): Promise<void> {
  const { content } = await client.callTool({ name, arguments: args });
  for (const block of content)
    if (block.type === "text") console.log(`${name}: ${block.text}`);
}

await call("list_notes");
// The first token is only for reading, so this opens the browser a second time.
await call("add_note", { text: "Water the plants." });
await call("list_notes");
await client.close();
