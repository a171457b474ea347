import type {
  Config,
  GenerateJob,
  ServerJob,
  ServerSource,
} from "../../../config.js";
import type { ClientEntry } from "../../clients/files.js";
import { stemIn, stemOf } from "../../snapshot-file.js";

/** The default folder of generated files. */
export const defaultOut = "src/mcp";

/** What to write. */
export interface Answers {
  readonly config: Config;
  /**
   * The authorization server of a protected server; null without such a server.
   */
  readonly issuer: string | null;
  /** A new server; null without one. */
  readonly server: NewServer | null;
}

export interface NewServer {
  readonly name: string;
  /**
   * True if a person writes what it offers into a file; otherwise it is written
   * in code.
   */
  readonly isFromFile: boolean;
}

/**
 * The job of the protocol for a server in code: with all revisions, so that the
 * server serves every client.
 */
export const protocolJob: GenerateJob = { version: "all", out: "src/protocol" };

/**
 * A job for each selected entry of the clients' files and for each other
 * snapshot, and one for the protocol
 * if there are none or a protected server is written (`issuer`).
 */
export function clientsOf(
  selected: readonly ClientEntry[],
  all: readonly ClientEntry[],
  issuer: string | null,
  snapshots: readonly string[] = [],
): Answers {
  const used = new Set<string>();
  const servers = selected.map(({ name, file }): ServerJob => {
    const isUnique = all.filter((other) => other.name === name).length === 1;
    let stem = stemOf(name);
    for (let i = 2; used.has(stem); i++) stem = `${stemOf(name)}-${i}`;
    used.add(stem);
    // Secrets stay in the client's own file, which the source names.
    const config = isUnique && !/[#/\\]/.test(name) ? name : `${file}#${name}`;
    return clientJob(stem, { config });
  });
  const others = snapshots.filter((file) =>
    servers.every(({ snapshot }) => snapshot !== file),
  );
  for (const snapshot of others) {
    const { source: _, ...job } = clientJob(stemIn(snapshot), {});
    servers.push({ ...job, snapshot });
  }
  const generate: GenerateJob =
    issuer === null ? { version: "all", out: defaultOut } : protocolJob;
  const hasProtocol = issuer !== null || servers.length === 0;
  const config = {
    ...(hasProtocol && { generate: [generate] }),
    ...(servers.length > 0 && { servers }),
  };
  return { config, issuer, server: null };
}

/**
 * The job of a typed client for a server; the stem is its name in files and in
 * generated code.
 */
export function clientJob(stem: string, source: ServerSource): ServerJob {
  return {
    name: stem,
    snapshot: `${stem}.mcp.json`,
    source,
    out: `${defaultOut}/${stem}`,
    emit: ["client"],
  };
}
