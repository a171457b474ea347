import { memoryPair, type Transport } from "@mcpgen/runtime";
import type { Revision } from "../../../generated/index.js";
import {
  info,
  type Json,
  legacyRevisions,
  revisions,
  Wire,
} from "../kit/index.js";

/** All revisions, and the legacy ones. */
export const all = revisions.map(({ revision }) => revision as Revision);
export const old = legacyRevisions.map(({ revision }) => revision as Revision);

/** A raw server, before a client connects. */
export function wired(): { wire: Wire; clientTransport: Transport } {
  const [clientTransport, serverTransport] = memoryPair();
  return { wire: new Wire(serverTransport), clientTransport };
}

/** The result of initialize of a legacy server. */
export const hello = (revision: string): Json => ({
  protocolVersion: revision,
  capabilities: {},
  serverInfo: info,
});
/** The result of server/discover of a modern server. */
export const discovered = (...supportedVersions: readonly string[]): Json => ({
  supportedVersions,
  capabilities: {},
  resultType: "complete",
  ttlMs: 0,
  cacheScope: "private",
});
/** The error of a server of other versions. */
export const unsupported = (...supported: readonly string[]): Json => ({
  code: -32022,
  message: "no",
  data: { supported, requested: "?" },
});
