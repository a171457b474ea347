import {
  jsonOf,
  recordOf,
  type SchemaStyle,
} from "./constraint/json-schema.js";
import { filled } from "./constraint/kinds.js";
import type { JsonRecord } from "./json.js";
import type { Declaration, Protocol } from "./model.js";

/**
 * Serializes a protocol as JSON that is also a JSON Schema: the same bytes for
 * the same protocol, a newline at the end.
 */
export function serialize({
  format,
  declarations,
  ...facts
}: Protocol): string {
  const document = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    // The keyword `format` of JSON Schema has another meaning.
    "mcpgen:format": format,
    ...facts,
    messages: facts.messages.map((message) => {
      const { schema } = message.params;
      const params = {
        ...message.params,
        schema: schema === null ? null : jsonOf(schema, fileStyle),
      };
      return { ...message, params };
    }),
    // A JavaScript object lists names like "7" first. Their order decides only
    // the order of generated code.
    $defs: Object.fromEntries(
      declarations.map((entry) => [entry.name, definitionOf(entry)]),
    ),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function definitionOf({ kind, bases, schema }: Declaration): JsonRecord {
  const inherited = bases.flatMap(({ name, omit }) =>
    omit.length === 0 ? [{ $ref: fileStyle.referenceTo(name) }] : [],
  );
  return {
    "mcpgen:kind": kind,
    ...(bases.length > 0 && {
      "mcpgen:bases": bases.map(({ name, omit }) => ({ name, omit })),
    }),
    ...recordOf(schema, fileStyle),
    ...(inherited.length > 0 && { allOf: inherited }),
  };
}

const fileStyle: SchemaStyle = {
  referenceTo: (name) =>
    `#/$defs/${name.replaceAll("~", "~0").replaceAll("/", "~1").replace(/[%#]/g, encodeURIComponent)}`,
  inOrder: (values) => values,
  before: ({ doc: { text, tags } }) => {
    const deprecated = tags.find(({ name }) => name === "deprecated");
    const isOnlyDeprecated = deprecated?.text === "" && tags.length === 1;
    return {
      description: text === "" ? undefined : text,
      deprecated: deprecated && true,
      "mcpgen:tags": isOnlyDeprecated
        ? undefined
        : filled(tags.map(({ name, text }) => ({ name, text }))),
    };
  },
  after: ({ notes = [] }) => {
    const annotations = notes.filter(({ isCondition }) => !isCondition);
    const conditions = notes.filter(({ isCondition }) => isCondition);
    const unchecked = conditions.map(({ keyword, value }) => ({
      keyword,
      value,
    }));
    return [
      ...annotations.map(({ keyword, value }) => [keyword, value] as const),
      ...(unchecked.length > 0
        ? [["mcpgen:unchecked", unchecked] as const]
        : []),
    ];
  },
};
