import type { Config, ServerJob, ServerSource } from "../../../config.js";
import type { ClientEntry } from "../../clients/files.js";
import { protocolJob } from "./server.js";

/** The default folder of generated files. */
export const defaultOut = "src/mcp";

/** A job for each server, and one for the protocol if there are none or a protected server is written (`issuer`). */
export function configOf(entries: readonly ClientEntry[], issuer: string | null): Config {
  const servers = entries.map((entry) => jobOf(entry, entries));
  if (issuer !== null) return { generate: [protocolJob], ...(servers.length > 0 && { servers }) };
  if (servers.length === 0) return { generate: [{ version: "latest", out: defaultOut }] };
  return { servers };
}

/** Secrets stay in the client's own file, which the source names. */
function jobOf({ name, file }: ClientEntry, entries: readonly ClientEntry[]): ServerJob {
  const isUnique = entries.filter((other) => other.name === name).length === 1;
  const index = entries
    .filter((other) => slug(other.name) === slug(name))
    .findIndex((other) => other.file === file && other.name === name);
  const config = isUnique && !/[#/\\]/.test(name) ? name : `${file}#${name}`;
  return serverJob(`${slug(name)}${index > 0 ? `-${index + 1}` : ""}`, { config });
}

/** The job of a typed client for a server; the stem is its name in files and in generated code. */
export function serverJob(stem: string, source: ServerSource): ServerJob {
  return { name: stem, snapshot: `${stem}.mcp.json`, source, out: `${defaultOut}/${stem}`, emit: ["client"] };
}

/** The name of a server in file names: letters and digits, never empty. */
export function slug(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain.slice(0, 60) || "server";
}
