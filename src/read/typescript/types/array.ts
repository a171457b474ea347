import type { ts } from "ts-morph";
import type { Type } from "../../../ir/model.js";
import { readType, type TypeContext } from "./index.js";

/** Reads `T[]` and `Array<T>`. */
export function readArray(context: TypeContext, element: ts.TypeNode): Type {
  return { kind: "array", element: readType(context, element), maxItems: null };
}
