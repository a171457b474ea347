import {
  anything,
  type Check,
  type CheckOf,
  type Doc,
  ofKind,
  type Schema,
  type TypeName,
} from "../../ir/constraint.js";
import type { Definitions } from "../../ir/constraint/accepts.js";
import {
  constantNote,
  isScalar,
  noteIn,
  referenceIn,
  requiredIn,
  type Scalar,
  typesOf,
  valuesOf,
} from "../../ir/constraint/form.js";
import { distinct } from "../../ir/groups.js";
import type { Json } from "../../ir/json.js";
import { isList, isRecord } from "../../ir/json/value.js";
import { combinesObjects, conditionalMembers } from "./conditional-members.js";
import { describedDoc } from "./described.js";
import { targetOf } from "./guards/inspect.js";
import { acceptsAll, checksOf } from "./guards/normal.js";

/**
 * Callbacks for the parts of a type, innermost first: they return code with
 * line breaks, or words of a page.
 */
export interface TypePrinter<T> {
  keyword(name: Keyword): T;
  /**
   * `constant` is the name of the constant that has this value; null without
   * one.
   */
  literal(value: Scalar, constant: string | null): T;
  /** Another definition, by its key. */
  reference(key: string): T;
  array(element: T): T;
  tuple(elements: readonly T[], required: number, rest: T | null): T;
  /** `rest` is the type of an index signature; null without one. */
  object(members: readonly PrintedMember<T>[], rest: T | null): T;
  /**
   * An object of which a schema says nothing; by default, a map of any values.
   */
  readonly anyObject?: T;
  union(members: readonly T[]): T;
  intersection(members: readonly T[]): T;
}

type Keyword =
  "unknown" | "never" | "string" | "number" | "integer" | "boolean";

/** The name of a keyword in TypeScript, which has no integers. */
export function keywordText(name: Keyword): string {
  return name === "integer" ? "number" : name;
}

export interface PrintedMember<T> {
  readonly name: string;
  readonly doc: Doc;
  readonly optional: boolean;
  readonly type: T;
}

/**
 * Prints the TypeScript type of a schema's values. It never excludes a value
 * that the schema accepts, and often allows more: conditions that a type cannot
 * express are omitted. A schema that describes members or items without a type
 * is read as an object or an array. Members that only a condition names are
 * optional.
 */
export function printType<T>(
  schema: Schema,
  definitions: Definitions,
  printer: TypePrinter<T>,
): T {
  return new SchemaPrinter(definitions, printer).type(schema).type;
}

/** A printed type; two with the same key are the same type. */
interface Printed<T> {
  readonly key: string;
  readonly type: T;
}

const anyValue = "unknown";
const anyObject = "{ unknown }";

/**
 * The maximum number of positions of a tuple. A list with more becomes a list
 * of any values.
 */
const maxPositions = 50;

/**
 * The maximum number of listed names of a record's members. A record with more
 * has any names.
 */
const maxNames = 100;

/**
 * The maximum number of alternatives of an intersection. The compiler refuses
 * 100,000.
 */
const maxAlternatives = 10_000;

class SchemaPrinter<T> {
  readonly #definitions: Definitions;
  readonly #printer: TypePrinter<T>;
  readonly #counts = new Map<string, number>();
  #uniques = 0;

  constructor(definitions: Definitions, printer: TypePrinter<T>) {
    this.#definitions = definitions;
    this.#printer = printer;
  }

