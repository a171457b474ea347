import type { Json, Snapshot } from "../model.js";
import { compareOthers } from "./entries.js";
import { isRecord } from "../value.js";
import { show } from "./json.js";
import { step } from "../../diff/place.js";
import type { Finding } from "./judge.js";

/** What a server says of itself, and what it declares that it can do. */
export function compareServers(was: Snapshot, is: Snapshot): Finding[] {
  return [
    ...compareRevisions(was.revision, is.revision),
    ...compareCapabilities(was.capabilities, is.capabilities),
    ...compareInstructions(was.instructions, is.instructions),
    ...compareOthers(was.server, is.server, new Set()).map((finding): Finding => {
      return { ...finding, change: "server-changed" };
    }),
  ];
}

/** A later revision was agreed on, or one that a newer client does not ask for first: revisions are called by their dates. */
function compareRevisions(was: string, is: string): Finding[] {
  if (was === is) return [];
  return [{ change: is > was ? "revision-raised" : "revision-lowered", path: ".revision", was, is }];
}

/** A model reads them. */
function compareInstructions(was: string | null, is: string | null): Finding[] {
  return was === is ? [] : [{ change: "instructions-changed", path: ".instructions", was, is }];
}

function compareCapabilities(was: Json, is: Json): Finding[] {
  const [before, after] = [declared(was), declared(is)];
  const findings: Finding[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [old, fresh] = [before.get(path), after.get(path)];
    if (old === fresh) continue;
    // A capability that comes or goes takes its members along.
    const parent = [...(old === undefined ? after : before).keys()].find(
      (other) => path.startsWith(`${other}.`) && !(old === undefined ? before : after).has(other),
    );
    if (parent !== undefined) continue;
    const change = old === undefined ? "capability-added" : "capability-removed";
    findings.push({ change, path: `.capabilities${path}`, was: old ?? null, is: fresh ?? null });
  }
  return findings;
}

/** What is declared, by its place. What is false is not declared, whether or not it is written. */
function declared(capabilities: Json): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const open: (readonly [path: string, value: Json])[] = [["", capabilities]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, value] = next;
    if (value === false || value === null) continue;
    if (path !== "") found.set(path, isRecord(value) ? "{}" : (show(value) ?? ""));
    if (isRecord(value))
      for (const [name, member] of Object.entries(value)) open.push([path + step(name), member]);
  }
  return found;
}
