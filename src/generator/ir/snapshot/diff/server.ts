import type { Json, Snapshot } from "../model.js";
import { compareTexts } from "./entries.js";
import { isRecord } from "../../json/value.js";
import { show } from "./json.js";
import { changed, deltaOf, eventOf } from "../../change/delta.js";
import type { Delta } from "../../change/model.js";
import { step } from "../../compare/model.js";

/** The differences in the identity and the capabilities of a server. */
export function compareServers(before: Snapshot, after: Snapshot): Delta[] {
  return [
    // Revisions are named by their dates, so their names can be ordered.
    ...changed(
      after.revision > before.revision ? "revision-raised" : "revision-lowered",
      before.revision,
      after.revision,
      ".revision",
    ),
    ...compareCapabilities(before.capabilities, after.capabilities),
    ...changed(
      "instructions-changed",
      before.instructions,
      after.instructions,
      ".instructions",
    ),
    ...compareTexts(before.server, after.server, new Set()).map(
      (delta): Delta => {
        return { ...delta, change: "server-changed" };
      },
    ),
  ];
}

function compareCapabilities(oldValue: Json, newValue: Json): Delta[] {
  const [before, after] = [pathsOf(oldValue), pathsOf(newValue)];
  const deltas: Delta[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [old, fresh] = [before.get(path), after.get(path)];
    if (old === fresh) continue;
    // The members of a capability are not listed separately if the capability
    // itself is added or removed.
    const parent = [...(old === undefined ? after : before).keys()].find(
      (other) =>
        path.startsWith(`${other}.`) &&
        !(old === undefined ? before : after).has(other),
    );
    if (parent !== undefined) continue;
    deltas.push(
      deltaOf(
        `capability-${eventOf(old, fresh)}`,
        old ?? null,
        fresh ?? null,
        `.capabilities${path}`,
      ),
    );
  }
  return deltas;
}

/**
 * The declared capabilities by their paths. A value of false declares nothing.
 */
function pathsOf(capabilities: Json): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  const open: (readonly [path: string, value: Json])[] = [["", capabilities]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, value] = next;
    if (value === false || value === null) continue;
    if (path !== "")
      paths.set(path, isRecord(value) ? "{}" : (show(value) ?? ""));
    if (isRecord(value))
      for (const [name, member] of Object.entries(value))
        open.push([path + step(name), member]);
  }
  return paths;
}
