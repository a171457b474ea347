import type { Params } from "../model.js";
import type { Candidate } from "./candidates.js";
import type { Deriving } from "./deriving.js";

/** The member `params` of the message, own or inherited. */
export function paramsOf(deriving: Deriving, { name, method, flat }: Candidate): Params {
  const member = flat.properties.find((entry) => entry.name === "params");
  if (member === undefined) return { presence: "none", type: null, declaredBy: null };
  const { type, optional, declaredBy } = member;
  if (!["reference", "object", "record", "intersection", "union", "unknown"].includes(type.kind)) {
    deriving.scope.error(
      "MG405",
      deriving.locationOf(name),
      `the params of "${method}" are not an object`,
      "params are a named type or an object with members",
    );
  }
  return { presence: optional ? "optional" : "required", type, declaredBy };
}
