import { decode } from "../core/session/uri.js";

/** The file with which every skill begins. */
export const entryFile = "SKILL.md";

/**
 * Tests for a name of a skill: 1 to 64 of `a-z`, `0-9` and single hyphens
 * (agentskills.io).
 */
export const isSkillName = (name: unknown): name is string =>
  typeof name === "string" &&
  name.length <= 64 &&
  /^[a-z\d]+(-[a-z\d]+)*$/.test(name);

/**
 * The URI of the folder of a skill; undefined if the URI is not that of a
 * `SKILL.md` in a folder.
 */
export function folderOf(uri: string): string | undefined {
  const end = `/${entryFile}`;
  const folder = uri.slice(0, -end.length);
  return uri.endsWith(end) && hasNames(folder) ? folder : undefined;
}

/**
 * Tests if a URI is that of something in a folder, and leads nowhere else when
 * it is resolved or decoded.
 */
export const isInside = (uri: string, folder: string): boolean =>
  uri.startsWith(`${folder}/`) && hasNames(uri);

/**
 * Tests for a URI whose segments are names: not empty, without a query, and
 * neither `..` nor an escaped slash.
 */
function hasNames(uri: string): boolean {
  const [, path = ""] = /^[a-z][a-z\d+.-]*:\/\/([^]+)$/i.exec(uri) ?? [];
  return (
    !/[?#\\\0- ]|%2f|%5c|%00/i.test(path) &&
    path
      .split("/")
      .every((segment) => !/^\.{0,2}$/.test(segment.replace(/%2e/gi, ".")))
  );
}

/** A file or folder directly in a folder. */
export interface SkillChild {
  readonly uri: string;
  readonly name: string;
  readonly isDirectory: boolean;
}

/**
 * The files and folders directly in a folder, of these URIs of files; none if
 * it is not a folder.
 */
export function childrenOf(
  uris: Iterable<string>,
  folder: string,
): SkillChild[] {
  const children = new Map<string, SkillChild>();
  for (const uri of uris) {
    if (!uri.startsWith(`${folder}/`)) continue;
    const [segment = "", ...rest] = uri.slice(folder.length + 1).split("/");
    const child = `${folder}/${segment}`;
    children.set(child, {
      uri: child,
      name: decode(segment) ?? segment,
      isDirectory: rest.length > 0,
    });
  }
  return [...children.values()];
}

const mimeTypes: Readonly<Record<string, string>> = {
  md: "text/markdown",
  txt: "text/plain",
  html: "text/html",
  css: "text/css",
  csv: "text/csv",
  js: "text/javascript",
  mjs: "text/javascript",
  py: "text/x-python",
  json: "application/json",
  yaml: "application/yaml",
  yml: "application/yaml",
  xml: "application/xml",
  sh: "application/x-sh",
  pdf: "application/pdf",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** The MIME type of a file, by the end of its name. */
export function mimeTypeOf(path: string, content: string | Uint8Array): string {
  const [, end = ""] = /\.([a-z]+)$/.exec(path.toLowerCase()) ?? [];
  const other =
    typeof content === "string" ? "text/plain" : "application/octet-stream";
  return (Object.hasOwn(mimeTypes, end) ? mimeTypes[end] : undefined) ?? other;
}
