import { dirname, join } from "node:path";
import type { GenerateJob } from "../../../config.js";
import { usageError } from "../../command-error.js";
import { replaceMissing } from "../../replace.js";
import { importExtensionFor } from "../../destination/tsconfig.js";

/** The protocol that a protected server imports: all revisions, so that it serves every client. */
export const protocolJob: GenerateJob = { version: "all", out: "src/protocol" };

/** The file of a protected server, relative to the configuration. */
export const serverFile = "src/server.ts";

/**
 * Writes a server that accepts the access tokens of an issuer, unless the file exists. `directory` is that of the configuration. Returns
 * false if the file exists, which is not changed because it is the user's.
 */
export async function writeServer(issuer: string, directory: string): Promise<boolean> {
  const path = join(directory, serverFile);
  return await replaceMissing(path, serverText(issuer, await importExtensionFor(dirname(path))));
}

/** What is wrong with an issuer, as a finished sentence; undefined if nothing is. The sentence never quotes the text. */
export function issuerProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return "An issuer is a URL, such as https://auth.example.com.";
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username + password + search + hash !== "")
    return "An issuer has no user, password, query or fragment.";
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol === "https:" || (protocol === "http:" && isLocal)) return undefined;
  return "An issuer is an https URL, or an http URL of this machine.";
}

/** The issuer of the flag `--protect`. */
export function readIssuer(text: string): string {
  const problem = issuerProblem(text);
  if (problem === undefined) return text;
  throw usageError("MG702", "--protect is not the issuer of an authorization server", problem);
}

/** The text of the server. The issuer is data: it only appears in a literal. */
function serverText(issuer: string, extension: "js" | "ts" | "none"): string {
  return `import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { protect } from "@mcpgen/auth/protect";
import { createServers } from "./protocol/index${extension === "none" ? "" : `.${extension}`}";

const { MCP_RESOURCE, MCP_ISSUER, MCP_SCOPES = "", HOST = "127.0.0.1", PORT = "3000" } = process.env;

const protection = protect({
  // The URL that clients use for this server. Access tokens must be for it.
  resource: MCP_RESOURCE ?? \`http://127.0.0.1:\${PORT}/mcp\`,
  // The authorization server whose tokens are accepted.
  issuers: [MCP_ISSUER ?? ${JSON.stringify(issuer)}],
  // The scopes that every request requires; without any, a valid token is enough.
  scopes: MCP_SCOPES.split(" ").filter(Boolean),
});

const servers = createServers({
  info: { name: "my-server", version: "0.1.0" },
  handlers: {
    ...tools([
      {
        name: "whoami",
        description: "Names the user who calls",
        // The scopes that this tool requires too, such as "profile".
        scopes: [],
        handler: (_args, { auth }) => String(auth?.["subject"]),
      },
    ]),
  },
});

const { url } = await serveHttp(createHttpHandler(servers, { protect: protection }), {
  host: HOST,
  port: Number(PORT),
  // Answers open calls before the process ends.
  signals: true,
});
console.error(\`Listening on \${url}\`);
`;
}
