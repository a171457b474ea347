import type { Part } from "./plan/parts.js";
import { type Code, code, identifier, nameList } from "./typescript/code.js";
import type { Naming } from "./naming.js";
import { fixedExports } from "./plan/published.js";

/**
 * `index.ts` of one revision, or of the part of it in a project: its exports,
 * by name.
 */
export interface IndexView {
  /** False for a file that only leads to a shared one. */
  readonly isIndex: boolean;
  readonly exports: readonly ExportView[];
}

interface ExportView {
  /** `export { … }` or `export type { … }`, without the source. */
  readonly names: Code;
  readonly isType: boolean;
  readonly file: Code;
}

export function indexView(
  naming: Naming,
  parts: ReadonlySet<Part>,
  coreBare: Code,
  types: readonly Code[] = naming.typeNames.map(identifier),
  constants: readonly Code[] = naming.constantNames.map(identifier),
): IndexView {
  const exports: ExportView[] = [];
  const add = (file: Code, isType: boolean, names: readonly Code[]): void => {
    if (names.length > 0)
      exports.push({ file, isType, names: nameList(names) });
  };
  const fixed = (
    part: keyof typeof fixedExports,
    kind: "values" | "types",
  ): Code[] => {
    const names = fixedExports[part][kind];
    return names.map((name) => exported(name, naming.publish(name)));
  };
  if (parts.has("types")) {
    add(code`./types`, true, types);
    add(code`./types`, false, constants);
  }
  if (parts.has("validators")) {
    add(code`./validators`, false, naming.validatorNames.map(identifier));
    add(coreBare, true, fixed("validate", "types"));
    add(coreBare, false, fixed("validate", "values"));
  }
  for (const part of ["dispatch", "client", "server"] as const) {
    if (!parts.has(part)) continue;
    const file = code`./${identifier(part)}`;
    add(file, true, fixed(part, "types"));
    const values = fixed(part, "values");
    if (part === "dispatch") values.push(...naming.rowNames.map(identifier));
    add(file, false, values);
  }
  return { isIndex: true, exports };
}

/** One of our own names, as the index file exports it. */
function exported(name: string, alias: string): Code {
  return name === alias
    ? identifier(name)
    : code`${identifier(name)} as ${identifier(alias)}`;
}
