import { join } from "node:path";
import { usageError } from "../../command-error.js";
import { replaceMissing } from "../../replace.js";
import { importExtensionFor } from "../../destination/tsconfig.js";
import { fileLine, filledFile, inLiteral } from "./text.js";

/**
 * Writes a server that accepts the access tokens of an issuer, unless the file exists, which is the user's then. `directory` is that of
 * the configuration. Returns what was done.
 */
export async function writeServer(issuer: string, directory: string): Promise<string> {
  const file = "src/server.ts";
  const extension = await importExtensionFor(join(directory, "src"));
  const values = { extension: extension === "none" ? "" : `.${extension}`, issuer: inLiteral(issuer) };
  return fileLine(file, await replaceMissing(join(directory, file), await filledFile("server.ts", values)));
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
