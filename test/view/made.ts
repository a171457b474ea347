import fc from "fast-check";

/** The seed of the random schemas; the titles of the tests print it. */
export const seed: number = Number(process.env["MCPGEN_SEED"] ?? 1);

export const memberNames = ["a", "b", "c-d", "d"] as const;

/**
 * Members that values in these tests may have, and that schemas may name.
 */
const knownNames = [
  ...memberNames,
  ..."at id kind count late p q c value first second items next children".split(
    " ",
  ),
];

/**
 * A JSON value as a type. A known name that the value does not have can be an
 * optional member that nothing can be: TypeScript refuses an object that shares
 * no member with a type whose members are all optional. With such members, it
 * accepts some objects too many for a union with a tag.
 */
export function typeOf(value: unknown, withKnown: boolean): string {
  const inner = (one: unknown): string => typeOf(one, withKnown);
  if (Array.isArray(value)) return `[${value.map(inner).join(", ")}]`;
  if (typeof value !== "object" || value === null) return textOf(value);
  const present = Object.entries(value).map(
    ([name, member]) => `${textOf(name)}: ${inner(member)}`,
  );
  const absent = (withKnown ? knownNames : [])
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => `${textOf(name)}?: never`);
  return `{ ${[...present, ...absent].join("; ")} }`;
}

/** Without the line ends that only TypeScript has. */
const textOf = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");

/** JSON values with the names and scalars of the schemas. */
export const anyValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>(
  (tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom<unknown>("x", "y", "", 1, 0.5, true, null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom<string>(...memberNames), tie("value"), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    ),
  }),
).value;

/** The parts of a schema that a property makes schemas of. */
export interface Parts {
  /** Whether a value may have alternatives. */
  readonly unions: boolean;
  /** Texts that are the description of each object. */
  readonly doc?: fc.Arbitrary<string>;
}

/**
 * Schemas of which TypeScript can say everything: no number is whole, no string
 * has a length, no object is closed.
 */
export function sayable(parts: Parts): fc.Arbitrary<object> {
  return fc
    .tuple(partOf(parts, 3), named(parts, 1), named(parts, 1))
    .map(([a, A, B]) => ({
      type: "object",
      properties: {
        a,
        // A definition that nothing refers to has no type.
        ...(parts.doc && {
          A: { $ref: "#/$defs/A" },
          B: { $ref: "#/$defs/B" },
        }),
      },
      required: ["a"],
      $defs: { A, B },
    }));
}

function partOf(parts: Parts, depth: number): fc.Arbitrary<object> {
  const { unions } = parts;
  const leaf = fc.constantFrom<object>(
    { type: "string" },
    { type: "number" },
    { type: "boolean" },
    { type: "null" },
    { const: "y" },
    { const: 1 },
    { enum: ["x", 1, null, true] },
    { $ref: "#/$defs/A" },
    { $ref: "#/$defs/B" },
    { type: "array" },
    { type: "object" },
    ...(unions ? [{}, { type: ["string", "null"] }] : []),
  );
  if (depth === 0) return leaf;
  const part = partOf(parts, depth - 1);
  const object = named(parts, depth - 1);
  const tuple = fc
    .tuple(fc.array(part, { minLength: 1, maxLength: 3 }), fc.nat(3))
    .map(([prefixItems, minItems]) => ({
      type: "array",
      prefixItems,
      minItems: Math.min(minItems, prefixItems.length),
      items: false,
    }));
  const alternatives = [
    fc.array(part, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    // With a tag, or what looks like one.
    fc
      .array(fc.tuple(fc.constantFrom("x", "y", 1), object), {
        minLength: 2,
        maxLength: 3,
      })
      .map((rows) => ({ anyOf: rows.map(([tag, row]) => tagged(tag, row)) })),
  ];
  return fc.oneof(
    leaf,
    part.map((items) => ({ type: "array", items })),
    part.map((rest) => ({ type: "object", additionalProperties: rest })),
    tuple,
    object,
    fc.tuple(object, object).map((allOf) => ({ type: "object", allOf })),
    ...(unions ? alternatives : []),
  );
}

/** Objects with members. */
function named(parts: Parts, depth: number): fc.Arbitrary<object> {
  const part = partOf(parts, depth);
  const member =
    parts.doc === undefined
      ? part
      : fc
          .tuple(part, parts.doc)
          .map(([schema, description]) => ({ ...schema, description }));
  const names = [...memberNames];
  const properties = fc.dictionary(fc.constantFrom<string>(...names), member, {
    minKeys: 1,
    maxKeys: 3,
    noNullPrototype: true,
  });
  return fc
    .tuple(properties, fc.subarray<string>(names, { minLength: 1 }))
    .map(([properties, required]) => ({
      type: "object",
      properties,
      required: required.filter(
        // A member without a schema may be of any type, which is a union.
        (name) => parts.unions || Object.hasOwn(properties, name),
      ),
    }));
}

/** The object with a required member that has this value. */
function tagged(tag: unknown, object: object): object {
  const { properties, required } = object as {
    properties: object;
    required: readonly string[];
  };
  return {
    ...object,
    properties: { ...properties, b: { const: tag } },
    required: [...new Set([...required, "b"])],
  };
}

/**
 * The value with another scalar, or nothing, in place of one of its parts, for
 * each part.
 */
export function changed(value: unknown): readonly {
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
}[] {
  const rows: { path: PropertyKey[]; value: unknown }[] = ["another", 7.5].map(
    (other) => ({ path: [], value: other }),
  );
  if (typeof value !== "object" || value === null) return rows;
  for (const [key, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    const replaced = (other: unknown): unknown =>
      Array.isArray(value)
        ? value.map((one: unknown, i) => (i === step ? other : one))
        : { ...value, [key]: other };
    for (const inner of changed(member))
      rows.push({ path: [step, ...inner.path], value: replaced(inner.value) });
    if (Array.isArray(value)) continue;
    const entries = Object.entries(value).filter(([name]) => name !== key);
    rows.push({ path: [step], value: Object.fromEntries(entries) });
  }
  return rows;
}
