import fc from "fast-check";

export const names = ["A", "B", "C", "D"] as const;
const tags = ["x", "y", "z", 1, null] as const;
const members = ["t", "a", "b"] as const;
const reference = (name: string): object => ({ $ref: `#/$defs/${name}` });

/**
 * A schema or a boolean: what a definition, a member or an alternative can be.
 */
type Part = object | boolean;

/**
 * Random parts. `later` are the definitions that a part may refer to for the
 * same value, so that Ajv ends; members and items refer to any of `names`.
 */
function partOf(later: readonly string[], depth: number): fc.Arbitrary<Part> {
  const scalar = fc.constantFrom<Part>(
    {},
    true,
    { type: "string" },
    { type: "null" },
    { type: ["integer", "string"] },
    { enum: ["x", 1, null] },
    { const: "y" },
    { type: "integer", minimum: 1 },
    false,
  );
  const references = later.map((name) => fc.constant<Part>(reference(name)));
  if (depth === 0) return fc.oneof(scalar, ...references);
  const below = fc.oneof(
    partOf([], depth - 1),
    fc.constantFrom<Part>(...names.map(reference)),
  );
  const same = partOf(later, depth - 1);
  const tag = fc.oneof(
    fc.constantFrom(...tags).map((value): Part => ({ const: value })),
    fc
      .uniqueArray(fc.constantFrom(...tags), { minLength: 1 })
      .map((list): Part => ({ enum: list })),
  );
  const object = fc
    .record(
      {
        type: fc.constant("object"),
        properties: fc.record(
          { t: tag, a: below, b: below },
          { requiredKeys: [] },
        ),
        required: fc.uniqueArray(fc.constantFrom(...members)),
        additionalProperties: fc.oneof(fc.constant<Part>(false), below),
      },
      { requiredKeys: [] },
    )
    .map((record): Part => record);
  const list = fc.array(same, { minLength: 1, maxLength: 4 });
  return fc.oneof(
    { withCrossShrink: true },
    scalar,
    object,
    below.map((items): Part => ({ type: "array", items })),
    ...references,
    list.map((anyOf): Part => ({ anyOf })),
    list.map((oneOf): Part => ({ oneOf })),
    list.map((allOf): Part => ({ allOf })),
    fc
      .array(object, { minLength: 2, maxLength: 4 })
      .map((anyOf): Part => ({ anyOf })),
    fc
      .tuple(object, list)
      .map(([base, anyOf]): Part => ({ ...(base as object), anyOf })),
    same.map((not): Part => ({ not })),
  );
}

/**
 * The input schema of a tool, with definitions that refer to each other: for
 * the same value to those that `later` gives.
 */
export const schemaWith = (
  later: (index: number) => readonly string[],
): fc.Arbitrary<object> =>
  fc
    .tuple(
      fc.record({
        t: partOf(names, 1),
        a: partOf(names, 2),
        b: partOf(names, 2),
      }),
      ...names.map((_, i) => partOf(later(i), 2)),
    )
    .map(([properties, ...parts]) => ({
      type: "object",
      properties,
      $defs: Object.fromEntries(names.map((name, i) => [name, parts[i]])),
    }));
export const schema: fc.Arbitrary<object> = schemaWith((index) =>
  names.slice(index + 1),
);

export const value: fc.Arbitrary<unknown> = fc.letrec<{
  value: unknown;
  object: object;
}>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(...tags, "", 0, 0.5, true),
    fc.array(tie("value"), { maxLength: 2 }),
    tie("object"),
  ),
  object: fc.record(
    {
      t: fc.oneof(fc.constantFrom<unknown>(...tags), tie("value")),
      a: tie("value"),
      b: tie("value"),
    },
    { requiredKeys: [] },
  ),
})).value;
