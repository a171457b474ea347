import type { Bytes } from "../../common/base64.js";
import type { Awaitable } from "../../common/timing.js";
import type { FeatureContext } from "../features/feature.js";
import { digestOf, excessOf, type SkillEntry } from "./entry.js";
import { readFrontmatter } from "./frontmatter.js";
import { entryFile, isInside, isSkillName } from "./uri.js";

/** A skill with all of its files, by their paths in its folder, `SKILL.md` too. */
export interface StaticSkill {
  /** The path of its folder, such as `billing/refunds`. Its last segment is the name of the skill. */
  readonly path: string;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly dynamic?: undefined;
}

/** A skill whose files are generated when they are read. A client cannot check them, and may refuse the skill. */
export interface DynamicSkill<Context = FeatureContext> {
  /** The path of its folder, such as `reports/daily`. Its last segment is the name of the skill. */
  readonly path: string;
  readonly dynamic: true;
  /** Returns a file by its path in the folder, `SKILL.md` too; undefined or null if it does not exist. */
  read(file: string, context: Context): Awaitable<string | Uint8Array | null | undefined>;
  /** Returns the paths of the files, for clients that list folders. Without it they find only `SKILL.md`. */
  list?(context: Context): Awaitable<readonly string[]>;
  readonly files?: undefined;
}

/** A folder with a `SKILL.md`. */
export type SkillFolder<Context = FeatureContext> = StaticSkill | DynamicSkill<Context>;

/** A file as it is sent: text if its bytes are UTF-8, and else bytes. */
export interface ServedFile {
  readonly uri: string;
  readonly mimeType: string;
  readonly size: number;
  readonly content: string | Bytes;
  readonly digest: () => Promise<string>;
}

/** A skill of a server. */
export interface ServedSkill {
  /** The URI of its folder. */
  readonly folder: string;
  /** Its files, those of skills inside it too; undefined if they are generated. */
  readonly files: ReadonlyMap<string, ServedFile> | undefined;
  readonly generated: DynamicSkill | undefined;
  /** Rejects with a TypeError if its `SKILL.md` is not valid. */
  entry(context: FeatureContext): Promise<SkillEntry>;
}

/**
 * Prepares skills for a server. A skill inside another one is a skill of its own, and its files are files of the other one too.
 *
 * @throws TypeError for a path or a file that clients would refuse, and for a skill that is too large.
 */
export function prepareSkills(skills: readonly SkillFolder[], prefix: string | undefined): ServedSkill[] {
  const files = new Map<string, ServedFile>();
  const addFile = (folder: string, path: string, value: string | Uint8Array): void => {
    const uri = uriOf(folder, path);
    if (!isInside(uri, folder))
      throw new TypeError(`${folder}: ${JSON.stringify(path)} is not the path of a file in a folder.`);
    const bytes = typeof value === "string" ? new TextEncoder().encode(value) : Uint8Array.from(value);
    const existing = files.get(uri)?.content;
    const content = contentOf(bytes);
    if (existing !== undefined && String(existing) !== String(content))
      throw new TypeError(`${uri} has another content in a skill inside that skill.`);
    let digest: Promise<string> | undefined;
    files.set(uri, {
      uri,
      mimeType: mimeTypeOf(path, content),
      size: bytes.length,
      content,
      digest: () => (digest ??= digestOf(bytes)),
    });
  };
  const folders = skills.map((skill) => {
    const folder = `skill://${pathOf(skill, prefix)}`;
    for (const [path, content] of Object.entries(skill.files ?? {})) addFile(folder, path, content);
    return folder;
  });
  return skills.map((skill, i): ServedSkill => {
    const folder = folders[i] ?? "";
    const other = folders.findIndex((one, j) => j !== i && (one === folder || one.startsWith(`${folder}/`)));
    if (other >= 0 && (folders[other] === folder || (!skill.dynamic && skills[other]?.dynamic)))
      throw new TypeError(`The skill ${skill.path}: ${folders[other]} cannot be inside ${folder}.`);
    return skill.dynamic ? generatedSkill(skill, folder) : staticSkill(skill, folder, files);
  });
}

function pathOf({ path }: SkillFolder, prefix: string | undefined): string {
  const whole = prefix === undefined ? path : `${prefix}/${path}`;
  const segments = whole.split("/");
  if (isSkillName(segments.at(-1)) && segments.every((one) => /^[\w~-][\w.~-]*$/.test(one))) return whole;
  throw new TypeError(
    `The skill ${JSON.stringify(whole)}: expected folders of letters, digits, ".", "_", "~" and "-", the last one the name of the skill, of a-z, 0-9 and single "-".`,
  );
}

/** The URI of a file. */
export const uriOf = (folder: string, path: string): string =>
  `${folder}/${path.split("/").map(encodeURIComponent).join("/")}`;

/** The text of bytes that are UTF-8, with its byte order mark; other bytes as they are. */
export function contentOf(bytes: Bytes): string | Bytes {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
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
  const other = typeof content === "string" ? "text/plain" : "application/octet-stream";
  return (Object.hasOwn(mimeTypes, end) ? mimeTypes[end] : undefined) ?? other;
}

function staticSkill(
  { path }: StaticSkill,
  folder: string,
  all: ReadonlyMap<string, ServedFile>,
): ServedSkill {
  const files = new Map([...all].filter(([uri]) => uri.startsWith(`${folder}/`)));
  const excess = excessOf([...files.values()].map(({ size }) => size));
  if (excess !== undefined) throw new TypeError(`The skill ${path} ${excess}.`);
  const text = files.get(`${folder}/${entryFile}`)?.content;
  if (typeof text !== "string")
    throw new TypeError(`The skill ${path}: expected a file ${entryFile} in UTF-8.`);
  const load = async (): Promise<SkillEntry> => {
    const resources = [...files.values()].map(async ({ uri, size, digest }) => ({
      uri,
      digest: await digest(),
      size,
    }));
    return { ...(await frontOf(path, folder, text)), resources: await Promise.all(resources) };
  };
  let entry: Promise<SkillEntry> | undefined;
  return { folder, files, generated: undefined, entry: () => (entry ??= load()) };
}

function generatedSkill(skill: DynamicSkill, folder: string): ServedSkill {
  const load = async (context: FeatureContext): Promise<SkillEntry> => {
    const value = (await skill.read(entryFile, context)) ?? undefined;
    const text = value instanceof Uint8Array ? contentOf(Uint8Array.from(value)) : value;
    if (typeof text !== "string")
      throw new TypeError(`The skill ${skill.path}: expected a file ${entryFile} in UTF-8.`);
    return { ...(await frontOf(skill.path, folder, text)), resources: "dynamic" };
  };
  return { folder, files: undefined, generated: skill, entry: load };
}

/** The URI and the frontmatter of a skill. */
async function frontOf(path: string, folder: string, text: string) {
  const { frontmatter } = await readFrontmatter(text).catch((cause: unknown) => {
    if (!(cause instanceof TypeError)) throw cause;
    throw new TypeError(`The skill ${path}: ${entryFile}: ${cause.message}`, { cause });
  });
  if (folder.endsWith(`/${frontmatter.name}`)) return { uri: `${folder}/${entryFile}`, frontmatter };
  throw new TypeError(
    `The skill ${path}: ${entryFile}: expected the name of its folder as name, got ${JSON.stringify(frontmatter.name)}.`,
  );
}
