/** A copied file of the runtime. */
interface VendoredFile {
  readonly path: string;
  readonly text: string;
}

const relativeImport = /(?<=\b(?:from|import) ")(\.\.?\/[^"]+)\.js(?=")/g;

/**
 * The import of an optional package, which the compiler of a project may not
 * find.
 */
const optionalImport = /\bimport\("(?![.]|node:)/;

/**
 * Copies runtime entries and the files that they import to `runtime/`. An entry
 * is copied without the exports under the comment `For clients:` or
 * `For servers:` if the program has no such side.
 *
 * @param source the runtime's files by path below its own folder
 * @param sides the sides of the program
 * @param extension the extension of relative imports
 * @throws if an entry or an import is missing, which is a bug of this package
 */
export function vendor(
  source: ReadonlyMap<string, string>,
  entries: readonly string[],
  sides: readonly Side[],
  extension: string,
): VendoredFile[] {
  const files = new Map<string, VendoredFile>();
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (files.has(path)) continue;
    const original = source.get(path);
    if (original === undefined)
      throw new Error(
        `The runtime's file "${path}" is not part of this package.`,
      );
    const text = withSides(original, sides);
    for (const [, relative] of text.matchAll(relativeImport))
      open.push(`${resolve(path, relative ?? "")}.ts`);
    const pragma = optionalImport.test(text)
      ? "// @ts-nocheck A package that it loads is optional.\n"
      : "";
    const head = `// Copied by mcpgen from @mcpgen/runtime. Do not edit.\n/* eslint-disable */\n${pragma}\n`;
    const body = text.replace(
      relativeImport,
      (_, relative: string) => relative + extension,
    );
    files.set(path, { path: `runtime/${path}`, text: head + body });
  }
  return [...files.values()];
}

type Side = "client" | "server";

export const isSide = (name: string): name is Side =>
  name === "client" || name === "server";

/** An entry with the exports of these sides only. */
function withSides(text: string, sides: readonly Side[]): string {
  return text
    .split(/^(?=\/\/ For (?:clients|servers):$)/m)
    .filter((section) => {
      const [, side] = /^\/\/ For (client|server)s:$/m.exec(section) ?? [];
      return side === undefined || sides.some((one) => one === side);
    })
    .join("");
}

function resolve(from: string, relative: string): string {
  const steps = from.split("/").slice(0, -1);
  for (const step of relative.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== ".") steps.push(step);
  }
  return steps.join("/");
}
