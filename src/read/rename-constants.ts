import type { ConstantDeclaration, Declaration, Protocol, Type } from "../ir/model.js";
import { mapType } from "../ir/walk.js";
import type { ExtensionSchema } from "./typescript/extension.js";

/**
 * The extension with unique names for its constants. The protocol may have a constant with the same name and another value,
 * such as its own version: the name then gets the last part of the extension's id as its prefix. A constant that the protocol
 * has with the same value is removed.
 */
export function withRenamedConstants(protocol: Protocol, extension: ExtensionSchema): ExtensionSchema {
  const constants = new Map(
    protocol.declarations.flatMap((entry) => (entry.kind === "constant" ? [[entry.name, entry]] : [])),
  );
  const isShared = (entry: Declaration): entry is ConstantDeclaration =>
    entry.kind === "constant" && constants.has(entry.name);
  const isSame = (entry: Declaration): boolean =>
    isShared(entry) && constants.get(entry.name)?.value === entry.value;
  const newNames = new Map(
    extension.declarations
      .filter((entry) => isShared(entry) && !isSame(entry))
      .map(({ name }) => [name, `${prefixOf(extension.id)}_${name}`]),
  );
  if (newNames.size === 0 && !extension.declarations.some(isSame)) return extension;
  const originals = new Map([...newNames].map(([from, to]) => [to, from]));
  return {
    ...extension,
    declarations: extension.declarations
      .filter((entry) => !isSame(entry))
      .map((entry) => renameIn(entry, newNames)),
    locationOf: (name, ...rest) => extension.locationOf(originals.get(name) ?? name, ...rest),
  };
}

/** `UI` for "io.modelcontextprotocol/ui". */
function prefixOf(id: string): string {
  const name = id.slice(id.indexOf("/") + 1).toUpperCase();
  return name.replace(/[^A-Z\d]+/g, "_").replace(/^(?=\d)/, "_");
}

function renameIn(declaration: Declaration, newNames: ReadonlyMap<string, string>): Declaration {
  const type = (of: Type): Type =>
    mapType(of, (part) =>
      part.kind === "literal" && part.constant !== null
        ? { ...part, constant: newNames.get(part.constant) ?? part.constant }
        : part,
    );
  switch (declaration.kind) {
    case "constant":
      return { ...declaration, name: newNames.get(declaration.name) ?? declaration.name };
    case "alias":
      return { ...declaration, type: type(declaration.type) };
    case "interface":
      return {
        ...declaration,
        properties: declaration.properties.map((entry) => ({ ...entry, type: type(entry.type) })),
        rest: declaration.rest && type(declaration.rest),
      };
    default:
      return declaration satisfies never;
  }
}
