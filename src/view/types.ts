import { index } from "../ir/lookup.js";
import type { Base, Declaration, InterfaceDeclaration, Property, Protocol, Type } from "../ir/model.js";
import { fromLayout, type Code, code, literal } from "./typescript/code.js";
import { docComment, docOf } from "./typescript/doc.js";
import { group, indent, join, line, softline, type Layout } from "./typescript/layout.js";
import type { MemberView } from "./typescript/declaration.js";
import type { Naming } from "./naming.js";
import type { Synthesized } from "./plan/role-types.js";
import { aliasText, looseMemberText, memberText, restType, typeText } from "./typescript/type-text.js";

/** `types.ts`: the schema's declarations in their order, then the types of inline params. */
export interface TypesView {
  readonly declarations: readonly DeclarationView[];
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

export interface InterfaceView {
  /** `Name extends Base` */
  readonly head: Code;
  readonly isEmpty: boolean;
  readonly members: readonly MemberView[];
}

export function typesView(
  protocol: Protocol,
  synthesized: readonly Synthesized[],
  naming: Naming,
): TypesView {
  const narrowed = narrowedMembers(protocol);
  return {
    declarations: [
      ...protocol.declarations.map((declaration) => declarationView(declaration, narrowed, naming)),
      ...synthesized.map((entry) => synthesizedView(entry, naming)),
    ],
  };
}

/** `Owner.member` for every map that a derived interface redeclares without an index signature. */
function narrowedMembers(protocol: Protocol): ReadonlySet<string> {
  const declarations = index(protocol);
  const narrowed = new Set<string>();
  const visit = (name: string, members: ReadonlySet<string>, visited: ReadonlySet<string>): void => {
    const declaration = declarations.get(name);
    if (declaration?.kind !== "interface" || visited.has(name)) return;
    for (const { name: member } of declaration.properties)
      if (members.has(member)) narrowed.add(`${name}.${member}`);
    const own = declaration.properties.filter(({ type }) => !hasAnyMembers(type));
    const memberNames = new Set([...members, ...own.map((property) => property.name)]);
    for (const base of declaration.bases) visit(base.name, memberNames, new Set([...visited, name]));
  };
  for (const { name } of protocol.declarations) visit(name, new Set(), new Set());
  return narrowed;
}

/** True if TypeScript lets the type narrow a map of any values: it has such an index signature itself. */
function hasAnyMembers(type: Type): boolean {
  if (type.kind === "intersection") return type.members.some(hasAnyMembers);
  return type.kind === "object" && type.rest?.kind === "unknown";
}

function declarationView(
  declaration: Declaration,
  narrowed: ReadonlySet<string>,
  naming: Naming,
): DeclarationView {
  const doc = docOf(declaration.doc);
  const name = naming.type(declaration.name);
  const none = { doc, interface: null, alias: null, constant: null };
  switch (declaration.kind) {
    case "interface":
      return { ...none, interface: interfaceView(declaration, narrowed, naming) };
    case "alias":
      return { ...none, alias: aliasText(name, declaration.type, naming.type) };
    case "constant":
      return { ...none, constant: code`${name} = ${literal(declaration.value)};` };
    default:
      return declaration satisfies never;
  }
}

function interfaceView(
  declaration: InterfaceDeclaration,
  narrowed: ReadonlySet<string>,
  naming: Naming,
): InterfaceView {
  const { name, bases, properties, rest } = declaration;
  const isLoose = ({ name: member, type }: Property): boolean =>
    narrowed.has(`${name}.${member}`) && type.kind === "record" && type.member.kind === "unknown";
  const members = memberViews(properties, rest, naming, isLoose);
  return { head: heritage(naming.type(name), bases, naming), isEmpty: members.length === 0, members };
}

function synthesizedView(entry: Synthesized, naming: Naming): DeclarationView {
  const members = memberViews(entry.properties, entry.rest, naming, () => false);
  return {
    doc: docComment([entry.doc]),
    interface: { head: naming.type(entry.name), isEmpty: members.length === 0, members },
    alias: null,
    constant: null,
  };
}

function memberViews(
  properties: readonly Property[],
  rest: Type | null,
  naming: Naming,
  isLoose: (property: Property) => boolean,
): MemberView[] {
  const members = properties.map((property): MemberView => {
    const text = isLoose(property) ? looseMemberText(property) : memberText(property, naming.type);
    return { doc: docOf(property.doc), text };
  });
  if (rest === null) return members;
  const value = typeText(restType(properties, rest), naming.type);
  return [...members, { doc: null, text: code`[key: string]: ${value};` }];
}

/** Several bases break below the name; a single base stays next to it and breaks inside its brackets. */
function heritage(name: Code, bases: readonly Base[], naming: Naming): Code {
  if (bases.length === 0) return name;
  const list = bases.map((base) => baseLayout(base, naming));
  const own = name.layout;
  if (list.length === 1) return fromLayout(group([own, " extends ", list[0] ?? ""]));
  return fromLayout(group([own, indent([line, "extends ", join(", ", list)])]));
}

function baseLayout(base: Base, naming: Naming): Layout {
  const name = naming.type(base.name).layout;
  if (base.omit.length === 0) return name;
  const members = base.omit.map((member) => literal(member).layout);
  const union = join(" | ", members);
  return group(["Omit<", indent([softline, name, ",", line, union]), softline, ">"]);
}
