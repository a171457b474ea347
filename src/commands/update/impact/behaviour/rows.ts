import type { ts } from "ts-morph";
import {
  itemsIn,
  referenceIn,
} from "../../../../generator/ir/constraint/form.js";
import { flatten, propertyOf } from "../../../../generator/ir/flatten.js";
import { index, reachable } from "../../../../generator/ir/lookup.js";
import type {
  Protocol,
  WellKnownMethod,
} from "../../../../generator/ir/model.js";
import { type Change, type ComparedFolder, nameIn } from "../changes.js";
import type { BehaviourChange, Context } from "./context.js";
import { memberChange } from "./members.js";

/** The functions of the runtime that take rows, and the lists of these rows. */
const lists: Readonly<Record<string, readonly WellKnownMethod[]>> = {
  tools: ["listTools"],
  prompts: ["listPrompts"],
  resources: ["listResources", "listTemplates"],
};

/** Where the runtime declares these functions, also if it is copied. */
const isFeature = (file: string): boolean =>
  /\/features\/\w+(?:\.d)?\.ts$/.test(file) && file.includes("/runtime/");

/**
 * The changes for the rows of `tools([…])`, `resources([…])` and
 * `prompts([…])`. The compiler does not compare them with the protocol: one
 * list is for servers of several revisions.
 */
export function rowsOf(
  context: Context,
): (node: ts.Node) => readonly BehaviourChange[] {
  const { compiler, checker, compared } = context;
  const changesOf = compared.map(rowChangesOf);
  return (node) => {
    if (!compiler.isCallExpression(node)) return [];
    // The runtime itself, if a program contains its source.
    if (isFeature(node.getSourceFile().fileName)) return [];
    const [list] = node.arguments;
    const { declaration } = checker.getResolvedSignature(node) ?? {};
    if (list === undefined || declaration === undefined) return [];
    const { fileName } = declaration.getSourceFile();
    const name = compiler.isFunctionDeclaration(declaration)
      ? declaration.name?.text
      : undefined;
    if (name === undefined || !isFeature(fileName)) return [];
    const roles = Object.hasOwn(lists, name) ? (lists[name] ?? []) : [];
    const changes = changesOf.flatMap((of) => roles.flatMap(of));
    const rows = compiler.isArrayLiteralExpression(list)
      ? list.elements
      : [list];
    return changes.flatMap((change) =>
      rows.flatMap((row) => rowChange(context, row, change) ?? []),
    );
  };
}

/** The changes of the members of the rows of a list. */
function rowChangesOf({
  folder,
  changes,
  newName,
}: ComparedFolder): (role: WellKnownMethod) => readonly Change[] {
  return (role) => {
    const types = new Set([...rowTypes(folder.before, role)].map(newName));
    return changes.filter(({ difference: { subject, path } }) => {
      const isMember = path !== "" && nameIn(path) === path;
      return isMember && subject.kind === "type" && types.has(subject.name);
    });
  };
}

/** The type of the rows of a list, and the types that it extends. */
function rowTypes(protocol: Protocol, role: WellKnownMethod): Set<string> {
  const method = protocol.wellKnown[role];
  const message = protocol.messages.find((entry) => entry.method === method);
  if (message?.kind !== "request" || message.items === null) return new Set();
  const declarations = index(protocol);
  const result = flatten(declarations, message.results[0] ?? "");
  const list = propertyOf(result, message.items);
  const row = list && referenceIn(itemsIn(list.schema));
  return reachable(row ? [row] : [], (name) =>
    (declarations.get(name)?.bases ?? []).map((base) => base.name),
  );
}

/** What a change of a member means for a row; null if nothing. */
function rowChange(
  context: Context,
  row: ts.Expression,
  cause: Change,
): BehaviourChange | null {
  const { compiler } = context;
  const { change, path } = cause.difference;
  const isNeeded =
    change.startsWith("required-member-added") ||
    change.startsWith("member-made-required");
  if (isNeeded)
    return hasMember(context, row, path)
      ? null
      : { node: row, isBreaking: true, cause };
  const members = compiler.isObjectLiteralExpression(row) ? row.properties : [];
  const written = members.find(
    ({ name }) =>
      name !== undefined &&
      (compiler.isIdentifier(name) || compiler.isStringLiteral(name)) &&
      name.text === path,
  );
  return written?.name === undefined
    ? null
    : memberChange(context, written.name, cause);
}

/** True if all rows have the member: a row, a list of rows, or a function. */
function hasMember(
  { compiler, checker }: Context,
  row: ts.Expression,
  name: string,
): boolean {
  const node = compiler.isSpreadElement(row) ? row.expression : row;
  const type = checker.getTypeAtLocation(node);
  // The rows of a function are made for each request, and may have any member.
  if (type.getCallSignatures().length > 0) return true;
  const item = type.getNumberIndexType() ?? type;
  const kinds = item.isUnion() ? item.types : [item];
  return kinds.every((kind) => kind.getProperty(name) !== undefined);
}
