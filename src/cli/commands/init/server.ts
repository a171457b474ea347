import { dirname, join } from "node:path";
import type { GenerateJob } from "../../../config.js";
import { usageError } from "../../command-error.js";
import { replaceMissing } from "../../replace.js";
import { importExtensionFor } from "../../destination/tsconfig.js";
import { filledFile, inLiteral } from "./text.js";

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
  const extension = await importExtensionFor(dirname(path));
  const values = { extension: extension === "none" ? "" : `.${extension}`, issuer: inLiteral(issuer) };
  return await replaceMissing(path, await filledFile("server.ts", values));
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
