import { checkInstalled } from "../core/installed.js";
import { isObject } from "../../common/object.js";
import { withoutMark } from "../core/bytes.js";

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
): Promise<{ readonly frontmatter: Frontmatter; readonly body: string }> {
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
  if (!isFrontmatter(frontmatter))
    throw new TypeError("expected text for name and description.");
  return { frontmatter, body: withoutMark(text).slice(whole.length) };
}

const isFrontmatter = (value: unknown): value is Frontmatter =>
  isObject(value) &&
  typeof value["name"] === "string" &&
  typeof value["description"] === "string";
