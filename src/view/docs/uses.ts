import type { Protocol, Type } from "../../ir/model.js";

/** Who mentions a type: other types, and the methods whose params or results it is. */
export type Uses = ReadonlyMap<string, readonly Use[]>;

export interface Use {
  readonly subject: "type" | "method";
  readonly name: string;
}

/** Everything that mentions each type, in the order of the schema, methods first. */
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
    if (declaration.kind === "constant") continue;
    const names =
      declaration.kind === "alias"
        ? namesIn(declaration.type)
        : [
            ...declaration.bases.map(({ name }) => name),
            ...declaration.properties.flatMap(({ type }) => namesIn(type)),
            ...(declaration.rest === null ? [] : namesIn(declaration.rest)),
          ];
    add(names, { subject: "type", name: declaration.name });
  }
  return uses;
}

/** The names that a type mentions. */
export function namesIn(type: Type): string[] {
  const names: string[] = [];
  const open: Type[] = [type];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === "reference") names.push(next.name);
    else if (next.kind === "array") open.push(next.element);
    else if (next.kind === "record") open.push(next.member);
    else if (next.kind === "union" || next.kind === "intersection") open.push(...next.members);
    else if (next.kind === "object") {
      open.push(...next.properties.map((property) => property.type));
      if (next.rest !== null) open.push(next.rest);
    }
  }
  return names;
}
