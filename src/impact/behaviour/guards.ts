import { shifts } from "../../ir/diff/model.js";
import { index } from "../../ir/lookup.js";
import type { Protocol } from "../../ir/model.js";
import { reachable } from "../../ir/reach.js";
import { eachType, typesOf } from "../../ir/walk.js";
import type { Change, ComparedFolder } from "../changes.js";

/** The changes that make a guard reject values that it accepted before, by the name of its type in the old protocol. */
export function stricterGuards(compared: ComparedFolder): (name: string) => readonly Change[] {
  const { after } = compared.folder;
  const narrower = compared.changes.filter(({ difference: { change, breaks } }) => {
    const shift = shifts[change];
    return breaks.length > 0 && (shift === "narrower" || shift === "other");
  });
  const declarations = index(after);
  const typesIn = (name: string): string[] => {
    const declaration = declarations.get(name);
    if (declaration === undefined) return [];
    const names = declaration.kind === "interface" ? declaration.bases.map((base) => base.name) : [];
    for (const type of typesOf(declaration))
      eachType(type, (inner) => {
        if (inner.kind === "reference") names.push(inner.name);
      });
    return names;
  };
  return (name) => {
    const names = reachable([compared.newName(name)], typesIn);
    return narrower.filter(({ difference }) => ownersOf(after, difference).some((owner) => names.has(owner)));
  };
}

/** The declarations whose guards check the path of a difference. */
function ownersOf({ messages }: Protocol, { subject, path }: Change["difference"]): readonly string[] {
  if (subject.kind === "type") return [subject.name];
  const message = messages.find(({ method }) => method === subject.name);
  if (subject.kind !== "message" || message === undefined || !path.startsWith("params")) return [];
  const { type } = message.params;
  return [message.name, ...(type?.kind === "reference" ? [type.name] : [])];
}
