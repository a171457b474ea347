import { intersection, union } from "../ir/combine.js";
import { anything, type Schema } from "../ir/constraint.js";
import {
  constantIn,
  objectSchema,
  onlyOf,
  propertiesIn,
  type Property,
  reference,
  referenceIn,
  restIn,
  typeIn,
} from "../ir/constraint/form.js";
import { sameChecks } from "../ir/constraint/walk.js";
import * as facts from "../ir/facts.js";
import { flatten, flattenSchema } from "../ir/flatten.js";
import { type Index, resolve } from "../ir/lookup.js";
import type { Declaration } from "../ir/model.js";

/**
 * Adds a declaration of an extension to the one of the revision with the same
 * name. Returns null if they cannot be merged. The index holds the declarations
 * of both; for a name that both declare, it holds that of the revision.
 */
export function merge(
  declarations: Index,
  original: Declaration,
  addition: Declaration,
): Declaration | null {
  if (original.kind === "interface" && addition.kind === "interface") {
    return mergeInterfaces(declarations, original, addition);
  }
  if (original.kind !== "alias" || addition.kind === "constant") return null;
  const { schema } = original;
  if (addition.kind === "alias")
    return withDocOf(
      original,
      mergeAliases(declarations, schema, addition.schema),
    );
  const object = schemaOfInterface(declarations, addition);
  return addsTo(declarations, schema, object)
    ? withDocOf(original, meet(declarations, schema, object))
    : null;
}

function withDocOf(declaration: Declaration, schema: Schema): Declaration {
  return { ...declaration, schema: { ...schema, doc: declaration.schema.doc } };
}

function mergeInterfaces(
  declarations: Index,
  original: Declaration,
  addition: Declaration,
): Declaration {
  const baseMembers = new Map(
    flatten(declarations, original.name)?.properties.map((entry) => [
      entry.name,
      entry,
    ]),
  );
  const own = propertiesIn(original.schema);
  const properties = mergeProperties(
    declarations,
    own,
    propertiesIn(addition.schema),
  );
  const added = properties.slice(own.length).map((entry): Property => {
    const base = baseMembers.get(entry.name);
    if (base === undefined || !addsTo(declarations, base.schema, entry.schema))
      return entry;
    const { doc } = entry.schema;
    const hasDoc = doc.text !== "" || doc.tags.length > 0;
    return {
      ...entry,
      optional: entry.optional && base.optional,
      schema: {
        ...meet(declarations, base.schema, entry.schema),
        doc: hasDoc ? doc : base.schema.doc,
      },
    };
  });
  const rest = restIn(original.schema) ?? restIn(addition.schema);
  return {
    ...original,
    bases: [
      ...original.bases,
      ...addition.bases.filter(
        ({ name }) => !original.bases.some((base) => base.name === name),
      ),
    ],
    schema: objectSchema(
      [...properties.slice(0, own.length), ...added],
      rest,
      original.schema.doc,
    ),
  };
}

/**
 * Two named types become a union, as in the unions of messages. The members of
 * an object are added to the other object.
 */
function mergeAliases(
  declarations: Index,
  original: Schema,
  added: Schema,
): Schema {
  const isObject =
    referenceIn(original) === null || referenceIn(added) === null;
  return isObject
    ? join(declarations, original, added)
    : union([original, added].map(withoutDoc));
}

/** An interface as a schema with references to its bases. */
function schemaOfInterface(
  declarations: Index,
  { bases, schema }: Declaration,
): Schema {
  const above = bases.map(({ name, omit }): Schema => {
    if (omit.length === 0) return reference(name);
    const flat = flatten(declarations, name);
    const properties = (flat?.properties ?? []).filter(
      (entry) => !omit.includes(entry.name),
    );
    return objectSchema(properties, flat?.rest ?? null);
  });
  return intersection(
    above.length > 0 && isEmpty(schema) ? above : [...above, schema],
  );
}

function isEmpty(schema: Schema): boolean {
  return typeIn(schema) === "object" && schema.checks.length === 1;
}

/**
 * The members of the revision, in its order and with its optionality, followed
 * by the new ones.
 */
function mergeProperties(
  declarations: Index,
  original: readonly Property[],
  addition: readonly Property[],
): Property[] {
  const added = new Map(addition.map((entry) => [entry.name, entry.schema]));
  const names = new Set(original.map(({ name }) => name));
  const members = original.map((entry): Property => {
    const schema = added.get(entry.name);
    if (schema === undefined) return entry;
    return {
      ...entry,
      schema: {
        ...join(declarations, entry.schema, schema),
        doc: entry.schema.doc,
      },
    };
  });
  return [...members, ...addition.filter(({ name }) => !names.has(name))];
}

/**
 * An object adds its members to an object; any other schema is an alternative.
 */
function join(declarations: Index, original: Schema, added: Schema): Schema {
  return addsTo(declarations, original, added)
    ? meet(declarations, original, added)
    : union([original, added].map(withoutDoc));
}

/**
 * True if both are objects, and one value can be both of them. Another kind of
 * result is an alternative.
 */
function addsTo(declarations: Index, original: Schema, added: Schema): boolean {
  const [base, addition] = [original, added].map(
    (schema) => flattenSchema(declarations, schema)?.properties,
  );
  if (base === undefined || addition === undefined) return false;
  if (addition.some(({ name }) => name === facts.names.resultType))
    return false;
  const constantOf = ({ schema }: Property): ReturnType<typeof constantIn> =>
    constantIn(resolve(declarations, schema));
  const constants = new Map(
    base.map((entry) => [entry.name, constantOf(entry)]),
  );
  return addition.every((entry) => {
    const [one, other] = [constants.get(entry.name), constantOf(entry)];
    return one === undefined || other === undefined || one === other;
  });
}

/** The doc of a member is that of its whole schema. */
function withoutDoc(schema: Schema): Schema {
  return { ...schema, doc: anything.doc };
}

/**
 * The schema with the members of both: one anonymous object if both are,
 * otherwise an intersection.
 */
function meet(declarations: Index, original: Schema, added: Schema): Schema {
  if (isEmpty(added)) return original;
  const parts = onlyOf(original.checks, "all")?.schemas ?? [original];
  if (parts.some((part) => sameChecks(part, added))) return original;
  const rest = restIn(original);
  // Every member must match the index signature. Only an index signature of any
  // value always allows it.
  const isOpen =
    typeIn(original) === "object" &&
    (rest === null || rest.checks.length === 0);
  if (!isOpen || typeIn(added) !== "object" || restIn(added) !== null)
    return intersection([original, added].map(withoutDoc));
  return objectSchema(
    mergeProperties(declarations, propertiesIn(original), propertiesIn(added)),
    rest,
  );
}
