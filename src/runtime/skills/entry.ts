import type { Bytes } from "../../common/base64.js";
import type { JsonObject } from "../../common/object.js";
import { shown } from "../core/report.js";
import { canonical } from "../core/session/digest.js";
import { normalizeUri } from "../core/session/uri.js";
import { SkillError } from "./error.js";
import { fieldFault, type Frontmatter } from "./frontmatter.js";
import { folderOf, isInside } from "./uri.js";

/** A file of a skill, with the digest and the number of its bytes. */
export interface SkillFile {
  readonly uri: string;
  readonly digest: string;
  readonly size: number;
}

/**
 * A skill as a server lists it. Specification of the extension: "Skill
 * entries".
 */
export interface SkillEntry {
  /**
   * The URI of its `SKILL.md`. Only together with the server it identifies the
   * skill.
   */
  readonly uri: string;
  readonly frontmatter: Frontmatter;
  /** All of its files; `dynamic` if the server generates them. */
  readonly resources: readonly SkillFile[] | "dynamic";
}

/**
 * The number of files and of bytes that a host accepts in a skill.
 * Specification of the extension: "Limits".
 */
const maxFiles = 512;
const maxBytes = 16_777_216;

/** Says by how much a skill exceeds a limit; undefined if it does not. */
export function excessOf(sizes: readonly number[]): string | undefined {
  if (sizes.length > maxFiles)
    return `has ${sizes.length} files; a skill has at most ${maxFiles}`;
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return bytes > maxBytes
    ? `has ${bytes} bytes; a skill has at most ${maxBytes}`
    : undefined;
}

/**
 * Returns the entry of a skill if it is valid: the fields of its frontmatter
 * are, and its list has each file once, all in its folder.
 *
 * @throws SkillError "entry" or "limit".
 */
export function checkEntry(entry: SkillEntry): SkillEntry {
  const { uri, frontmatter, resources } = entry;
  const invalid = (what: string): SkillError =>
    new SkillError("entry", `The entry of the skill ${shown(uri)}: ${what}.`);
  const folder = folderOf(uri);
  if (folder === undefined)
    throw invalid("uri: expected the URI of a SKILL.md in a folder");

  const field = fieldFault(frontmatter, folder);
  if (field !== undefined) throw invalid(`frontmatter.${field}`);
  // The server generates the files, so it lists none.
  if (resources === "dynamic") return entry;
  if (!Array.isArray(resources))
    throw invalid(`resources: expected a list or "dynamic"`);

  const uris = new Set<string>();
  const files = resources as readonly SkillFile[];
  for (const [i, file] of files.entries()) {
    const fault = faultOf(file, folder);
    if (fault !== undefined) throw invalid(`resources[${i}].${fault}`);
    uris.add(normalizeUri(file.uri));
  }
  if (uris.size < files.length)
    throw invalid("resources: a file is listed twice");
  if (!uris.has(normalizeUri(uri)))
    throw invalid("resources: SKILL.md is missing");

  const excess = excessOf(files.map(({ size }) => size));
  if (excess !== undefined)
    throw new SkillError("limit", `The skill ${shown(uri)} ${excess}.`);
  return entry;
}

/** Says what is wrong with a file of the list; undefined if nothing is. */
function faultOf(file: unknown, folder: string): string | undefined {
  const { uri, digest, size } = Object(file) as JsonObject;
  if (typeof uri !== "string" || !isInside(uri, folder))
    return `uri: expected a URI in the folder of the skill, got ${shown(uri)}`;
  if (typeof digest !== "string" || !/^sha256:[\da-f]{64}$/.test(digest))
    return `digest: expected sha256: and 64 hex digits in lower case, got ${shown(digest)}`;
  if (!Number.isSafeInteger(size) || Number(size) < 0)
    return `size: expected a number of bytes, got ${shown(size)}`;
  return undefined;
}

/** The digest of bytes, as in the entry of a skill. */
export async function digestOf(bytes: Bytes): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * One string for all that the user approves with a skill: the URIs and the
 * digests of its files. Keep it, beside the name of the server, with an
 * approval, and ask again if it is another one. Undefined for a skill whose
 * files are generated: never keep an approval of one.
 */
export async function skillDigest({
  uri,
  resources,
}: SkillEntry): Promise<string | undefined> {
  if (resources === "dynamic") return undefined;
  const files = resources
    .map((file) => canonical([file.uri, file.digest]))
    .sort();
  return digestOf(new TextEncoder().encode(canonical([uri, files])));
}
