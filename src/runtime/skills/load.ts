import { type Bytes, fromBase64 } from "../../common/base64.js";
import { SessionError } from "../core/errors.js";
import type { RequestOptions } from "../core/jsonrpc/calls.js";
import { isObject, type JsonObject } from "../../common/object.js";
import { type Reporting, shown, warn } from "../core/report.js";
import { canonical } from "../core/session/digest.js";
import { normalizeUri } from "../core/session/uri.js";
import type { ListOptions } from "../core/session/client-side.js";
import { checkEntry, digestOf, type SkillEntry, skillDigest } from "./entry.js";
import { isSkillError, SkillError } from "./error.js";
import { checkYaml, type Frontmatter, readFrontmatter } from "./frontmatter.js";
import { childrenOf, folderOf, isInside, type SkillChild } from "./uri.js";

/** The methods of a client whose code was generated with the extension. */
export interface SkillClient {
  readonly server: { readonly capabilities: unknown };
  skills(params?: object, options?: ListOptions): AsyncIterable<SkillEntry>;
  getSkill(
    params: { uri: string },
    options?: RequestOptions,
  ): Promise<{ readonly skill: SkillEntry }>;
  readResource(
    params: { uri: string },
    options?: RequestOptions,
  ): Promise<object>;
  readResourceDirectoryItems(
    params: { uri: string },
    options?: ListOptions,
  ): AsyncIterable<{
    readonly uri: string;
    readonly name: string;
    readonly mimeType?: string | undefined;
  }>;
}

/**
 * The skills that a server lists, with checked entries. No file is read. An
 * invalid entry is left out with a warning. A list may be incomplete:
 * `loadSkill` also loads a skill that is not in it.
 */
export async function* listSkills(
  client: Pick<SkillClient, "skills">,
  { onWarning, ...options }: ListOptions & Pick<Reporting, "onWarning"> = {},
): AsyncGenerator<SkillEntry, void, undefined> {
  for await (const entry of client.skills({}, options)) {
    try {
      checkEntry(entry);
    } catch (error) {
      if (!isSkillError(error)) throw error;
      warn(onWarning ? { onWarning } : {}, error.message);
      continue;
    }
    yield entry;
  }
}

/**
 * Loads a skill, by its entry or by the URI of its `SKILL.md`: reads
 * `SKILL.md`, and checks its bytes and its frontmatter against the entry.
 * Specification of the extension: "Integrity".
 *
 * @throws SkillError if a check fails; Error if the package yaml is not
 *   installed; otherwise the errors of the requests.
 */
export async function loadSkill(
  client: SkillClient,
  skill: string | SkillEntry,
  options: RequestOptions = {},
): Promise<LoadedSkill> {
  checkYaml("loadSkill");
  const entry =
    typeof skill === "string"
      ? await getEntry(client, skill, options)
      : checkEntry(skill);
  const { uri } = entry;
  const text = await readChecked(client, uri, entry, options);
  const differs = (what: string, cause?: unknown): SkillError =>
    new SkillError(
      "frontmatter",
      `The skill ${shown(uri)}: SKILL.md: ${what}`,
      cause ? { cause } : {},
    );
  if (typeof text !== "string")
    throw differs("expected text, got bytes that are not UTF-8.");
  const { frontmatter, body } = await readFrontmatter(text).catch(
    (cause: unknown) => {
      throw cause instanceof TypeError ? differs(cause.message, cause) : cause;
    },
  );
  const fields = Object.keys({ ...frontmatter, ...entry.frontmatter });
  const other = fields.find(
    (field) =>
      canonical(frontmatter[field]) !== canonical(entry.frontmatter[field]),
  );
  if (other !== undefined)
    throw differs(
      `${other} is not that of the entry, ${shown(entry.frontmatter[other])}.`,
    );
  return new LoadedSkill(client, entry, body);
}

async function getEntry(
  client: SkillClient,
  uri: string,
  options: RequestOptions,
): Promise<SkillEntry> {
  const { skill } = await client.getSkill({ uri }, options);
  if (skill.uri === uri) return checkEntry(skill);
  throw new SkillError(
    "entry",
    `The server answered with ${shown(skill.uri)} for the skill ${shown(uri)}.`,
  );
}

/**
 * A skill whose `SKILL.md` was checked. It keeps the entry with which it was
 * loaded.
 */
export class LoadedSkill {
  readonly entry: SkillEntry;
  readonly uri: string;
  readonly frontmatter: Frontmatter;
  /**
   * The Markdown after the frontmatter. It is text of the server, which a model
   * must not trust like text of the user.
   */
  readonly body: string;
  readonly #client: SkillClient;
  #changed = false;

  constructor(client: SkillClient, entry: SkillEntry, body: string) {
    this.#client = client;
    this.entry = entry;
    this.uri = entry.uri;
    this.frontmatter = entry.frontmatter;
    this.body = body;
  }

