import type { ServerSessionConfig } from "../session/config.js";
import { metaOf } from "../message.js";
import { getOwn, isObject } from "../../../common/object.js";

/** The servers of one connection or URL by era, the newest first. */
export interface ServersByEra {
  readonly modern: readonly ServerSessionConfig[];
  readonly legacy: readonly ServerSessionConfig[];
  /** All revisions, the newest first. */
  readonly supported: readonly string[];
}

/** Groups servers, of which there is at least one, by era. */
export function byEra(all: readonly ServerSessionConfig[]): ServersByEra {
  return {
    modern: all.filter(({ side }) => side.revision.opening === "per-request"),
    legacy: all.filter(({ side }) => side.revision.opening === "initialize"),
    supported: all.map(({ side }) => side.revision.revision),
  };
}

/** The context of a message, besides its content. */
export interface MessageOrigin {
  /** The revision that the HTTP header names. */
  readonly headerRevision?: string | undefined;
  /** True if the message belongs to a session of a legacy server. */
  readonly isInSession?: boolean;
}

/**
 * Chooses the server that answers a message (COMPAT-12, COMPAT-13, HTTP-12, VERS-02): the modern one whose revision the
 * message or the header names; else the legacy one that `initialize` offers or the header names; else the newest legacy one.
 */
export function chooseServer(
  servers: ServersByEra,
  message: unknown,
  origin: MessageOrigin = {},
): ServerSessionConfig {
  const { modern, legacy } = servers;
  const params = isObject(message) ? message["params"] : undefined;
  const modernServer = modernServerFor(modern, params);
  if (modernServer) return modernServer;
  const [newest] = legacy;
  if (!newest) return modern[0] as ServerSessionConfig;
  const { headerRevision, isInSession } = origin;
  if (isInitialize(servers, message)) {
    const requestedRevision = isObject(params) ? params["protocolVersion"] : undefined;
    return serverOf(legacy, requestedRevision) ?? newest;
  }
  return (
    (isInSession ? undefined : serverOf(modern, headerRevision)) ?? serverOf(legacy, headerRevision) ?? newest
  );
}

/** True if a message opens a session of one of the legacy servers. */
export function isInitialize({ legacy }: ServersByEra, message: unknown): boolean {
  const method = isObject(message) ? message["method"] : undefined;
  if (method === undefined) return false;
  for (const { side } of legacy) if (side.revision.wellKnown.initialize === method) return true;
  return false;
}

/** The server of a revision. */
export function serverOf(
  servers: readonly ServerSessionConfig[],
  revision: unknown,
): ServerSessionConfig | undefined {
  for (const server of servers) if (server.side.revision.revision === revision) return server;
  return undefined;
}

/** The modern server of the revision in `_meta`; for an unknown revision the newest, whose error lists the supported ones. */
function modernServerFor(
  modern: readonly ServerSessionConfig[],
  params: unknown,
): ServerSessionConfig | undefined {
  const meta = metaOf(params);
  for (const { side } of modern) {
    const revision = getOwn(meta, side.revision.meta.protocolVersion);
    if (typeof revision === "string") return serverOf(modern, revision) ?? modern[0];
  }
  return undefined;
}