  type(schema: Schema): Printed<T> {
    const { checks } = schema;
    const key = referenceIn(schema);
    if (key !== null) return this.#reference(key);
    const isNever = (check: Check): boolean =>
      check.kind === "never" ||
      (check.kind === "not" && acceptsAll(this.#definitions, check.schema));
    if (checks.some(isNever)) return this.#keyword("never");
    const parts = [this.#ownType(schema)];
    let count = 1;
    for (const check of checks.flatMap(partsOf)) {
      const alternatives = this.#alternatives([check]);
      if (alternatives > 1 && count * alternatives > maxAlternatives) {
        // The compiler combines each alternative with each other one. Without
        // this part, the type has any other members.
        if (!combinesObjects([check], this.#definitions))
          return this.#keyword("unknown");
        parts.push({
          ...this.#record(this.#keyword("unknown")),
          key: "map { unknown }",
        });
        continue;
      }
      count *= alternatives;
      if (check.kind === "reference") parts.push(this.#reference(check.key));
      else if (check.kind === "all")
        parts.push(...check.schemas.map((inner) => this.type(inner)));
      else if (check.kind === "any" || check.kind === "one")
        parts.push(this.#union(check.schemas.map((inner) => this.type(inner))));
    }
    if (
      !parts.slice(0, 1).some(isNarrow) &&
      combinesObjects(checks, this.#definitions)
    )
      parts.push(this.#conditional(checks));
    return this.#intersection(parts);
  }

  /**
   * The number of alternatives of a type, at most one more than the maximum.
   * Those of literals and scalars cost nothing.
   */
  #alternatives(
    checks: readonly Check[],
    open: ReadonlySet<string> = new Set(),
  ): number {
    let count = 1;
    for (const check of checks) {
      if (check.kind === "any" || check.kind === "one")
        count *= check.schemas.reduce(
          (sum, inner) => sum + this.#alternatives(inner.checks, open),
          0,
        );
      else if (check.kind === "all")
        for (const inner of check.schemas)
          count *= this.#alternatives(inner.checks, open);
      else if (check.kind === "reference" && !open.has(check.key)) {
        const known = this.#counts.get(check.key);
        const target = this.#definitions.get(check.key)?.schema ?? anything;
        const found =
          known ??
          this.#alternatives(target.checks, new Set([...open, check.key]));
        this.#counts.set(check.key, found);
        count *= found;
      }
    }
    return Math.min(count, maxAlternatives + 1);
  }

  /**
   * The type of `type`, `enum`, `const` and the keywords of objects and arrays.
   */
  #ownType(schema: Schema): Printed<T> {
    const { checks } = schema;
    const values = valuesOf(checks);
    if (values !== null)
      return this.#values(values, noteIn(schema, constantNote));
    const names = typesOf(checks) ?? impliedTypes(schema, this.#definitions);
    return names.length === 0
      ? this.#keyword("unknown")
      : this.#union(names.map((name) => this.#named(name, schema)));
  }

  #named(name: TypeName, schema: Schema): Printed<T> {
    switch (name) {
      case "object":
        return this.#object(schema);
      case "array":
        return this.#array(schema.checks);
      case "null":
        return this.#value(null);
      case "integer":
        // The same type as a number in TypeScript.
        return { key: "number", type: this.#printer.keyword("integer") };
      case "boolean":
      case "number":
      case "string":
        return this.#keyword(name);
      default:
        return name satisfies never;
    }
  }

  #object(schema: Schema): Printed<T> {
    const { checks } = schema;
    const required = requiredIn(checks);
    const [check, ...unevaluated] = ofKind(checks, "members");
    const printed = (check?.properties ?? []).map(
      ({ name, schema }): PrintedMember<T> => {
        return {
          name,
          doc: describedDoc(schema),
          optional: !required.has(name),
          type: this.type(schema).type,
        };
      },
    );
    const described = check === undefined ? null : this.#rest(check);
    const rest = described ?? this.#keyword("unknown");
    const listed = this.#names(checks);
    if (printed.length + required.size === 0 && listed === null) {
      const record = this.#record(rest);
      const { anyObject: type } = this.#printer;
      if (type === undefined) return record;
      // Next to `object`, a map of any values says more: it has an index
      // signature.
      const isAny = described === null && !allowsUnevaluated(schema);
      return isAny
        ? { key: anyObject, type }
        : { ...record, key: `map ${record.key}` };
    }
    const isClosed = rest.key === "never";
    const names = new Map([...required].map((name) => [name, anything.doc]));
    const doc = describedDoc(check?.rest ?? anything);
    for (const name of isClosed ? [] : (listed ?? [])) names.set(name, doc);
    if (!isClosed && listed === null)
      for (const [name, doc] of conditionalMembers(checks, this.#definitions))
        names.set(name, doc);
    for (const { name } of printed) names.delete(name);
    for (const [name, doc] of names)
      printed.push({
        name,
        doc,
        optional: !required.has(name),
        type: rest.type,
      });
    // In TypeScript, named members must match the index signature, so it can
    // only be `unknown`.
    const hasOthers =
      described !== null ||
      allowsUnevaluated(schema) ||
      unevaluated.some(
        ({ rest }) => rest !== null && this.type(rest).key !== "never",
      );
    const isOpen = hasOthers && !isClosed && listed === null;
    return this.#unique(
      this.#printer.object(
        printed,
        isOpen ? this.#printer.keyword("unknown") : null,
      ),
    );
  }

  /**
   * The members that only conditions name, for a type that other parts
   * describe.
   */
  #conditional(checks: readonly Check[]): Printed<T> {
    const { type } = this.#keyword("unknown");
    const members = [...conditionalMembers(checks, this.#definitions)].map(
      ([name, doc]) => {
        return { name, doc, optional: true, type };
      },
    );
    return members.length === 0
      ? this.#keyword("unknown")
      : this.#unique(this.#printer.object(members, null));
  }

  /** An object whose members all have one type. */
  #record({ key, type }: Printed<T>): Printed<T> {
    return {
      key: `{ ${key} }`,
      type: this.#printer.object([], key === "never" ? null : type),
    };
  }

  /**
   * The type of members without a name; null if the schema does not describe
   * them.
   */
  #rest({ patterns, rest }: CheckOf<"members">): Printed<T> | null {
    if (patterns.length === 0) return rest === null ? null : this.type(rest);
    return this.#union(
      [...patterns.map(({ schema }) => schema), rest ?? anything].map((each) =>
        this.type(each),
      ),
    );
  }

  /**
   * The names that all members of an object must have; null if they are not
   * listed, or too many.
   */
  #names(checks: readonly Check[]): readonly string[] | null {
    const [names] = ofKind(checks, "names");
    if (names === undefined) return null;
    const values = valuesOf(
      checksOf(this.#definitions, targetOf(this.#definitions, names.schema)),
    );
    const listed = values?.filter((value) => typeof value === "string") ?? [];
    return listed.length === 0 || listed.length > maxNames ? null : listed;
  }

  #array(checks: readonly Check[]): Printed<T> {
    const [items] = ofKind(checks, "items");
    const size = ofKind(checks, "size").find((check) => check.of === "array");
    const first = items?.first ?? [];
    const rest = first.length > maxPositions ? null : (items?.rest ?? null);
    const element = rest === null ? this.#keyword("unknown") : this.type(rest);
    const list = this.#list(element);
    if (first.length === 0 || first.length > maxPositions) return list;
    const isFull =
      element.key === "never" || (size?.max ?? Infinity) <= first.length;
    const elements = first.map((schema) => this.type(schema).type);
    return this.#unique(
      this.#printer.tuple(elements, size?.min ?? 0, isFull ? null : list.type),
    );
  }

  #values(values: readonly Json[], constant: string | null): Printed<T> {
    const scalars = values
      .filter(isScalar)
      .map((value) => this.#value(value, constant));
    const others = values
      .filter((value) => !isScalar(value))
      .map((value) => this.#value(value));
    return this.#union(
      scalars.length === 0 ? others : [this.#union(scalars), ...others],
    );
  }

  /** The type of one value. */
  #value(value: Json, constant: string | null = null): Printed<T> {
    if (isList(value)) {
      if (value.length > maxPositions)
        return this.#list(this.#keyword("unknown"));
      const items = value.map((item) => this.#value(item).type);
      return this.#unique(this.#printer.tuple(items, items.length, null));
    }
    if (isRecord(value)) {
      const members = Object.entries(value).map(([name, member]) => {
        return {
          name,
          doc: anything.doc,
          optional: false,
          type: this.#value(member).type,
        };
      });
      return this.#unique(this.#printer.object(members, null));
    }
    return {
      key: JSON.stringify(value),
      type: this.#printer.literal(value, constant),
    };
  }

  #reference(key: string): Printed<T> {
    return {
      key: JSON.stringify({ to: key }),
      type: this.#printer.reference(key),
    };
  }

  #keyword(name: Keyword): Printed<T> {
    return { key: name, type: this.#printer.keyword(name) };
  }

  #list({ key, type }: Printed<T>): Printed<T> {
    return { key: `${key}[]`, type: this.#printer.array(type) };
  }

  /** A type that is printed as often as it occurs. */
  #unique(type: T): Printed<T> {
    this.#uniques += 1;
    return { key: `*${this.#uniques}`, type };
  }

  #union(parts: readonly Printed<T>[]): Printed<T> {
    const members = distinct(parts, keyOf).filter(({ key }) => key !== "never");
    const [only = this.#keyword("never")] = members;
    if (members.length < 2) return only;
    const all = members.find(({ key }) => key === anyValue);
    return (
      all ?? combined(members, " | ", (types) => this.#printer.union(types))
    );
  }

  #intersection(parts: readonly Printed<T>[]): Printed<T> {
    const [first, ...others] = parts;
    if (first !== undefined && others.length === 0) return first;
    const members = distinct(parts, keyOf).filter(
      ({ key }) => key !== anyValue,
    );
    // "Any object" adds nothing to other parts.
    const narrow = members.filter(isNarrow);
    const [only = members[0] ?? this.#keyword("unknown")] = narrow;
    return narrow.length < 2
      ? only
      : combined(narrow, " & ", (types) => this.#printer.intersection(types));
  }
}

function isNarrow<T>({ key }: Printed<T>): boolean {
  return key !== anyValue && key !== anyObject;
}

function combined<T>(
  parts: readonly Printed<T>[],
  separator: string,
  print: (types: readonly T[]) => T,
): Printed<T> {
  return {
    key: `(${parts.map(({ key }) => key).join(separator)})`,
    type: print(parts.map(({ type }) => type)),
  };
}

const keyOf = ({ key }: { readonly key: string }): string => key;

/**
 * The checks of an `all` as checks of their own, whose alternatives are counted
 * apart.
 */
function partsOf(check: Check): Check[] {
  return check.kind === "all"
    ? check.schemas.map((inner) => ({ kind: "all", schemas: [inner] }))
    : [check];
}

/**
 * `{ properties }` without a type also accepts strings, which its author does
 * not intend. So does `required` beside a reference.
 */
function impliedTypes(schema: Schema, definitions: Definitions): TypeName[] {
  const { checks } = schema;
  const isObject =
    checks.some(
      (check) => check.kind === "members" && check.properties.length > 0,
    ) ||
    ((checks.some(({ kind }) => kind === "required") ||
      allowsUnevaluated(schema)) &&
      combinesObjects(checks, definitions));
  const isArray = checks.some(({ kind }) => kind === "items");
  return [
    ...(isObject ? ["object" as const] : []),
    ...(isArray ? ["array" as const] : []),
  ];
}

/**
 * True if members that no part describes are allowed, although it is not
 * checked which.
 */
function allowsUnevaluated({ notes = [] }: Schema): boolean {
  return notes.some(
    ({ keyword, value }) =>
      keyword === "unevaluatedProperties" && value !== false,
  );
}
