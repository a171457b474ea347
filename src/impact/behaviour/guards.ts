import type { Change } from "../changes.js";
import type { ComparedFolder } from "../cause.js";
import { shifts } from "../../ir/diff/model.js";
import { index } from "../../ir/lookup.js";
import type { Protocol, Type } from "../../ir/model.js";
import { partsOf } from "../../ir/walk.js";

/** The changes that make a guard reject values that it accepted before, by the name of its type in the old protocol. */
export function stricterGuards({ folder, changes }: ComparedFolder): (name: string) => readonly Change[] {
  const narrower = new Map<string, Change[]>();
  for (const change of changes.all) {
    const { difference } = change;
    const shift = shifts[difference.change];
    if ((shift !== "narrower" && shift !== "other") || difference.breaks.length === 0) continue;
    for (const name of typesWith(folder.after, difference))
      narrower.set(name, [...(narrower.get(name) ?? []), change]);
  }
  const cache = new Map<string, readonly Change[]>();
  return (name) => {
    const causes =
      cache.get(name) ??
      [...typesInside(folder.after, changes.newName(name))].flatMap((inner) => narrower.get(inner) ?? []);
    cache.set(name, causes);
    return causes;
  };
}

/** The declarations whose guards check the path of a difference. */
function typesWith({ messages }: Protocol, { subject, path }: Change["difference"]): readonly string[] {
  if (subject.kind === "type") return [subject.name];
  const message = messages.find(({ method }) => method === subject.name);
  if (subject.kind !== "message" || message === undefined || !path.startsWith("params")) return [];
  const { type } = message.params;
  return [message.name, ...(type?.kind === "reference" ? [type.name] : [])];
}

/** A type and all types inside it. */
function typesInside(protocol: Protocol, start: string): ReadonlySet<string> {
  const declarations = index(protocol);
  const names = new Set<string>([start]);
  for (const name of names) {
    const declaration = declarations.get(name);
    if (declaration === undefined || declaration.kind === "constant") continue;
    const own: Type[] =
      declaration.kind === "alias"
        ? [declaration.type]
        : [
            ...declaration.properties.map(({ type }) => type),
            ...(declaration.rest ? [declaration.rest] : []),
          ];
    if (declaration.kind === "interface") for (const base of declaration.bases) names.add(base.name);
    for (let type = own.pop(); type !== undefined; type = own.pop()) {
      if (type.kind === "reference") names.add(type.name);
      else own.push(...partsOf(type));
    }
  }
  return names;
}
