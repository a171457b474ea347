import type { ImpactFolder } from "./model.js";

/** The new generated files, by absolute path. */
export interface Overlay {
  /** The new text; null for a file that is removed; undefined for a file that is not generated. */
  readonly textOf: (path: string) => string | null | undefined;
  /** The innermost folder of a generated file, and its path in it; null for any other file. */
  readonly generated: (path: string) => { readonly folder: ImpactFolder; readonly path: string } | null;
  /** The root files of the program with the new generated files. */
  readonly rootNames: (before: readonly string[]) => readonly string[];
}

/** Indexes the generated files of all folders by absolute path. */
export function overlayOf(folders: readonly ImpactFolder[], isCaseSensitive: boolean): Overlay {
  const keyOf = (path: string): string => {
    const slashes = path.replaceAll("\\", "/").replace(/\/+$/, "");
    return isCaseSensitive ? slashes : slashes.toLowerCase();
  };
  const files = new Map<string, { folder: ImpactFolder; path: string; name: string; text: string | null }>();
  // The innermost folder is last, so it counts.
  for (const folder of [...folders].sort((a, b) => a.out.length - b.out.length)) {
    const out = folder.out.replaceAll("\\", "/").replace(/\/+$/, "");
    for (const [path, text] of folder.files) {
      const name = `${out}/${path}`;
      files.set(keyOf(name), { folder, path, name, text });
    }
  }
  return {
    textOf: (path) => files.get(keyOf(path))?.text,
    generated: (path) => files.get(keyOf(path)) ?? null,
    rootNames: (before) => {
      const remainingRoots = before.filter((path) => files.get(keyOf(path))?.text !== null);
      const known = new Set(remainingRoots.map(keyOf));
      // A tsconfig that includes generated files of a folder also includes its new ones.
      const included = new Set(before.map((path) => files.get(keyOf(path))?.folder));
      const newRoots = [...files.values()].filter(
        ({ folder, name, text }) =>
          text !== null && /\.[cm]?tsx?$/.test(name) && included.has(folder) && !known.has(keyOf(name)),
      );
      return [...remainingRoots, ...newRoots.map(({ name }) => name)];
    },
  };
}
