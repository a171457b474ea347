import * as facts from "../facts.js";
import type { Declaration, Type } from "../model.js";
import { factId } from "./deriving.js";

/** Makes numbers integers where only the prose requires integers. */
export function withIntegers(declarations: readonly Declaration[], used: Set<string>): Declaration[] {
  return declarations.map((declaration) => {
    if (declaration.kind !== "alias" || !facts.integers.includes(declaration.name)) return declaration;
    const type = whole(declaration.type);
    if (type === null) return declaration;
    used.add(factId("integers", declaration.name));
    return { ...declaration, type };
  });
}

/** The type with integers instead of numbers; null if it has no numbers. */
function whole(type: Type): Type | null {
  if (type.kind === "number") return { ...type, integer: true };
  if (type.kind !== "union") return null;
  if (!type.members.some((member) => member.kind === "number")) return null;
  return { ...type, members: type.members.map((member) => whole(member) ?? member) };
}
