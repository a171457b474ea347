import type { Type } from "../../ir/model.js";
import { code, identifier } from "../typescript/code.js";
import type { Layout } from "../typescript/layout.js";
import type { Helper, Scope } from "./context.js";
import { textOf } from "./repeated.js";
import { unionBody } from "./union-body.js";
import { spelledOut } from "./statements.js";
import { localNames } from "./names.js";

/** A guard for a type without a name that no single expression can check; the same type gets the same guard. */
export function helperFor(scope: Scope, type: Type): Helper {
  const { context } = scope;
  const key = textOf(type) + (scope.isRecursive ? "R" : "");
  const known = context.helpers.get(key);
  if (known !== undefined) return known;
  const name = identifier(context.fileNames.claim(`is${scope.owner}`));
  // Known before its body is, since a type without a name may contain itself too.
  const body: Layout[] = [];
  const helper = { name, body };
  context.helpers.set(key, helper);
  const inner: Scope = { ...scope, locals: localNames() };
  const value = code`value`;
  const statements =
    type.kind === "union"
      ? unionBody(inner, type.members, value)
      : [...spelledOut(inner, type, value, []), "return true;"];
  for (const each of statements) body.push(each);
  return helper;
}
