import { memoryPair, type Transport } from "@mcpgen/runtime";
import type { Revision } from "../../../generated/index.js";
import { info, type Json, legacyRevisions, revisions, Wire } from "../kit/index.js";

/** All revisions, and those of the old era. */
export const all = revisions.map(({ revision }) => revision as Revision);
export const old = legacyRevisions.map(({ revision }) => revision as Revision);

/** A server by hand, before any client has come. */
export function wired(): { wire: Wire; near: Transport } {
  const [near, far] = memoryPair();
  return { wire: new Wire(far), near };
}

/** What a server of the old era opens with. */
export const hello = (revision: string): Json => ({
  protocolVersion: revision,
  capabilities: {},
  serverInfo: info,
});
/** What a modern server says of itself. */
export const discovered = (...supportedVersions: readonly string[]): Json => ({
  supportedVersions,
  capabilities: {},
  resultType: "complete",
  ttlMs: 0,
  cacheScope: "private",
});
/** The error of one that speaks other versions. */
export const unsupported = (...supported: readonly string[]): Json => ({
  code: -32022,
  message: "no",
  data: { supported, requested: "?" },
});