  /**
   * True if the last `refresh` found other files: load the skill again, and ask
   * the user again.
   */
  get changed(): boolean {
    return this.#changed;
  }

  /**
   * Reads a file of the skill, by the path that a link in `SKILL.md` has, or by
   * its URI. Resolves with text, or with bytes if the server sends a blob.
   *
   * @throws SkillError "unlisted" if the entry does not list the file; "size",
   *   "digest" or "contents" if the server sends another one.
   */
  read(file: string, options: RequestOptions = {}): Promise<string | Bytes> {
    return readChecked(this.#client, this.#uriOf(file), this.entry, options);
  }

  /**
   * The files and folders directly in a folder of the skill; without a path, in
   * its own. They are those of the entry; for a skill whose files are
   * generated, the server lists them.
   *
   * @throws SkillError "unlisted" if there is no such folder; SessionError if
   *   the server cannot list the files that it generates.
   */
  async directory(path = "", options: ListOptions = {}): Promise<SkillChild[]> {
    const folder = this.#uriOf(path);
    const { resources, uri } = this.entry;
    if (resources !== "dynamic") {
      const uris = resources.map((file) => file.uri);
      const children = childrenOf(uris, folder);
      if (children.length > 0) return children;
      throw unlisted(uri, folder);
    }
    const { extensions = {} } = (this.#client.server.capabilities ?? {}) as {
      readonly extensions?: object;
    };
    const allows = (settings: unknown): boolean =>
      isObject(settings) && settings["directoryRead"] === true;
    if (!Object.values(extensions).some(allows))
      throw new SessionError(
        "capability",
        `The server cannot list the folders of the skill ${shown(uri)}.`,
      );
    const children: SkillChild[] = [];
    for await (const child of this.#client.readResourceDirectoryItems(
      { uri: folder },
      options,
    ))
      if (isInside(child.uri, folder))
        children.push({
          uri: child.uri,
          name: child.name,
          isDirectory: child.mimeType === "inode/directory",
        });
    return children;
  }

  /**
   * Asks the server for the entry again. Resolves with true if the files have
   * changed since the skill was loaded.
   */
  async refresh(options: RequestOptions = {}): Promise<boolean> {
    const entry = await getEntry(this.#client, this.uri, options);
    this.#changed =
      (await skillDigest(entry)) !== (await skillDigest(this.entry));
    return this.#changed;
  }

  /** The URI of a path in the folder of the skill. */
  #uriOf(path: string): string {
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(path)) return path;
    const segments: string[] = [];
    for (const segment of path.replace(/[?#][^]*/, "").split("/")) {
      // A path that leads out of the folder is that of no file.
      if (segment === ".." && segments.length === 0) return path;
      if (segment === "..") segments.pop();
      else if (segment !== "" && segment !== ".") segments.push(segment);
    }
    return normalizeUri([folderOf(this.uri), ...segments].join("/"));
  }
}

const unlisted = (skill: string, uri: string): SkillError =>
  new SkillError(
    "unlisted",
    `The skill ${shown(skill)} does not list ${shown(uri)}.`,
  );

/**
 * Reads a file of a skill. Resolves with text or bytes that are those which the
 * entry lists.
 */
async function readChecked(
  client: SkillClient,
  uri: string,
  { uri: skill, resources }: SkillEntry,
  options: RequestOptions,
): Promise<string | Bytes> {
  const key = normalizeUri(uri);
  const listed =
    resources === "dynamic"
      ? undefined
      : resources.find((file) => normalizeUri(file.uri) === key);
  if (
    !listed &&
    !(resources === "dynamic" && isInside(uri, folderOf(skill) ?? ""))
  )
    throw unlisted(skill, uri);
  const content = contentOf(
    await client.readResource({ uri: listed?.uri ?? uri }, options),
    key,
  );
  if (content === undefined)
    throw new SkillError(
      "contents",
      `Reading ${shown(uri)}: expected one text or blob with this URI.`,
    );
  if (!listed) return content;
  const { size, digest } = listed;
  const bytes =
    typeof content === "string" ? new TextEncoder().encode(content) : content;
  if (bytes.length !== size)
    throw new SkillError(
      "size",
      `Reading ${shown(listed.uri)}: expected ${size} bytes, got ${bytes.length}.`,
    );
  const actual = await digestOf(bytes);
  if (actual !== digest)
    throw new SkillError(
      "digest",
      `Reading ${shown(listed.uri)}: expected the digest ${digest}, got ${actual}.`,
    );
  return content;
}

function contentOf(result: object, key: string): string | Bytes | undefined {
  const { contents } = result as JsonObject;
  const own = (Array.isArray(contents) ? contents : []).filter(
    (one): one is JsonObject =>
      isObject(one) &&
      typeof one["uri"] === "string" &&
      normalizeUri(one["uri"]) === key,
  );
  const { text, blob } = own.length === 1 ? (own[0] as JsonObject) : {};
  if (typeof text === "string") return text;
  return typeof blob === "string" ? fromBase64(blob) : undefined;
}
