import type { AnySchemaObject, ValidateFunction } from "ajv";
import { type Index, index } from "../../src/generator/ir/lookup.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { planParams } from "../../src/generator/view/plan/params.js";
import { officialAjv } from "../oracle/ajv.js";

/**
 * Ajv's validators for every named type of a revision, on the official schema
 * without its known defects.
 */
export function oracleOf(
  protocol: Protocol,
): ReadonlyMap<string, ValidateFunction> {
  const { definitions, refer, compile } = officialAjv(protocol.revision);
  const compiled = new Map(
    Object.keys(definitions).map((name) => [
      name,
      compile(refer(encodeURIComponent(name))),
    ]),
  );
  for (const { name, owner } of madeParams(protocol)) {
    const meta = metaOf(owner, index(protocol), definitions);
    const hidden =
      meta === null
        ? []
        : [{ properties: { _meta: meta === true ? true : refer(meta) } }];
    compiled.set(
      name,
      compile({ allOf: [refer(`${owner}/properties/params`), ...hidden] }),
    );
  }
  return compiled;
}

/**
 * The params that the schema writes inline and that got a name, with the type
 * that writes them.
 */
function madeParams(protocol: Protocol): { name: string; owner: string }[] {
  const { byMethod, synthesized } = planParams(protocol);
  return synthesized.map(({ name }) => {
    const message = protocol.messages.find(
      ({ method }) => byMethod.get(method)?.name === name,
    );
    if (message === undefined)
      throw new Error(`no message has the params ${name}`);
    return { name, owner: message.params.declaredBy ?? message.name };
  });
}

/**
 * Where the schema describes the `_meta` that the literal hides; true where it
 * leaves it open.
 */
function metaOf(
  owner: string,
  declarations: Index,
  definitions: Readonly<Record<string, AnySchemaObject>>,
): string | true | null {
  const declaration = declarations.get(owner);
  const root =
    declaration?.kind === "interface"
      ? rootOf(declaration.name, declarations)
      : owner;
  if (root !== "Request" && root !== "Notification") return null;
  const named = definitions[`${root}Params`];
  if (named !== undefined)
    return "_meta" in named["properties"]
      ? `${root}Params/properties/_meta`
      : true;
  return `${root}/properties/params/properties/_meta`;
}

function rootOf(name: string, declarations: Index): string {
  const declaration = declarations.get(name);
  const base =
    declaration?.kind === "interface" ? declaration.bases[0] : undefined;
  return base === undefined ? name : rootOf(base.name, declarations);
}
