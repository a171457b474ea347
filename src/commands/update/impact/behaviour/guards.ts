import { referenceIn } from "../../../../generator/ir/constraint/form.js";
import { changes as kinds } from "../../../../generator/ir/change/kinds.js";
import { isBreaking } from "../../../../generator/ir/report/render.js";
import { index, usedTypes } from "../../../../generator/ir/lookup.js";
import type { Protocol } from "../../../../generator/ir/model.js";
import type { Change, ComparedFolder } from "../changes.js";

/**
 * The changes that make a guard reject values that it accepted before, by the
 * name of its type in the old protocol.
 */
export function stricter(
  { folder, changes, newName }: ComparedFolder,
  name: string,
): readonly Change[] {
  const types = usedTypes(index(folder.after), [newName(name)]);
  return changes.filter(({ difference }) => {
    if (!isBreaking(difference)) return false;
    const [shift] = kinds[difference.change];
    if (shift !== "narrower" && shift !== "other") return false;
    const owners = ownersOf(folder.after, difference);
    return owners.some((owner) => types.has(owner));
  });
}

/** The declarations whose guards check the path of a difference. */
function ownersOf(
  { messages }: Protocol,
  { subject, path }: Change["difference"],
): readonly string[] {
  if (subject.kind === "type") return [subject.name];
  if (subject.kind !== "method") return [];
  // A guard of the message checks its params, and no result.
  if (!path.startsWith("params")) return [];
  const message = messages.find(({ method }) => method === subject.name);
  if (message === undefined) return [];
  const { name, params } = message;
  const owners = [name];
  const type = params.schema && referenceIn(params.schema);
  if (type !== null) {
    owners.push(type);
  }
  return owners;
}
