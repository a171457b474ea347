import { constantIn } from "../ir/constraint/form.js";
import type { Schema } from "../ir/constraint.js";
import type { Protocol } from "../ir/model.js";
import { withNames } from "../ir/copies.js";
import type { ExtensionSchema } from "./typescript/extension.js";

/**
 * The extension with unique names for its constants. The protocol may have a
 * constant with the same name and another value, such as its own version: the
 * name then gets the last part of the extension's id as its prefix. A constant
 * that the protocol has with the same value is removed.
 */
export function withRenamedConstants(
  protocol: Protocol,
  extension: ExtensionSchema,
): ExtensionSchema {
  const constants = new Map<string, Schema>();
  for (const { kind, name, schema } of protocol.declarations)
    if (kind === "constant") constants.set(name, schema);
  const newNames = new Map<string, string>();
  const originals = new Map<string, string>();
  const declarations = extension.declarations.filter((entry) => {
    const { kind, name, schema } = entry;
    const other = constants.get(name);
    if (kind !== "constant" || other === undefined) return true;
    if (constantIn(other) === constantIn(schema)) return false;
    const newName = `${prefixOf(extension.id)}_${name}`;
    newNames.set(name, newName);
    originals.set(newName, name);
    return true;
  });
  if (
    declarations.length === extension.declarations.length &&
    newNames.size === 0
  )
    return extension;
  return {
    ...extension,
    declarations: declarations.map((entry) => withNames(entry, newNames)),
    locationOf: (name, ...rest) =>
      extension.locationOf(originals.get(name) ?? name, ...rest),
  };
}

/** `UI` for "io.modelcontextprotocol/ui". */
function prefixOf(id: string): string {
  const name = id.slice(id.indexOf("/") + 1).toUpperCase();
  return name.replace(/[^A-Z\d]+/g, "_").replace(/^(?=\d)/, "_");
}
