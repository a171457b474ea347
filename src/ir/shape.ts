import document from "./schema.json" with { type: "json" };

/** The part of JSON Schema that the IR's own schema uses. */
export interface Shape {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Shape;
  /** One type, or null. */
  readonly anyOf?: readonly Shape[];
  /** Objects distinguished by their member `kind`. */
  readonly oneOf?: readonly Shape[];
}

const root = document as Shape & { readonly $defs: Readonly<Record<string, Shape>> };

/** The schema of a whole protocol. */
export const protocolShape: Shape = root;

/** Follows the reference of a shape. */
export function shapeOf(shape: Shape): Shape {
  const { $ref } = shape;
  if ($ref === undefined) return shape;
  const target = root.$defs[$ref.slice("#/$defs/".length)];
  if (target === undefined) throw new Error(`the representation's schema has no ${$ref}`);
  return target;
}

/** The shape in `oneOf` with this `kind`; undefined if there is none. */
export function armOf(shape: Shape, kind: unknown): Shape | undefined {
  return shape.oneOf?.map(shapeOf).find(({ properties }) => properties?.["kind"]?.const === kind);
}

/** The kinds in `oneOf`. */
export function kindsOf(shape: Shape): unknown[] {
  return (shape.oneOf ?? []).map((arm) => shapeOf(arm).properties?.["kind"]?.const);
}
