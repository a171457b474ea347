import type { Schema } from "../ir/constraint.js";
import {
  constantIn,
  objectSchema,
  onlyOf,
  propertiesIn,
  reference,
  restIn,
} from "../ir/constraint/form.js";
import { withSchemas } from "../ir/constraint/walk.js";
import { index, type Index } from "../ir/lookup.js";
import type { Base, Declaration, Protocol } from "../ir/model.js";
import type { Naming } from "./naming.js";
import { fromLayout, type Code, code, literal } from "./typescript/code.js";
import {
  aliasCode,
  type MemberView,
  type PrintedType,
  revisionPrinter,
} from "./typescript/declaration.js";
import { describedDoc } from "./typescript/described.js";
import { docOf } from "./typescript/doc.js";
import {
  group,
  indent,
  join,
  line,
  softline,
  type Layout,
} from "./typescript/layout.js";
import { printType } from "./typescript/schema-type.js";

/**
 * `types.ts`: the schema's declarations in their order, then the types of
 * inline params.
 */
export interface TypesView {
  readonly declarations: readonly DeclarationView[];
  /**
   * True if a variable of a project allows any value that a URI template can
   * contain.
   */
  readonly expandable: boolean;
}

/** One of the three members is set; the other two are null. */
export interface DeclarationView {
  readonly doc: Code | null;
  readonly interface: InterfaceView | null;
  /** `Name = type;` */
  readonly alias: Code | null;
  /** `NAME = value;` */
  readonly constant: Code | null;
}

interface InterfaceView {
  /** `Name extends Base` */
  readonly head: Code;
  readonly isEmpty: boolean;
  readonly members: readonly MemberView[];
}

export function typesView(
  protocol: Protocol,
  added: readonly Declaration[],
  naming: Naming,
): TypesView {
  const declarations = index(protocol);
  const narrowed = narrowedMembers(declarations);
  const own = protocol.declarations.map((declaration) =>
    loosened(declaration, narrowed),
  );
  const printer = revisionPrinter((key) =>
    key === anyKey ? code`any` : naming.type(key),
  );
  const viewOf = (declaration: Declaration): DeclarationView => {
    const { kind, name, bases, schema } = declaration;
    const doc = docOf(describedDoc(schema));
    const head = naming.type(name);
    if (kind === "constant") {
      const constant = code`${head} = ${literal(constantIn(schema) ?? null)};`;
      return { doc, interface: null, alias: null, constant };
    }
    const type = printType(schema, declarations, printer);
    return typeView(
      doc,
      heritage(head, bases, naming),
      type,
      kind === "interface",
    );
  };
  return { declarations: [...own, ...added].map(viewOf), expandable: false };
}

export function typeView(
  doc: Code | null,
  head: Code,
  type: PrintedType,
  isInterface: boolean,
): DeclarationView {
  if (!isInterface)
    return {
      doc,
      interface: null,
      alias: aliasCode(head, type),
      constant: null,
    };
  const { members } = type;
  return {
    doc,
    interface: { head, isEmpty: members.length === 0, members },
    alias: null,
    constant: null,
  };
}

/**
 * The members that are maps of any values and that a derived interface
 * redeclares without an index signature.
 */
function narrowedMembers(declarations: Index): ReadonlySet<Schema> {
  const narrowed = new Set<Schema>();
  const visit = (
    name: string,
    members: ReadonlySet<string>,
    visited: ReadonlySet<string>,
  ): void => {
    const declaration = declarations.get(name);
    if (declaration?.kind !== "interface" || visited.has(name)) return;
    const own = propertiesIn(declaration.schema);
    for (const { name: member, schema } of own)
      if (
        members.has(member) &&
        hasAnyMembers(schema) &&
        propertiesIn(schema).length === 0
      )
        narrowed.add(schema);
    const strict = own
      .filter(({ schema }) => !hasAnyMembers(schema))
      .map((property) => property.name);
    for (const base of declaration.bases)
      visit(
        base.name,
        new Set([...members, ...strict]),
        new Set([...visited, name]),
      );
  };
  for (const name of declarations.keys()) visit(name, new Set(), new Set());
  return narrowed;
}

/**
 * True if TypeScript lets the type narrow a map of any values: it has such an
 * index signature itself.
 */
function hasAnyMembers(schema: Schema): boolean {
  const all = onlyOf(schema.checks, "all");
  return all === null
    ? restIn(schema)?.checks.length === 0
    : all.schemas.some(hasAnyMembers);
}

/** In place of the name of a declaration: TypeScript's `any`. */
const anyKey = "mcpgen:any";

/** The declaration with `any` as the values of these members. */
function loosened(
  declaration: Declaration,
  members: ReadonlySet<Schema>,
): Declaration {
  const { schema } = declaration;
  const { checks } = objectSchema([], reference(anyKey));
  const loosen = (member: Schema): Schema =>
    members.has(member) ? { ...member, checks } : member;
  const looser = schema.checks.map((check) => withSchemas(check, loosen));
  return { ...declaration, schema: { ...schema, checks: looser } };
}

/**
 * Several bases break below the name; a single base stays next to it and breaks
 * inside its brackets.
 */
function heritage(name: Code, bases: readonly Base[], naming: Naming): Code {
  if (bases.length === 0) return name;
  const list = bases.map((base) => baseLayout(base, naming));
  const own = name.layout;
  if (list.length === 1)
    return fromLayout(group([own, " extends ", list[0] ?? ""]));
  return fromLayout(group([own, indent([line, "extends ", join(", ", list)])]));
}

function baseLayout(base: Base, naming: Naming): Layout {
  const name = naming.type(base.name).layout;
  if (base.omit.length === 0) return name;
  const members = base.omit.map((member) => literal(member).layout);
  const union = join(" | ", members);
  return group([
    "Omit<",
    indent([softline, name, ",", line, union]),
    softline,
    ">",
  ]);
}
