import {
  alternativesIn,
  onlyOf,
  propertiesIn,
  typeIn,
} from "../constraint/form.js";
import { jsonOf } from "../constraint/json-schema.js";
import { groupsOf } from "../groups.js";
import { exact } from "../json.js";
import type { Declaration, Message } from "../model.js";
import { rename, withNames } from "../copies.js";

/**
 * Renamed declarations, from the old to the new name. A removed and an added
 * name match if they have the same structure and no other name has it.
 * Structures that are too simple to identify a type (a string, a list, an
 * object without members) never match.
 */
export function findRenames(
  before: readonly Declaration[],
  after: readonly Declaration[],
): ReadonlyMap<string, string> {
  const renames = new Map<string, string>();
  const old = new Set(before.map(({ name }) => name));
  const fresh = new Set(after.map(({ name }) => name));
  const removed = before.filter(({ name }) => !fresh.has(name));
  const added = after.filter(({ name }) => !old.has(name));
  const addedShapes = shapes(added, new Map());
  // A type that refers to a renamed type can only match after that rename is
  // known. What has matched matches again, and nothing else does.
  for (let count = -1; count < renames.size;) {
    count = renames.size;
    for (const [shape, names] of shapes(removed, renames)) {
      const [to, ...others] = addedShapes.get(shape) ?? [];
      if (to && names.length + others.length === 1)
        renames.set(names[0].name, to.name);
    }
  }
  return renames;
}

/** The names of each structure. */
function shapes(
  declarations: readonly Declaration[],
  renames: ReadonlyMap<string, string>,
): ReturnType<typeof groupsOf<{ readonly name: string }>> {
  const shaped = declarations.flatMap((declaration) => {
    const { name } = declaration;
    const shape = shapeOf(
      withNames(declaration, new Map([...renames, [name, "(itself)"]])),
    );
    return shape === null ? [] : [{ name, shape }];
  });
  return groupsOf(shaped, ({ shape }) => shape);
}

function shapeOf({ kind, bases, schema }: Declaration): string | null {
  const isObject =
    typeIn(schema) === "object" && propertiesIn(schema).length > 0;
  const isCombined =
    onlyOf(schema.checks, "all") !== null || alternativesIn(schema).length > 1;
  if (kind !== "constant" && !isObject && !isCombined) return null;
  return `${kind} ${JSON.stringify(bases)} ${exact(jsonOf(schema))}`;
}

/** A message with other names of types; its method stays. */
export function messageWithNames(
  message: Message,
  names: ReadonlyMap<string, string>,
): Message {
  const newName = (name: string): string => names.get(name) ?? name;
  const { params } = message;
  const schema = params.schema === null ? null : rename(params.schema, newName);
  const declaredBy =
    params.declaredBy === null ? null : newName(params.declaredBy);
  const renamed = {
    ...message,
    name: newName(message.name),
    params: { ...params, schema, declaredBy },
  };
  return renamed.kind === "request"
    ? { ...renamed, results: renamed.results.map(newName) }
    : renamed;
}
