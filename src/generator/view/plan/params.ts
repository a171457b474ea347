import { anything, type Schema } from "../../ir/constraint.js";
import {
  type Property,
  reference,
  referenceIn,
} from "../../ir/constraint/form.js";
import { names } from "../../ir/facts.js";
import { flatten, flattenSchema } from "../../ir/flatten.js";
import { index, type Index } from "../../ir/lookup.js";
import type { Declaration, Protocol } from "../../ir/model.js";
import {
  addedType,
  type ParamsName,
  planRoleTypes,
  type RoleTypes,
} from "./role-types.js";

/**
 * The params of every message by wire method, and the types that were added for
 * them.
 */
export interface ParamsPlan {
  readonly byMethod: ReadonlyMap<string, ParamsName | null>;
  /**
   * Params that a schema writes inline, with the `_meta` that the inline type
   * hides.
   */
  readonly synthesized: readonly Declaration[];
  readonly roleTypes: RoleTypes;
}

/**
 * Names every message's params. For inline params (`CallToolRequest` up to
 * 2025-06-18), the name is that of the declaring interface followed by
 * `Params`, as in later revisions.
 */
export function planParams(protocol: Protocol): ParamsPlan {
  const declarations = index(protocol);
  const taken = new Set(declarations.keys());
  const freeName = (base: string): string => {
    let name = base;
    for (let number = 2; taken.has(name); number += 1)
      name = `${base}${number}`;
    taken.add(name);
    return name;
  };
  const synthesized = new Map<string, Declaration>();
  const inlineParams = (
    owner: string,
    schema: Schema,
    isEmbedded: boolean,
  ): string => {
    const key = `${owner} ${isEmbedded}`;
    const known = synthesized.get(key);
    if (known !== undefined) return known.name;
    // Params without known members, such as a union written inline, can have
    // any.
    const { properties, rest } = flattenSchema(declarations, schema) ?? {
      properties: [],
      rest: anything,
    };
    const meta = properties.some(isMeta)
      ? undefined
      : hiddenMeta(owner, declarations, isEmbedded);
    const name = freeName(`${owner}Params`);
    const all = meta === undefined ? properties : [meta, ...properties];
    synthesized.set(
      key,
      addedType(name, `The params of \`${owner}\`.`, all, rest),
    );
    return name;
  };
  const byMethod = new Map<string, ParamsName | null>();
  for (const message of protocol.messages) {
    const { method, name } = message;
    const { presence, schema, declaredBy } = message.params;
    if (presence === "none" || schema === null) {
      byMethod.set(method, null);
      continue;
    }
    const isEmbedded =
      message.kind === "request" && message.carriage === "embedded";
    const type =
      referenceIn(schema) ??
      inlineParams(declaredBy ?? name, schema, isEmbedded);
    byMethod.set(method, { name: type, presence });
  }
  const roleTypes = planRoleTypes(protocol, byMethod, freeName);
  return { byMethod, synthesized: [...synthesized.values()], roleTypes };
}

const isMeta = ({ name }: Property): boolean => name === names.meta;

/**
 * The `_meta` of the base's params that an inline type hides: that of the
 * member `params`, or of a type `<base>Params`. Such a type describes messages
 * on the wire, and not those that are embedded in a result.
 */
function hiddenMeta(
  owner: string,
  declarations: Index,
  isEmbedded: boolean,
): Property | undefined {
  const metaOf = (params: Schema): Property | undefined =>
    flattenSchema(declarations, params)?.properties.find(isMeta);
  const visited = new Set<string>();
  let name: string | undefined = owner;
  while (name !== undefined && !visited.has(name)) {
    visited.add(name);
    const members =
      name === owner ? undefined : flatten(declarations, name)?.properties;
    const params = members?.find((member) => member.name === "params")?.schema;
    const named = isEmbedded ? undefined : metaOf(reference(`${name}Params`));
    const meta = named ?? (params && metaOf(params));
    if (meta !== undefined) return meta;
    name = declarations.get(name)?.bases[0]?.name;
  }
  return undefined;
}
