import { jsonText } from "../json/text.js";
import type { Json, JsonRecord, Snapshot } from "./model.js";
import { byCodePoint, sorted } from "../json.js";

type List = "tools" | "prompts" | "resources" | "resourceTemplates";

/**
 * The content of a snapshot, with the entries of its lists as the server sends
 * them.
 */
export type SnapshotParts = Pick<
  Snapshot,
  "revision" | "server" | "capabilities" | "instructions"
> &
  Readonly<Record<List, readonly JsonRecord[]>>;

/**
 * A snapshot as text: the same bytes for the same content, in any order that
 * the server lists it.
 */
export function snapshotText(parts: SnapshotParts): string {
  const {
    revision,
    server,
    capabilities,
    instructions,
    tools,
    prompts,
    resources,
    resourceTemplates,
  } = parts;
  const list = (entries: readonly JsonRecord[], id: string): readonly Json[] =>
    entries
      .map((entry) => sorted(entry) as JsonRecord)
      .sort((a, b) => byCodePoint(String(a[id]), String(b[id])));
  const whole = {
    format: 1,
    revision,
    server: sorted(server),
    capabilities: sorted(capabilities),
    ...(instructions === null ? {} : { instructions }),
    tools: list(tools, "name"),
    prompts: list(prompts, "name"),
    resources: list(resources, "uri"),
    resourceTemplates: list(resourceTemplates, "uriTemplate"),
  };
  return jsonText(whole);
}
