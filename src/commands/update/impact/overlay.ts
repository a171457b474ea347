import type { ComparedFolder } from "./changes.js";

/** The new generated files, by absolute path. */
export interface Overlay {
  /**
   * The new text; null for a file that is removed; undefined for a file that is
   * not generated.
   */
  readonly textOf: (path: string) => string | null | undefined;
  /**
   * The innermost folder of a generated file, and its path in it; null for any
   * other file.
   */
  readonly generated: (
    path: string,
  ) => { readonly compared: ComparedFolder; readonly path: string } | null;
}

/** Indexes the generated files of all folders by absolute path. */
export function overlayOf(
  compared: readonly ComparedFolder[],
  isCaseSensitive: boolean,
): Overlay {
  const keyOf = (path: string): string => {
    const slashes = path.replaceAll("\\", "/").replace(/\/{2,}/g, "/");
    return isCaseSensitive ? slashes : slashes.toLowerCase();
  };
  const files = new Map<
    string,
    { compared: ComparedFolder; path: string; text: string | null }
  >();
  // The innermost folder is last, so it counts.
  for (const one of [...compared].sort(
    (a, b) => a.folder.out.length - b.folder.out.length,
  )) {
    for (const [path, text] of one.folder.files)
      files.set(keyOf(`${one.folder.out}/${path}`), {
        compared: one,
        path,
        text,
      });
  }
  return {
    textOf: (path) => files.get(keyOf(path))?.text,
    generated: (path) => files.get(keyOf(path)) ?? null,
  };
}
