import { type } from "arktype";
import { schema } from "../shared.mjs";
import { converter } from "./convert.mjs";

/** ArkType with its compiler. */
export async function arktype(types) {
  const named = converter(schema(), {
    literal: (value) => type.unit(value),
    union: (arms) => arms.reduce((all, arm) => all.or(arm)),
    intersection: (parts) => parts.reduce((all, part) => all.and(part)),
    string: () => type("string"),
    boolean: () => type("boolean"),
    number: (integer, minimum, maximum) => {
      let number = integer ? type("number.integer") : type("number");
      if (minimum !== undefined) number = number.atLeast(minimum);
      if (maximum !== undefined) number = number.atMost(maximum);
      return number;
    },
    array: (element, maxItems) =>
      maxItems === undefined
        ? element.array()
        : element.array().atMostLength(maxItems),
    object: (members, rest) =>
      type({
        ...Object.fromEntries(
          members.map(({ name, optional, type: member }) => [
            optional ? `${name}?` : name,
            member,
          ]),
        ),
        ...(rest !== null && { "[string]": rest }),
      }),
    unknown: () => type("unknown"),
  });
  return new Map(
    types.map((name) => {
      const compiled = named(name);
      return [name, (value) => compiled.allows(value)];
    }),
  );
}
