import { flattenType } from "../../ir/flatten.js";
import type { Declaration, Message, Property, Protocol } from "../../ir/model.js";
import { type ParamsName, planRoleTypes, type Synthesized, type RoleTypes } from "./role-types.js";

/** The params of every message by wire method, and the types that were added for them. */
export interface ParamsPlan {
  readonly byMethod: ReadonlyMap<string, ParamsName | null>;
  readonly synthesized: readonly Synthesized[];
  readonly roleTypes: RoleTypes;
}

/**
 * Names every message's params. For inline params (`CallToolRequest` up to 2025-06-18), the name is that of the declaring
 * interface followed by `Params`, as in later revisions.
 */
export function planParams(protocol: Protocol): ParamsPlan {
  const declarations = new Map(protocol.declarations.map((entry) => [entry.name, entry]));
  const synthesized = new Map<string, Synthesized>();
  const byMethod = new Map<string, ParamsName | null>();
  for (const message of protocol.messages) {
    byMethod.set(message.method, nameParams(message, declarations, synthesized));
  }
  const names = new Set([...declarations.keys(), ...[...synthesized.values()].map(({ name }) => name)]);
  const roleTypes = planRoleTypes(protocol, byMethod, (base) => {
    const name = freeName(base, names);
    names.add(name);
    return name;
  });
  return { byMethod, synthesized: [...synthesized.values()], roleTypes };
}

function nameParams(
  message: Message,
  declarations: ReadonlyMap<string, Declaration>,
  synthesized: Map<string, Synthesized>,
): ParamsName | null {
  const { presence, type, declaredBy } = message.params;
  if (presence === "none" || type === null) return null;
  if (type.kind === "reference") return { name: type.name, presence };
  const owner = declaredBy ?? message.name;
  let entry = synthesized.get(owner);
  if (entry === undefined) {
    const { properties, rest } = flattenType(declarations, type) ?? ANYTHING;
    const meta = properties.some(({ name }) => name === META) ? null : hiddenMeta(owner, declarations);
    entry = {
      name: freeName(
        `${owner}Params`,
        new Set([...declarations.keys(), ...[...synthesized.values()].map(({ name }) => name)]),
      ),
      doc: `The params of \`${owner}\`.`,
      properties: meta === null ? properties : [meta, ...properties],
      rest,
    };
    synthesized.set(owner, entry);
  }
  return { name: entry.name, presence };
}

const META = "_meta";
/** Params without known members, such as a union written inline. */
const ANYTHING = { properties: [], rest: { kind: "unknown" } } as const;

/** The `_meta` of the base's params that an inline type hides. */
function hiddenMeta(owner: string, declarations: ReadonlyMap<string, Declaration>): Property | null {
  const visited = new Set<string>();
  let name: string | undefined = owner;
  while (name !== undefined && !visited.has(name)) {
    visited.add(name);
    const meta =
      metaOf(declarations.get(`${name}Params`)) ??
      (name === owner ? null : metaOfMember(declarations.get(name), declarations));
    if (meta !== null) return meta;
    const declaration: Declaration | undefined = declarations.get(name);
    name = declaration?.kind === "interface" ? declaration.bases[0]?.name : undefined;
  }
  return null;
}

function metaOfMember(
  declaration: Declaration | undefined,
  declarations: ReadonlyMap<string, Declaration>,
): Property | null {
  if (declaration?.kind !== "interface") return null;
  const params = declaration.properties.find(({ name }) => name === "params")?.type;
  if (params?.kind === "object") return params.properties.find(({ name }) => name === META) ?? null;
  return params?.kind === "reference" ? metaOf(declarations.get(params.name)) : null;
}

function metaOf(declaration: Declaration | undefined): Property | null {
  if (declaration?.kind !== "interface") return null;
  return declaration.properties.find(({ name }) => name === META) ?? null;
}

function freeName(base: string, names: ReadonlySet<string>): string {
  let name = base;
  for (let number = 2; names.has(name); number += 1) name = `${base}${number}`;
  return name;
}
