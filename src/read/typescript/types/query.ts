import type { ts } from "ts-morph";
import type { Type } from "../../../ir/model.js";
import type { TypeContext } from "./index.js";
import { refuse } from "./refuse.js";

/** Reads `typeof CONST`: the constant's value and name. */
export function readQuery(context: TypeContext, node: ts.TypeQueryNode): Type {
  const { reading } = context;
  const name = reading.ts.isIdentifier(node.exprName) ? node.exprName.text : null;
  const constant = name === null ? undefined : reading.constants.get(name);
  if (constant === undefined || node.typeArguments !== undefined) {
    return refuse(context, node, "use `typeof` only for constants that this file exports");
  }
  return { kind: "literal", value: constant.value, constant: constant.name };
}
