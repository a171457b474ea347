import type { Protocol, Type } from "../../ir/model.js";
import { eachType, typesOf } from "../../ir/walk.js";

/** The uses of each type: other types, and the methods with the type in their params or result. */
export type Uses = ReadonlyMap<string, readonly Use[]>;

export interface Use {
  readonly subject: "type" | "method";
  readonly name: string;
}

/** The uses of each type, in the order of the schema, methods first. */
export function usesIn({ messages, declarations }: Protocol): Uses {
  const uses = new Map<string, Use[]>();
  const add = (names: Iterable<string>, use: Use): void => {
    for (const name of new Set(names)) {
      if (use.subject === "type" && use.name === name) continue;
      uses.set(name, [...(uses.get(name) ?? []), use]);
    }
  };
  for (const message of messages) {
    const { type } = message.params;
    const results = message.kind === "request" ? message.results : [];
    const params = type === null ? [] : namesIn(type);
    add([message.name, ...params, ...results], { subject: "method", name: message.method });
  }
  for (const declaration of declarations) {
    const bases = declaration.kind === "interface" ? declaration.bases.map(({ name }) => name) : [];
    const names = [...bases, ...typesOf(declaration).flatMap(namesIn)];
    add(names, { subject: "type", name: declaration.name });
  }
  return uses;
}

/** The names of the types in a type. */
function namesIn(type: Type): string[] {
  const names: string[] = [];
  eachType(type, (part) => {
    if (part.kind === "reference") names.push(part.name);
  });
  return names;
}
