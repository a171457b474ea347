import document from "./schema.json" with { type: "json" };

/** The part of JSON Schema that the representation's own schema is written in. */
export interface Shape {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly items?: Shape;
  /** One type, or null. */
  readonly anyOf?: readonly Shape[];
  /** Objects told apart by their member `kind`. */
  readonly oneOf?: readonly Shape[];
}

const root = document as Shape & { readonly $defs: Readonly<Record<string, Shape>> };

/** The shape of a whole protocol. */
export const protocolShape: Shape = root;

/** A shape with its reference followed. */
export function shapeOf(shape: Shape): Shape {
  const { $ref } = shape;
  if ($ref === undefined) return shape;
  const found = root.$defs[$ref.slice("#/$defs/".length)];
  if (found === undefined) throw new Error(`the representation's schema has no ${$ref}`);
  return found;
}

/** The shape among `oneOf` that a member `kind` selects; undefined when none has this kind. */
export function armOf(shape: Shape, kind: unknown): Shape | undefined {
  return shape.oneOf?.map(shapeOf).find(({ properties }) => properties?.["kind"]?.const === kind);
}

/** The kinds that `oneOf` knows. */
export function kindsOf(shape: Shape): unknown[] {
  return (shape.oneOf ?? []).map((arm) => shapeOf(arm).properties?.["kind"]?.const);
}
