import { Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { schema } from "../shared.mjs";
import { converter } from "./convert.mjs";

const bounds = (minimum, maximum) => ({
  ...(minimum !== undefined && { minimum }),
  ...(maximum !== undefined && { maximum }),
});

/** TypeBox with its compiler. */
export async function typebox(types) {
  const named = converter(schema(), {
    literal: (value) => (value === null ? Type.Null() : Type.Literal(value)),
    union: (arms) => Type.Union(arms),
    intersection: (parts) => Type.Intersect(parts),
    string: () => Type.String(),
    boolean: () => Type.Boolean(),
    number: (integer, minimum, maximum) =>
      (integer ? Type.Integer : Type.Number)(bounds(minimum, maximum)),
    array: (element, maxItems) =>
      Type.Array(element, maxItems === undefined ? {} : { maxItems }),
    object: (members, rest) =>
      Type.Object(
        Object.fromEntries(
          members.map(({ name, optional, type }) => [
            name,
            optional ? Type.Optional(type) : type,
          ]),
        ),
        rest === null ? {} : { additionalProperties: rest },
      ),
    unknown: () => Type.Unknown(),
  });
  return new Map(
    types.map((type) => {
      const compiled = TypeCompiler.Compile(named(type));
      return [type, (value) => compiled.Check(value)];
    }),
  );
}
