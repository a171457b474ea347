import { checkInstalled } from "../core/installed.js";
import { isObject, type JsonObject } from "../../common/object.js";
import { withoutMark } from "../core/bytes.js";
import { shown } from "../core/report.js";
import { isSkillName } from "./uri.js";

/** The YAML at the beginning of a `SKILL.md`, as JSON. */
export interface Frontmatter {
  readonly name: string;
  readonly description: string;
  readonly [member: string]: unknown;
}

/**
 * The maximum length of a frontmatter, in characters: a parser may take long
 * for a very long one.
 */
const maxLength = 65_536;

/**
 * The fields of a frontmatter whose length agentskills.io limits, in
 * characters. All but the last one are required.
 */
const maxLengths = { description: 1024, compatibility: 500 };

/**
 * Says which field of the frontmatter of a skill in this folder is not as
 * agentskills.io requires; undefined if all are.
 */
export function fieldFault(
  frontmatter: unknown,
  folder: string,
): string | undefined {
  const members = Object(frontmatter) as JsonObject;
  const { name } = members;
  if (!isSkillName(name) || !folder.endsWith(`/${name}`))
    return `name: expected the name of its folder, in a-z, 0-9 and hyphens, got ${shown(name)}`;
  for (const [field, max] of Object.entries(maxLengths)) {
    const value = members[field];
    if (value === undefined && field === "compatibility") continue;
    const isText = typeof value === "string" && value.trim() !== "";
    const length = isText ? Array.from(value).length : 0;
    if (!isText || length > max)
      return `${field}: expected text of 1 to ${max} characters, got ${isText ? length : shown(value)}`;
  }
  return undefined;
}

const advice =
  "kills need the package yaml, which could not be loaded, to read the beginning of SKILL.md. Install yaml@2.";

/**
 * Loads the parser, an optional dependency. Bundlers accept an import that they
 * cannot resolve only inside `try`.
 */
async function loadYaml(): Promise<(text: string, options: object) => unknown> {
  try {
    return (await import("yaml")).parse;
  } catch (cause) {
    throw new Error(`S${advice}`, { cause });
  }
}

/**
 * Throws if the package yaml is not installed. In a bundle and outside Node the
 * first use fails with the same message.
 */
export const checkYaml = (where: string): void =>
  checkInstalled("yaml", loadYaml, `${where}: s${advice}`);

/**
 * Splits a `SKILL.md` into its frontmatter, between two lines `---`, and the
 * Markdown after it. Anchors and aliases are refused, and so are keys that are
 * not text.
 *
 * @throws TypeError with a sentence that says what is wrong.
 */
export async function readFrontmatter(
  text: string,
): Promise<{ readonly frontmatter: JsonObject; readonly body: string }> {
  const lines = /^---[ \t]*\r?\n([^]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/.exec(
    withoutMark(text),
  );
  if (!lines)
    throw new TypeError(
      "expected YAML between two lines --- at its beginning.",
    );
  const [whole, yaml = ""] = lines;
  if (yaml.length > maxLength)
    throw new TypeError(
      `expected at most ${maxLength} characters between the two lines ---, got ${yaml.length}.`,
    );
  const parse = await loadYaml();
  let frontmatter: unknown;
  try {
    frontmatter = parse(yaml, {
      schema: "core",
      stringKeys: true,
      maxAliasCount: 0,
      logLevel: "error",
    });
  } catch (cause) {
    const [reason = ""] = (cause as Error).message.split("\n");
    throw new TypeError(`its YAML cannot be read: ${reason}`, { cause });
  }
  return {
    frontmatter: isObject(frontmatter) ? frontmatter : {},
    body: withoutMark(text).slice(whole.length),
  };
}
