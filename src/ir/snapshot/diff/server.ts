import type { Json, Snapshot } from "../model.js";
import { compareOthers } from "./entries.js";
import { isRecord } from "../../json/value.js";
import { show } from "./json.js";
import type { Delta } from "./classify.js";
import { step } from "../../compare/model.js";

/** The differences in the identity and the capabilities of a server. */
export function compareServers(before: Snapshot, after: Snapshot): Delta[] {
  return [
    ...compareRevisions(before.revision, after.revision),
    ...compareCapabilities(before.capabilities, after.capabilities),
    ...compareInstructions(before.instructions, after.instructions),
    ...compareOthers(before.server, after.server, new Set()).map((delta): Delta => {
      return { ...delta, change: "server-changed" };
    }),
  ];
}

/** Revisions are named by their dates, so their names can be ordered. */
function compareRevisions(before: string, after: string): Delta[] {
  if (before === after) return [];
  return [
    {
      change: after > before ? "revision-raised" : "revision-lowered",
      path: ".revision",
      was: before,
      is: after,
    },
  ];
}

/** Instructions are texts for models. */
function compareInstructions(before: string | null, after: string | null): Delta[] {
  return before === after
    ? []
    : [{ change: "instructions-changed", path: ".instructions", was: before, is: after }];
}

function compareCapabilities(oldValue: Json, newValue: Json): Delta[] {
  const [before, after] = [pathsOf(oldValue), pathsOf(newValue)];
  const deltas: Delta[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [old, fresh] = [before.get(path), after.get(path)];
    if (old === fresh) continue;
    // The members of a capability are not listed separately if the capability itself is added or removed.
    const parent = [...(old === undefined ? after : before).keys()].find(
      (other) => path.startsWith(`${other}.`) && !(old === undefined ? before : after).has(other),
    );
    if (parent !== undefined) continue;
    const change =
      old === undefined
        ? "capability-added"
        : fresh === undefined
          ? "capability-removed"
          : "capability-changed";
    deltas.push({ change, path: `.capabilities${path}`, was: old ?? null, is: fresh ?? null });
  }
  return deltas;
}

/** The declared capabilities by their paths. A value of false declares nothing. */
function pathsOf(capabilities: Json): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  const open: (readonly [path: string, value: Json])[] = [["", capabilities]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, value] = next;
    if (value === false || value === null) continue;
    if (path !== "") paths.set(path, isRecord(value) ? "{}" : (show(value) ?? ""));
    if (isRecord(value))
      for (const [name, member] of Object.entries(value)) open.push([path + step(name), member]);
  }
  return paths;
}
