import type { Doc, Schema } from "./constraint.js";
import { constantNote } from "./constraint/form.js";
import { mapSchema } from "./constraint/walk.js";
import type { Declaration, Protocol } from "./model.js";

// Copies of declarations and schemas: without prose, or with other names.

/**
 * The same protocol without prose. Only the tag `deprecated` loses its text,
 * since that text is prose too.
 */
export function withoutProse(protocol: Protocol): Protocol {
  return {
    ...protocol,
    declarations: protocol.declarations.map(declarationWithoutProse),
    messages: protocol.messages.map((message) => {
      const { schema } = message.params;
      return {
        ...message,
        params: {
          ...message.params,
          schema: schema === null ? null : schemaWithoutProse(schema),
        },
      };
    }),
  };
}

export function declarationWithoutProse(declaration: Declaration): Declaration {
  return { ...declaration, schema: schemaWithoutProse(declaration.schema) };
}

function schemaWithoutProse(schema: Schema): Schema {
  return mapSchema(schema, (part) => ({ ...part, doc: withoutText(part.doc) }));
}

function withoutText(doc: Doc): Doc {
  // The reason for a deprecation is prose; the deprecation itself is not.
  return {
    text: "",
    tags: doc.tags.map((tag) =>
      tag.name === "deprecated" ? { ...tag, text: "" } : tag,
    ),
  };
}

/** A schema with other names of types and constants. */
export function rename(
  schema: Schema,
  newName: (name: string) => string,
): Schema {
  return mapSchema(schema, ({ checks, notes, ...part }) => ({
    ...part,
    checks: checks.map((check) =>
      check.kind === "reference"
        ? { ...check, key: newName(check.key) }
        : check,
    ),
    ...(notes && {
      notes: notes.map((note) =>
        note.keyword === constantNote
          ? { ...note, value: newName(String(note.value)) }
          : note,
      ),
    }),
  }));
}

/** A declaration with other names, its own included. */
export function withNames(
  declaration: Declaration,
  names: ReadonlyMap<string, string>,
): Declaration {
  const newName = (name: string): string => names.get(name) ?? name;
  return {
    ...declaration,
    name: newName(declaration.name),
    bases: declaration.bases.map((base) => ({
      ...base,
      name: newName(base.name),
    })),
    schema: rename(declaration.schema, newName),
  };
}
