import { constantIn } from "../ir/constraint/form.js";
import type { Declaration, Protocol } from "../ir/model.js";
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
  const constants = new Map(
    protocol.declarations.flatMap(({ kind, name, schema }) =>
      kind === "constant" ? [[name, constantIn(schema)] as const] : [],
    ),
  );
  const isShared = ({ kind, name }: Declaration): boolean =>
    kind === "constant" && constants.has(name);
  const isSame = (entry: Declaration): boolean =>
    isShared(entry) && constants.get(entry.name) === constantIn(entry.schema);
  const newNames = new Map(
    extension.declarations
      .filter((entry) => isShared(entry) && !isSame(entry))
      .map(({ name }) => [name, `${prefixOf(extension.id)}_${name}`]),
  );
  if (newNames.size === 0 && !extension.declarations.some(isSame))
    return extension;
  const originals = new Map([...newNames].map(([from, to]) => [to, from]));
  return {
    ...extension,
    declarations: extension.declarations
      .filter((entry) => !isSame(entry))
      .map((entry) => withNames(entry, newNames)),
    locationOf: (name, ...rest) =>
      extension.locationOf(originals.get(name) ?? name, ...rest),
  };
}

/** `UI` for "io.modelcontextprotocol/ui". */
function prefixOf(id: string): string {
  const name = id.slice(id.indexOf("/") + 1).toUpperCase();
  return name.replace(/[^A-Z\d]+/g, "_").replace(/^(?=\d)/, "_");
}
