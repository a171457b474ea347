import { referenceIn } from "../../../../generator/ir/constraint/form.js";
import { changes as kinds } from "../../../../generator/ir/change/kinds.js";
import { isBreaking } from "../../../../generator/ir/report/render.js";
import { index, namesIn, reachable } from "../../../../generator/ir/lookup.js";
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
  const declarations = index(folder.after);
  const types = reachable([newName(name)], (type) => {
    const declaration = declarations.get(type);
    return declaration === undefined ? [] : namesIn(declaration);
  });
  return changes.filter(({ difference }) => {
    const [shift] = kinds[difference.change];
    const isNarrower =
      isBreaking(difference) && (shift === "narrower" || shift === "other");
    return (
      isNarrower &&
      ownersOf(folder.after, difference).some((owner) => types.has(owner))
    );
  });
}

/** The declarations whose guards check the path of a difference. */
function ownersOf(
  { messages }: Protocol,
  { subject, path }: Change["difference"],
): readonly string[] {
  if (subject.kind === "type") return [subject.name];
  if (subject.kind !== "method" || !path.startsWith("params")) return [];
  const message = messages.find(({ method }) => method === subject.name);
  const params = message?.params.schema ?? null;
  return [message?.name ?? "", (params && referenceIn(params)) ?? ""];
}
