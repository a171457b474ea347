import type { Config, GenerateJob, ServerJob, ServerSource } from "../../../config.js";
import type { ClientEntry } from "../../clients/files.js";
import { stemOf } from "../pull/target.js";

/** The default folder of generated files. */
export const defaultOut = "src/mcp";

/** The protocol that a protected server imports: all revisions, so that it serves every client. */
export const protocolJob: GenerateJob = { version: "all", out: "src/protocol" };

/** What to write. */
export interface Answers {
  readonly config: Config;
  /** The authorization server of a protected server; null without such a server. */
  readonly issuer: string | null;
  /** The name of a new server; null without one. */
  readonly server: string | null;
}

/** A job for each server, and one for the protocol if there are none or a protected server is written (`issuer`). */
export function clientsOf(entries: readonly ClientEntry[], issuer: string | null): Answers {
  const servers = entries.map((entry) => jobOf(entry, entries));
  const generate = issuer !== null ? protocolJob : { version: "latest", out: defaultOut };
  const hasProtocol = issuer !== null || servers.length === 0;
  const config = { ...(hasProtocol && { generate: [generate] }), ...(servers.length > 0 && { servers }) };
  return { config, issuer, server: null };
}

/** Secrets stay in the client's own file, which the source names. */
function jobOf({ name, file }: ClientEntry, entries: readonly ClientEntry[]): ServerJob {
  const isUnique = entries.filter((other) => other.name === name).length === 1;
  const index = entries
    .filter((other) => stemOf(other.name) === stemOf(name))
    .findIndex((other) => other.file === file && other.name === name);
  const config = isUnique && !/[#/\\]/.test(name) ? name : `${file}#${name}`;
  return serverJob(`${stemOf(name)}${index > 0 ? `-${index + 1}` : ""}`, { config });
}

/** The job of a typed client for a server; the stem is its name in files and in generated code. */
export function serverJob(stem: string, source: ServerSource): ServerJob {
  return { name: stem, snapshot: `${stem}.mcp.json`, source, out: `${defaultOut}/${stem}`, emit: ["client"] };
}
